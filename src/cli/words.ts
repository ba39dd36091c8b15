// What each command does, in one sentence, the words of the help around it, and those of completion and version.

import { pairsOf, wordsBeside } from './terminal/language.js';

const pairs = pairsOf({
  command: ['<command>', '<命令>'],
  json: ['Print the answer, or the error, as JSON.', '以 JSON 输出答案或错误。'],
  home: ['Folder with everything svcd keeps.', 'svcd 的数据目录。'],
  lang: ['Language of help and messages: en or zh [that of LANG].', '帮助和消息的语言：en 或 zh [取自 LANG]。'],
  /** Headings of the help. */
  groups: {
    run: ['Run:', '运行：'],
    find: ['Find:', '查找：'],
    video: ['A video:', '视频：'],
    money: ['Money:', '积分：'],
    access: ['Access:', '访问：'],
    studio: ['Studio and trying:', '共享与试用：'],
    more: ['More:', '更多：'],
    old: ['Old names:', '旧名称：'],
  },
  now: (command: string) => [`Now "${command}".`, `现为 "${command}"。`],
  /** What stands in a usage. */
  places: {
    package: [
      'Template package (.motion file or folder); its motion.json says what it needs.',
      '模板包（.motion 文件或文件夹）；它的 motion.json 说明需要什么。',
    ],
    preset: [
      'Name of a sticker, such as twemoji/birthday-cake; "svcd search" finds it.',
      '贴纸的名称，如 twemoji/birthday-cake；用 "svcd search" 查找。',
    ],
    presets: ['Names of stickers of your own, such as own/our-cake.', '您自己的贴纸的名称，如 own/our-cake。'],
    copy: ['The text that the sticker is for.', '贴纸所配的文案。'],
    payer: ['all, project:NAME, user:NAME or machine:NUMBER.', 'all、project:NAME、user:NAME 或 machine:NUMBER。'],
    machine: ['Number or name of a machine: "svcd hub machines".', '机器的编号或名称，见 "svcd hub machines"。'],
    origin: ['What the address bar shows before the first single slash.', '地址栏中第一个单斜线之前的部分。'],
  },
  unknownCommit: ['commit unknown', '提交未知'],
  completion: {
    inBash: ['in bash, from the next terminal on', '在 bash 中，下一个终端起生效'],
    inZsh: ['in zsh, below the line with compinit', '在 zsh 中，写在 compinit 那一行之后'],
    inFish: ['in fish, at once', '在 fish 中，立即生效'],
    inPowershell: ['in PowerShell, from the next window on', '在 PowerShell 中，下一个窗口起生效'],
  },
  commands: {
    start: ['Run the daemon: search, match and downloads on this machine.', '启动后台服务：在本机搜索、匹配和下载。'],
    stop: ['Finish running requests, then stop the daemon.', '完成正在处理的请求，然后停止后台服务。'],
    restart: ['Stop the daemon and start it again, with the settings it had.', '停止后台服务并按原来的设置重新启动。'],
    status: ["Show the daemon's address, library, Key and connection.", '显示后台服务的地址、素材库、Key 和连接状态。'],
    logs: ['Show the log of the daemon, whether it runs or not.', '显示后台服务的日志；无需后台服务运行。'],
    offline: ['Stop contacting the remote, now and after a restart.', '不再连接远程服务，重启后依然如此。'],
    search: ['Find stickers by words. Free, works offline.', '按词语查找贴纸。免费，可离线使用。'],
    look: ['Show stickers as one picture with numbers. Free.', '把贴纸显示为一张带编号的图。免费。'],
    get: ['Download the files of stickers: 1 credit each, unless owned.', '下载贴纸文件：每个 1 积分，已拥有则免费。'],
    fetch: ['Restore the files of a lock from the files you own.', '从已拥有的内容恢复锁文件中的文件。'],
    purchases: ['List purchases; resolve ones with unknown outcome.', '列出购买记录；处理结果未知的购买。'],
    budget: ['Show and set the limits on what svcd may spend.', '显示和设置 svcd 的预算。'],
    key: ['Show, store and remove your Key for the service.', '显示、保存和删除远程服务的 Key。'],
    token: ['Manage the tokens that local programs spend with.', '管理本地程序用来花费积分的令牌。'],
    owned: ['Export and import what you paid for.', '导出和导入您已付费的内容。'],
    done: ['Tell the service that a video was made with a template.', '告知远程服务：已用某个模板制作了视频。'],
    open: ['Find, see, buy and save stickers in your browser.', '在浏览器中查找、预览、购买和保存贴纸。'],
    service: ['Start svcd at every login, or stop doing so.', '让 svcd 在每次登录时启动，或不再启动。'],
    doctor: ['Check everything svcd needs, and say how to mend it.', '检查 svcd 所需的一切，并给出解决办法。'],
    mcp: ['Give your assistant (MCP) tools to find, plan and get stickers.', '让 AI 助手（MCP）查找、计划和获取贴纸。'],
    config: ['Show and change the settings.', '显示和更改设置。'],
    completion: ['Print a completion script for your shell.', '输出 shell 的补全脚本。'],
  },
});

