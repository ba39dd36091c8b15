// What `svcd get` and `svcd image` say.

import type { FallbackReason } from '../../model/asset.js';
import { pairsOf, wordsBeside, wordsIn } from '../terminal/language.js';

const pairs = pairsOf({
  strict: ['Fail rather than accept a default in its place.', '不接受替代素材，改为报错。'],
  size: (sizes: string, usual: string) => [`Width and height: ${sizes} [${usual}].`, `宽和高：${sizes} [${usual}]。`],
  examples: {
    twice: ['a second time costs nothing', '第二次不收费'],
    image: ['asks before it costs 10 credits; free again once owned', '花费 10 积分之前会询问；拥有后再取免费'],
  },
  listOfPresets: ['the list of presets', '预设列表'],
  jsonNeedsFile: ['--json writes to stdout: give a file with -o FILE', '--json 会写到标准输出：请用 -o FILE 指定文件'],
  needsFile: ['-o needs the name of a file', '-o 需要文件名'],
  left: (credits: string) => [`; ${credits} left`, `；剩余 ${credits}`],
  to: (file: string) => [` to ${file}`, `到 ${file}`],
  isOwned: ['owned already, no charge', '已拥有，不收费'],
  isOfHub: ['owned at the hub, no charge', '集线器已拥有，不收费'],
  isShipped: ["svcd's own, no charge", 'svcd 自带，不收费'],
  bought: (cost: string) => [`bought, ${cost}`, `已购买，${cost}`],
  noCharge: ['no charge', '不收费'],
  comma: [', ', '、'],
  /** Where a sticker came from, by the word of the API. */
  source: (source: string, cost: string) => [`${source}, ${cost}`, `${SOURCES[source] ?? source}，${cost}`],
  unknownPreset: (hint: string) => [`The library does not know this preset. ${hint}`, `素材库中没有这个预设。${hint}`],
  presetMissing: ['PRESET is missing: svcd get <preset..>', '缺少 PRESET：svcd get <preset..>'],
  noPresets: (name: string) => [`${name} names no preset`, `${name} 中没有预设`],
  inParts: ['Nothing was bought. Fetch them in parts.', '没有购买任何东西。请分几次取。'],
  notText: (name: string) => [`${name} is not valid UTF-8`, `${name} 不是有效的 UTF-8`],
  nameFolder: ['Name a folder with -o DIR; it is made if there is none.', '请用 -o DIR 指定文件夹；没有则会新建。'],
  holdsOther: (file: string) => [`${file} holds something else`, `${file} 中是别的内容`],
  failed: (preset: string, why: string) => [`${preset}: ${why}`, `${preset}：${why}`],
  gone: ['its file is not here any more', '它的文件已不在这里'],
  promptMissing: ['PROMPT is missing: svcd image <prompt..>', '缺少 PROMPT：svcd image <prompt..>'],
  yourImage: ['the image you described', '您描述的图片'],
  image: (size: string) => [`image ${size}`, `图片 ${size}`],
  overLimit: (price: string, left: string) => [
    `the image costs ${price}, more than is left (${left})`,
    `图片需要 ${price}，超过剩余（${left}）`,
  ],
  seeLimits: ['Nothing was bought. "svcd budget" shows the limits.', '没有购买任何东西。"svcd budget" 显示各上限。'],
  imageCost: (cost: string) => [`The image costs ${cost}.`, `这张图片需要 ${cost}。`],
  otherKind: (file: string, kind: string) => [`${file} holds a ${kind} file.`, `${file} 中是 ${kind} 文件。`],
});

const en = {
  output: 'File or folder to write to, or - for stdout [stdout in a pipe, else <name>.json].',
  form: 'as-bought, or safe: without code, and without what is fetched from elsewhere.',
  color: 'In other colors: #e5484d for the main one, all=#e5484d for all, #333=#fff for one.',
  badColor: (typed: string) => `--color: got ${typed}`,
  goodColor:
    'Write a color such as #e5484d, all=#e5484d, or colors of the sticker with others: #333=#fff,#000=#e5484d.',
  nowOwned: 'It is owned now: in other colors it costs nothing.',
  from: 'File with one preset a line, # for remarks; or what "svcd search --json" printed; - for stdin.',
  imageOutput: 'File or folder to write to, or - for stdout [stdout in a pipe, else image-….png].',
  percent: (preset: string) => `%2F is for HTTP paths. Here write the preset without it: svcd get ${preset}`,
  wrote: (what: string, bytes: string, where: string, paid: string) =>
    `${what}: wrote ${bytes} bytes${where} (${paid})`,
  isDefault: (what: string, why: string) => `This is NOT ${what} but a default: ${why}.`,
  isNamedDefault: (what: string, which: string, how: string, why: string) =>
    `This is NOT ${what} but a default (${which}: ${how}): ${why}.`,
  wroteDefault: (bytes: string, where: string, left: string) =>
    `Wrote ${bytes} bytes${where} (no charge${left}). --strict makes this an error instead.`,
  presetHint: 'Name presets, or a file with them: --from FILE. "svcd search WORDS" lists presets.',
  listHint: 'Write one preset a line. "svcd search WORDS --json" prints such a list, too.',
  tooMany: (count: string, max: number) => `${count} presets were named, at most ${max} are fetched at once`,
  atLine: (name: string, line: number, problem: string, got: string) => `${name}, line ${line}: ${problem}, got ${got}`,
  severalNeedFolder: (file: string) => `several stickers need a folder, and ${file} is none`,
  cost: (all: string, here: string, cost: string) => `${all}, ${here} already here: ${cost}.`,
  unsureHoldsOther: (file: string) =>
    `${file} is there already, and whether it is the same is known only once it is bought`,
  overwriteIt: 'Nothing was bought for it. --overwrite replaces the file; -o names another.',
  alreadyThere: (preset: string, file: string) => `${preset}: ${file} is already there`,
  sum: (folder: string, written: string, there: number, failed: number, cost: string) =>
    `${folder}: ${written} written, ${there} already there${failed === 0 ? '' : `, ${failed} failed`}; ${cost}.`,
  someFailed: (failed: number, all: number, presets: string) => `${failed} of ${all} could not be had: ${presets}`,
  restIsHere:
    'The others are written. What is missing can be had by the same command, once what is said above is mended.',
  promptHint: 'Write what the image shows, or - to read it from stdin.',
  otherSize: (got: string, asked: string) => `The service gave ${got} in place of ${asked}.`,
};

