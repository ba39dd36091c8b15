// What is said of each finding, in English and in Chinese, and what to do where the command alone does not say it. The keys
// are stable codes of GET /svcd/health and of `svcd doctor --json`. Variants of one cause share a sentence: its values tell
// them apart.

/** A sentence, and below it what to do. `{0}` is the first value; to-row.ts puts them in. */
export type Sentence = readonly [en: string, zh: string];

export const SENTENCES = {
  // The checks themselves.
  check_failed: ['could not be checked: {0}\n{1}', '无法检查：{0}\n{1}'],
  check_unfinished: [
    'did not answer within {0} s\nSomething that it looks at hangs: a disk, a network file system, or another program.',
    '{0} 秒内没有回答\n它所检查的东西卡住了：磁盘、网络文件系统或其他程序。',
  ],
  check_crashed: ['was not checked: the check before it ended by {0}', '没有检查：前一项检查被 {0} 终止'],
  audit_away: ['the books could not be compared while the database is away', '数据库无法连接，因此无法核对账目'],
  not_examined: ['was not looked at: {0}', '没有检查：{0}'],
  none_yet: ['none yet', '还没有'],
  not_needed: ['is not needed: {0}', '不需要：{0}'],

  // Node.js and the installation.
  node_ok: ['Node.js {0} on {1} {2} (ABI {3})', 'Node.js {0}，{1} {2}（ABI {3}）'],
  sqlite_ok: ['works, with SQLite {0}', '可用，SQLite {0}'],
  sqlite_missing: ['{0}\n{1}', '{0}\n{1}'],
  path_ok: ['"svcd" is {0} ({1})', '"svcd"是 {0}（{1}）'],
  path_none: ['has no "svcd"; this one is {0}', '其中没有"svcd"；当前运行的是 {0}'],
  path_twice: [
    'has svcd twice: {0} ({1}) comes first and runs, {2} ({3}) does not\nKeep one of them, so that an update reaches the one that runs.',
    '其中有两个 svcd：先找到并运行的是 {0}（{1}），不会运行 {2}（{3}）\n只保留一个，这样更新的才是实际运行的那个。',
  ],

  // The home and its disk.
  home_new: ['{0} is not there yet; the first start makes it', '{0} 还不存在；第一次启动时创建'],
  home_ok: ['{0} is private', '{0} 只有您能访问'],
  home_no_folder: [
    '{0} is no folder, or cannot be made\nOr give another one with --home DIR or SVCD_HOME.',
    '{0} 不是文件夹，或无法创建\n或用 --home DIR 或 SVCD_HOME 指定另一个。',
  ],
  home_in_file: [
    '{0} cannot be made: {1} is a file\nGive a folder with --home DIR or SVCD_HOME, or set HOME to a folder.',
    '无法创建 {0}：{1} 是文件\n请用 --home DIR 或 SVCD_HOME 指定文件夹，或把 HOME 设为文件夹。',
  ],
  home_closed_above: [
    '{0} lies in {1}, which is closed to this user and belongs to user {2}\nRun svcd as that user, or give a folder of yours with --home DIR or SVCD_HOME.',
    '{0} 位于 {1} 中，此用户无权访问它，它属于用户 {2}\n请以那个用户运行 svcd，或用 --home DIR 或 SVCD_HOME 指定您自己的文件夹。',
  ],
  home_owner: [
    '{0} belongs to user {1}, and you are user {2}: svcd refuses it, or cannot use it\nOr run svcd as that user. The command needs the rights of root.',
    '{0} 属于用户 {1}，而您是用户 {2}：svcd 拒绝使用它，或无法使用它\n或以那个用户运行 svcd。此命令需要 root 权限。',
  ],
  home_open: [
    'other users can look into {0} (mode {1}), which holds the token and what you bought',
    '其他用户能查看 {0}（权限 {1}），其中有令牌和您购买的内容',
  ],
  home_writable: [
    'other users can write in {0} (mode {1}): svcd refuses it, for its settings say where your Key is sent\nSee first that nobody changed it.',
    '其他用户能写入 {0}（权限 {1}）：svcd 拒绝使用它，因为其中的设置决定您的 Key 发往哪里\n请先确认没有人改动过它。',
  ],
  home_closed: ['{0} cannot be read or written by you (mode {1})', '您无法读写 {0}（权限 {1}）'],
  home_read_only: [
    '{0} cannot be written: svcd serves what is there, and buys nothing',
    '{0} 无法写入：svcd 只提供已有的内容，不购买',
  ],
  home_read_only_empty: [
    '{0} cannot be written, and there is nothing in it to serve\nOr give another one with --home DIR or SVCD_HOME.',
    '{0} 无法写入，其中也没有可提供的内容\n或用 --home DIR 或 SVCD_HOME 指定另一个。',
  ],
  home_network: [
    '{0} lies on another machine ({1}), where the locks of databases do not hold: two svcd may spend at once\nStop svcd, move the folder to a disk of this machine, and name it with --home DIR or SVCD_HOME.',
    '{0} 位于另一台机器上（{1}），数据库的锁在那里不可靠：两个 svcd 可能同时花费\n停止 svcd，把文件夹移到本机磁盘，再用 --home DIR 或 SVCD_HOME 指定它。',
  ],
  disk_ok: ['{0} MiB free for {1}', '{1} 还有 {0} MiB 可用'],
  disk_low: [
    'only {0} MiB are free on {1}\nMake room there: "du -xam {2} | sort -n | tail" lists the largest files. What is paid for must be written down.',
    '{1} 只剩 {0} MiB\n请腾出空间："du -xam {2} | sort -n | tail"列出最大的文件。付费所得必须能写下来。',
  ],
  disk_full: [
    '{1} is full: {0} MiB are free, and what is paid for could not be written down\nMake room there: "du -xam {2} | sort -n | tail" lists the largest files.',
    '{1} 已满：只剩 {0} MiB，付费所得无法写下来\n请腾出空间："du -xam {2} | sort -n | tail"列出最大的文件。',
  ],
  disk_files: [
    'only {0} more files can be made on {1} (inodes)\nRemove files there: "du -x --inodes {2} | sort -n | tail" lists the folders with the most.',
    '{1} 上只能再创建 {0} 个文件（inode）\n请删除一些文件："du -x --inodes {2} | sort -n | tail"列出文件最多的文件夹。',
  ],

  // Settings, token, log.
  settings_ok: ['can be read, and all are known', '可以读取，全部有效'],
  settings_file: [
    '{0}\nCorrect the file; the command puts it aside instead.',
    '{0}\n请修正此文件；此命令则是把它移到一边。',
  ],
  settings_unknown: [
    'config.json has {0}, which is no setting and has no effect\nDid you mean {1}?',
    'config.json 中的 {0} 不是设置，不起作用\n您是不是要 {1}？',
  ],
  settings_wrong: [
    '{0}\nOr set it right; "svcd config" shows all of them.',
    '{0}\n或改为正确的值；"svcd config"显示全部设置。',
  ],
  settings_variable: [
    'the environment has {0}, which svcd does not know\nDid you mean {1}?',
    '环境变量 {0} 不是 svcd 的变量\n您是不是要 {1}？',
  ],
  settings_variable_wrong: [
    '{0}\nOr set it right, where your shell sets it.',
    '{0}\n或在您的 shell 配置中改为正确的值。',
  ],
  trust_loopback: [
    'let any program of any user on this machine spend your credits (trustLoopback)\nOr set a limit with "svcd budget set --day N".',
    '允许本机任何用户的任何程序花费您的积分（trustLoopback）\n或用"svcd budget set --day N"设置上限。',
  ],
  token_ok: ['runtime.json holds it', '在 runtime.json 中'],
  token_missing: [
    '{0} is missing: the next start makes a new token, and programs that hold the old one are refused\nGive the token it prints to those programs.',
    '缺少 {0}：下次启动会生成新令牌，持有旧令牌的程序会被拒绝\n请把它打印的令牌交给那些程序。',
  ],
  token_unreadable: [
    '{0} holds no token: it was damaged\nThe command makes a new one.',
    '{0} 已损坏，其中没有令牌\n此命令生成新令牌。',
  ],
  token_lost: [
    'a daemon runs (process {1}), and {0}, which says where, is missing or damaged\nThe command ends it in order; then start it again.',
    '后台服务正在运行（进程 {1}），但说明其地址的 {0} 缺失或损坏\n此命令让它正常结束；然后重新启动。',
  ],
  log_ok: ['takes {0} MiB', '占用 {0} MiB'],
  log_large: [
    'takes {0} MiB, more than svcd keeps; {1} is the largest\nThe command empties that file.',
    '占用 {0} MiB，超过 svcd 保留的大小；最大的是 {1}\n此命令清空该文件。',
  ],
  log_crash: [
    'a daemon ended with an error, which is in {0}: {1}\nKeep the file if you want to report it; the command removes it.',
    '后台服务曾因错误结束，记录在 {0}：{1}\n如要报告问题，请保留此文件；此命令删除它。',
  ],

  // Databases and money.
  database_ok: ['is sound', '完好'],
  library_damaged: [
    'is damaged: {0}\nIt can be made again: the next start sets it aside and does so.',
    '已损坏：{0}\n它可以重建：下次启动会把它移到一边并重建。',
  ],
  owned_damaged_backup: [
    'is damaged: {0}\n{1} is a sound copy; a newer backup of yours is better.',
    '已损坏：{0}\n{1} 是完好的副本；如有更新的备份则更好。',
  ],
  owned_no_backup: [
    'is damaged: {0}\nIt holds what you paid for and is never rebuilt. With a backup: "svcd owned restore FILE". Without one the command puts it aside as {1}, and svcd pays again.',
    '已损坏：{0}\n其中是您付费所得，绝不自动重建。有备份时："svcd owned restore FILE"。没有备份时，此命令把它移为 {1}，svcd 会重新付费。',
  ],
  loss_none: ['owned.db lacks none that was made with this home', 'owned.db 包含用此数据目录所做的全部购买'],
  loss: [
    'nothing is bought: {0}\nThe command accepts that and pays again. With a backup do instead: "svcd stop", then "svcd owned restore FILE".',
    '不再购买：{0}\n此命令接受现状并重新付费。如有备份，请改用："svcd stop"，然后"svcd owned restore FILE"。',
  ],
  loss_accepted: ['accepted: {0}', '已接受：{0}'],
  spending_ok: ['is allowed, within the budgets', '允许，在预算之内'],
  spending_home: ['nothing is bought while svcd cannot write to its home', 'svcd 无法写入数据目录，因此不购买任何东西'],
  spending_held: ['nothing is bought: {0}. {1}', '不购买任何东西：{0}。{1}'],
  spending_stopped: ['is stopped since {0}: nothing is bought', '自 {0} 起已停止：不购买任何东西'],
  unsettled_none: ['the end of every purchase is known', '每次购买的结果都已知'],
  unsettled: [
    'purchases of unknown end: {0}, the oldest for {1} minutes\nThey may have been charged. "svcd purchases --state unknown" lists them; the command settles one by the balance, if that can tell.',
    '结果未知的购买：{0} 笔，最早的已有 {1} 分钟\n它们可能已扣费。"svcd purchases --state unknown" 列出它们；此命令根据余额核定一次，如果余额能说明的话。',
  ],
  unsettled_at_hub: [
    'purchases of which the hub has not told how they ended: {0}, the oldest for {1} minutes\nAt the hub: "svcd hub purchases --state unknown". If it does not let this machine in any more, say it yourself: "svcd purchases settle {2} --as charged|free".',
    '{0} 次购买的结果集线器尚未告知，最早的已有 {1} 分钟\n在集线器上运行 "svcd hub purchases --state unknown"。如果它不再让此机器进入，请自行决定："svcd purchases settle {2} --as charged|free"。',
  ],
  paid_ok: ['all that was paid for is owned', '付过费的都已拥有'],
  paid_in_vain: [
    'purchase {0} was paid for and nothing of it is owned\n"svcd purchases" lists it; {1} buys it again.',
    '购买 {0} 已付费，却没有得到内容\n"svcd purchases"列出它；{1}重新购买。',
  ],
  dates_ok: ['no purchase is dated in the future', '没有日期在未来的购买'],
  dates_future: [
    'the clock was once ahead: {0} of the purchases, {1} credits, dated up to {2}\nWhen the clock is right, the command counts them as spent today.',
    '时钟曾经超前：{0} 次购买、{1} 积分的日期最晚到 {2}\n时钟正确后，此命令把它们算作今天的花费。',
  ],
  dates_mended: [
    '{0} now count as spent today; they were dated up to {1}',
    '{0} 次购买现在算作今天的花费；原来的日期最晚到 {1}',
  ],

  // The daemon, its service and its port.
  daemon_ok: ['svcd {0} answers at {1} (process {2})', 'svcd {0} 在 {1} 应答（进程 {2}）'],
  daemon_none: ['does not run', '没有运行'],
  daemon_held: [
    'does not run; a command of svcd has the home now (process {0})\nWait for its end.',
    '没有运行；一个 svcd 命令正在使用此数据目录（进程 {0}）\n请等它结束。',
  ],
  daemon_stopped: ['was paused by a signal (process {0}) and answers nobody', '被信号暂停（进程 {0}），不回答任何请求'],
  daemon_silent: [
    'takes connections at {1} and does not answer (process {0})\nNothing that was paid for is lost by ending it. Then start it again.',
    '在 {1} 接受连接，但不回答（进程 {0}）\n结束它不会丢失任何付费所得。然后重新启动。',
  ],
  daemon_version: ['is svcd {0}, and this command is svcd {1}', '是 svcd {0}，而此命令是 svcd {1}'],
  service_none: ['is not installed: svcd starts when you start it', '未安装：svcd 由您手动启动'],
  service_ok: ['is installed ({0})', '已安装（{0}）'],
  service_drift: ['is not as it should be: {0}', '与应有的不符：{0}'],
  port_ok: ['{0} is {1}', '{0} {1}'],
  port_svcd: [
    '{0} is that of another svcd (process {1}), on another home or of another user\nOr end that one.',
    '{0} 被另一个 svcd（进程 {1}）占用，它属于另一个数据目录或另一个用户\n或结束那一个。',
  ],
  port_taken: [
    '{0} is taken by {1} (process {2})\nOr end that program.',
    '{0} 被 {1}（进程 {2}）占用\n或结束那个程序。',
  ],
  port_refused: [
    '{0} cannot be listened on ({1})\nEADDRINUSE: a program of another user has it.',
    '无法监听 {0}（{1}）\nEADDRINUSE：另一个用户的程序占用了它。',
  ],

  // Limits of the system.
  files_ok: ['{0} may be open at a time', '最多同时打开 {0} 个'],
  files_low: [
    'only {0} files and connections may be open at a time\nThe command raises the limit of this shell, or of the daemon that runs. Where a container or a service sets it, raise it there.',
    '最多同时打开 {0} 个文件和连接\n此命令提高当前 shell 或正在运行的后台服务的上限。如果上限由容器或服务规定，请在那里提高。',
  ],
  memory_ok: ['up to {0} MiB may be used', '最多可用 {0} MiB'],
  memory_heap: [
    'Node.js may use only {0} MiB: NODE_OPTIONS says so\nOr raise --max-old-space-size in it to 512 or more.',
    'Node.js 只能使用 {0} MiB：由 NODE_OPTIONS 规定\n或把其中的 --max-old-space-size 提高到 512 以上。',
  ],
  memory_low: [
    'only {0} MiB may be used by this container or session; large pictures need 512\nRaise the limit where the container or service is defined (docker run --memory, MemoryMax=).',
    '此容器或会话只能使用 {0} MiB；大图片需要 512\n在定义容器或服务的地方提高上限（docker run --memory、MemoryMax=）。',
  ],

  // The network and the remote.
  proxy_none: ['none is set', '没有设置'],
  proxy_used: ['the remote is asked through {0}', '通过 {0} 访问远程服务'],
  proxy_odd: [
    '{0} names no address of a proxy\nOr set it right, where your shell sets it.',
    '{0} 中不是代理的地址\n或在您的 shell 设置它的地方改正。',
  ],
  proxy_unused: ['{0} names {1}, and the remote is asked without it', '{0} 指定 {1}，访问远程服务时不用它'],
  proxy_loopback: [
    '{0} names {1}, and NO_PROXY does not except 127.0.0.1: programs may look for svcd there',
    '{0} 指定 {1}，而 NO_PROXY 没有排除 127.0.0.1：程序可能到代理那里去找 svcd',
  ],
  remote_none: [
    'none is configured\nOr try everything without an account: "svcd start --sandbox".',
    '没有配置\n或不用账户先试一试："svcd start --sandbox"。',
  ],
  remote_sandbox: ['the sandbox, inside svcd: its credits are not real', 'svcd 内的沙盒：其中的积分不是真的'],
  remote_ok: ['{0} answers', '{0} 应答'],
  remote_ok_by_proxy: ['{0} through the proxy {1} answers', '{0}（通过代理 {1}）应答'],
  remote_offline: ['{0} is not asked: svcd is set to offline', '没有询问 {0}：svcd 设为离线'],
  remote_held: [
    '{0} asked to be left alone until {1} (Retry-After)\nThe command asks it again at once.',
    '{0} 要求在 {1} 之前不再请求（Retry-After）\n此命令立即再次询问。',
  ],
  remote_unseen: [
    '{0} answers here, and the daemon does not reach it: {1}\nThe command makes the daemon ask again at once.',
    '{0} 在这里应答，但后台服务连不上：{1}\n此命令让后台服务立即再次询问。',
  ],
  remote_dns: [
    '{0} is not reached: the name {1} cannot be resolved ({2})\nIs it spelled right, and is this machine online? svcd goes on by itself when the name resolves.',
    '无法连接 {0}：名称 {1} 无法解析（{2}）\n拼写正确吗？本机是否联网？名称可解析后 svcd 自动恢复。',
  ],
  remote_refused: [
    '{0} is down, or the address is wrong: nothing listens there ({1})\nIf it is down, wait: svcd goes on by itself when it is back. The command is for a wrong address.',
    '{0} 已停止，或地址有误：那里没有程序监听（{1}）\n如果已停止，请等待：远程服务恢复后 svcd 自动恢复。地址有误时才用此命令。',
  ],
  remote_timeout: [
    '{0} is not reached: {1}\nA firewall may swallow the connection. svcd goes on by itself when the service is back.',
    '无法连接 {0}：{1}\n可能被防火墙丢弃。远程服务恢复后 svcd 自动恢复。',
  ],
  remote_unreached: [
    '{0} is not reached: {1}\nsvcd goes on by itself when the network is back.',
    '无法连接 {0}：{1}\n网络恢复后 svcd 自动恢复。',
  ],
  remote_proxy: [
    '{0} is not reached: the proxy {1} {2}\nPROXY is the address of the right proxy, or "direct" for none. A user and password belong into HTTPS_PROXY.',
    '无法连接 {0}：代理 {1} {2}\nPROXY 是正确的代理地址，"direct"表示不用代理。用户名和密码请写在 HTTPS_PROXY 中。',
  ],
  remote_tls_untrusted: [
    '{0} shows a certificate that this machine does not trust ({1})\nFILE holds the certificate of the authority that your network uses, in PEM.',
    '{0} 的证书不受本机信任（{1}）\nFILE 是您的网络所用证书机构的证书，PEM 格式。',
  ],
  remote_tls_dates: [
    "the certificate of {0} is not valid now ({1}); this machine's clock says {2}\nIf the clock is right, only the owner of the service can renew the certificate.",
    '{0} 的证书现在无效（{1}）；本机时钟为 {2}\n如果时钟正确，只有服务方能更新证书。',
  ],
  remote_tls_name: [
    '{0} shows the certificate of another name than {1}\nIs the address right? Somebody in between may answer in its place.',
    '{0} 出示的证书不属于 {1}\n地址正确吗？可能有人在中间代它应答。',
  ],
  remote_tls_none: [
    '{0} does not speak TLS, or not one that is safe ({1})\nIs the port right?',
    '{0} 不使用 TLS，或所用的不安全（{1}）\n端口正确吗？',
  ],
  remote_redirect: [
    '{0} sends callers to {1}, and svcd does not follow with your Key\nEither the service moved, or a network asks you to log in first (open it in a browser).',
    '{0} 把请求转到 {1}，svcd 不会带着您的 Key 跟随\n远程服务可能已搬迁，或网络要求先登录（用浏览器打开）。',
  ],
  remote_foreign: [
    '{0} answers, and is not the service that svcd knows ({1})\nIs the address right? A network may also ask you to log in first (open it in a browser).',
    '{0} 有应答，但不是 svcd 所知的远程服务（{1}）\n地址正确吗？网络也可能要求先登录（用浏览器打开）。',
  ],
  remote_failing: [
    '{0} answers with an error ({1})\nsvcd goes on by itself when the service works again.',
    '{0} 应答错误（{1}）\n远程服务恢复后 svcd 自动恢复。',
  ],
  key_ok: ['ends in {0}, {1}; {2}', '以 {0} 结尾，{1}；{2}'],
  key_none: ['none: nothing can be bought', '没有：无法购买'],
  key_warning: ['{0}', '{0}'],
  key_exposed: ['{0} holds the Key and can be read by other users', '{0} 中有 Key，其他用户可以读取'],
  key_wrong: [
    'the service refuses the Key that ends in {0}, {1}: {2}\nCopy it anew from your account; the command asks for it.',
    '远程服务拒绝以 {0} 结尾的 Key（{1}）：{2}\n请从您的账户重新复制；此命令会询问。',
  ],
  key_wrong_variable: [
    'the service refuses the Key that ends in {0}, from SERVICE_API_KEY: {1}\nOr set the right one where your shell sets it. Then start svcd anew.',
    '远程服务拒绝以 {0} 结尾的 Key（来自 SERVICE_API_KEY）：{1}\n或在您的 shell 配置中改为正确的 Key。然后重新启动 svcd。',
  ],
  keychain_ok: ['{0}', '{0}'],
  keychain_unusable: [
    'cannot be used: {0} ({1})\n{2}\nThe command keeps the Key in a private file instead, and asks for it.',
    '无法使用：{0}（{1}）\n{2}\n此命令改为把 Key 保存在私有文件中，并会询问 Key。',
  ],
  clock_ok: ['it is {0}', '现在是 {0}'],
  clock_behind: [
    'it is {0}, but files in the home are from {1}\nIf the clock is right, they were made while it was wrong: the command dates them now. Else set the clock first.',
    '现在是 {0}，但数据目录中有 {1} 的文件\n如果时钟正确，它们是在时钟错误时产生的：此命令把它们的日期改为现在。否则请先校准时钟。',
  ],
  clock_off: [
    'it is {0}, {1} s {2} {3}\nBudgets count days, and TLS checks dates: keep it set by NTP. The command needs the rights of root.',
    '现在是 {0}，比 {3} {2} {1} 秒\n预算按天计算，TLS 检查日期：请用 NTP 保持准确。此命令需要 root 权限。',
  ],

  // A machine of a hub.
  hub_ok: [
    'the hub at {0} answers; project {1}, this machine is "{2}"',
    '位于 {0} 的集线器应答；项目 {1}，此机器名为 "{2}"',
  ],
  hub_away: [
    'the hub at {0} does not answer: {1}\nWhat is owned is served, and defaults; nothing is bought until it is back.',
    '位于 {0} 的集线器没有应答：{1}\n仍提供已拥有的素材和替代素材；集线器恢复之前不购买。',
  ],
  hub_certificate: [
    'what answers at {0} is not the hub that this machine joined, or it has a new certificate\nAsk who looks after the hub. If it has a new certificate, join again with a new code.',
    '{0} 处应答的不是此机器加入的集线器，或它换了证书\n请询问集线器的管理员。如果它换了证书，请用新的邀请码重新加入。',
  ],
  hub_refused: [
    'the hub does not accept this machine: {0}\nJoin again with a new code.',
    '集线器不接受此机器：{0}\n请用新的邀请码重新加入。',
  ],
  hub_unreadable: [
    'it belongs to a hub that svcd cannot tell: {0}\nNothing is bought. Join again with a new code, or leave.',
    '它属于 svcd 无法识别的集线器：{0}\n不会购买任何素材。请用新的邀请码重新加入，或退出。',
  ],
  key_hub_none: [
    'the hub has none, so it buys nothing\nOn the hub: "svcd key set".',
    '集线器没有 Key，不会购买\n在集线器上运行 "svcd key set"。',
  ],
  key_hub_wrong: [
    'the service refuses the one of the hub: {0}\nOn the hub: "svcd doctor".',
    '远程服务不接受集线器的 Key：{0}\n在集线器上运行 "svcd doctor"。',
  ],

  // A hub itself.
  certificate_ok: ['the certificate is good for {0} days', '证书还有 {0} 天有效'],
  certificate_ends: ['the certificate is good for {0} days\n{1}', '证书还有 {0} 天有效\n{1}'],
  hub_key_ok: ['the hub has a Key', '集线器有 Key'],
  hub_key_refused: [
    'the service refuses the Key of the hub ({0}), so it buys nothing\n{1}',
    '远程服务不接受集线器的 Key（{0}），不会购买\n{1}',
  ],
  backup_ok: ['the last backup is {0} days old', '上次备份是 {0} 天前'],
  backup_old: [
    'the last backup: {0}\nMake one: "{1}". It holds what was paid for, and cannot be made again.',
    '上次备份：{0}\n请备份："{1}"。其中是已付费的内容，无法重建。',
  ],
  database_unsafe: ['{0}\n{1}', '{0}\n{1}'],
  audit_ok: ['every line of the budgets is what the journal comes to', '每一行预算都与日志相符'],
  audit_wrong: ['lines of the budgets differ from what the journal comes to', '预算与日志不符'],
  machines_cloned: [
    'these run in two places at once: {0}\nTheir home was copied. In each copy: "svcd hub join CODE --anew".',
    '以下机器同时在两处运行：{0}\n其数据目录被复制。请在每个副本中运行 "svcd hub join CODE --anew"。',
  ],

  // The lock of a video in this folder.
  lock_none: ['none in this folder', '此文件夹中没有'],
  lock_ok: ['{0}: {1} files, all as locked', '{0}：{1} 个文件，都与锁文件一致'],
  lock_unreadable: ['{0}\n{1}', '{0}\n{1}'],
  lock_unmet: [
    '{0}: missing or changed: {1}; what they hold is owned\nThe command brings them back and buys nothing.',
    '{0}：缺失或改变：{1}；其内容已拥有\n此命令恢复它们，不购买。',
  ],
  lock_lost: [
    '{0}: missing or changed: {1}; {2} of them are not owned here\nFILE is what "svcd owned export --lock" wrote where they are owned. To buy stickers again: "svcd fetch --locked --buy --max-credits N".',
    '{0}：缺失或改变：{1}；其中 {2} 个在此未拥有\nFILE 是在已拥有它们的地方用"svcd owned export --lock"写的文件。重新购买贴纸："svcd fetch --locked --buy --max-credits N"。',
  ],
} satisfies Record<string, Sentence>;

export type FindingCode = keyof typeof SENTENCES;
