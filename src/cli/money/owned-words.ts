// What svcd owned says.

import { formatCount, formatNumber } from '../terminal/format.js';
import { wordsIn } from '../terminal/language.js';

const en = {
  export: 'Write everything you own to a file, or only what a lock names.',
  lock: 'Write only the files of this lock [to bundle.ndjson.gz].',
  exportExamples: [
    'svcd owned export owned.ndjson.gz # everything you paid for, of every remote',
    'svcd owned export --lock assets.lock.json bundle.ndjson.gz # for the colleague who renders it too',
  ],
  fileMissing: 'FILE is missing: "svcd owned export FILE"',
  seeHelp: 'See "svcd owned export --help".',
  neitherOwned: (lock: string, slots: readonly string[]) =>
    `neither owned here nor beside ${lock}: ${slots.join(', ')}`,
  neitherOwnedHint: 'Nothing was written. Export where they were bought, or beside their files.',
  exported: (file: string, files: string, lock: string) => `${file}: ${files} of ${lock}.`,
  import: 'Add the contents of such a file. Each item is checked by its digest.',
  importExample: 'items that are owned already stay as they are',
  backup: 'Write a whole copy of everything about money, also while svcd runs.',
  force: 'Replace FILE also when this home lost purchases that it may hold.',
  backupExample: 'purchases, budgets, tokens, and what you own',
  restore: 'Put such a copy back; svcd must be stopped.',
  restoreExample: 'the file that was there is kept beside it',
  examples: [
    'svcd owned backup owned-backup.db # before anything that could lose the home',
    'svcd owned export mine.ndjson.gz # for another machine of yours',
    'svcd owned import mine.ndjson.gz # adds what is missing, each item checked by its digest',
  ],
  noDatabase: (file: string) => `there is no ${file}: nothing was bought with this home`,
  otherHome: 'Name another home with --home DIR.',
  backedUp: (file: string, purchases: number, owned: number) =>
    `${file}: ${formatCount(purchases, 'purchase')}, ${formatCount(owned, 'owned file')}.`,
  mayBeBetter: (file: string, loss: string) => `${file} is there already and may be a better backup: ${loss}`,
  putBack: (file: string) =>
    `"svcd owned restore ${file}" puts it back. To copy this home all the same, name another file, or give --force.`,
  restored: (file: string, purchases: number, owned: number) =>
    `owned.db is that of ${file}: ${formatCount(purchases, 'purchase')}, ${formatCount(owned, 'owned file')}.`,
  kept: (file: string) => `What was there before is kept as ${file}.`,
  loss: (loss: string) =>
    `${loss}: nothing is bought until "svcd doctor --accept-loss", which pays again for what is missing.`,
  regularName: (typed: string) => `FILE must be the name of a regular file, got ${JSON.stringify(typed)}`,
  noFile: (file: string) => `there is no file ${file}`,
  notRegular: (file: string) => `${file} is no regular file`,
  nameBackup: 'Name a file of "svcd owned backup".',
  isExport: (file: string) => `${file} is an export, no backup`,
  importIt: (noun: string, file: string) => `"svcd ${noun} import ${file}" adds what it holds to this home.`,
};

const zh: typeof en = {
  export: '把您拥有的一切写入文件，或只写锁文件中的内容。',
  lock: '只写这个锁文件中的文件 [写入 bundle.ndjson.gz]。',
  exportExamples: [
    'svcd owned export owned.ndjson.gz # 您付过费的一切，包括每个远程服务',
    'svcd owned export --lock assets.lock.json bundle.ndjson.gz # 给也要渲染它的同事',
  ],
  fileMissing: '缺少 FILE："svcd owned export FILE"',
  seeHelp: '见"svcd owned export --help"。',
  neitherOwned: (lock, slots) => `此处未拥有，${lock} 旁边也没有：${slots.join('、')}`,
  neitherOwnedHint: '没有写入任何文件。请在购买它们的机器上导出，或在它们的文件旁边导出。',
  exported: (file, files, lock) => `${file}：${lock} 的 ${files}。`,
  import: '加入这种文件的内容。每一项都按摘要检查。',
  importExample: '已拥有的保持不变',
  backup: '写出一切与积分有关的完整副本，svcd 运行时也可以。',
  force: '即使这个数据目录丢失了 FILE 中可能有的购买，也替换 FILE。',
  backupExample: '购买、预算、令牌和您拥有的内容',
  restore: '放回这种副本；须先停止 svcd。',
  restoreExample: '原来的文件保留在旁边',
  examples: [
    'svcd owned backup owned-backup.db # 在可能丢失数据目录的操作之前',
    'svcd owned export mine.ndjson.gz # 用于您的另一台机器',
    'svcd owned import mine.ndjson.gz # 补上缺少的，每一项都按摘要检查',
  ],
  noDatabase: (file) => `没有 ${file}：这个数据目录没有购买过任何东西`,
  otherHome: '用 --home 文件夹 指定另一个数据目录。',
  backedUp: (file, purchases, owned) =>
    `${file}：${formatNumber(purchases)} 笔购买，${formatNumber(owned)} 个已拥有的文件。`,
  mayBeBetter: (file, loss) => `${file} 已经存在，可能是更好的备份：${loss}`,
  putBack: (file) => `"svcd owned restore ${file}"放回它。仍要复制这个数据目录，请指定另一个文件，或加 --force。`,
  restored: (file, purchases, owned) =>
    `owned.db 现在是 ${file} 的内容：${formatNumber(purchases)} 笔购买，${formatNumber(owned)} 个已拥有的文件。`,
  kept: (file) => `原来的内容保留为 ${file}。`,
  loss: (loss) => `${loss}：在"svcd doctor --accept-loss"之前不购买任何东西；它会为缺少的内容再次付费。`,
  regularName: (typed) => `FILE 必须是普通文件的名称：${JSON.stringify(typed)}`,
  noFile: (file) => `没有文件 ${file}`,
  notRegular: (file) => `${file} 不是普通文件`,
  nameBackup: '请指定"svcd owned backup"写出的文件。',
  isExport: (file) => `${file} 是导出文件，不是备份`,
  importIt: (noun, file) => `"svcd ${noun} import ${file}"把它的内容加入这个数据目录。`,
};

export const ownedWords = wordsIn<typeof en>({ en, zh });
