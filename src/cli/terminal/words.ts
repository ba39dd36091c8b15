// What the options that several commands share say, and the errors of what was typed.

import type { Setting } from '../../config/settings.js';
import { afterHan, pairsOf, wordsBeside, wordsIn } from './language.js';

const pairs = pairsOf({
  seed: ['The same seed gives the same Keys, ids, images and faults.', '种子相同，Key、编号、图片和故障就相同。'],
  credits: ['Credits the main account starts with. [1000]', '主账户开始时的积分。[1000]'],
  fresh: ['Forget the state of an earlier sandbox on this home.', '忘掉此数据目录中以前沙盒的状态。'],
  with: ['Switch on what the document only describes: music,tasks.', '启用文档中只作描述的功能：music,tasks。'],
  cannotRead: (file: string, code: string) => [`${file} cannot be read (${code})`, `无法读取 ${file}（${code}）`],
  cannotWrite: (file: string, code: string) => [`${file} cannot be written (${code})`, `无法写入 ${file}（${code}）`],
  notRegular: (file: string) => [`${file} is no regular file`, `${file} 不是普通文件`],
  nameAnother: ['Name another file.', '请换一个文件。'],
  leaveHub: ['Run "svcd hub leave" first.', '请先运行 "svcd hub leave"。'],
  exists: (file: string) => [`${file} exists already`, `${file} 已存在`],
  changed: (file: string) => [
    `${file} was written by others meanwhile, and stays as it is`,
    `${file} 在此期间被其他程序写入，保持不变`,
  ],
  overwriteIt: ['--overwrite replaces it; or name another file.', '--overwrite 替换它；或换一个文件。'],
  overwrite: ['Replace files that hold something else.', '替换内容不同的文件。'],
  nameAnotherFolder: ['Name another folder.', '请换一个文件夹。'],
  needsValue: (option: string) => [`${option} needs a value`, `${option} 需要一个值`],
  noCommand: (called: string, meant: string) => [`there is no command ${called}${meant}`, `没有命令 ${called}${meant}`],
  needsCommand: (path: string) => [`${path} needs a command`, `命令 ${path} 需要一个子命令`],
  didYouMean: (name: string) => [`; did you mean ${name}?`, `；您是不是要 ${name}？`],
  or: [' or ', ' 或 '],
  seeHelp: (path: string) => [`See "${path} --help".`, `见 "${path} --help"。`],
  commands: (names: string) => [`Commands: ${names}.`, `命令：${names}。`],
  sandboxMark: ['(sandbox: its credits and purchases are not real)', '（沙盒：其中的积分和购买都不是真的）'],

  badPreset: (problem: string, got: string) => [`preset: ${problem}, got ${got}`, `预设：${problem}，而不是 ${got}`],
  missing: (name: string, usage: string) => [`${name} is missing: svcd ${usage}`, `缺少 ${name}：svcd ${usage}`],
  trueOrFalse: ['true or false', 'true 或 false'],
  whole: (min: number, max: number) => [`a whole number from ${min} to ${max}`, `${min} 到 ${max} 的整数`],
  creditsOrNone: ['a whole number of credits or none', '积分数（整数），或 none（不限）'],
  theKey: ['the Key', ' Key '],
  goOn: (question: string) => [`${question} Continue? [y/N] `, `${question}继续吗？[y/N] `],
  nothingBought: ['nothing was bought', '没有购买任何内容'],
  nothingStored: ['nothing was stored', '没有保存任何内容'],
  pay: {
    maxCredits: ['Buy nothing if it would cost more.', '若花费超过此数则什么都不买。'],
    yes: ['Buy without asking.', '不询问，直接购买。'],
    ask: (cost: string) => [`Buy for ${cost}?`, `花 ${cost}购买吗？`],
    nothingBought: ['Nothing was bought.', '没有购买任何东西。'],
    declined: ['nothing was bought', '没有购买任何东西'],
  },
  portUnknown: ['the port is 0, so the address is known only while svcd runs', '端口为 0，只有 svcd 运行时才知道地址'],
  tryThis: ['Try in another terminal:', '在另一个终端中试试：'],
  tryHere: ['Try:', '试试：'],
  startFirst: ['Start it with "svcd start", and try again.', '请先用 "svcd start" 启动，然后再试。'],
});

