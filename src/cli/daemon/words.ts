// The daemon from outside: starting, stopping, restarting it, how it is, and what commands say while they ask it.

import { pairsOf, wordsBeside } from '../terminal/language.js';

const pairs = pairsOf({
  // Options and examples.
  detach: ['Run in the background and return when it is ready.', '在后台运行，就绪后返回。'],
  examples: {
    trySandbox: ['try everything without an account', '无需账户，试用全部功能'],
    sameSandbox: ['the same sandbox every time, with all parts', '每次都是同一个沙盒，包含全部部分'],
    stop: ['succeeds when nothing runs, too', '没有运行时也算成功'],
  },
  addSandbox: ['Add --sandbox.', '请加上 --sandbox。'],
  // The banner.
  runsAt: (url: string) => [`svcd runs at ${url}`, `svcd 运行在 ${url}`],
  comesIn: (url: string) => [`Machines come in at ${url}.`, `机器从 ${url} 接入。`],
  inviteThem: ['Invite them: "svcd hub invite --project NAME"', '邀请机器："svcd hub invite --project NAME"'],
  library: (stickers: string) => [`${stickers} stickers, searched on this machine`, `${stickers} 个贴纸，在本机搜索`],
  notContacted: [' (offline: svcd does not contact it)', '（离线：svcd 不联系它）'],
  hubRemote: (address: string) => [`the hub at ${address}`, `位于 ${address} 的集线器`],
  noKeyNeeded: ['none, and none is needed without a remote', '无；没有远程服务时不需要'],
  limitJoint: [', ', '，'],
  noLimit: (command: string) => [`no limit. ${command} sets one`, `没有上限。${command} 设置上限`],
  limits: (limits: string, command: string) => [`${limits}. ${command} changes it`, `${limits}。${command} 更改上限`],
  stopped: (why: string, hint: string) => [`stopped: ${why}. ${hint}`, `已停止：${why}。${hint}`],
  fields: {
    up: ['up', '已运行'],
    library: ['library', '素材库'],
    owned: ['owned', '已拥有'],
    remote: ['remote', '远程服务'],
    proxy: ['proxy', '代理'],
    way: ['way', '连接'],
    spending: ['spending', '花费'],
    key: ['Key', 'Key'],
    keychain: ['keychain', '系统钥匙串'],
    home: ['home', '数据目录'],
    budget: ['budget', '预算'],
    updated: ['updated', '已更新'],
  },
  semicolon: ['; ', '；'],
  ofThemShipped: (count: string) => [`, and ${count} of svcd's own`, `，另有 ${count} 个为 svcd 自带`],
  startHubAgain: (command: string) => [`The hub starts again with "${command}".`, `用 "${command}" 再次启动集线器。`],
  setAgain: (name: string) => [`Set ${name} and run "svcd restart" again.`, `设置 ${name} 后重新运行 "svcd restart"。`],
  keyFrom: {
    environment: ['SERVICE_API_KEY', 'SERVICE_API_KEY'],
    none: ['nowhere (nothing can be bought)', '无（不能购买）'],
  },
  sandboxAt: (address: string) => [`the sandbox at ${address}`, `沙盒，位于 ${address}`],
  hubOfSandbox: (hub: string) => [`${hub}; it sells from its sandbox`, `${hub}；它从自己的沙盒购买`],
  none: ['none', '无'],
  keyRefused: (source: string) => [
    `${source}; the service refuses it: "svcd key status" says why, "svcd key set" stores another`,
    `${source}；远程服务拒绝它："svcd key status" 说明原因，"svcd key set" 保存另一个`,
  ],
  unknownSetting: (name: string, meant: string) => [
    `config.json has ${name}, which is no setting and has no effect${meant}`,
    `config.json 中的 ${name} 不是设置，不起作用${meant}`,
  ],
  migrated: (copies: string) => [
    `the files of this home are brought to this version of svcd; copies of before, kept for 30 days: ${copies}. What is new: src/docs/changes.md`,
    `此数据目录的文件已转换为此版本的格式；之前的副本保留 30 天：${copies}。更新内容见 src/docs/changes.md`,
  ],
  refused: (why: string) => [`refused: ${why}`, `被拒绝：${why}`],
  online: ['online: it has answered', '在线'],
  notAsked: ['not known yet: svcd has not asked it since it started', '未知：启动以来 svcd 还没有联系过它'],
  since: (duration: string) => [` for ${duration}`, `（已 ${duration}）`],
  awayWhy: ['the remote is away', '远程服务没有回答'],
  // Offline and online.
  off: ['Contact the remote again.', '重新连接远程服务。'],
  onlineEffect: ['"svcd status" shows whether the remote can be reached.', '"svcd status" 显示能否连上远程服务。'],
  /** What "svcd open" says. */
  open: {
    print: ['Print the address instead; it works once, for a minute.', '改为打印地址；它只能用一次，一分钟内有效。'],
    code: [
      'Print a code that the page asks for before it raises a budget or allows spending again.',
      '显示验证码：网页提高预算或重新允许消费前会要求输入。',
    ],
    offer: ['Press Enter to open it in your browser.', '按 Enter 在浏览器中打开。'],
    opened: ['Your browser opens svcd.', '浏览器正在打开 svcd。'],
  },
  /** What "svcd logs" says. */
  logs: {
    follow: ['Go on printing lines as they come, until Ctrl+C.', '持续打印新的行，直到按 Ctrl+C。'],
    examples: {
      last: ['the last lines, whether or not svcd runs', '最后的行，无论 svcd 是否在运行'],
      night: ['what went wrong since two hours ago', '最近两小时的问题'],
    },
    levelRule: ['info, warn or error', 'info、warn 或 error'],
    noneFits: ['No line of the log fits.', '日志中没有符合条件的行。'],
  },
});

