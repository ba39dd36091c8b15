// The daemon from outside: starting, stopping, restarting it, how it is, and what commands say while they ask it.

import { wordsIn } from '../terminal/language.js';

const en = {
  // Options and examples.
  detach: 'Run in the background and return when it is ready.',
  untilInputEnds: 'Stop when standard input ends: for a program that starts svcd for itself.',
  examples: {
    trySandbox: 'try everything without an account',
    sameSandbox: 'the same sandbox every time, with all parts',
    realService: 'use the real service',
    fromScript: 'start it from a script',
    stop: 'succeeds when nothing runs, too',
    restart: 'after "npm install -g svcd": same port, remote and settings',
    status: 'for a person',
    statusJson: 'for a script; exit code 4 when nothing runs',
    offline: 'search, match and owned files still work; nothing can be bought',
    online: 'contact the remote again',
  },
  // Starting.
  bothRemotes: '--sandbox and --remote exclude each other: the sandbox is a remote',
  onlyForSandbox: (option: string) => `${option} is for the sandbox, and none is started`,
  addSandbox: 'Add --sandbox.',
  inBackground: (log: string) => [
    'It runs in the background; "svcd stop" stops it.',
    `"svcd logs" shows what it writes to ${log}.`,
  ],
  notReady: (seconds: number) => `svcd was not ready within ${seconds} s`,
  failedAtStart: 'svcd failed while it started',
  runsUnanswered: (url: string, why: string) =>
    `svcd runs at ${url} and did not answer what this command asked (${why}): the open files limit may be too low`,
  runsUnansweredHint: 'Raise it with "ulimit -n 4096", then run "svcd restart". "svcd doctor" shows the limit.',
  seeLog: (file: string) => `See what it said: ${file}, or "svcd logs".`,
  // The banner.
  runsAt: (url: string) => `svcd runs at ${url}`,
  tryThis: 'Try in another terminal:',
  library: (stickers: string) => `${stickers} stickers, searched on this machine`,
  sandboxRemote: (url: string) => `the sandbox at ${url}, with credits of its own`,
  notContacted: ' (offline: svcd does not contact it)',
  hubRemote: (address: string) => `the hub at ${address}`,
  noRemote: (svcd: string) =>
    `none. Add one with "${svcd} config set remote https://…", or try "${svcd} start --sandbox"`,
  noKeyNeeded: 'none, and none is needed without a remote',
  noKeyYet: (svcd: string) => `none yet: "${svcd} key status" tells why, "${svcd} key set" stores one`,
  limit: (credits: string, period: string) => `at most ${credits} a ${period}`,
  limitJoint: ', ',
  noLimit: (command: string) => `no limit. ${command} sets one`,
  limits: (limits: string, command: string) => `${limits}. ${command} changes it`,
  stopped: (why: string, hint: string) => `stopped: ${why}. ${hint}`,
  fields: {
    up: 'up',
    library: 'library',
    owned: 'owned',
    remote: 'remote',
    proxy: 'proxy',
    way: 'way',
    spending: 'spending',
    key: 'Key',
    keychain: 'keychain',
    home: 'home',
    budget: 'budget',
    credits: 'credits',
    seed: 'seed',
    token: 'token',
    updated: 'updated',
  },
  // The sandbox alone.
  sandboxRuns: (url: string) => `The sandbox runs at ${url}`,
  inFile: (file: string) => `in ${file}`,
  // Stopping and restarting.
  nothingToStop: (home: string) => `svcd does not run on ${home}; there is nothing to stop.`,
  hasStopped: (url: string, pid: number) => `svcd at ${url} (process ${pid}) has stopped.`,
  hasEnded: (pid: number) => `svcd (process ${pid}), which could not be asked, has ended.`,
  goesOn: (pid: number) => `svcd (process ${pid}) was paused; it goes on.`,
  killed: (pid: number) =>
    `svcd (process ${pid}) did not answer and did not end; it was ended for good. What it had sent is kept as unknown: "svcd purchases" shows it.`,
  isPaused: (pid: number) => `svcd (process ${pid}) was paused by the system or with Ctrl+Z, and answers nothing`,
  isPausedHint: (pid: number) => `"kill -CONT ${pid}" lets it go on; so does "svcd restart".`,
  isLost: (pid: number, file: string) =>
    `svcd runs (process ${pid}), and ${file}, which says where, is missing or damaged`,
  isLostHint: 'Run "svcd restart", or "svcd stop" to end it. "svcd doctor" tells more.',
  staysWithSandbox:
    'This home stays with the sandbox: "svcd start" starts it again, and commands answer from it. ' +
    '"svcd config set remote https://…" ends that.',
  startHubAgain: (command: string) => `The hub starts again with "${command}".`,
  stillRuns: (pid: number, seconds: number) => `svcd (process ${pid}) still runs after ${seconds} s`,
  finishesFirst: 'It finishes the requests in flight and ends then; nothing needs to be done.',
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
  setAgain: (name: string) => `Set ${name} and run "svcd restart" again.`,
  notAgain: (why: string) => `svcd was stopped and could not be started again: ${why}`,
  otherKey: (before: string, now: string) =>
    `The Key came from ${before} before and comes from ${now} now: this shell has another environment than the one svcd was started in.`,
  keyFrom: { environment: 'SERVICE_API_KEY', none: 'nowhere (nothing can be bought)' },
  remotes: { sandbox: 'the sandbox', none: 'no remote is configured' },
  // Another version.
  commandNewer: (own: string, running: string) =>
    `svcd ${own} asks a daemon that is still svcd ${running}: "svcd restart" updates it.`,
  commandOlder: (own: string, running: string) =>
    `svcd ${own} asks a newer daemon, svcd ${running}. "svcd doctor" tells which svcd your PATH finds; "svcd restart" would bring the older one.`,
  otherBuild: (version: string) => `The daemon runs another build of svcd ${version}: "svcd restart" updates it.`,
  // Status.
  runs: (version: string, url: string, pid: number) => `svcd ${version} runs at ${url} (process ${pid})`,
  isUpdated: 'the files of svcd were replaced since it started: "svcd restart" brings the new ones',
  sandboxAt: (address: string) => `the sandbox at ${address}`,
  ofHub: (address: string, project: string, machine: string) =>
    `the hub at ${address}; project ${project}, this machine is "${machine}"`,
  hubOfSandbox: (hub: string) => `${hub}; it sells from its sandbox`,
  hubUnknown: (why: string) => `a hub that svcd cannot tell: ${why}. Nothing is bought`,
  none: 'none',
  held: (duration: string) =>
    `held back for ${duration}: the service asked for that (Retry-After); "svcd offline --off" ends it`,
  refused: (why: string) => `refused: ${why}`,
  online: 'online: it has answered',
  notAsked: 'not known yet: svcd has not asked it since it started',
  noWay: 'none: there is no remote. Search, match and owned files work; nothing can be bought',
  since: (duration: string) => ` for ${duration}`,
  forced: (since: string) => `offline${since}, because svcd was told so; "svcd offline --off" ends it`,
  away: (since: string, why: string) => `offline${since}: ${why}; svcd keeps trying and goes online by itself`,
  awayWhy: 'the remote is away',
  // Offline and online.
  off: 'Contact the remote again.',
  offlineEffect: 'Search, match and owned files still work; what would have to be bought gets a default.',
  onlineEffect: '"svcd status" shows whether the remote can be reached.',
  stateNow: (url: string, offline: boolean, kept: boolean) =>
    `svcd at ${url} is ${offline ? 'offline' : 'online'} now, ` +
    `${kept ? 'and will be after a restart' : 'but not after a restart: see "svcd config"'}.`,
  stateNext: (offline: boolean, kept: boolean) =>
    kept
      ? `svcd does not run; it will be ${offline ? 'offline' : 'online'} from the next start on.`
      : `svcd does not run, and its next start will not be ${offline ? 'offline' : 'online'}: see "svcd config".`,
  // Asking it.
  doesNotRun: (home: string) => `svcd does not run on ${home}`,
  startIt: (startsSandbox: boolean) =>
    `Start it with "svcd start".${startsSandbox ? ' It starts the sandbox, which this home uses.' : ''}`,
  tooBusy: (name: string, url: string, tries: number) =>
    `${name} at ${url} runs and is too busy: it closed ${tries} connections without an answer`,
  tooBusyHint: 'Some program opens very many connections to it. Try again when that has ended, or end it.',
  wentAway: (url: string, code: string) => `the daemon at ${url} went away in the middle of its answer (${code})`,
  closedUnanswered: (url: string, code: string) =>
    `the daemon at ${url} closed the connection without an answer (${code})`,
  askAgain:
    'What was paid for is kept; "svcd purchases" shows it, and what may have been charged. Run the same command again; ' +
    '"svcd start" starts a daemon first.',
  answerWas: (status: number, code: string) => `the answer was ${status} ${code}`.trim(),
  notJson: 'the answer is not JSON',
  hanging: (url: string, seconds: number) => `the daemon at ${url} did not answer within ${seconds} s`,
  hangingHint: 'It may be busy: try again, or run "svcd restart". "svcd doctor" tells what is wrong.',
  thisIsSandbox: 'This home uses the sandbox.',
  interrupted:
    'Interrupted: waiting for what was sent already, which may have been paid for. Press Ctrl+C once more to end at once.',
  // While a command runs with a token.
  tokenEnded: 'svcd: the token of this command was ended while svcd was away; nothing can be bought with it.',
  isBack: (url: string) => `svcd is back at ${url}; the command goes on.`,
  isAway: (url: string) => `svcd is away; the command waits for it at ${url}.`,
  notStartedAgain: (why: string) => `svcd could not be started again: ${why}`,
  otherAddress: (now: string, before: string, port: string) =>
    `svcd runs at ${now} now, and this command knows it at ${before}: start it with --port ${port}.`,
  otherRemote: (now: string, before: string) =>
    `svcd runs with another remote now (${now}, before: ${before}), where this command may not spend.`,
  noToken: 'svcd stopped before it gave a token',
};

