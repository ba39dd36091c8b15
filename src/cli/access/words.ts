// What svcd config says.

import { formatNumber } from '../terminal/format.js';
import { pairsOf, wordsBeside } from '../terminal/language.js';

const pairs = pairsOf({
  origins: ['Manage the origins whose web pages may use svcd.', '管理可以使用 svcd 的网页来源。'],
  show: ['Show every setting and where its value comes from.', '显示每个设置及其值的来源。'],
  set: { what: ['Write a setting to config.json.', '把设置写入 config.json。'] },
  unset: { what: ['Remove a setting from config.json.', '从 config.json 中删除设置。'] },
  path: { what: ['Print the path of config.json.', '打印 config.json 的路径。'] },
  uses: (remote: string) => [`This home uses ${remote} then.`, `届时此数据目录使用：${remote}。`],
  remotes: { sandbox: ['the sandbox', '沙盒'], none: ['no remote', '无远程服务'] },
  useOption: (flag: string, env: string) => [`Use --${flag} or ${env}.`, `请使用 --${flag} 或 ${env}。`],
  prompt: (name: string) => [`${name} (not shown): `, `${name}（不显示）：`],
  passwordSeen: (name: string) => [
    `other users can see a password among the arguments, in lists of processes: "svcd config set ${name}" without it asks for it, or reads it from stdin`,
    `其他用户能在进程列表中看到参数里的密码：不写值的 "svcd config set ${name}" 会询问，或从标准输入读取`,
  ],
  likeKey: ['of that name, which looks like a Key', '：所写的名称像是 Key'],
  unknown: (name: string, meant: string) => [`there is no setting ${name}${meant}`, `没有设置 ${name}${meant}`],
  known: (names: string) => [`Settings: ${names}.`, `设置：${names}。`],
  none: ['none', '无'],
  ofSystem: (zone: string) => [`${zone} (the system's)`, `${zone}（系统时区）`],
  because: {
    remote: ['because there is a remote', '因为有远程服务'],
    loopback: ['because the remote is on this machine', '因为远程服务在本机'],
    hub: ['because this home belongs to a hub', '因为此数据目录已加入集线器'],
  },
  from: (place: string) => [`from ${place}`, `来自 ${place}`],
  lastUsed: ['as this home was last used', '与此数据目录上次使用时相同'],
  initial: ['default', '默认'],
});

const en = {
  running:
    'These settings apply to the next start. The running svcd keeps those it was started with: see "svcd status".',
  set: {
    examples: ['svcd config set remote https://assets.example.com # use this service from the next start on'],
    done: (name: string, value: string, isNow: boolean) =>
      `${name} is ${value} from ${isNow ? 'now' : 'the next start'} on.`,
  },
  unset: {
    done: (name: string, isNow: boolean) =>
      `${name} is not in config.json from ${isNow ? 'now' : 'the next start'} on.`,
  },
  path: { examples: ['$EDITOR "$(svcd config path)" # edit the settings by hand'] },
  keeps: (remote: string) => `The running svcd keeps ${remote} until "svcd stop".`,
  ofHub: (name: string) => `the setting ${name} has no effect while this home belongs to a hub`,
  notInFile: (name: string) => `${name} cannot be set in config.json, which is inside it`,
};

const zh: typeof en = {
  running: '这些设置在下次启动时生效。正在运行的 svcd 保持启动时的设置：见 "svcd status"。',
  set: {
    examples: ['svcd config set remote https://assets.example.com # 从下次启动起使用这个远程服务'],
    done: (name, value, isNow) => `从${isNow ? '现在' : '下次启动'}起，${name} 为 ${value}。`,
  },
  unset: { done: (name, isNow) => `从${isNow ? '现在' : '下次启动'}起，config.json 中没有 ${name}。` },
  path: { examples: ['$EDITOR "$(svcd config path)" # 手动编辑设置'] },
  keeps: (remote) => `正在运行的 svcd 仍使用：${remote}，直到 "svcd stop"。`,
  ofHub: (name) => `加入集线器期间，设置 ${name} 不起作用`,
  notInFile: (name) => `${name} 不能写在 config.json 中，因为该文件就在其中`,
};

export const configWords = wordsBeside(pairs, { en, zh });

const originsPairs = pairsOf({
  list: ['List the origins whose pages may use svcd.', '列出网页可以使用 svcd 的来源。'],
  add: ['Allow the pages of an origin to use svcd, at once.', '立即允许一个来源的网页使用 svcd。'],
  addExample: ['for pages you develop there', '用于您在那里开发的网页'],
  remove: ['Refuse the pages of an origin again, at once.', '立即重新拒绝一个来源的网页。'],
  removed: (origin: string) => [`Pages of ${origin} may no longer use svcd.`, `${origin} 的网页不能再使用 svcd。`],
  needToken: ['To spend or to see the account they need the local token.', '要花费积分或查看账户，它们需要本机令牌。'],
});

