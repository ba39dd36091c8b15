// What svcd run and svcd token env say.

import type { FallbackReason } from '../../model/asset.js';
import { CONSENT_WORDS } from '../../mcp/consent-words.js';
import type { ErrorCode } from '../../model/errors.js';
import { formatCount, formatNumber } from '../terminal/format.js';
import { pairsOf, wordsBeside } from '../terminal/language.js';

/** What to do, by the reason of a default or the code of an error. */
type Advice = Partial<Record<FallbackReason | ErrorCode, string>>;

const NEXT_TIME = 'What came late, or waits for its turn, is being bought, and is right the next time.';
const KEY = '"svcd key status" says what is wrong with the Key.';
const GONE = 'What the service does not have, "svcd search WORDS" may find under another name.';

/** `; purchase 41: svcd purchases settle 41`. */
const settling = (ids: readonly number[]) => ids.map((id) => `; purchase ${id}: svcd purchases settle ${id}`).join('');
const settlingZh = (ids: readonly number[]) => ids.map((id) => `；购买 ${id}：svcd purchases settle ${id}`).join('');

const pairs = pairsOf({
  options: {
    allowShipped: ["Take svcd's own art, with --strict.", '与 --strict 一起：接受 svcd 自带素材。'],
    budget: ['Credits it may spend in all.', '它总共可以花费的积分。'],
    yes: ['Credits that it may spend in all.', '它总共可以花费的积分。'],
    ask: ['Forms before each purchase: always, never.', '每次购买前用表单询问：always、never。'],
    pictures: ['Pictures in answers: on, off.', '回答中的图片：on、off。'],
    printConfig: ['Print what the host of an assistant needs, as JSON.', '以 JSON 输出助手的宿主程序所需的配置。'],
    report: ['File to write what every asset came to, as JSON.', '把每个素材的结果以 JSON 写入这个文件。'],
    offline: ['Never contact the remote: what is not owned is a default.', '不联系远程服务：未拥有的一律用替代素材。'],
    changedOnPurpose: ['Go on though files of the package were changed.', '即使模板包的文件被改动过也继续。'],
    format: ['For which shell or file.', '用于哪种 shell 或文件。'],
    runBudget: ['Credits the run may spend in all.', '这次运行总共可以花费的积分。'],
  },
  /** Forms that the host of an assistant shows. */
  consent: CONSENT_WORDS,
  noReport: (name: string) => [`svcd is away, and left no report of ${name}`, `svcd 已中断，没有留下 ${name} 的报告`],
  notRunning: ['svcd does not run now; start it with "svcd start".', 'svcd 现在没有运行；用 "svcd start" 启动。'],
  onlyForRun: ['--only and --budget are for a run', '--only 和 --budget 只用于一次运行'],
  nameRun: ['Give it a name with --run NAME.', '用 --run NAME 给它一个名称。'],
  goOffline: ['Run "svcd offline" or "svcd stop" first.', '请先运行 "svcd offline" 或 "svcd stop"。'],
  finishing: ['svcd finishes what it has sent, then stops.', 'svcd 先完成已发出的请求，然后停止。'],
  forTemplate: (option: string) => [`--${option} is for a template`, `--${option} 只用于模板`],
  nameTemplate: ['Name it with --template.', '用 --template 指定模板。'],
  /** Parts of the line about what every asset came to. */
  comma: [', ', '，'],
  semicolon: ['; ', '；'],
  assets: (count: number) => [formatCount(count, 'asset'), `${formatNumber(count)} 个素材`],
  playMoney: (line: string) => [`${line} (the sandbox: play money)`, `${line}（沙盒：不是真的积分）`],
  owned: (count: number) => [`${formatNumber(count)} owned`, `已拥有 ${formatNumber(count)} 个`],
  shipped: (count: number) => [`${formatNumber(count)} shipped with svcd`, `svcd 自带 ${formatNumber(count)} 个`],
  image: (digest: string) => [`image ${digest}`, `图片 ${digest}`],
  named: (name: string, why: string) => [`${name} (${why})`, `${name}（${why}）`],
  more: (count: number) => [`and ${formatNumber(count)} more`, `另有 ${formatNumber(count)} 个`],
  assetsFailed: (count: number) => [`${formatCount(count, 'asset')} failed`, `${formatNumber(count)} 个素材失败`],
  askedAndLocked: (asked: number, locked: number) => [
    `${formatNumber(asked)} asked, ${formatNumber(locked)} locked`,
    `请求 ${formatNumber(asked)} 个，锁定 ${formatNumber(locked)} 个`,
  ],
  forStrict: (option: string) => [`--${option} is for --strict`, `--${option} 只与 --strict 一起使用`],
  nothingAsked: ['nothing was asked of svcd', '没有向 svcd 请求任何素材'],
  offlineWhy: (why: string) => [`Offline: ${why}.`, `离线：${why}。`],
  lockAdvice: ['Who renders from a lock says so: --lock FILE.', '从锁文件渲染时请写明：--lock FILE。'],
  reportSays: ['--report FILE says which, and why.', '--report FILE 说明是哪些，以及原因。'],
  isBack: (url: string) => [`svcd is back at ${url}; the command goes on.`, `svcd 已恢复（${url}）；命令继续。`],
  notStartedAgain: (why: string) => [`svcd could not be started again: ${why}`, `svcd 无法再次启动：${why}`],
  noToken: ['svcd stopped before it gave a token', 'svcd 在给出令牌之前停止了'],
});