const SOURCES: Readonly<Record<string, string>> = { remote: '来自远程服务', library: 'svcd 自带' };

const zh: typeof en = {
  output: '要写入的文件或文件夹，- 为标准输出 [在管道中为标准输出，否则 <名称>.json]。',
  form: 'as-bought（原样），或 safe：不含代码，也不从别处加载内容。',
  color: '换颜色：#e5484d 换主色，all=#e5484d 全部换成它的深浅，#333=#fff 换一种颜色。',
  badColor: (typed) => `--color：收到 ${typed}`,
  goodColor: '请写一个颜色，如 #e5484d、all=#e5484d，或贴纸的颜色和新颜色：#333=#fff,#000=#e5484d。',
  nowOwned: '该贴纸已拥有：换其他颜色不再收费。',
  from: '每行一个预设的文件，# 为注释；也可以是 "svcd search --json" 的输出；- 为标准输入。',
  imageOutput: '要写入的文件或文件夹，- 为标准输出 [在管道中为标准输出，否则 image-….png]。',
  percent: (preset) => `%2F 用于 HTTP 路径。这里请直接写预设：svcd get ${preset}`,
  wrote: (what, bytes, where, paid) => `${what}：写入 ${bytes} 字节${where}（${paid}）`,
  isDefault: (what, why) => `这不是${what}，而是替代素材：${why}。`,
  isNamedDefault: (what, which, how, why) => `这不是 ${what}，而是替代素材（${which}：${how}）：${why}。`,
  wroteDefault: (bytes, where, left) => `写入 ${bytes} 字节${where}（不收费${left}）。加 --strict 则改为报错。`,
  presetHint: '请写出预设，或用 --from FILE 指定列出预设的文件。"svcd search WORDS" 可查找预设。',
  listHint: '请每行写一个预设；"svcd search WORDS --json" 的输出也可以。',
  tooMany: (count, max) => `写了 ${count} 个预设，一次最多取 ${max} 个`,
  atLine: (name, line, problem, got) => `${name} 第 ${line} 行：${problem}，而不是 ${got}`,
  severalNeedFolder: (file) => `多个贴纸需要一个文件夹，而 ${file} 不是`,
  cost: (all, here, cost) => `${all}，其中已有 ${here} 个：${cost}。`,
  unsureHoldsOther: (file) => `${file} 已存在；买下之前无法判断内容是否相同`,
  overwriteIt: '没有为它购买。--overwrite 替换该文件；-o 换一个。',
  alreadyThere: (preset, file) => `${preset}：${file} 已存在`,
  sum: (folder, written, there, failed, cost) =>
    `${folder}：写入 ${written}，${there} 个已存在${failed === 0 ? '' : `，${failed} 个失败`}；${cost}。`,
  someFailed: (failed, all, presets) => `${all} 个中有 ${failed} 个未能取得：${presets}`,
  restIsHere: '其余的已写入。解决上面所说的问题后，再次运行同一命令即可取得所缺的。',
  promptHint: '请写出图片要展示什么，或用 - 从标准输入读取。',
  otherSize: (got, asked) => `远程服务给出的是 ${got}，而不是 ${asked}。`,
};

export const getWords = wordsBeside(pairs, { en, zh });

