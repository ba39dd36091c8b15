// What svcd owned says.

import { shellWord } from '../../platform/files/shell-word.js';
import { formatCount, formatNumber } from '../terminal/format.js';
import { pairsOf, wordsBeside } from '../terminal/language.js';

const pairs = pairsOf({
  fileMissing: ['FILE is missing: "svcd owned export FILE"', '缺少 FILE："svcd owned export FILE"'],
  seeHelp: ['See "svcd owned export --help".', '见 "svcd owned export --help"。'],
  yes: ['Of a hub: take all in without asking.', '集线器：不询问，全部加入。'],
  importHead: {
    number: ['', ''],
    item: ['item', '素材'],
    digest: ['SHA-256', 'SHA-256'],
    price: ['price', '价格'],
    receipt: ['', ''],
  },
  receipted: ['has a receipt', '有收据'],
  importAsk: (items: number) => [
    `The hub signs these ${items} items for all its machines, and books nothing as paid. Take them in?`,
    `集线器将为所有机器签署这 ${items} 项，但不记为已付费。要加入吗？`,
  ],
  importSayYes: (question: string) => [
    `${question} There is no terminal to ask on: say --yes`,
    `${question} 没有可询问的终端：请使用 --yes`,
  ],
  importNeedsFile: [
    'a hub shows what it takes in: name a file, or say --yes',
    '集线器会先显示要加入的内容：请指定文件，或使用 --yes',
  ],
  nothingImported: ['nothing was taken in', '没有加入任何内容'],
  backupExample: ['purchases, budgets, tokens, and what you own', '购买、预算、令牌和您拥有的内容'],
  restore: ['Put such a copy back; svcd must be stopped.', '恢复这样的备份；须先停止 svcd。'],
  restoreExample: ['the file that was there is kept beside it', '原来的文件保留在旁边'],
  otherHome: ['Name another home with --home DIR.', '用 --home DIR 指定另一个数据目录。'],
  kept: (file: string) => [`What was there before is kept as ${file}.`, `原来的内容保留为 ${file}。`],
  noFile: (file: string) => [`there is no file ${file}`, `没有文件 ${file}`],
  notRegular: (file: string) => [`${file} is no regular file`, `${file} 不是普通文件`],
  nameBackup: ['Name a file of "svcd owned backup".', '请指定 "svcd owned backup" 写出的文件。'],
  noBackup: (file: string) => [`${file} is no backup`, `${file} 不是备份`],
  isExport: (file: string) => [`${file} is an export, no backup`, `${file} 是导出文件，不是备份`],
  through: (remote: string) => [`Through svcd (${remote}):`, `通过 svcd（${remote}）：`],
  noAnswer: ['it does not answer', '它没有应答'],
  noFigures: (why: string) => [`The service gives no figures: ${why}.`, `远程服务没有给出数字：${why}。`],
  unknown: ['The service does not say how many credits are left.', '远程服务没有说明还剩多少积分。'],
  spendable: (credits: string) => [`${credits} can be spent with this Key.`, `此 Key 可用 ${credits}。`],
  spent: ['spent', '已花费'],
  inPurchases: (purchases: string) => [`in ${purchases}`, purchases],
  unsettled: ['unsettled', '未确定'],
  seePurchases: ['see "svcd purchases"', '见 "svcd purchases"'],
  saved: ['saved', '已节省'],
  ownedAlready: ['not spent, because it was owned already', '已拥有，无需再付'],
  budgets: ['Budgets:', '预算：'],
  hubLimits: ['At the hub:', '集线器上的上限：'],
  noHubLimits: ['At the hub no limit of its own binds this machine.', '集线器没有为此机器另设上限。'],
  hubNotAsked: ['svcd is set to offline', 'svcd 设为离线'],
  free: ['free', '免费'],
  enoughFor: (times: string) => [`enough for ${times}`, `够 ${times} 次`],
  show: {
    what: ['Show the limits and how much of them is used.', '显示上限及其已用部分。'],
    title: (remote: string) => [`Budgets (${remote}):`, `预算（${remote}）：`],
  },
  set: {
    what: ['Set limits in credits per request, day or month.', '设置每次请求、每天或每月的积分上限。'],
    request: ['Credits one request may cost, or none for no limit.', '一次请求最多花费的积分；none 表示不限。'],
    day: ['Credits a day, or none.', '每天的积分；none 表示不限。'],
    month: ['Credits a calendar month, or none.', '每个自然月的积分；none 表示不限。'],
    title: (remote: string) => [`Budgets from now on (${remote}):`, `今后的预算（${remote}）：`],
    nothing: ['give at least one of --request, --day and --month', '请至少给出 --request、--day、--month 中的一个'],
    nothingHint: ['"svcd budget" shows the limits.', '"svcd budget" 显示各上限。'],
    noRemote: ['no remote is configured, and a budget belongs to one', '没有配置远程服务，而预算属于某个远程服务'],
  },
  resume: ['Allow spending again.', '重新允许花费。'],
  stop: {
    allowed: ['Spending is allowed, within the budgets.', '允许花费，在预算之内。'],
    forNow: (why: string) => [`Nothing is bought: ${why}.`, `不再购买任何东西：${why}。`],
  },
  periods: { request: ['per request', '每次请求'], day: ['today', '今天'], month: ['this month', '本月'] },
  noLimit: ['no limit', '不限'],
  atMost: (credits: string) => [`at most ${credits}`, `最多 ${credits}`],
  used: (credits: string) => [`${credits} spent or reserved`, `已花费或预留 ${credits}`],
  left: (credits: string) => [`${credits} left`, `剩余 ${credits}`],
});