const en = {
  options: {
    strict:
      "Exit with 20 if anything was a default, svcd's own art, in doubt or failed, a page was refused, the service or svcd was " +
      'away, or nothing was asked.',
    lock: 'Verify this lock strictly first, and count its slots, with --strict.',
    origin: 'Let the pages of this origin use svcd while the command runs; repeatable, also "http://localhost:*".',
    port: 'Port to start svcd on if it does not run; 0 for any that is free.',
    own: 'Stop the svcd that this command starts when it ends: for containers and CI.',
    template: 'Template package (.motion or folder): check it, and permit only what its motion.json declares.',
    allow: 'Permit this besides what the template declares, separated by commas.',
    run: 'Begin a run of this name, with a token of its own, and a report at /svcd/report?run=NAME.',
  },
  runExamples: [
    'svcd run -- node render.js # starts svcd in the background if it does not run',
    'svcd run --budget 5 --only stickers -- npm run render # at most 5 credits, and no images',
  ],
  envExamples: ['eval "$(svcd token env)" # sh, bash, zsh', 'svcd token env --format fish | source # fish'],
  stopped: (why: string, hint: string) => `svcd buys nothing: ${why}. ${hint}`,
  started: (url: string, isSandbox: boolean) =>
    `svcd runs in the background at ${url} now${isSandbox ? ', with the sandbox' : ''}; "svcd stop" stops it.`,
  startedOwn: (url: string, isSandbox: boolean) =>
    `svcd runs at ${url} now${isSandbox ? ', with the sandbox' : ''}, and stops when this command ends.`,
  foundOwn: (url: string) => `svcd runs at ${url} already: this command uses it, and leaves it running.`,
  isOnline: (url: string) => `svcd runs at ${url} already, and contacts the remote`,
  stillUsed: (commands: number) =>
    `svcd is used by ${formatCount(commands, 'other command')}, and stops when ${commands === 1 ? 'that ends' : 'those end'}.`,
  stoppedEarly: (signal: string) => `The command was not started: ${signal} came first.`,
  anyPort: 'Let svcd take any port that is free: "svcd run --port 0 -- COMMAND".',
  noProgram: (program: string) => `there is no program ${JSON.stringify(program)}`,
  cannotStart: (program: string, code: string) => `${program} cannot be started (${code})`,
  cannotQuote: (file: string, arg: string) =>
    `${file} cannot be given an argument with a line break or NUL, got ${JSON.stringify(arg)}`,
  changedPackage: (template: string) => `svcd: ${template} is not as it was published (--changed-on-purpose).`,
  unknownWords: (template: string, words: readonly string[]) =>
    `svcd: ${template} declares ${words.join(', ')}, which svcd does not know: ${words.length === 1 ? 'it grants' : 'they grant'} nothing.`,
  assetsWith: (assets: string, parts: readonly string[]) => `${assets}: ${parts.join(', ')}`,
  bought: (count: number, credits: number) => `${formatNumber(count)} bought for ${formatCount(credits, 'credit')}`,
  fallbacks: (count: number, names: string) => `${formatCount(count, 'fallback')}: ${names}`,
  failed: (count: number, names: string) => `${formatNumber(count)} failed: ${names}`,
  unheard: (count: number) =>
    `${formatCount(count, 'list')} of svcd's own stickers alone, for the service was not heard`,
  omitted: (count: number) => `and ${formatCount(count, 'request')} for more than can be listed`,
  uncertain: (count: number, ids: readonly number[]) =>
    `and ${formatNumber(count)} whose cost is not known yet${settling(ids)}`,
  refused: (requests: number, origin: string) =>
    origin === 'null'
      ? `${formatCount(requests, 'request')} of pages without an origin were refused: serve the page from http://localhost, or read the files of a lock (svcd/slots)`
      : `${formatCount(requests, 'request')} of pages at ${origin} were refused: svcd run --origin ${origin}`,
  away: (times: number, seconds: string) =>
    `svcd was away ${times === 1 ? `${seconds} s` : `${times} times, ${seconds} s in all`}`,
  notInReport: (away: string) => `${away}; what was asked then is not in this report`,
  /** Parts of the refusal of --strict. */
  unknownWhole: 'it is not known what the command was served, so it may have been defaults',
  notWhole: (what: readonly string[]) => `the command succeeded, and ${what.join(', ')} (--strict)`,
  replaced: (count: number) => `${formatCount(count, 'asset')} ${count === 1 ? 'was' : 'were'} replaced by a default`,
  notListed: (count: number) => `${formatCount(count, 'request')} could not be listed`,
  unheardLists: (count: number) =>
    `${formatCount(count, 'list')} held svcd's own stickers alone, for the service was not heard`,
  shippedServed: (count: number) => `${formatCount(count, 'asset')} ${count === 1 ? 'was' : 'were'} svcd's own art`,
  inDoubt: (count: number, ids: readonly number[]) =>
    `of ${formatCount(count, 'asset')} it is not known what was charged${settling(ids)}`,
  pagesRefused: (count: number) => `${formatCount(count, 'request')} of pages ${count === 1 ? 'was' : 'were'} refused`,
  awayAdvice: 'What was asked while svcd was away is not known: run the command again, and leave svcd running.',
  advice: {
    late: NEXT_TIME,
    timeout: NEXT_TIME,
    rate_limited: NEXT_TIME,
    busy: NEXT_TIME,
    duplicate_request: NEXT_TIME,
    unsettled:
      'What is unsettled may have been paid for, and is not bought again by itself: "svcd purchases" lists it, "svcd ' +
      'purchases settle ID" settles it, "svcd purchases retry ID" buys it again.',
    no_key: KEY,
    invalid_key: KEY,
    key_disabled: KEY,
    key_limit_exceeded: KEY,
    permission_missing: KEY,
    insufficient_credits: 'The account has too few credits, or the Key a limit: "svcd key status" says which.',
    budget:
      'A budget is used up: that of the run (--budget), one of svcd, which "svcd budget" shows, ' +
      'or one of the hub that this machine joined, which "svcd hub budget" shows there.',
    spending_stopped: 'Spending is stopped: "svcd status" says why, and how to go on.',
    not_permitted: 'The token of the run does not permit all of it: see --only.',
    not_declared:
      'The template asked for what its motion.json does not declare; --allow of "svcd run" is yours to give.',
    offline: 'The service was not asked: "svcd status" says why.',
    disk_full: 'The disk of svcd, or of its hub, is full: "svcd doctor" says which. It buys again when there is room.',
    upstream_failure: 'The service failed: try again later.',
    not_enabled: 'The service does not offer all of it now.',
    unknown_preset: GONE,
    not_found: GONE,
  } as Advice,
  tokenEnded: 'svcd: the token of this command was ended while svcd was away; nothing can be bought with it.',
  isAway: (url: string) => `svcd is away; the command waits for it at ${url}.`,
  otherAddress: (now: string, before: string, port: string) =>
    `svcd runs at ${now} now, and this command knows it at ${before}: start it with --port ${port}.`,
  otherRemote: (now: string, before: string) =>
    `svcd runs with another remote now (${now}, before: ${before}), where this command may not spend.`,
};

