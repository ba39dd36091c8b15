// How a command tells what happens while it buys and takes: in the language that was chosen, beside the answer.

import type { Telling } from '../../video/apply/asker.js';
import { APPLY_WORDS, type ApplyWords } from '../../video/apply/words.js';
import type { StandIn } from '../../video/lock/stand-ins.js';
import { describeReason } from '../get/describe-reason.js';
import { formatCount, formatNumber, sanitize } from '../terminal/format.js';
import { errorWords } from '../terminal/error-words.js';
import { wordsIn } from '../terminal/language.js';
import { printNote } from '../terminal/output.js';

const credits = (count: number) => formatCount(count, 'credit');
const standIn = ({ slot, why, reason = '' }: StandIn): string => {
  if (why === 'default') return `${slot} 是替代素材（${describeReason(reason, undefined)}）`;
  return why === 'shipped' ? `${slot} 是按词语找到的 svcd 自带素材` : `${slot} 是在询问服务之前选出的`;
};
/** `opening (offline)`, whose reason is a code. */
const withReason = (slot: string) =>
  slot.replace(/ \((\w+)\)$/, (_, reason: string) => `（${describeReason(reason, undefined)}）`);
const WAITS: Readonly<Record<string, string>> = { pace: '远程服务限制每分钟的请求' };
const PLAN_AGAIN = '请重新做计划："svcd plan --refresh"。已有的锁文件保持其选择，除非指定 --update SLOT。';