const reasonPairs = pairsOf({
  no_key: ['there is no Key to pay with; "svcd key set" stores one', '没有可用来付费的 Key；"svcd key set" 保存一个'],
  insufficient_credits: ['the credits are used up', '积分已用完'],
  not_enabled: ['the service does not offer it now', '远程服务目前不提供'],
  rate_limited: ['the service wants fewer requests a minute', '远程服务要求减少每分钟的请求'],
  late: ['it was not there in time; it will be owned in a moment', '未能及时取得；稍后即为已拥有'],
  disk_full: ['the disk is full; "svcd doctor" says which', '磁盘已满；"svcd doctor" 说明是哪一个'],
  upstream_failure: ['the service failed', '远程服务出错'],
  unknown_preset: ['the service has no such sticker', '远程服务没有这个贴纸'],
});

const reasonEn = {
  offline: 'svcd was set to offline ("svcd offline --off" ends that), or the service cannot be reached',
  budget: 'the budget is used up; "svcd budget" shows it, "svcd budget set --day N" changes it',
  spending_stopped: 'spending is stopped; "svcd budget resume" allows it again',
  unsettled: 'a purchase of it brought no file, and was charged or may have been; see "svcd purchases"',
};

const reasonZh: typeof reasonEn = {
  offline: 'svcd 被设为离线（"svcd offline --off" 结束离线），或无法连接远程服务',
  budget: '预算已用完；"svcd budget" 显示预算，"svcd budget set --day N" 更改预算',
  spending_stopped: '已停止花费；"svcd budget resume" 重新允许',
  unsettled: '对它的一次购买没有得到文件，已扣费或可能已扣费；见 "svcd purchases"',
};

/** Which kind of offline it is, where the daemon says. */
export const awayWords = wordsBeside(
  pairsOf({
    unsettled: (id: number) => [
      `purchase ${id} of it brought no file, and was charged or may have been; "svcd purchases settle ${id}" looks at the balance, "svcd purchases retry ${id}" buys it again`,
      `第 ${id} 笔购买没有得到文件，已扣费或可能已扣费；"svcd purchases settle ${id}" 按余额判断，"svcd purchases retry ${id}" 再次购买`,
    ],
    goesOn: (id: number, why: string, price: string) => [
      `${why}; purchase ${id} goes on, and costs ${price} when it arrives`,
      `${why}；第 ${id} 笔购买仍在进行，到手时扣 ${price}`,
    ],
    stopped: (why: string, hint: string) => [`nothing is bought: ${why}. ${hint}`, `不购买任何东西：${why}。${hint}`],
    forced: [
      'you set svcd to offline; "svcd offline --off" ends that',
      '您把 svcd 设为离线；"svcd offline --off" 结束离线',
    ],
    awayNow: ['the service cannot be reached', '无法连接远程服务'],
    noRemote: [
      'no service is set; "svcd config set remote https://…" sets one, "svcd start --sandbox" plays one',
      '没有设置远程服务；"svcd config set remote https://…" 设置一个，"svcd start --sandbox" 用沙盒试用',
    ],
    away: (since: string) => [`the service cannot be reached since ${since}`, `从 ${since} 起无法连接远程服务`],
  }),
);

const hub = {
  en: {
    machine_revoked:
      'the hub no longer accepts this machine: it was revoked, or its time is over; "svcd hub join CODE" joins again, "svcd hub leave" ends it',
    not_a_machine: 'the hub does not know this machine; "svcd hub join CODE" joins again, "svcd hub leave" ends it',
    hub_certificate_changed:
      'what answers is not the hub that this machine joined, or it has a new certificate; ask who looks after the hub, then "svcd hub join CODE" or "svcd hub leave"',
    unsettled:
      'it is not known yet whether an earlier purchase of it was charged; at the hub, "svcd hub purchases --state unknown" lists it',
    hub_without_key: 'the hub has no Key to pay with; on the hub, "svcd key set" stores one',
    budget: (why: string) =>
      `the hub refuses it: ${why}; on the hub, "svcd hub budget" shows every limit, and "svcd hub budget set" changes one`,
  },
  zh: {
    machine_revoked:
      '集线器不再接受这台机器：它已被停用，或期限已过；"svcd hub join CODE" 重新加入，"svcd hub leave" 退出',
    not_a_machine: '集线器不认识这台机器；"svcd hub join CODE" 重新加入，"svcd hub leave" 退出',
    hub_certificate_changed:
      '应答的不是这台机器所加入的集线器，或其证书已更换；请询问集线器的管理者，然后运行 "svcd hub join CODE" 或 "svcd hub leave"',
    unsettled: '尚不清楚之前的一次购买是否已扣费；在集线器上，"svcd hub purchases --state unknown" 列出它',
    hub_without_key: '集线器没有可用来付费的 Key；在集线器上，"svcd key set" 保存一个',
    budget: (why: string) =>
      `集线器拒绝了它：${why}；在集线器上，"svcd hub budget" 显示各上限，"svcd hub budget set" 更改上限`,
  },
};

/** What a hub refuses a machine for. */
export const hubRefusalWords = wordsIn<typeof hub.en>(hub);

/** A reason without words does not compile. */
export const reasonWords: () => Readonly<Record<FallbackReason, string>> = wordsBeside(reasonPairs, {
  en: reasonEn,
  zh: reasonZh,
});