const en = {
  only: (all: string, usual: string) => `Permissions of ${all}, separated by commas [${usual}].`,
  notPermission: (option: string, all: string, got: string) => `--${option} must name some of ${all}, got ${got}`,
  wrongValue: (what: string, rule: string, got: string) => `${what} must be ${rule}, got ${got}`,
  ownFile: (file: string) => `${file} is a file that svcd itself uses; writing to it would destroy it`,
  isHome: (folder: string) => `${folder} is a home of svcd, which keeps its own files there`,
  leftover: (name: string) => `Removed ${name}, which an svcd that was killed left behind.`,
  valueAfterHash: "In a shell, write a value with # in quotation marks: --color '#ff8800'.",
  noOption: (path: string, option: string, meant: string) => `${path} has no option ${option}${meant}`,
  unexpected: (word: string, usage: string) => `unexpected argument ${word}: svcd ${usage}`,
  tooLong: (what: string, bytes: number) => `${what} on stdin is over ${bytes} bytes`,
  noTerminal: (question: string) => `${question} There is no terminal to ask on: confirm with --yes`,
  pay: {
    overMax: (cost: string, max: number) => `it would cost ${cost}, and --max-credits allows ${max}`,
    cannotAsk: (cost: string) => `it would cost ${cost}, and there is no terminal to ask on`,
    sayYes: 'Nothing was bought. Say --yes, and --max-credits N for the most it may cost.',
  },
};

const zh: typeof en = {
  only: (all, usual) => `权限：${all}，用逗号分隔 [${usual}]。`,
  notPermission: (option, all, got) => `--${option} 应为 ${all} 中的若干个，而不是 ${got}`,
  wrongValue: (what, rule, got) => `${what} 应为${afterHan(rule)}，而不是 ${got}`,
  ownFile: (file) => `${file} 是 svcd 自己使用的文件；写入会毁掉它`,
  isHome: (folder) => `${folder} 是 svcd 的数据目录，其中是它自己的文件`,
  leftover: (name) => `已删除 ${name}，它是被强行结束的 svcd 留下的。`,
  valueAfterHash: "在 shell 中，含 # 的值要加引号：--color '#ff8800'。",
  noOption: (path, option, meant) => `命令 ${path} 没有选项 ${option}${meant}`,
  unexpected: (word, usage) => `多余的参数 ${word}：svcd ${usage}`,
  tooLong: (what, bytes) => `标准输入中的${what}超过 ${bytes} 字节`,
  noTerminal: (question) => `${question}没有终端可供询问：请用 --yes 确认`,
  pay: {
    overMax: (cost, max) => `需要 ${cost}，而 --max-credits 只允许 ${max}`,
    cannotAsk: (cost) => `需要 ${cost}，而这里没有可以询问的终端`,
    sayYes: '没有购买任何东西。请加 --yes，并用 --max-credits N 限定最多花费。',
  },
};

export const terminalWords = wordsBeside(pairs, { en, zh });

interface SettingWords {
  what(setting: Setting): string;
  /** Its default, as a person reads it. */
  fallback(setting: Setting): string;
}

