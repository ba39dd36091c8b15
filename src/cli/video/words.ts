// What the commands of a video say: plan, apply, fetch, verify, attribution and done. What is said while they work stands in
// `telling.ts`.

import { formatNumber } from '../terminal/format.js';
import { pairsOf, wordsBeside } from '../terminal/language.js';

const CONFIG = '"svcd config set registerProductions always"';

const pairs = pairsOf({
  changedOnPurpose: ['Take a package that is not as it was published.', '接受与发布时不同的模板包。'],
  maxCredits: ['Buy nothing if it would cost more.', '如果会超过此数，则什么都不购买。'],
  copyMissing: ['--copy FILE is missing', '缺少 --copy FILE'],
  project: [
    'A script that the page keeps, by its name, in place of --copy.',
    '用页面保存的文案（按名称）代替 --copy。',
  ],
  copyOrProject: [
    '--copy and --project name two copies: give one of them',
    '--copy 和 --project 指定了两份文案：请只用一个',
  ],
  noProject: (name: string) => [`the page keeps no script called ${name}`, `页面没有保存名为 ${name} 的文案`],
  twoProjects: (name: string) => [`several scripts are called ${name}`, `有多份文案名为 ${name}`],
  nameAnother: (names: string) => [`There are: ${names}.`, `现有：${names}。`],
  theCopy: ['the copy', '文案'],
  image: (size: string) => [`image ${size}`, `图片 ${size}`],
  nothingFound: ['nothing found', '没有找到'],
  inDoubt: ['in doubt', '结果未知'],
  have: { owned: ['owned', '已拥有'], own: ['yours', '您自己的'], shipped: ["svcd's own", 'svcd 自带'] },
  standIn: {
    default: (reason: string) => [`a default (${reason})`, `替代素材（${reason}）`],
    shipped: ["svcd's own art, which words found", '按词语找到的 svcd 自带素材'],
    part: ['a guess, chosen before the service was asked', '在询问服务之前的猜测'],
  },
  join: [', ', '、'],
  colon: [': ', '：'],
  plan: {
    make: { what: ['Plan for a file of copy; "make" may be left out.', '为一份文案做计划；"make" 可以省略。'] },
    show: { what: ['Print a saved plan. Needs no daemon.', '打印保存的计划。无需后台服务。'] },
    out: ['Also write the plan to this file.', '同时将计划写入此文件。'],
    failOver: ['Exit with 11 when it costs more credits than this.', '花费的积分超过此数时，以 11 退出。'],
    maxCredits: ['Plan with at most so many credits.', '计划最多花费这么多积分。'],
    refresh: ['Ask the service for the balance and for matches first; free.', '先向远程服务询问余额和匹配；免费。'],
    fitAtLeast: [
      "Leave a slot empty for which nothing fits so well: 'strong' or 'fair'.",
      "若没有贴纸契合到此程度，则留空：'strong'（好）或 'fair'（一般）。",
    ],
    style: [
      "One style for all stickers: 'auto', 'any' (if not given), or the first part of a preset, such as 'twemoji'.",
      "所有贴纸用一种风格：'auto'（自动）、'any'（任意，默认），或预设的第一部分，如 'twemoji'。",
    ],
    styleKind: ['Only stickers that are drawn so.', '只用这样绘制的贴纸：填充、线条或彩色。'],
    outHint: ['--json prints to stdout.', '--json 打印到标准输出。'],
    nameAnother: ['Name another file.', '请换一个文件。'],
    head: {
      slot: ['slot', '位置'],
      title: ['title', '标题'],
      preset: ['preset', '预设'],
      fit: ['fit', '契合'],
      price: ['price', '价格'],
    },
    fits: { strong: ['strong', '好'], fair: ['fair', '一般'], weak: ['weak', '差'] },
    image: ['image', '图片'],
    paidAbove: ['paid above', '上面已计'],
    titleOwned: (title: string) => [`${title} (owned)`, `${title}（已拥有）`],
    or: (others: string) => [`or ${others}`, `或 ${others}`],
    joinParts: ['; ', '；'],
    limits: {
      request: (credits: number) => [`${formatNumber(credits)} in one request`, `每次请求 ${formatNumber(credits)}`],
      day: (credits: number) => [`${formatNumber(credits)} today`, `今天 ${formatNumber(credits)}`],
      month: (credits: number) => [`${formatNumber(credits)} this month`, `本月 ${formatNumber(credits)}`],
      token: (credits: number) => [`${formatNumber(credits)} for this token`, `此令牌 ${formatNumber(credits)}`],
      account: (credits: number) => [`${formatNumber(credits)} in the account`, `账户 ${formatNumber(credits)}`],
    },
    toldAt: (at: string) => [` (told ${at})`, `（${at} 得知）`],
    cost: ['Cost', '花费'],
    left: ['Left', '剩余'],
    doesNotFit: ['Does not fit', '超出限制'],
    wouldFit: ['Would fit', '可以负担'],
    nothingNow: ['nothing can be bought now', '现在什么都不能购买'],
  },
  apply: {
    yes: ['Buy without asking.', '不询问，直接购买。'],
    strict: [
      "Fail, and write no lock, if anything is a default, a guess, or svcd's own art that words found.",
      '只要有替代素材、猜测或按词语找到的 svcd 自带素材就失败，并且不写锁文件。',
    ],
    refresh: [
      'Ask the service about the slots first, where its list is not complete; --no-refresh leaves it.',
      '列表不完整时，先就各位置询问远程服务；--no-refresh 不询问。',
    ],
    select: [
      'Also select music into the private assets of the account, which changes it.',
      '同时将音乐选入账户的私有素材，这会改变账户。',
    ],
    stills: ['Also draw a PNG of each sticker, so many pixels long.', '同时为每个贴纸绘制 PNG，长边为此像素数。'],
    update: ['Choose this slot anew; may be repeated.', '重新选择此位置；可重复。'],
    replaceDefaults: [
      'Try again for the defaults of the lock, and choose its guesses anew.',
      '再次尝试获取锁文件中被替代的素材，并重新选择其中的猜测。',
    ],
    asLocked: ['as locked', '与锁文件相同'],
    costs: (price: string) => [`It costs ${price}.`, `需花费 ${price}。`],
    aDefaultFor: (wanted: string) => [`a default for ${wanted}`, `${wanted} 的替代素材`],
  },
  fetch: {
    locked: [
      'What it does anyway: the very files that the lock names, or none.',
      '默认行为：只恢复锁文件所列的文件，否则什么都不写。',
    ],
    out: ['Folder for the files [that of the lock].', '存放文件的文件夹 [锁文件所在的]。'],
    buyNeedsMax: ['--buy needs --max-credits N', '--buy 需要 --max-credits N'],
    buyNeedsMaxHint: ['Say what it may cost.', '请说明最多可以花费多少。'],
    maxWithoutBuy: ['--max-credits is for --buy, which is missing', '--max-credits 须与 --buy 一起使用'],
  },
  attribution: {
    unknown: (preset: string) => [
      `unknown: ${preset} (the service did not tell its licence: ask it before you publish)`,
      `许可未知：${preset}（远程服务没有说明；发布前请向它询问）`,
    ],
    noCredit: ['No credit line is needed.', '不需要署名。'],
  },
  done: {
    duration: ['Length of the video in seconds [that of motion.json].', '视频的秒数 [motion.json 中的]。'],
    report: ['The report of "svcd run --report" in place of a lock.', '用 "svcd run --report" 的报告代替锁文件。'],
    aWord: ['a word such as landscape', '一个词，例如 landscape'],
    seconds: (most: number) => [`seconds from 0 to ${most}`, `0 到 ${most} 之间的秒数`],
    notKept: (why: string) => [`svcd: the answer could not be kept: ${why}`, `svcd：无法保存您的回答：${why}`],
    notice: (words: string) => [`  notice: ${words}`, `  通知：${words}`],
    tip: (words: string) => [`  tip: ${words}`, `  提示：${words}`],
    unreachable: (reason: string) => [`it cannot be reached (${reason})`, `无法联系远程服务（${reason}）`],
  },
});