const zh: ApplyWords = {
  colon: '：',
  anImage: '一张图片',
  sentence: (words) => `${errorWords().translated(words)}。`,

  cannotRead: (file, code) => `无法读取 ${file}（${code}）`,
  copyOnStdin: '标准输入中的文案',
  copyNeedsName: '--copy 需要一个文件名，或用 - 表示标准输入',
  tooLong: (name, most, got) => `${name}：最多接受 ${formatNumber(most)} 字节，实际 ${formatNumber(got)}`,
  emptyCopy: '是空的，每个位置需要一行',
  line: (number) => `第 ${number} 行：`,
  notUtf8: '不是有效的 UTF-8',

  noPlan: (file, why) => `${file} 不是计划：${errorWords().translated(why)}`,
  noRegularFile: '它不是普通文件',
  newerPlan: (file, its, ours) => `${file} 是版本 ${its} 的计划，而此 svcd 只能读版本 ${ours}`,
  wrongCost: (slot) => `${slot} 的花费与它的价格和 "have" 不符`,
  wrongSum: (sum, cost) => `各位置共花费 ${credits(sum)}，而 "cost" 写的是 ${cost}`,
  wrongDigest: '"digest" 属于其他位置、价格、文案或服务',
  changedByHand: (file, why) => [
    `${file} 被手动修改过：${why}；没有购买任何东西`,
    '请重新做计划："svcd plan --out FILE"。',
  ],
  nothing: '无',
  otherService: (file, then, now) => [`${file} 是按服务 ${then} 做的，而现在是 ${now}；没有购买任何东西`, PLAN_AGAIN],
  lacksSlot: (file, slot) => [`${file} 中没有位置 ${slot}；没有购买任何东西`, PLAN_AGAIN],
  otherChoice: (file, before, slot, now) => [
    `${file} 中 ${slot} 是 ${before}，而现在会是 ${now}；没有购买任何东西`,
    PLAN_AGAIN,
  ],
  dearer: (file, now, cost) => [`现在要花费 ${credits(now)}，而 ${file} 写的是 ${cost}；没有购买任何东西`, PLAN_AGAIN],

  unknownSlot: (slot) => `--update ${slot}：文案中没有这个位置`,
  notFound: (slots) => [
    `没有为 ${slots.join('、')} 找到贴纸；没有购买任何东西`,
    '请换用其他词语，或给出预设。"svcd library sync" 可以填充内容太少的素材库。',
  ],
  nothingBought: (why) => `${errorWords().translated(why)}；没有购买任何东西`,
  badTrack: (track, why) => `远程服务给出的 ${track} 无法使用：${errorWords().translated(why)}`,
  noSound: '它不是声音',
  silence: '它从头到尾都是静音',
  noLength: '没有说明它有多长（请在 "track" 之外给出 "purpose"、"mood" 或 "style"，由搜索得知）',
  otherLength: (found, told) => `它长 ${found} 秒，而不是 ${told} 秒，因此是另一首曲子`,
  otherMusic: (slots) => [
    `远程服务给出的 ${slots.join('、')} 与锁文件的内容不同；没有写入任何文件`,
    '请从版本管理中取回该文件。"svcd apply --update SLOT" 会重新选择音乐。',
  ],
  leftOut: (slot, why) => `略去 ${slot}：${errorWords().translated(why)}。`,
  asks: (slots) => `如果此处的列表不完整，会先就 ${slots} 个位置询问远程服务（最多一分钟）。`,
  standIns: (stand, guessed) => [
    `${[...stand.map(standIn), ...guessed.map((slot) => `${slot} 会在询问服务之前选出`)].join('；')}；没有购买任何东西，也没有写锁文件`,
    stand.length > 0
      ? '"svcd apply --strict --replace-defaults" 会重新选择；写明预设的位置就得到该预设。'
      : '请在服务应答时再次运行（"svcd status" 说明原因），不要用 --no-refresh。',
  ],
  inDoubt: (slots) => [
    `${slots.join('、')} 有一笔较早的购买可能已扣费；没有购买任何东西，也没有写锁文件`,
    '"svcd purchases settle --all" 查明是否已扣费；若已扣费而文件始终未到，"svcd purchases" 会给出再次请求的命令。然后再次运行同一命令。',
  ],
  overMax: (price, max) => [`这会花费 ${credits(price)}，而 --max-credits 只允许 ${max}`, '没有购买任何东西。'],
  waits: (seconds, why) =>
    seconds === 0 ? '仍在等待应答。' : `svcd 等待 ${seconds} 秒：${WAITS[why] ?? errorWords().headline(why) ?? why}。`,
  cutOff: ['后台服务在购买完成之前中断了连接', '买到的已归您所有。请再次运行同一命令，它会从中断处继续。'],
  uncertain: (count) => `尚不清楚 ${formatCount(count, 'file')}是否扣费：参见 "svcd purchases"。`,
  spent: (cost) => `已花费 ${credits(cost)}，买到的已归您所有。请再次运行同一命令，它会从中断处继续。`,
  fileGone: (slot) => `${slot} 的文件已不在此处`,
  otherBytes: (slot, file) => [
    `${slot}：远程服务给出的内容与 ${file} 不同`,
    `它们已归您所有，锁文件没有改变。"svcd apply --update ${slot}" 可以采用它们。`,
  ],
  mayBeCharged: '可能已经扣费："svcd purchases" 说明如何确认，或再次购买',
  onlyDefaults: (slots) => [
    `${slots.map(withReason).join('、')} 只有替代素材；没有写锁文件`,
    '买到的已归您所有，不会再次扣费。--replace-defaults 会再次尝试旧锁文件中的替代素材。',
  ],

  noStill: (slot, why) => `${slot} 没有静态图：${errorWords().translated(why)}。`,
  otherStill: (slot) => [
    `此 svcd 画出的 ${slot} 静态图与锁文件不同；没有写入任何文件`,
    '请从版本管理中取回该文件。"svcd apply --stills N" 会重新绘制。',
  ],

  lockNeedsName: '--lock 需要一个文件名',
  noLock: (places) => [`没有锁文件：${places.join(' 和 ')} 都不存在`, '请用 --lock FILE 指定。"svcd apply" 会写一个。'],
  keptAside: (file) => `锁文件中某个文件的位置上原有的内容已保留为 ${file}。`,
  anotherLock: (file) => `${file} 是另一个锁文件，保持不变。`,
  serviceGaveOther: (slots) => [
    `远程服务给出的 ${slots.join('、')} 与锁文件的内容不同`,
    '它们已归您所有，没有写入任何文件。"svcd apply --update SLOT" 可以有意采用它们。',
  ],
  otherSize: (slot) => [
    `锁文件给出的 ${slot} 的字节数与该摘要的文件不符`,
    '没有写入任何文件。请从版本管理中取回锁文件。',
  ],
  ownedIsOther: (slots) => [
    `已拥有的 ${slots.join('、')} 与锁文件的内容不同`,
    '没有购买或写入任何东西。请从版本管理中取回锁文件；"svcd apply --update SLOT" 可以有意采用已拥有的内容。',
  ],
  unmet: (slots, price) => [
    `此处未拥有：${slots.join('、')}（${credits(price)}）；没有写入任何文件`,
    '在拥有它们的机器上："svcd owned export --lock FILE bundle.ndjson.gz"；在此处："svcd owned import bundle.ndjson.gz"。',
  ],
  unmetDefault: (slot, what) => `${slot}：${what}，是替代素材，无法购买`,
  unmetOwn: (slot, what) => `${slot}：${what}，是用户自己的，无法购买`,
  unmetPrice: (slot, what, price) => `${slot}：${what}，${credits(price)}`,
  unmetNotForSale: '按锁文件只能购买远程服务的贴纸；其余由 "svcd apply" 重新制作。',
  unmetBuy: (remote, price) =>
    `从 ${remote === 'sandbox' ? '沙盒' : (remote ?? '远程服务')} 购买，${credits(price)}：--buy --max-credits N（仅贴纸）。`,
};

const applyWords = wordsIn<ApplyWords>({ en: APPLY_WORDS, zh });

export const TELLING: Telling = { words: applyWords(), note: (line) => printNote(sanitize(line)) };