const en = {
  untilInputEnds: 'Stop when standard input ends: for a program that starts svcd for itself.',
  examples: { restart: 'after "npm install -g svcd": same port, remote and settings' },
  // Starting.
  bothRemotes: '--sandbox and --remote exclude each other: the sandbox is a remote',
  onlyForSandbox: (option: string) => `${option} is for the sandbox, and none is started`,
  runsUnanswered: (url: string, why: string) =>
    `svcd runs at ${url} and did not answer what this command asked (${why}): the open files limit may be too low`,
  runsUnansweredHint: 'Raise it with "ulimit -n 4096", then run "svcd restart". "svcd doctor" shows the limit.',
  sandboxRemote: (url: string) => `the sandbox at ${url}, with credits of its own`,
  noRemote: (svcd: string) =>
    `none. Add one with "${svcd} config set remote https://…", or try "${svcd} start --sandbox"`,
  noKeyYet: (svcd: string) => `none yet: "${svcd} key status" tells why, "${svcd} key set" stores one`,
  limit: (credits: string, period: string) => `at most ${credits} a ${period}`,
  // Stopping and restarting.
  nothingToStop: (home: string) => `svcd does not run on ${home}; there is nothing to stop.`,
  hasStopped: (url: string, pid: number) => `svcd at ${url} (process ${pid}) has stopped.`,
  hasEnded: (pid: number) => `svcd (process ${pid}), which could not be asked, has ended.`,
  staysWithSandbox:
    'This home stays with the sandbox: "svcd start" starts it again, and commands answer from it. ' +
    '"svcd config set remote https://…" ends that.',
  waitsForRequests: (pid: number) => `svcd (process ${pid}) finishes the requests in flight; waiting for it …`,
  restarted: (url: string, version: string, pid: number) =>
    `svcd ${version} runs at ${url} (process ${pid}), with the settings it had.`,
  startedInstead: (url: string, home: string) => `svcd did not run on ${home}; it was started, at ${url}.`,
  startedAfterCrash: (url: string, pid: number) =>
    `svcd (process ${pid}) had ended without a stop; it was started again, at ${url}. "svcd logs" shows what happened.`,
  leftTerminal: (pid: number) =>
    `It ran in a terminal or under another program (process ${pid}); now it runs in the background. "svcd stop" stops it.`,
  restartedByService: (unit: string) => `Its service manager restarted it (${unit}).`,
  serviceFailed: (command: string, why: string) => `svcd runs as a service, and "${command}" failed: ${why}`,
  serviceHint: 'Restart the service by hand, or see "svcd service status".',
  serviceSilent: (unit: string, seconds: number) =>
    `the service ${unit} was restarted, and svcd did not answer within ${seconds} s`,
  notInherited: (name: string) =>
    `svcd was started with ${name}, which holds a password that svcd does not write down, and this shell does not have it`,
  notAgain: (why: string) => `svcd was stopped and could not be started again: ${why}`,
  otherKey: (before: string, now: string) =>
    `The Key came from ${before} before and comes from ${now} now: this shell has another environment than the one svcd was started in.`,
  // Status.
  runs: (version: string, url: string, pid: number) => `svcd ${version} runs at ${url} (process ${pid})`,
  isUpdated: 'the files of svcd were replaced since it started: "svcd restart" brings the new ones',
  ofHub: (address: string, project: string, machine: string) =>
    `the hub at ${address}; project ${project}, this machine is "${machine}"`,
  hubUnknown: (why: string) => `a hub that svcd cannot tell: ${why}. Nothing is bought`,
  held: (duration: string) =>
    `held back for ${duration}: the service asked for that (Retry-After); "svcd offline --off" ends it`,
  noWay: 'none: there is no remote. Search, match and owned files work; nothing can be bought',
  forced: (since: string) => `offline${since}, because svcd was told so; "svcd offline --off" ends it`,
  away: (since: string, why: string) => `offline${since}: ${why}; svcd keeps trying and goes online by itself`,
  offlineEffect: 'Search, match and owned files still work; what would have to be bought gets a default.',
  stateNow: (url: string, offline: boolean, kept: boolean) =>
    `svcd at ${url} is ${offline ? 'offline' : 'online'} now, ` +
    `${kept ? 'and will be after a restart' : 'but not after a restart: see "svcd config"'}.`,
  stateNext: (offline: boolean, kept: boolean) =>
    kept
      ? `svcd does not run; it will be ${offline ? 'offline' : 'online'} from the next start on.`
      : `svcd does not run, and its next start will not be ${offline ? 'offline' : 'online'}: see "svcd config".`,
  open: {
    pasteIt: (seconds: number) => `Open this in a browser on this machine: it works once, for ${seconds} seconds.`,
    typeIt: (seconds: number) => `Type this into the page: it works once, for ${seconds} seconds.`,
  },
  logs: {
    since: 'Only lines since then: 30s, 10m, 2h, 3d ago, or a date and time (ISO 8601).',
    level: 'Only lines of this level and above: info, warn or error. [info]',
    lines: 'How many lines at most, the last ones. [200; all with --since]',
    sinceRule: '30s, 10m, 2h or 3d, or a date and time such as 2026-11-22T02:00:00+08:00',
    noLog: (home: string) => `There is no log in ${home} yet: svcd writes one as soon as it runs ("svcd start").`,
  },
};

