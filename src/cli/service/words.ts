// What "svcd service" says, and what systemd, launchd and the Task Scheduler have to do with it.

import { pairsOf, wordsBeside } from '../terminal/language.js';

const pairs = pairsOf({
  remove: ['Stop the service and remove it. The home stays.', '停止并移除系统服务。数据目录保留。'],

  // Answers.
  installed: (name: string, place: string) => [`${name} is installed: ${place}`, `${name} 已安装：${place}`],
  mended: (what: string) => [`Mended: ${what}`, `已修复：${what}`],
  atBoot: ['It also starts at boot: this user lingers.', '它在开机时也会启动：此用户已打开驻留（linger）。'],
  removed: (name: string) => [`${name} is stopped and removed.`, `${name} 已停止并移除。`],
  homeStays: (home: string) => [`The home stays: ${home}`, `数据目录保留：${home}`],

  // Status.
  labels: {
    service: ['service', '系统服务'],
    file: ['written in', '文件'],
    enabled: ['at login', '登录时启动'],
    running: ['running', '运行中'],
    boot: ['at boot', '开机时启动'],
    home: ['home', '数据目录'],
  },
  isInstalled: (name: string) => [`${name}, installed`, `${name}，已安装`],
  yes: ['yes', '是'],
  no: ['no', '否'],
  unknown: ['not known', '未知'],
  runsAsService: (url: string, pid: number) => [`yes, at ${url} (process ${pid})`, `是，在 ${url}（进程 ${pid}）`],
  startsUp: (pid: number) => [`it starts up (process ${pid})`, `正在启动（进程 ${pid}）`],
  drifted: (what: string, mend: string) => [`${what} Mend it with "${mend}".`, `${what}修复命令："${mend}"。`],
  drift: {
    disabled: ['The service does not start at login.', '系统服务在登录时不会启动。'],
    failed: (how: string) => [`The service ended with ${how}.`, `系统服务已结束：${how}。`],
  },
  quoteHint: ['Nothing was installed. Take another folder.', '没有安装任何东西。请换一个文件夹。'],
  noTool: (tool: string) => [`there is no program ${tool} here`, `这里没有程序 ${tool}`],
  toolFailed: (command: string, why: string) => [`"${command}" failed: ${why}`, `"${command}" 失败：${why}`],
  fileHint: ['Make its folder yours and writable, and try again.', '请让它所在的文件夹归您所有且可写，然后再试。'],
  exitCode: (code: string, meaning: string) => [`exit code ${code}: ${meaning}`, `退出码 ${code}：${meaning}`],
  mendAndRepeat: ['Mend that, and run "svcd service install" again.', '解决后再运行 "svcd service install"。'],
});

const en = {
  install: 'Start svcd now and at every login; also mends what has drifted.',
  status: 'Show whether the service is installed and runs, and what to mend.',
  takeOver: 'Stop the daemon that was started by hand on this home first.',
  examples: {
    install: [
      'svcd service install # start it now, after each login, and after a failure',
      'svcd service install --key-file \'${CREDENTIALS_DIRECTORY}/service.key\' # a credential of systemd, which you add with "systemctl --user edit"',
    ],
  },
  wasInstalled: (name: string) => `${name} was installed already; nothing had to be changed.`,
  serves: (url: string, pid: number) => `It runs at ${url} (process ${pid}), and starts with each login.`,
  forBoot: (user: string) =>
    `To start it at boot, too: "loginctl enable-linger ${user}". The OS keychain is locked until you log in: for work before that, use --key-file.`,
  notPassed: (names: string) => `This terminal sets ${names}; the service does not get that.`,
  notPassedHint: 'Keep settings with "svcd config set", the Key with "svcd key set".',
  notInstalled: (name: string) => `${name} is not installed; there is nothing to remove.`,
  byHandStays: (pid: number) => `The daemon that was started by hand still runs (process ${pid}); "svcd stop" ends it.`,
  isNotInstalled: (name: string) => `${name}, not installed; "svcd service install" installs it`,
  isForeign: (name: string) => `${name} was not written by svcd; it is left alone`,
  runsByHand: (url: string, pid: number) => `no, but a daemon that was started by hand is at ${url} (process ${pid})`,
  drift: { differs: (place: string) => `${place} is not what "svcd service install" would write now.` },

  // Errors.
  noManager: (platform: string) =>
    `svcd cannot install itself as a service on ${platform}; it can with systemd, on macOS and on Windows`,
  noSystemd: 'there is no systemd here, so nothing would start svcd at login',
  noSystemdHint:
    'In a container, make "svcd start" its command. Elsewhere: "svcd start --detach" in what your system runs at login.',
  noUserManager: (why: string) => `systemd runs no services for this user: ${why}`,
  noUserManagerHint:
    'Log in as this user directly (desktop or ssh), not by su or sudo. In a container, make "svcd start" its command.',
  sudo: (user: string) => `this would install svcd for root, and not for ${user}`,
  sudoHint: 'Run it without sudo: a service of your own needs no rights.',
  npx: (path: string) => `this svcd lies in the cache of npx, which npm empties: ${path}`,
  npxHint: 'Install svcd first, with "npm install -g svcd", and run "svcd service install" again.',
  foreign: (place: string) => `${place} was not written by svcd, so it is left as it is`,
  foreignHint: 'If nobody needs it, move it away, and run "svcd service install" again.',
  byHand: (home: string, url: string, pid: number) =>
    `svcd runs on ${home} already, started by hand, at ${url} (process ${pid})`,
  byHandHint:
    'Nothing was installed. Stop it first with "svcd stop", or let "svcd service install --take-over" do that.',
  password: (name: string) => `a service must not hold a password in its command line, which others can read (${name})`,
  passwordHint:
    'Write the address into config.json of the home as "hubDatabase" (or "hubDatabaseOwner"), then install it.',
  unquotable: (word: string) =>
    `a path of a service must be UTF-8 without control characters, such as line breaks; this is not: ${word}`,
  programQuote: (path: string) => `systemd cannot start a program whose path has quotes or backslashes: ${path}`,
  taskQuote: (word: string) => `a path of a task must have no " and no %; this has: ${word}`,
  tryIt: (command: string) => `Run "${command}" yourself to see more, then this command again.`,
  fileFailed: (path: string, why: string) => `${path} cannot be read or written (${why})`,
  ended: (name: string, how: string) => `${name} is installed, and ended with ${how}`,
  notReady: (name: string, seconds: number) => `${name} is installed, and did not answer within ${seconds} s`,
  seeOutput: (command: string) => `"${command}" shows its last words. Mend that, and run "svcd service install" again.`,

  /** For "svcd start" and "svcd stop" on a home with a service. */
  startBeside: (name: string) =>
    `Note: this home has a service, ${name}. What you start now is not that; "svcd service install" starts the service.`,
  startsAgain: (name: string) =>
    `Note: the service ${name} starts svcd again at the next login; "svcd service remove" ends that.`,
};

