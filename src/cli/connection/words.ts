// What commands say while they look for a daemon, start one and ask it.

import { pairsOf, wordsBeside } from '../terminal/language.js';

const pairs = pairsOf({
  notReady: (seconds: number) => [`svcd was not ready within ${seconds} s`, `svcd 在 ${seconds} 秒内没有就绪`],
  failedAtStart: ['svcd failed while it started', 'svcd 启动失败'],
  remotes: { sandbox: ['the sandbox', '沙盒'], none: ['no remote is configured', '未设置远程服务'] },
  doesNotRun: (home: string) => [`svcd does not run on ${home}`, `数据目录 ${home} 没有正在运行的 svcd`],
  newHome: (home: string) => [
    `${home} is a new home: it was made now, and holds nothing of yours yet.`,
    `${home} 是新的数据目录：刚刚建立，其中还没有您的任何内容。`,
  ],
  notJson: ['the answer is not JSON', '回答不是 JSON'],
  thisIsSandbox: ['This home uses the sandbox.', '这个数据目录使用沙盒。'],
});

const en = {
  inBackground: (log: string) => [
    'It runs in the background; "svcd stop" stops it.',
    `"svcd logs" shows what it writes to ${log}.`,
  ],
  goesOn: (pid: number) => `svcd (process ${pid}) was paused; it goes on.`,
  killed: (pid: number) =>
    `svcd (process ${pid}) did not answer and did not end; it was ended for good. What it had sent is kept as unknown: "svcd purchases" shows it.`,
  isPaused: (pid: number) => `svcd (process ${pid}) was paused by the system or with Ctrl+Z, and answers nothing`,
  isPausedHint: (pid: number) => `"kill -CONT ${pid}" lets it go on; so does "svcd restart".`,
  isLost: (pid: number, file: string) =>
    `svcd runs (process ${pid}), and ${file}, which says where, is missing or damaged`,
  isLostHint: 'Run "svcd restart", or "svcd stop" to end it. "svcd doctor" tells more.',
  commandNewer: (own: string, running: string) =>
    `svcd ${own} asks a daemon that is still svcd ${running}: "svcd restart" updates it.`,
  commandOlder: (own: string, running: string) =>
    `svcd ${own} asks a newer daemon, svcd ${running}. "svcd doctor" tells which svcd your PATH finds; "svcd restart" would bring the older one.`,
  otherBuild: (version: string) => `The daemon runs another build of svcd ${version}: "svcd restart" updates it.`,
  startHub: (url: string) =>
    `It was the hub at ${url}: "svcd hub start", with the options that it had, starts it again.`,
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
  hanging: (url: string, seconds: number) => `the daemon at ${url} did not answer within ${seconds} s`,
  hangingHint: 'It may be busy: try again, or run "svcd restart". "svcd doctor" tells what is wrong.',
  interrupted:
    'Interrupted: waiting for what was sent already, which may have been paid for. Press Ctrl+C once more to end at once.',
};

const zh: typeof en = {
  inBackground: (log) => ['它在后台运行；"svcd stop" 停止它。', `"svcd logs" 显示它写入 ${log} 的日志。`],
  goesOn: (pid) => `svcd（进程 ${pid}）此前被暂停，现在继续运行。`,
  killed: (pid) =>
    `svcd（进程 ${pid}）没有回答，也没有结束，已被强行结束。已发出的请求记为结果未知："svcd purchases" 显示它们。`,
  isPaused: (pid) => `svcd（进程 ${pid}）被系统或 Ctrl+Z 暂停，不回答任何请求`,
  isPausedHint: (pid) => `"kill -CONT ${pid}" 让它继续运行；"svcd restart" 也可以。`,
  isLost: (pid, file) => `svcd 在运行（进程 ${pid}），但记录其地址的 ${file} 缺失或已损坏`,
  isLostHint: '请运行 "svcd restart"，或用 "svcd stop" 结束它。"svcd doctor" 说明详情。',
  commandNewer: (own, running) => `命令是 svcd ${own}，后台服务还是 svcd ${running}："svcd restart" 更新它。`,
  commandOlder: (own, running) =>
    `命令是 svcd ${own}，后台服务是更新的 svcd ${running}。"svcd doctor" 说明 PATH 找到的是哪个 svcd；"svcd restart" 会换成旧的。`,
  otherBuild: (version) => `后台服务运行的是 svcd ${version} 的另一个构建："svcd restart" 更新它。`,
  startHub: (url) => `它曾是 ${url} 的集线器：用 "svcd hub start" 和原来的选项再次启动。`,
  startIt: (startsSandbox) => `用 "svcd start" 启动。${startsSandbox ? '它会启动这个数据目录使用的沙盒。' : ''}`,
  tooBusy: (name, url, tries) => `${url} 的 ${name} 在运行，但太忙：它关闭了 ${tries} 个连接而没有回答`,
  tooBusyHint: '有程序打开了非常多的连接。等它结束后再试，或结束它。',
  wentAway: (url, code) => `${url} 的后台服务在回答中途消失（${code}）`,
  closedUnanswered: (url, code) => `${url} 的后台服务没有回答就关闭了连接（${code}）`,
  askAgain:
    '已付费的内容已保存；"svcd purchases" 显示它们，以及可能已扣费的购买。请再次运行同一命令；"svcd start" 先启动后台服务。',
  answerWas: (status, code) => `回答是 ${status} ${code}`.trim(),
  hanging: (url, seconds) => `${url} 的后台服务在 ${seconds} 秒内没有回答`,
  hangingHint: '它可能太忙：请再试一次，或运行 "svcd restart"。"svcd doctor" 说明原因。',
  interrupted: '已中断：正在等待已发出的请求，它们可能已经付费。再按一次 Ctrl+C 立即结束。',
};

export const connectionWords = wordsBeside(pairs, { en, zh });