const zh: typeof en = {
  untilInputEnds: '标准输入结束时停止：供自行启动 svcd 的程序使用。',
  examples: { restart: '在 "npm install -g svcd" 之后：端口、远程服务和设置不变' },
  bothRemotes: '--sandbox 和 --remote 不能同时使用：沙盒就是远程服务',
  onlyForSandbox: (option) => `${option} 只用于沙盒，而这次没有启动沙盒`,
  runsUnanswered: (url, why) => `svcd 运行在 ${url}，但没有回答这个命令（${why}）：打开文件数的上限可能太低`,
  runsUnansweredHint: '请用 "ulimit -n 4096" 提高上限，再运行 "svcd restart"。"svcd doctor" 显示上限。',
  sandboxRemote: (url) => `沙盒，位于 ${url}，使用它自己的积分`,
  noRemote: (svcd) => `无。用 "${svcd} config set remote https://…" 添加，或试试 "${svcd} start --sandbox"`,
  noKeyYet: (svcd) => `还没有："${svcd} key status" 说明原因，"${svcd} key set" 保存一个`,
  limit: (credits, period) => `${{ request: '每次请求', day: '每天', month: '每月' }[period] ?? period}最多 ${credits}`,
  nothingToStop: (home) => `数据目录 ${home} 没有正在运行的 svcd，无需停止。`,
  hasStopped: (url, pid) => `${url} 的 svcd（进程 ${pid}）已停止。`,
  hasEnded: (pid) => `无法询问的 svcd（进程 ${pid}）已结束。`,
  staysWithSandbox:
    '这个数据目录继续使用沙盒："svcd start" 会再次启动它，命令也由它回答。"svcd config set remote https://…" 改用真实的服务。',
  waitsForRequests: (pid) => `svcd（进程 ${pid}）正在完成处理中的请求，请稍候……`,
  restarted: (url, version, pid) => `svcd ${version} 运行在 ${url}（进程 ${pid}），设置不变。`,
  startedInstead: (url, home) => `数据目录 ${home} 没有正在运行的 svcd；现已启动，地址 ${url}。`,
  startedAfterCrash: (url, pid) =>
    `svcd（进程 ${pid}）此前未正常停止；现已重新启动，地址 ${url}。"svcd logs" 显示发生了什么。`,
  leftTerminal: (pid) => `它原来在终端中或由其他程序运行（进程 ${pid}），现在在后台运行。"svcd stop" 停止它。`,
  restartedByService: (unit) => `服务管理器已重新启动它（${unit}）。`,
  serviceFailed: (command, why) => `svcd 作为系统服务运行，而 "${command}" 失败：${why}`,
  serviceHint: '请手动重启该服务，或运行 "svcd service status"。',
  serviceSilent: (unit, seconds) => `服务 ${unit} 已重启，但 svcd 在 ${seconds} 秒内没有回答`,
  notInherited: (name) => `svcd 启动时使用了 ${name}，其中含有 svcd 不会保存的密码，而此终端中没有设置它`,
  notAgain: (why) => `svcd 已停止，但无法再次启动：${why}`,
  otherKey: (before, now) => `Key 的来源原为 ${before}，现为 ${now}：这个终端的环境与启动 svcd 时的环境不同。`,
  runs: (version, url, pid) => `svcd ${version} 运行在 ${url}（进程 ${pid}）`,
  isUpdated: '启动之后 svcd 的文件已被替换："svcd restart" 使用新文件',
  ofHub: (address, project, machine) => `位于 ${address} 的集线器；项目 ${project}，此机器名为 "${machine}"`,
  hubUnknown: (why) => `无法识别的集线器：${why}。不会购买任何素材`,
  held: (duration) => `暂停联系 ${duration}：远程服务要求等待（Retry-After）；"svcd offline --off" 结束等待`,
  noWay: '无：没有远程服务。搜索、匹配和已拥有的文件可用；不能购买',
  forced: (since) => `离线${since}，因为 svcd 被设为离线；"svcd offline --off" 结束离线`,
  away: (since, why) => `离线${since}：${why}；svcd 会继续尝试，恢复后自动上线`,
  offlineEffect: '搜索、匹配和已拥有的文件仍可用；需要购买的内容由替代素材代替。',
  stateNow: (url, offline, kept) =>
    `${url} 的 svcd 现在${offline ? '离线' : '在线'}，${kept ? '重启后也一样' : '但重启后不是：请看 "svcd config"'}。`,
  stateNext: (offline, kept) =>
    kept
      ? `svcd 没有运行；下次启动起${offline ? '离线' : '在线'}。`
      : `svcd 没有运行，下次启动也不会${offline ? '离线' : '在线'}：请看 "svcd config"。`,
  open: {
    pasteIt: (seconds) => `请在这台机器的浏览器中打开：只能用一次，${seconds} 秒内有效。`,
    typeIt: (seconds) => `请在网页中输入它：只能用一次，${seconds} 秒内有效。`,
  },
  logs: {
    since: '只显示此后的行：30s、10m、2h、3d 之前，或日期时间（ISO 8601）。',
    level: '只显示此级别及以上的行：info、warn 或 error。[info]',
    lines: '最多显示多少行，取最后的。[200；有 --since 时为全部]',
    sinceRule: '30s、10m、2h 或 3d，或如 2026-11-22T02:00:00+08:00 的日期时间',
    noLog: (home) => `${home} 中还没有日志：svcd 一运行就会写日志（"svcd start"）。`,
  },
};

export const daemonWords = wordsBeside(pairs, { en, zh });