const NEXT_TIME_ZH = '未及时取得或还在排队的素材正在购买，下次运行即可用上。';
const KEY_ZH = '"svcd key status" 说明 Key 有什么问题。';
const GONE_ZH = '远程服务没有的素材，可用 "svcd search WORDS" 查找其他名称。';

const zh: typeof en = {
  options: {
    strict:
      '如果有替代素材、svcd 自带素材、费用不明或失败的素材，有页面被拒绝，远程服务或 svcd 不可用，或什么都没有请求，则退出码为 20。',
    lock: '与 --strict 一起：先严格核对这个锁文件，并计入其位置。',
    origin: '命令运行期间允许此来源的页面使用 svcd；可重复，也可用 "http://localhost:*"。',
    port: 'svcd 未运行时启动所用的端口；0 表示任意空闲端口。',
    own: '本命令启动的 svcd 随本命令结束而停止：用于容器和 CI。',
    template: '模板包（.motion 或文件夹）：先检查，只允许 motion.json 声明的内容。',
    allow: '除模板声明之外还允许这些，以逗号分隔。',
    run: '开始一个此名称的运行，有自己的令牌，报告在 /svcd/report?run=NAME。',
  },
  runExamples: [
    'svcd run -- node render.js # svcd 未运行时在后台启动它',
    'svcd run --budget 5 --only stickers -- npm run render # 最多 5 积分，不生成图片',
  ],
  envExamples: ['eval "$(svcd token env)" # 用于 sh、bash、zsh', 'svcd token env --format fish | source # 用于 fish'],
  stopped: (why, hint) => `svcd 现在不购买任何东西：${why}。${hint}`,
  started: (url, isSandbox) => `svcd 现在在后台运行于 ${url}${isSandbox ? '，使用沙盒' : ''}；"svcd stop" 停止它。`,
  startedOwn: (url, isSandbox) => `svcd 现在运行于 ${url}${isSandbox ? '，使用沙盒' : ''}，本命令结束时停止。`,
  foundOwn: (url) => `svcd 已经运行于 ${url}：本命令使用它，结束后让它继续运行。`,
  isOnline: (url) => `svcd 已经运行于 ${url}，并且会联系远程服务`,
  stillUsed: (commands) => `还有 ${commands} 个命令在使用 svcd，它们结束后 svcd 停止。`,
  stoppedEarly: (signal) => `命令没有启动：先收到了 ${signal}。`,
  anyPort: '让 svcd 使用任意空闲端口："svcd run --port 0 -- COMMAND"。',
  noProgram: (program) => `没有程序 ${JSON.stringify(program)}`,
  cannotStart: (program, code) => `无法启动 ${program}（${code}）`,
  cannotQuote: (file, arg) => `不能给 ${file} 带换行或 NUL 的参数：${JSON.stringify(arg)}`,
  changedPackage: (template) => `svcd：${template} 与发布时不一致（--changed-on-purpose）。`,
  unknownWords: (template, words) => `svcd：${template} 声明了 svcd 不认识的 ${words.join('、')}：不因此允许任何内容。`,
  assetsWith: (assets, parts) => `${assets}：${parts.join('，')}`,
  bought: (count, credits) => `购买 ${formatNumber(count)} 个，花费 ${formatNumber(credits)} 积分`,
  fallbacks: (count, names) => `替代素材 ${formatNumber(count)} 个：${names}`,
  failed: (count, names) => `失败 ${formatNumber(count)} 个：${names}`,
  unheard: (count) => `${formatNumber(count)} 个列表只有 svcd 自己的贴纸，因为没有收到远程服务的答复`,
  omitted: (count) => `另有 ${formatNumber(count)} 个请求超出可列出的数量`,
  uncertain: (count, ids) => `另有 ${formatNumber(count)} 个费用尚不清楚${settlingZh(ids)}`,
  refused: (requests, origin) =>
    origin === 'null'
      ? `无来源页面的 ${formatNumber(requests)} 个请求被拒绝：请从 http://localhost 提供页面，或读取锁文件的文件（svcd/slots）`
      : `${origin} 页面的 ${formatNumber(requests)} 个请求被拒绝：svcd run --origin ${origin}`,
  away: (times, seconds) => (times === 1 ? `svcd 中断了 ${seconds} 秒` : `svcd 中断了 ${times} 次，共 ${seconds} 秒`),
  notInReport: (away) => `${away}；那时的请求不在这份报告中`,
  unknownWhole: '不知道命令得到了什么，其中可能有替代素材',
  notWhole: (what) => `命令成功了，但${what.join('，')}（--strict）`,
  replaced: (count) => `${formatNumber(count)} 个素材被替代素材代替`,
  notListed: (count) => `${formatNumber(count)} 个请求无法列出`,
  unheardLists: (count) => `${formatNumber(count)} 个列表只有 svcd 自己的贴纸，因为没有收到远程服务的答复`,
  shippedServed: (count) => `${formatNumber(count)} 个素材是 svcd 自带的`,
  inDoubt: (count, ids) => `${formatNumber(count)} 个素材是否扣费尚不清楚${settlingZh(ids)}`,
  pagesRefused: (count) => `${formatNumber(count)} 个页面请求被拒绝`,
  awayAdvice: 'svcd 中断期间的请求结果未知：请再次运行命令，并让 svcd 保持运行。',
  advice: {
    late: NEXT_TIME_ZH,
    timeout: NEXT_TIME_ZH,
    rate_limited: NEXT_TIME_ZH,
    busy: NEXT_TIME_ZH,
    duplicate_request: NEXT_TIME_ZH,
    unsettled:
      '结果未知的购买可能已付费，不会自动再次购买："svcd purchases" 列出，"svcd purchases settle ID" 处理，' +
      '"svcd purchases retry ID" 再次购买。',
    no_key: KEY_ZH,
    invalid_key: KEY_ZH,
    key_disabled: KEY_ZH,
    key_limit_exceeded: KEY_ZH,
    permission_missing: KEY_ZH,
    insufficient_credits: '账户积分不足，或 Key 有上限："svcd key status" 说明是哪一种。',
    budget:
      '预算已用完：这次运行的（--budget），"svcd budget" 显示的某一个，或所加入的集线器的某一个（在那里用 "svcd hub budget" 查看）。',
    spending_stopped: '花费已停止："svcd status" 说明原因和如何继续。',
    not_permitted: '这次运行的令牌不允许其中一部分：见 --only。',
    not_declared: '模板请求了 motion.json 没有声明的内容；可用 "svcd run" 的 --allow 允许。',
    offline: '没有询问远程服务："svcd status" 说明原因。',
    disk_full: 'svcd 或集线器的磁盘已满："svcd doctor" 说明是哪一个。有空间后会恢复购买。',
    upstream_failure: '远程服务出错：请稍后再试。',
    not_enabled: '远程服务现在不提供其中一部分。',
    unknown_preset: GONE_ZH,
    not_found: GONE_ZH,
  },
  tokenEnded: 'svcd：这个命令的令牌在 svcd 中断期间已失效，不能再用它购买。',
  isAway: (url) => `svcd 暂时中断；命令正在等待它恢复（${url}）。`,
  otherAddress: (now, before, port) =>
    `svcd 现在运行在 ${now}，而这个命令知道的是 ${before}：请用 --port ${port} 启动它。`,
  otherRemote: (now, before) => `svcd 现在使用另一个远程服务（${now}，之前是 ${before}），这个命令不能在那里花费。`,
};

export const runWords = wordsBeside(pairs, { en, zh });