const zh: typeof en = {
  install: '现在以及每次登录时启动 svcd；也用来修复偏差。',
  status: '显示系统服务是否已安装、是否在运行，以及需要修复什么。',
  takeOver: '先停止在此数据目录上手动启动的后台服务。',
  examples: {
    install: [
      'svcd service install # 现在启动，并在每次登录后、每次故障后启动',
      "svcd service install --key-file '${CREDENTIALS_DIRECTORY}/service.key' # systemd 的凭据，用 systemctl --user edit 添加",
    ],
  },
  wasInstalled: (name) => `${name} 早已安装，无需改动。`,
  serves: (url, pid) => `它在 ${url} 运行（进程 ${pid}），每次登录时启动。`,
  forBoot: (user) =>
    `要在开机时也启动："loginctl enable-linger ${user}"。登录之前系统钥匙串是锁定的：如果登录前就要用，请使用 --key-file。`,
  notPassed: (names) => `此终端设置了 ${names}；系统服务得不到它们。`,
  notPassedHint: '用 "svcd config set" 保存设置，用 "svcd key set" 保存 Key。',
  notInstalled: (name) => `${name} 没有安装，无需移除。`,
  byHandStays: (pid) => `手动启动的后台服务仍在运行（进程 ${pid}）；"svcd stop" 可停止它。`,
  isNotInstalled: (name) => `${name}，未安装；"svcd service install" 可安装它`,
  isForeign: (name) => `${name} 不是 svcd 写的，不会改动它`,
  runsByHand: (url, pid) => `否，但有一个手动启动的后台服务在 ${url}（进程 ${pid}）`,
  drift: { differs: (place) => `${place} 与 "svcd service install" 现在会写的不同。` },

  noManager: (platform) => `svcd 不能在 ${platform} 上安装为系统服务；支持 systemd、macOS 和 Windows`,
  noSystemd: '这里没有 systemd，登录时没有程序会启动 svcd',
  noSystemdHint:
    '在容器中，请把 "svcd start" 作为容器的命令。在其他系统上，把 "svcd start --detach" 放进登录时运行的程序里。',
  noUserManager: (why) => `systemd 没有为此用户运行服务：${why}`,
  noUserManagerHint:
    '请直接以此用户登录（桌面或 ssh），不要用 su 或 sudo。在容器中，请把 "svcd start" 作为容器的命令。',
  sudo: (user) => `这会为 root 安装 svcd，而不是为 ${user}`,
  sudoHint: '请不要用 sudo：自己的服务不需要管理员权限。',
  npx: (path) => `这个 svcd 在 npx 的缓存中，npm 会清空它：${path}`,
  npxHint: '请先用 "npm install -g svcd" 安装，再运行 "svcd service install"。',
  foreign: (place) => `${place} 不是 svcd 写的，因此保持原样`,
  foreignHint: '如果没有人需要它，请把它移走，再运行 "svcd service install"。',
  byHand: (home, url, pid) => `svcd 已在 ${home} 上手动启动，地址 ${url}（进程 ${pid}）`,
  byHandHint: '没有安装任何东西。请先用 "svcd stop" 停止它，或用 "svcd service install --take-over" 接管。',
  password: (name) => `服务的命令行不能含有密码，因为其他人可以读到（${name}）`,
  passwordHint: '请把地址写入数据目录的 config.json（"hubDatabase" 或 "hubDatabaseOwner"），然后再安装。',
  unquotable: (word) => `系统服务的路径必须是 UTF-8，且不含换行等控制字符；这个不是：${word}`,
  programQuote: (path) => `systemd 不能启动路径中有引号或反斜杠的程序：${path}`,
  taskQuote: (word) => `任务的路径中不能有 " 和 %；这个有：${word}`,
  tryIt: (command) => `请自己运行 "${command}" 查看详情，然后再运行此命令。`,
  fileFailed: (path, why) => `无法读写 ${path}（${why}）`,
  ended: (name, how) => `${name} 已安装，但已结束：${how}`,
  notReady: (name, seconds) => `${name} 已安装，但 ${seconds} 秒内没有应答`,
  seeOutput: (command) => `"${command}" 显示它最后的输出。解决后再运行 "svcd service install"。`,

  startBeside: (name) =>
    `注意：此数据目录有系统服务 ${name}。现在启动的不是它；"svcd service install" 可启动系统服务。`,
  startsAgain: (name) => `注意：系统服务 ${name} 会在下次登录时再次启动 svcd；"svcd service remove" 可取消。`,
};

export const serviceWords = wordsBeside(pairs, { en, zh });