const en = {
  export: 'Write everything you own to a file, or only what a lock names.',
  lock: 'Write only the files of this lock [to bundle.ndjson.gz].',
  withoutProjects: 'Leave out the scripts that the page keeps.',
  exportExamples: ['svcd owned export owned.ndjson.gz # everything you paid for, of every remote'],
  neitherOwned: (lock: string, slots: readonly string[]) =>
    `neither owned here nor beside ${lock}: ${slots.join(', ')}`,
  neitherOwnedHint: 'Nothing was written. Export where they were bought, or beside their files.',
  exported: (file: string, files: string, lock: string) => `${file}: ${files} of ${lock}.`,
  import: 'Add the contents of such a file. Each item is checked by its digest.',
  backup: 'Write a whole copy of everything about money, also while svcd runs.',
  force: 'Replace FILE also when this home lost purchases that it may hold.',
  examples: [
    'svcd owned backup owned-backup.db # before anything that could lose the home',
    'svcd owned export mine.ndjson.gz # for another machine of yours',
  ],
  noDatabase: (file: string) => `there is no ${file}: nothing was bought with this home`,
  backedUp: (file: string, purchases: number, owned: number) =>
    `${file}: ${formatCount(purchases, 'purchase')}, ${formatCount(owned, 'owned file')} of every remote.`,
  mayBeBetter: (file: string, loss: string) => `${file} is there already and may be a better backup: ${loss}`,
  putBack: (file: string) =>
    `"svcd owned restore ${shellWord(file)}" puts it back. To copy this home all the same, name another file, or give --force.`,
  restored: (file: string, purchases: number, owned: number) =>
    `owned.db is that of ${file}: ${formatCount(purchases, 'purchase')}, ${formatCount(owned, 'owned file')} of every remote.`,
  loss: (loss: string) =>
    `${loss}: nothing is bought until "svcd doctor --accept-loss", which pays again for what is missing.`,
  regularName: (typed: string) => `FILE must be the name of a regular file, got ${JSON.stringify(typed)}`,
  importIt: (noun: string, file: string) => `"svcd ${noun} import ${shellWord(file)}" adds what it holds to this home.`,
  stale: (age: string) => `The service cannot be asked now; these figures are ${age} old.`,
  hubLimitsUnknown: (why: string) => `The limits at the hub are not known: ${why}.`,
  set: {
    examples: ['svcd budget set --day 20 --month 200 # limits that are not named stay as they are'],
    noRemoteHint: 'Start svcd first, or name the remote with "svcd config set remote https://…".',
  },
  stop: {
    what: 'Stop every purchase until you lift it, also after a restart.',
    examples: ['svcd budget stop # nothing is bought from now on; what was sent already is kept'],
    forGood: (why: string) => `Nothing is bought, also after a restart: ${why}.`,
  },
};

const zh: typeof en = {
  export: '把您拥有的一切写入文件，或只写锁文件中的内容。',
  lock: '只写这个锁文件中的文件 [写入 bundle.ndjson.gz]。',
  withoutProjects: '不包括网页中保存的文案。',
  exportExamples: ['svcd owned export owned.ndjson.gz # 您付过费的一切，包括每个远程服务'],
  neitherOwned: (lock, slots) => `此处未拥有，${lock} 旁边也没有：${slots.join('、')}`,
  neitherOwnedHint: '没有写入任何文件。请在购买它们的机器上导出，或在它们的文件旁边导出。',
  exported: (file, files, lock) => `${file}：${lock} 的 ${files}。`,
  import: '加入这种文件的内容。每一项都按摘要检查。',
  backup: '写出一切与积分有关的完整副本，svcd 运行时也可以。',
  force: '即使这个数据目录丢失了 FILE 中可能有的购买，也替换 FILE。',
  examples: [
    'svcd owned backup owned-backup.db # 在可能丢失数据目录的操作之前',
    'svcd owned export mine.ndjson.gz # 用于您的另一台机器',
  ],
  noDatabase: (file) => `没有 ${file}：这个数据目录没有购买过任何东西`,
  backedUp: (file, purchases, owned) =>
    `${file}：${formatNumber(purchases)} 笔购买，${formatNumber(owned)} 个已拥有的文件。`,
  mayBeBetter: (file, loss) => `${file} 已经存在，可能是更好的备份：${loss}`,
  putBack: (file) =>
    `"svcd owned restore ${shellWord(file)}" 可恢复它。仍要复制这个数据目录，请指定另一个文件，或加 --force。`,
  restored: (file, purchases, owned) =>
    `owned.db 现在是 ${file} 的内容：${formatNumber(purchases)} 笔购买，${formatNumber(owned)} 个已拥有的文件。`,
  loss: (loss) => `${loss}：在 "svcd doctor --accept-loss" 之前不购买任何东西；它会为缺少的内容再次付费。`,
  regularName: (typed) => `FILE 必须是普通文件的名称：${JSON.stringify(typed)}`,
  importIt: (noun, file) => `"svcd ${noun} import ${shellWord(file)}" 把它的内容加入这个数据目录。`,
  stale: (age) => `现在无法询问远程服务；这些数字是 ${age}前的。`,
  hubLimitsUnknown: (why) => `无法得知集线器上的上限：${why}。`,
  set: {
    examples: ['svcd budget set --day 20 --month 200 # 没有写出的上限保持不变'],
    noRemoteHint: '请先启动 svcd，或用 "svcd config set remote https://…" 指定远程服务。',
  },
  stop: {
    what: '停止一切购买，直到您解除；重启后依然有效。',
    examples: ['svcd budget stop # 从现在起不再购买；已发出的会保留'],
    forGood: (why) => `不再购买任何东西，重启后也一样：${why}。`,
  },
};

export const ownedWords = wordsBeside(pairs, { en, zh });