const en = {
  about: 'Stickers and images for video templates: found offline, paid for once.',
  more: '"svcd COMMAND --help" explains a command, "svcd help --all" lists the rest.',
  /** The parser's own words, by their English ones: all of them, for it keeps those of the command before. */
  parser: {
    'Commands:': 'Commands:',
    'Options:': 'Options:',
    'Examples:': 'Examples:',
    'Positionals:': 'Positionals:',
    boolean: 'boolean',
    array: 'list',
    string: 'string',
    'Show help': 'Show help',
    'Show version number': 'Show version number',
    'aliases:': 'aliases:',
    'default:': 'default:',
    'choices:': 'choices:',
    required: 'required',
  },
  completion: { shell: (shells: string) => `Shell to complete in: ${shells} [that of $SHELL].` },
  commands: {
    match: 'Find stickers that fit a text, with reasons. Free, works offline.',
    image: 'Make an image from a prompt: 10 credits, unless owned. Asks first.',
    plan: 'Show what the slots of a video get and cost; buys nothing.',
    apply: 'Buy the stickers and images of a video; write them and their lock.',
    verify: 'Compare files with their lock. Needs no daemon and no network.',
    usage: 'Show the credits of the account, and what svcd spent and saved.',
    attribution: 'Print the credit lines of a video, from its report or lock.',
    library: 'Fill the library, add stickers of your own, export and import.',
    run: 'Run a command that uses svcd, with a token valid only while it runs.',
    hub: 'Share one Key with other machines: each asset is paid once for all.',
    sandbox: 'Run the sandbox alone, or change its accounts, money, time and faults.',
  },
};

const zh: typeof en = {
  about: '视频模板用的贴纸和图片：离线查找，只付一次费。',
  more: '"svcd COMMAND --help" 显示一个命令的说明，"svcd help --all" 列出其余命令。',
  parser: {
    'Commands:': '命令：',
    'Options:': '选项：',
    'Examples:': '示例：',
    'Positionals:': '参数：',
    boolean: '开关',
    array: '列表',
    string: '文本',
    'Show help': '显示帮助',
    'Show version number': '显示版本号',
    'aliases:': '别名：',
    'default:': '默认：',
    'choices:': '可选：',
    required: '必填',
  },
  completion: { shell: (shells) => `要补全的 shell：${shells} [取自 $SHELL]。` },
  commands: {
    match: '为一段文案查找合适的贴纸，并给出理由。免费，可离线使用。',
    image: '按提示词生成图片：10 积分，已拥有则免费。购买前会询问。',
    plan: '显示视频的每个位置会用什么、花多少积分；不购买。',
    apply: '购买视频需要的贴纸和图片，写入文件和锁文件。',
    verify: '将文件与锁文件比对。无需后台服务和网络。',
    usage: '显示账户积分，以及 svcd 花费和节省的积分。',
    attribution: '根据报告或锁文件，输出视频所需的署名。',
    library: '填充素材库，添加自己的贴纸，导出和导入。',
    run: '运行使用 svcd 的命令；其令牌在命令结束时失效。',
    hub: '与其他机器共用一个 Key：每个素材只付一次费。',
    sandbox: '单独运行沙盒，或更改它的账户、积分、时间和故障。',
  },
};

export const commandWords = wordsBeside(pairs, { en, zh });

/** Every command that `svcd help --all` lists by its own name. */
export type CommandName = keyof ReturnType<typeof commandWords>['commands'];
/** A group of the help; of `more` and `old` only `svcd help --all` speaks. */
export type HelpGroup = keyof ReturnType<typeof commandWords>['groups'];