const originsEn = {
  none: 'Only svcd\'s own web pages may use it. "svcd config origins add http://localhost:3000" allows those of another origin.',
  spoofable: 'Warning: without https, anyone who controls the network can pretend to be this origin.',
  added: (origin: string) => `Pages of ${origin} may search, match and use owned stickers from now on.`,
};

const originsZh: typeof originsEn = {
  none: '只有 svcd 自己的网页可以使用它。"svcd config origins add http://localhost:3000" 允许另一个来源的网页。',
  spoofable: '警告：没有 https，控制网络的人可以冒充这个来源。',
  added: (origin) => `${origin} 的网页从现在起可以搜索、匹配和使用已拥有的贴纸。`,
};

export const originsWords = wordsBeside(originsPairs, { en: originsEn, zh: originsZh });

const tokenPairs = pairsOf({
  env: ['Print the variables that make a template use svcd.', '输出让模板使用 svcd 的环境变量。'],
  show: ["Print the home's own token.", '打印数据目录自己的令牌。'],
  showExample: ['use it in a script', '在脚本中使用'],
  add: ['Add a token with limits and a scope of its own.', '添加一个有自己的上限和范围的令牌。'],
  day: ['Credits it may spend a day.', '它每天可以花费的积分。'],
  month: ['Credits it may spend a calendar month.', '它每个日历月可以花费的积分。'],
  request: ['Credits one request may cost.', '一个请求最多可以花费的积分。'],
  renamed: (old: string, now: string) => [`--${old} is called --${now}`, `--${old} 现在叫 --${now}`],
  writeNow: (command: string) => [`Write: ${command}`, `请改写为：${command}`],
  list: ['List the added tokens and what they spent.', '列出添加的令牌和它们的花费。'],
  revoke: ['Revoke an added token at once.', '立即撤销一个添加的令牌。'],
  revoked: (name: string) => [`Token ${name} revoked.`, `令牌 ${name} 已撤销。`],
  never: ['never', '从未'],
  nothing: ['nothing', '无'],
  aRequest: (credits: number) => [`${formatNumber(credits)} a request`, `每个请求 ${formatNumber(credits)}`],
  aDay: (credits: number) => [`${formatNumber(credits)} a day`, `每天 ${formatNumber(credits)}`],
  homes: ["the home's", '与数据目录相同'],
  comma: [', ', '，'],
});

const tokenEn = {
  rotate: "Replace the home's own token; the old one stops working at once.",
  addExamples: ['svcd token add promo --day 20 --only stickers # stickers only, 20 credits a day'],
  added: (name: string) => `This is token ${name}. It is shown only once: svcd stores only its digest.`,
  none: 'There is no token except the home\'s own: "svcd token show".',
  head: ['name', 'for', 'limits', 'spent today', 'last used'],
  rotated: 'The old token no longer works. Give this one to the programs that used it.',
  ofCommand: (name: string, template: string | undefined) => `${name} (${template ?? 'a command'} that runs)`,
  aMonth: (credits: number, spent: number) => `${formatNumber(credits)} a month (${formatNumber(spent)} spent)`,
  inAll: (credits: number, spent: number) => `${formatNumber(credits)} in all (${formatNumber(spent)} spent)`,
};

const tokenZh: typeof tokenEn = {
  rotate: '更换数据目录自己的令牌；旧令牌立即失效。',
  addExamples: ['svcd token add promo --day 20 --only stickers # 只限贴纸，每天 20 积分'],
  added: (name) => `这是令牌 ${name}。它只显示这一次：svcd 只保存它的摘要。`,
  none: '除数据目录自己的令牌外没有其他令牌："svcd token show"。',
  head: ['名称', '范围', '上限', '今日花费', '上次使用'],
  rotated: '旧令牌不再有效。请把这个令牌交给使用旧令牌的程序。',
  ofCommand: (name, template) => `${name}（正在运行的${template === undefined ? '命令' : ` ${template}`}）`,
  aMonth: (credits, spent) => `每月 ${formatNumber(credits)}（已花 ${formatNumber(spent)}）`,
  inAll: (credits, spent) => `总共 ${formatNumber(credits)}（已花 ${formatNumber(spent)}）`,
};

export const tokenWords = wordsBeside(tokenPairs, { en: tokenEn, zh: tokenZh });