const en = {
  copy: 'File with the copy: JSON, or a line of text for each slot; - for stdin.',
  copyMissingHint: (command: string) => `Name a file with the copy, or - for stdin. See "svcd ${command} --help".`,
  outNeedsName: (what: 'file' | 'folder') => `--out needs the name of a ${what}`,
  plan: {
    make: { examples: ['svcd plan --copy copy.txt # what each line gets and costs'] },
    show: { examples: ['svcd plan show plan.json # what was planned, without a daemon'] },
    costsTooMuch: (cost: string, failOver: number) => `the plan costs ${cost}, and --fail-over allows ${failOver}`,
    overwrites: (out: string) => `--out ${out} would overwrite what the plan is made of`,
  },
  apply: {
    examples: ['svcd apply --copy copy.json # shows what it would cost, asks once, writes svcd-assets/'],
    out: (folder: string) => `Folder for the files and assets.lock.json [${folder}].`,
    plan: 'Buy only what this saved plan says; fail if it would cost more.',
    form: (forms: readonly string[]) => `Form of sticker files: ${forms.join(' or ')} [as before, else ${forms[0]}].`,
    costsMore: (price: string, limit: string) => `It costs ${price}, more than is left (${limit}).`,
    defaultFor: (slot: string, wanted: string, reason: string) => `${slot}: a default replaces ${wanted} (${reason}).`,
    applied: (lock: string, files: string, cost: string) => `${lock}: ${files}, ${cost}.`,
    appliedKept: (lock: string, files: string, kept: string, cost: string) =>
      `${lock}: ${files}, ${kept} as before, ${cost}.`,
    thenTakesIt: '"svcd apply --replace-defaults" then takes it; --strict makes this an error.',
    triesAgain: '"svcd apply --replace-defaults" tries again; --strict makes this an error.',
    chooses: '"svcd apply --replace-defaults" chooses anew; --strict makes this an error.',
  },
  fetch: {
    examples: ['svcd fetch # brings back files that are missing or damaged; buys nothing'],
    lock: 'The lock [assets.lock.json in --out, else here, else in svcd-assets].',
    buy: 'Buy stickers of the lock that are not owned here; needs --max-credits.',
    fetched: (out: string, written: string, kept: number, lock: string, bought: string) =>
      `${out}: ${written} written, ${kept} there already, by ${lock}${bought}.`,
    bought: (stickers: string, cost: string) => `; ${stickers} bought for ${cost}`,
  },
  verify: {
    examples: ['svcd verify # exit code 0, or 17 with a line for each file that is not what the lock says'],
    lock: 'The lock [assets.lock.json here, else in svcd-assets].',
    strict: "Exit with 20 if a slot is a default, a guess, or svcd's own art that words found.",
    standsIn: (lock: string, told: readonly string[]) => `${lock} is not what was asked for: ${told.join('; ')}`,
    standsInHint: '"svcd apply --strict --replace-defaults" chooses them anew.',
    differ: (wrong: number, files: string, lock: string) => `${wrong} of ${files} differ from ${lock}`,
    differHint: '"svcd fetch" brings back what is owned; "svcd apply" makes a new lock.',
    nothingThere: (lock: string) => `${lock} names no slot, so that nothing was looked at`,
    good: (lock: string, files: string) => `${lock}: ${files}, all as locked.`,
    goodWithDefaults: (lock: string, files: string, defaults: string) =>
      `${lock}: ${files}, all as locked. ${defaults} with a default.`,
    /** What is wrong with a file, by its code; else in the words that came with it. */
    problems: {} as Readonly<Record<string, string>>,
  },
  attribution: {
    examples: ['svcd attribution report.json # one line for each credit that the video needs'],
    noReport: (file: string) => `${file} is no report and no lock: it names no stickers or images`,
    noReportHint: 'Give the file of "svcd run --report FILE", or assets.lock.json.',
  },
  done: {
    examples: ['svcd done birthday-card.motion # after the export; asks once whether the service may be told'],
    layout: 'Layout of the video, such as landscape [that of motion.json].',
    lock: (locks: readonly string[]) =>
      `The lock of the video, which tells what kinds of assets it uses [${locks.join(' or ')}].`,
    ofAnother: (file: string, other: string, template: string) =>
      `${file} is of ${other}, and the package is ${template}`,
    ask: (template: string) =>
      `Tell the service that ${template} is used for a video? It learns the template, the layout, the duration and the ` +
      'kinds of assets; no copy, no names. The answer is kept.',
    toldNot: (template: string, why: string) => `The service was not told of ${template}: ${why}.`,
    toldNotNote: (template: string, why: string) => `svcd: the service was not told of ${template}: ${why}`,
    told: (template: string, stage: string) => `The service was told of ${template} (${stage}).`,
    newVersion: (name: string, latest: string, version: string) => `${name} has version ${latest}; this is ${version}.`,
    reasons: {
      changed: 'the package is not as it was published',
      declined: `you declined; ${CONFIG} tells it`,
      not_asked: `there was no terminal to ask on; ${CONFIG} tells it without asking`,
    } as Readonly<Record<string, string>>,
  },
};