const zh: typeof en = {
  detach: '在后台运行，就绪后返回。',
  untilInputEnds: '标准输入结束时停止：供自行启动 svcd 的程序使用。',
  examples: {
    trySandbox: '无需账户，试用全部功能',
    sameSandbox: '每次都是同一个沙盒，包含全部部分',
    realService: '使用真正的服务',
    fromScript: '从脚本启动',
    stop: '没有运行时也算成功',
    restart: '在 "npm install -g svcd" 之后：端口、远程服务和设置不变',
    status: '给人看',
    statusJson: '给脚本用；没有运行时退出码为 4',
    offline: '搜索、匹配和已拥有的文件仍可用；不能购买',
    online: '重新连接远程服务',
  },
  bothRemotes: '--sandbox 和 --remote 不能同时使用：沙盒就是远程服务',
  onlyForSandbox: (option) => `${option} 只用于沙盒，而这次没有启动沙盒`,
  addSandbox: '请加上 --sandbox。',
  inBackground: (log) => ['它在后台运行；"svcd stop" 停止它。', `"svcd logs" 显示它写入 ${log} 的日志。`],
  notReady: (seconds) => `svcd 在 ${seconds} 秒内没有就绪`,
  failedAtStart: 'svcd 启动失败',
  runsUnanswered: (url, why) => `svcd 运行在 ${url}，但没有回答这个命令（${why}）：打开文件数的上限可能太低`,
  runsUnansweredHint: '请用 "ulimit -n 4096" 提高上限，再运行 "svcd restart"。"svcd doctor" 显示上限。',
  seeLog: (file) => `查看它的输出：${file}，或运行 "svcd logs"。`,
  runsAt: (url) => `svcd 运行在 ${url}`,
  tryThis: '在另一个终端中试试：',
  library: (stickers) => `${stickers} 个贴纸，在本机搜索`,
  sandboxRemote: (url) => `沙盒，位于 ${url}，使用它自己的积分`,
  notContacted: '（离线：svcd 不联系它）',
  hubRemote: (address) => `位于 ${address} 的集线器`,
  noRemote: (svcd) => `无。用 "${svcd} config set remote https://…" 添加，或试试 "${svcd} start --sandbox"`,
  noKeyNeeded: '无；没有远程服务时不需要',
  noKeyYet: (svcd) => `还没有："${svcd} key status" 说明原因，"${svcd} key set" 保存一个`,
  limit: (credits, period) => `${{ request: '每次请求', day: '每天', month: '每月' }[period] ?? period}最多 ${credits}`,
  limitJoint: '，',
  noLimit: (command) => `没有上限。${command} 设置上限`,
  limits: (limits, command) => `${limits}。${command} 更改上限`,
  stopped: (why, hint) => `已停止：${why}。${hint}`,
  fields: {
    up: '已运行',
    library: '素材库',
    owned: '已拥有',
    remote: '远程服务',
    proxy: '代理',
    way: '连接',
    spending: '花费',
    key: 'Key',
    keychain: '系统钥匙串',
    home: '数据目录',
    budget: '预算',
    credits: '积分',
    seed: '种子',
    token: '令牌',
    updated: '已更新',
  },
  sandboxRuns: (url) => `沙盒运行在 ${url}`,
  inFile: (file) => `在 ${file} 中`,
  nothingToStop: (home) => `数据目录 ${home} 上没有运行 svcd，无需停止。`,
  hasStopped: (url, pid) => `${url} 的 svcd（进程 ${pid}）已停止。`,
  hasEnded: (pid) => `无法询问的 svcd（进程 ${pid}）已结束。`,
  goesOn: (pid) => `svcd（进程 ${pid}）此前被暂停，现在继续运行。`,
  killed: (pid) =>
    `svcd（进程 ${pid}）没有回答，也没有结束，已被强行结束。已发出的请求记为结果未知："svcd purchases" 显示它们。`,
  isPaused: (pid) => `svcd（进程 ${pid}）被系统或 Ctrl+Z 暂停，不回答任何请求`,
  isPausedHint: (pid) => `"kill -CONT ${pid}" 让它继续运行；"svcd restart" 也可以。`,
  isLost: (pid, file) => `svcd 在运行（进程 ${pid}），但记录其地址的 ${file} 缺失或已损坏`,
  isLostHint: '请运行 "svcd restart"，或用 "svcd stop" 结束它。"svcd doctor" 说明详情。',
  staysWithSandbox:
    '这个数据目录继续使用沙盒："svcd start" 会再次启动它，命令也由它回答。"svcd config set remote https://…" 结束这种状态。',
  startHubAgain: (command) => `用 "${command}" 再次启动集线器。`,
  stillRuns: (pid, seconds) => `${seconds} 秒后 svcd（进程 ${pid}）仍在运行`,
  finishesFirst: '它会先完成正在处理的请求，然后结束；什么都不用做。',
  waitsForRequests: (pid) => `svcd（进程 ${pid}）正在完成处理中的请求，请稍候……`,
  restarted: (url, version, pid) => `svcd ${version} 运行在 ${url}（进程 ${pid}），设置不变。`,
  startedInstead: (url, home) => `数据目录 ${home} 上没有运行 svcd；现已启动，地址 ${url}。`,
  startedAfterCrash: (url, pid) =>
    `svcd（进程 ${pid}）此前未正常停止；现已重新启动，地址 ${url}。"svcd logs" 显示发生了什么。`,
  leftTerminal: (pid) => `它原来在终端中或由其他程序运行（进程 ${pid}），现在在后台运行。"svcd stop" 停止它。`,
  restartedByService: (unit) => `服务管理器已重新启动它（${unit}）。`,
  serviceFailed: (command, why) => `svcd 作为系统服务运行，而 "${command}" 失败：${why}`,
  serviceHint: '请手动重启该服务，或运行 "svcd service status"。',
  serviceSilent: (unit, seconds) => `服务 ${unit} 已重启，但 svcd 在 ${seconds} 秒内没有回答`,
  notInherited: (name) => `svcd 启动时使用了 ${name}，其中含有 svcd 不会保存的密码，而此终端中没有设置它`,
  setAgain: (name) => `设置 ${name} 后重新运行 "svcd restart"。`,
  notAgain: (why) => `svcd 已停止，但无法再次启动：${why}`,
  otherKey: (before, now) => `Key 原来来自 ${before}，现在来自 ${now}：这个终端的环境与启动 svcd 时的环境不同。`,
  keyFrom: { environment: 'SERVICE_API_KEY', none: '无处（不能购买）' },
  remotes: { sandbox: '沙盒', none: '未设置远程服务' },
  commandNewer: (own, running) => `命令是 svcd ${own}，后台服务还是 svcd ${running}："svcd restart" 更新它。`,
  commandOlder: (own, running) =>
    `命令是 svcd ${own}，后台服务是更新的 svcd ${running}。"svcd doctor" 说明 PATH 找到的是哪个 svcd；"svcd restart" 会换成旧的。`,
  otherBuild: (version) => `后台服务运行的是 svcd ${version} 的另一个构建："svcd restart" 更新它。`,
  runs: (version, url, pid) => `svcd ${version} 运行在 ${url}（进程 ${pid}）`,
  isUpdated: '启动之后 svcd 的文件已被替换："svcd restart" 使用新文件',
  sandboxAt: (address) => `沙盒，位于 ${address}`,
  ofHub: (address, project, machine) => `位于 ${address} 的集线器；项目 ${project}，此机器名为 "${machine}"`,
  hubOfSandbox: (hub) => `${hub}；它从自己的沙盒购买`,
  hubUnknown: (why) => `无法识别的集线器：${why}。不会购买任何素材`,
  none: '无',
  held: (duration) => `暂停联系 ${duration}：远程服务要求等待（Retry-After）；"svcd offline --off" 结束等待`,
  refused: (why) => `被拒绝：${why}`,
  online: '在线：它已回答',
  notAsked: '未知：启动以来 svcd 还没有联系过它',
  noWay: '无：没有远程服务。搜索、匹配和已拥有的文件可用；不能购买',
  since: (duration) => `（已 ${duration}）`,
  forced: (since) => `离线${since}，因为 svcd 被设为离线；"svcd offline --off" 结束离线`,
  away: (since, why) => `离线${since}：${why}；svcd 会继续尝试，恢复后自动上线`,
  awayWhy: '远程服务没有回答',
  off: '重新连接远程服务。',
  offlineEffect: '搜索、匹配和已拥有的文件仍可用；需要购买的内容由替代素材代替。',
  onlineEffect: '"svcd status" 显示能否连上远程服务。',
  stateNow: (url, offline, kept) =>
    `${url} 的 svcd 现在${offline ? '离线' : '在线'}，${kept ? '重启后也一样' : '但重启后不是：请看 "svcd config"'}。`,
  stateNext: (offline, kept) =>
    kept
      ? `svcd 没有运行；下次启动起${offline ? '离线' : '在线'}。`
      : `svcd 没有运行，下次启动也不会${offline ? '离线' : '在线'}：请看 "svcd config"。`,
  doesNotRun: (home) => `数据目录 ${home} 上没有运行 svcd`,
  startIt: (startsSandbox) => `用 "svcd start" 启动。${startsSandbox ? '它会启动这个数据目录使用的沙盒。' : ''}`,
  tooBusy: (name, url, tries) => `${url} 的 ${name} 在运行，但太忙：它关闭了 ${tries} 个连接而没有回答`,
  tooBusyHint: '有程序打开了非常多的连接。等它结束后再试，或结束它。',
  wentAway: (url, code) => `${url} 的后台服务在回答中途消失（${code}）`,
  closedUnanswered: (url, code) => `${url} 的后台服务没有回答就关闭了连接（${code}）`,
  askAgain:
    '已付费的内容已保存；"svcd purchases" 显示它们，以及可能已扣费的购买。请再次运行同一命令；"svcd start" 先启动后台服务。',
  answerWas: (status, code) => `回答是 ${status} ${code}`.trim(),
  notJson: '回答不是 JSON',
  hanging: (url, seconds) => `${url} 的后台服务在 ${seconds} 秒内没有回答`,
  hangingHint: '它可能太忙：请再试一次，或运行 "svcd restart"。"svcd doctor" 说明原因。',
  thisIsSandbox: '这个数据目录使用沙盒。',
  interrupted: '已中断：正在等待已发出的请求，它们可能已经付费。再按一次 Ctrl+C 立即结束。',
  tokenEnded: 'svcd：这个命令的令牌在 svcd 离开期间已失效，不能再用它购买。',
  isBack: (url) => `svcd 已回到 ${url}；命令继续。`,
  isAway: (url) => `svcd 暂时不在；命令在等它回到 ${url}。`,
  notStartedAgain: (why) => `svcd 无法再次启动：${why}`,
  otherAddress: (now, before, port) =>
    `svcd 现在运行在 ${now}，而这个命令知道的是 ${before}：请用 --port ${port} 启动它。`,
  otherRemote: (now, before) => `svcd 现在使用另一个远程服务（${now}，之前是 ${before}），这个命令不能在那里花费。`,
  noToken: 'svcd 在给出令牌之前停止了',
};

export const daemonWords = wordsIn<typeof en>({ en, zh });