const WHAT: Readonly<Record<Setting['name'], string>> = {
  home: 'svcd 的数据目录。',
  port: '127.0.0.1 和 ::1 上的端口；0 表示由系统选择。',
  remote: '远程服务的地址：https，或本机上的 http。',
  sandbox: '运行内置沙盒，并用它作为远程服务。',
  proxy: 'https 远程服务所用的代理，如 http://proxy.example.com:3128；direct 表示不用。',
  caFile: '除系统之外还信任的证书文件（PEM），如代理自己的证书。',
  offline: '从不连接远程服务。',
  deadlineMs: '请求贴纸时最多等多少毫秒，之后改用替代素材。',
  imageDeadlineMs: '请求图片时最多等多少毫秒，之后改用替代素材。',
  settleAfterS: '结果未知的购买，余额多少秒不变才算未扣费；图片为三倍。',
  fallback: '素材不可用时提供替代素材；false 表示报错。',
  whenNothingFits: '没有合适的替代素材时用什么：plain（灰色）、transparent（空白）或 error（报错）。',
  maxFileBytes: '从远程服务接收的贴纸或图片最大多少字节。',
  form: '提供的贴纸形式：as-bought（原样），或 safe（不含代码，不从网络加载）。',
  project: '集线器上为此机器的购买付费的项目。',
  cacheLimit: '本机最多保留多少 MB 来自集线器的文件；最久未用的先移除。',
  backgroundSync: '在后台用免费请求从远程服务填充素材库；需要 Key。',
  syncShare: '填充素材库最多占用远程服务每分钟 120 个请求的百分之几。',
  timeZone: '预算按此时区计算日和月，如 Asia/Shanghai。',
  trustLoopback: '允许没有令牌的本地程序花费您的积分。',
  keyFile: '保存 Key 的文件，权限 0600，用于没有系统钥匙串的机器。',
  package: '模板包（文件夹或 .motion）：没有其他 Key 时使用其中的 service.key.json。',
  folder: '页面把文件放入的文件夹，供剪辑软件使用。',
  hubListen: '作为集线器：在此 HOST:PORT 接受机器（"svcd hub start"）。',
  hubPublicUrl: '机器访问集线器所用的 https 地址，多个用逗号分隔。',
  hubIdentity: '集线器证书和收据密钥所在的文件夹，多个集线器可共用。',
  hubTlsCert: '集线器的证书（PEM），代替 svcd 自己生成的。',
  hubTlsKey: '该证书的私钥（PEM）。',
  hubReceiptKey: '签署收据的私钥（Ed25519，PEM）。',
  hubDatabase: '集线器存放购买记录的 PostgreSQL：postgres://USER:PASSWORD@HOST:5432/NAME，多个主机用逗号分隔。',
  hubDatabaseOwner: '同上，但使用可以建表的用户（如果不是同一个用户）。',
  hubNextUrl: '集线器将来的地址，预先告知各机器（"svcd hub move"）。',
  metrics:
    '在此 HOST:PORT 回答 GET /metrics（OpenMetrics）、/healthz 和 /readyz；本机之外需要 HOME/metrics-token 中的令牌。',
  webhook: '预算用到 80 % 和 100 %、购买结果未知、Key 被拒绝、磁盘已满时通知的地址；用 HOME/webhook-secret 签名。',
  hubStrictMachines: '机器的数据目录在两处同时运行时，只允许先出现的一处购买。',
  hubAcceptAsynchronous: '即使数据库的备用机滞后（切换后会丢失购买记录）也启动集线器。',
  registerProductions:
    '是否把所用模板告知远程服务：ask（在终端问一次）、always 或 never。always 表示每次 plan、apply 和 done 都告知模板、版式、秒数和素材种类；不含文案和名称。',
};

const FALLBACKS: Readonly<Record<string, string>> = {
  none: '无',
  "the system's data folder for svcd": '系统中 svcd 的数据文件夹',
  "the system's": '系统时区',
  'no limit': '无限制',
  "the machine's first": '机器的第一个项目',
  'hub in the home': '数据目录中的 hub',
  'that of HTTPS_PROXY': 'HTTPS_PROXY 的值',
};

const settingEn: SettingWords = { what: ({ what }) => what, fallback: ({ fallback }) => fallback };

const settingZh: SettingWords = {
  what: ({ name }) => WHAT[name],
  fallback: ({ fallback }) => FALLBACKS[fallback] ?? fallback,
};

export const settingWords = wordsIn<SettingWords>({ en: settingEn, zh: settingZh });