const zh: typeof en = {
  copy: '文案文件：JSON，或每个位置一行文字；- 表示标准输入。',
  copyMissingHint: (command) => `请给出文案文件，或用 - 表示标准输入。参见 "svcd ${command} --help"。`,
  outNeedsName: (what) => `--out 需要一个${what === 'file' ? '文件' : '文件夹'}名`,
  plan: {
    make: { examples: ['svcd plan --copy copy.txt # 每一行得到什么、花多少'] },
    show: { examples: ['svcd plan show plan.json # 当时的计划，无需后台服务'] },
    costsTooMuch: (cost, failOver) => `计划花费 ${cost}，而 --fail-over 只允许 ${failOver}`,
    overwrites: (out) => `--out ${out} 会覆盖计划所依据的文件`,
  },
  apply: {
    examples: ['svcd apply --copy copy.json # 显示花费，询问一次，写入 svcd-assets/'],
    out: (folder) => `存放文件和 assets.lock.json 的文件夹 [${folder}]。`,
    plan: '只购买此计划中的内容；如果会更贵则失败。',
    form: (forms) => `贴纸文件的形式：${forms.join(' 或 ')} [与以前相同，否则 ${forms[0]}]。`,
    costsMore: (price, limit) => `花费 ${price}，超过剩余（${limit}）。`,
    defaultFor: (slot, wanted, reason) => `${slot}：用替代素材代替 ${wanted}（${reason}）。`,
    applied: (lock, files, cost) => `${lock}：${files}，${cost}。`,
    appliedKept: (lock, files, kept, cost) => `${lock}：${files}，其中 ${kept}不变，${cost}。`,
    thenTakesIt: '之后用 "svcd apply --replace-defaults" 取得；--strict 会将此视为错误。',
    triesAgain: '"svcd apply --replace-defaults" 会再试；--strict 会将此视为错误。',
    chooses: '"svcd apply --replace-defaults" 会重新选择；--strict 会将此视为错误。',
  },
  fetch: {
    examples: ['svcd fetch # 恢复缺失或损坏的文件；不购买'],
    lock: '锁文件 [--out 中的 assets.lock.json，其次是当前文件夹，再次是 svcd-assets]。',
    buy: '购买锁文件中此处未拥有的贴纸；需要 --max-credits。',
    fetched: (out, written, kept, lock, bought) => `${out}：按 ${lock} 写入 ${written}，${kept} 个已存在${bought}。`,
    bought: (stickers, cost) => `；花费 ${cost} 购买了 ${stickers}`,
  },
  verify: {
    examples: ['svcd verify # 退出码 0；或 17，并列出每个与锁文件不符的文件'],
    lock: '锁文件 [当前文件夹的 assets.lock.json，其次是 svcd-assets 中的]。',
    strict: '只要有位置是替代素材、猜测或按词语找到的 svcd 自带素材，就以 20 退出。',
    standsIn: (lock, told) => `${lock} 不是所要的：${told.join('；')}`,
    standsInHint: '"svcd apply --strict --replace-defaults" 会重新选择。',
    differ: (wrong, files, lock) => `${files}中有 ${wrong} 个与 ${lock} 不符`,
    differHint: '"svcd fetch" 恢复已拥有的文件；"svcd apply" 写一个新的锁文件。',
    nothingThere: (lock) => `${lock}中没有任何位置，因此什么都没有检查`,
    good: (lock, files) => `${lock}：${files}，全部与锁文件相符。`,
    goodWithDefaults: (lock, files, defaults) => `${lock}：${files}，全部与锁文件相符。${defaults}使用替代素材。`,
    problems: {
      missing: '不存在',
      outside: '是指向文件夹之外的链接',
      not_a_file: '不是普通文件',
      unreadable: '无法读取',
      size: '的大小与锁文件不符',
      digest: '的内容与锁文件不符',
    },
  },
  attribution: {
    examples: ['svcd attribution report.json # 视频需要的每条署名一行'],
    noReport: (file) => `${file} 既不是报告，也不是锁文件：其中没有贴纸或图片`,
    noReportHint: '请给出 "svcd run --report FILE" 的文件，或 assets.lock.json。',
  },
  done: {
    examples: ['svcd done birthday-card.motion # 导出之后；询问一次是否可以告诉远程服务'],
    layout: '视频的版式，例如 landscape [motion.json 中的]。',
    lock: (locks) => `视频的锁文件，说明它使用了哪几类素材 [${locks.join(' 或 ')}]。`,
    ofAnother: (file, other, template) => `${file} 属于 ${other}，而模板包是 ${template}`,
    ask: (template) =>
      `可以告诉远程服务 ${template} 用于制作视频吗？远程服务只会得知模板、版式、时长和素材种类；不含文案和名称。您的回答会保存。`,
    toldNot: (template, why) => `没有把 ${template} 告诉远程服务：${why}。`,
    toldNotNote: (template, why) => `svcd：没有把 ${template} 告诉远程服务：${why}`,
    told: (template, stage) => `已把 ${template} 告诉远程服务（${stage}）。`,
    newVersion: (name, latest, version) => `${name} 有版本 ${latest}；当前是 ${version}。`,
    reasons: {
      changed: '模板包与发布时不同',
      declined: `您已拒绝；${CONFIG} 可改为告知`,
      not_asked: `没有终端可以询问；${CONFIG} 表示不询问、直接告知`,
    },
  },
};

export const videoWords = wordsBeside(pairs, { en, zh });
