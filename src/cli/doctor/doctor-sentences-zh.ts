// What the doctor says of each finding, in Chinese.

import type { KeychainState } from '../../auth/keychain-states.js';
import type { KeySource } from '../../auth/user-key.js';
import type { Sentences } from './doctor-sentences.js';

const KEYCHAIN: Readonly<Record<KeychainState, string>> = {
  found: '存有此远程服务的 Key',
  empty: '可用，没有此远程服务的 Key',
  locked: '已锁定，或还没有钥匙串',
  no_service: '没有运行钥匙串服务，这在服务器和容器中很常见',
  no_module: '缺少模块或其系统库',
  no_answer: '没有回答：钥匙串服务卡住了，或在等待密码',
};

const UNLOCK: Readonly<Partial<Record<KeychainState, string>>> = {
  locked: '请解锁：登录桌面，或打开其密码程序。',
  no_answer: '请找一找密码对话框，或重启钥匙串服务。',
};

const SOURCES: Readonly<Record<KeySource, string>> = {
  environment: '来自 SERVICE_API_KEY',
  key_file: '来自您的 Key 文件',
  keychain: '来自系统钥匙串',
  package: '来自模板包的 service.key.json',
  sandbox: '来自沙盒',
  hub: '在集线器上',
  none: '没有来源',
};

export const zh: Sentences = {
  check_failed: (message, hint) => [`无法检查：${message}`, hint],
  check_unfinished: (seconds) => [`${seconds} 秒内没有回答`, '它所检查的东西卡住了：磁盘、网络文件系统或其他程序。'],
  check_crashed: (signal) => [`没有检查：前一项检查被 ${signal} 终止`],
  not_examined: (why) => [`没有检查：${why}`],

  node_ok: (version, platform, arch, abi) => [`Node.js ${version}，${platform} ${arch}（ABI ${abi}）`],
  sqlite_ok: (version) => [`可用，SQLite ${version}`],
  sqlite_missing: (message, hint) => [message, hint],
  path_ok: (file, version) => [`"svcd"是 ${file}（${version}）`],
  path_none: (script) => [`其中没有"svcd"；当前运行的是 ${script}`],
  path_twice: (first, version, other, otherVersion) => [
    `其中有两个 svcd：先找到并运行的是 ${first}（${version}），不会运行 ${other}（${otherVersion}）`,
    '只保留一个，这样更新的才是实际运行的那个。',
  ],

  home_new: (home) => [`${home} 还不存在；第一次启动时创建`],
  home_ok: (home) => [`${home} 只有您能访问`],
  home_unmakeable: (home) => [`${home} 不存在，也无法创建`, '或用 --home DIR 或 SVCD_HOME 指定另一个。'],
  home_no_folder: (home) => [`${home} 不是文件夹`, '或用 --home DIR 或 SVCD_HOME 指定另一个。'],
  home_relative: (message) => [message],
  home_owner: (path, owner, uid) => [
    `${path} 属于用户 ${owner}，而您是用户 ${uid}：svcd 拒绝使用它，或无法使用它`,
    '或以那个用户运行 svcd。此命令需要 root 权限。',
  ],
  home_open: (home, mode) => [`其他用户能查看 ${home}（权限 ${mode}），其中有令牌和您购买的内容`],
  home_writable: (path, mode) => [
    `其他用户能写入 ${path}（权限 ${mode}）：svcd 拒绝使用它，因为其中的设置决定您的 Key 发往哪里`,
    '请先确认没有人改动过它。',
  ],
  home_closed: (home, mode) => [`您无法读写 ${home}（权限 ${mode}）`],
  home_read_only: (home) => [`${home} 无法写入：svcd 只提供已有的内容，不购买`],
  home_read_only_empty: (home) => [
    `${home} 无法写入，其中也没有可提供的内容`,
    '或用 --home DIR 或 SVCD_HOME 指定另一个。',
  ],
  home_network: (home, kind) => [
    `${home} 位于另一台机器上（${kind}），数据库的锁在那里不可靠：两个 svcd 可能同时花费`,
    '停止 svcd，把文件夹移到本机磁盘，再用 --home DIR 或 SVCD_HOME 指定它。',
  ],
  disk_ok: (mib, home) => [`${home} 还有 ${mib} MiB 可用`],
  disk_low: (mib, mount) => [
    `${mount} 只剩 ${mib} MiB`,
    `请腾出空间："du -xam ${mount} | sort -n | tail"列出最大的文件。付费所得必须能写下来。`,
  ],
  disk_full: (mib, mount) => [
    `${mount} 已满：只剩 ${mib} MiB，付费所得无法写下来`,
    `请腾出空间："du -xam ${mount} | sort -n | tail"列出最大的文件。`,
  ],
  disk_files: (files, mount) => [
    `${mount} 上只能再创建 ${files} 个文件（inode）`,
    `请删除一些文件："du -x --inodes ${mount} | sort -n | tail"列出文件最多的文件夹。`,
  ],

  settings_ok: () => ['可以读取，全部有效'],
  settings_file: (message) => [message, '请修正此文件；此命令则是把它移到一边。'],
  settings_unknown: (name, meant) => [`config.json 中的 ${name} 不是设置，不起作用${meant}`],
  settings_wrong: (message) => [message, '或改为正确的值；"svcd config"显示全部设置。'],
  settings_variable: (name, meant) => [`环境变量 ${name} 不是 svcd 的变量${meant}`],
  settings_variable_wrong: (message) => [message, '或在您的 shell 配置中改为正确的值。'],
  trust_loopback: () => [
    '允许本机任何用户的任何程序花费您的积分（trustLoopback）',
    '或用"svcd budget set --day N"设置上限。',
  ],
  token_ok: () => ['在 runtime.json 中'],
  token_new: () => ['还没有；第一次启动时生成'],
  token_missing: (file) => [
    `缺少 ${file}：下次启动会生成新令牌，持有旧令牌的程序会被拒绝`,
    '请把它打印的令牌交给那些程序。',
  ],
  token_unreadable: (file) => [`${file} 已损坏，其中没有令牌`, '此命令生成新令牌。'],
  token_lost: (file, pid) => [
    `后台服务正在运行（进程 ${pid}），但说明其地址的 ${file} 缺失或损坏`,
    '此命令让它正常结束；然后重新启动。',
  ],
  log_ok: (mib) => [`占用 ${mib} MiB`],
  log_none: () => ['还没有'],
  log_large: (mib, file) => [`占用 ${mib} MiB，超过 svcd 保留的大小；最大的是 ${file}`, '此命令清空该文件。'],
  log_crash: (file, line) => [
    `后台服务曾因错误结束，记录在 ${file}：${line}`,
    '如要报告问题，请保留此文件；此命令删除它。',
  ],

  database_none: () => ['还不存在'],
  database_ok: () => ['完好'],
  library_damaged: (damage) => [`已损坏：${damage}`, '它可以重建：下次启动会把它移到一边并重建。'],
  owned_damaged: (damage) => [
    `已损坏：${damage}`,
    '其中是您付费所得，绝不自动重建。FILE 是您用"svcd owned backup"做的备份；请先停止 svcd。',
  ],
  owned_damaged_backup: (damage, file) => [`已损坏：${damage}`, `${file} 是完好的副本；如有更新的备份则更好。`],
  owned_no_backup: (damage, file) => [
    `已损坏：${damage}`,
    `其中是您付费所得，绝不自动重建。有备份时："svcd owned restore FILE"。没有备份时，此命令把它移为 ${file}，svcd 会重新付费。`,
  ],
  newer_file: (message) => [message],
  loss_none: () => ['owned.db 包含用此数据目录所做的全部购买'],
  loss: (loss) => [
    `不再购买：${loss}`,
    '此命令接受现状并重新付费。如有备份，请改用："svcd stop"，然后"svcd owned restore FILE"。',
  ],
  loss_accepted: (loss) => [`已接受：${loss}`],
  spending_ok: () => ['允许，在预算之内'],
  spending_stopped: (since) => [`自 ${since} 起已停止：不购买任何东西`],
  unsettled_none: () => ['每次购买的结果都已知'],
  unsettled: (count, minutes) => [
    `${count} 次购买不知是否已扣费，最早的已有 ${minutes} 分钟`,
    '"svcd purchases --state unknown" 列出它们；此命令根据余额核定一次，如果余额能说明的话。',
  ],
  unsettled_at_hub: (count, minutes) => [
    `${count} 次购买的结果集线器尚未告知，最早的已有 ${minutes} 分钟`,
    '在集线器上运行 "svcd hub purchases --state unknown"。',
  ],
  paid_ok: () => ['付过费的都已拥有'],
  paid_in_vain: (id, count) => [
    `${count === 1 ? `购买 ${id}` : `${count} 次购买`}已付费，却没有得到内容`,
    '"svcd purchases"列出它；此命令重新购买。',
  ],
  paid_image_in_vain: (id, count) => [
    `${count === 1 ? `购买 ${id}` : `${count} 次购买`}已付费，却没有得到内容`,
    '"svcd purchases"列出它；用带有"X-Svcd-Allow-Repay: 1"头的相同请求重新购买。',
  ],
  dates_ok: () => ['没有日期在未来的购买'],
  dates_none: () => ['还没有购买'],
  dates_future: (purchases, credits, day) => [
    `时钟曾经超前：${purchases} 次购买、${credits} 积分的日期最晚到 ${day}`,
    '时钟正确后，此命令把它们算作今天的花费。',
  ],
  dates_mended: (mended, day) => [`${mended} 次购买现在算作今天的花费；原来的日期最晚到 ${day}`],

  daemon_ok: (version, url, pid) => [`svcd ${version} 在 ${url} 应答（进程 ${pid}）`],
  daemon_none: () => ['没有运行'],
  daemon_held: (pid) => [`没有运行；一个 svcd 命令正在使用此数据目录（进程 ${pid}）`, '请等它结束。'],
  daemon_stopped: (pid) => [`被信号暂停（进程 ${pid}），不回答任何请求`],
  daemon_silent: (pid, url) => [
    `在 ${url} 接受连接，但不回答（进程 ${pid}）`,
    '结束它不会丢失任何付费所得。然后重新启动。',
  ],
  daemon_version: (theirs, own) => [`是 svcd ${theirs}，而此命令是 svcd ${own}`],
  service_none: () => ['未安装：svcd 由您手动启动'],
  service_ok: (kind) => [`已安装（${kind}）`],
  service_drift: (what) => [`与应有的不符：${what}`],
  port_own: (port) => [`${port} 由 svcd 使用`],
  port_any: () => ['任意空闲端口'],
  port_free: (port) => [`${port} 空闲`],
  port_svcd: (port, pid) => [
    `${port} 被另一个 svcd（进程 ${pid}）占用，它属于另一个数据目录或另一个用户`,
    '或结束那一个。',
  ],
  port_taken: (port, name, pid) => [`${port} 被 ${name}（进程 ${pid}）占用`, '或结束那个程序。'],
  port_taken_unknown: (port) => [
    `${port} 被另一个程序占用；它属于其他用户，或系统不提供信息（EADDRINUSE）`,
    '或结束那个程序。',
  ],
  port_refused: (port, code) => [`无法监听 ${port}（${code}）`],

  files_ok: (limit) => [`最多同时打开 ${limit} 个`],
  files_low: (limit) => [
    `最多同时打开 ${limit} 个文件和连接`,
    '此命令提高当前 shell 或正在运行的后台服务的上限。如果上限由容器或服务规定，请在那里提高。',
  ],
  memory_ok: (mib) => [`最多可用 ${mib} MiB`],
  memory_heap: (mib) => [
    `Node.js 只能使用 ${mib} MiB：由 NODE_OPTIONS 规定`,
    '或把其中的 --max-old-space-size 提高到 512 以上。',
  ],
  memory_low: (mib) => [
    `此容器或会话只能使用 ${mib} MiB；大图片需要 512`,
    '在定义容器或服务的地方提高上限（docker run --memory、MemoryMax=）。',
  ],

  proxy_none: () => ['没有设置'],
  proxy_used: (address) => [`通过 ${address} 访问远程服务`],
  proxy_odd: (variable) => [`${variable} 中不是代理的地址`, '或在您的 shell 设置它的地方改正。'],
  proxy_unused: (variable, address) => [`${variable} 指定 ${address}，访问远程服务时不用它`],
  proxy_loopback: (variable, address) => [
    `${variable} 指定 ${address}，而 NO_PROXY 没有排除 127.0.0.1：程序可能到代理那里去找 svcd`,
  ],
  remote_none: () => ['没有配置', '或不用账户先试一试："svcd start --sandbox"。'],
  hub_ok: (address, project, machine) => [`位于 ${address} 的集线器应答；项目 ${project}，此机器名为 "${machine}"`],
  hub_offline: (address) => [`没有询问位于 ${address} 的集线器：svcd 设为离线`],
  hub_away: (address, why) => [
    `位于 ${address} 的集线器没有应答：${why}`,
    '仍提供已拥有的素材和替代素材；集线器恢复之前不购买。',
  ],
  hub_certificate: (address) => [
    `${address} 处应答的不是此机器加入的集线器，或它换了证书`,
    '请询问集线器的管理员。如果它换了证书，请用新的邀请码重新加入。',
  ],
  hub_refused: (why) => [`集线器不接受此机器：${why}`, '请用新的邀请码重新加入。'],
  hub_unreadable: (why) => [
    `它属于 svcd 无法识别的集线器：${why}`,
    '不会购买任何素材。请用新的邀请码重新加入，或退出。',
  ],
  remote_sandbox: () => ['svcd 内的沙盒：其中的积分不是真的'],
  remote_ok: (address, proxy) => [`${address}${proxy === '' ? '' : `（通过代理 ${proxy}）`} 应答`],
  remote_offline: (address) => [`没有询问 ${address}：svcd 设为离线`],
  remote_held: (address, until) => [`${address} 要求在 ${until} 之前不再请求（Retry-After）`, '此命令立即再次询问。'],
  remote_unseen: (address, why) => [
    `${address} 在这里应答，但后台服务连不上：${why}`,
    '此命令让后台服务立即再次询问。',
  ],
  remote_dns: (address, host, code) => [
    `无法连接 ${address}：名称 ${host} 无法解析（${code}）`,
    '拼写正确吗？本机是否联网？名称可解析后 svcd 自动恢复。',
  ],
  remote_refused: (address, code) => [
    `无法连接 ${address}：那里没有程序监听（${code}）`,
    '端口正确吗？远程服务恢复后 svcd 自动恢复。',
  ],
  remote_timeout: (address, why) => [`无法连接 ${address}：${why}`, '可能被防火墙丢弃。远程服务恢复后 svcd 自动恢复。'],
  remote_unreached: (address, why) => [`无法连接 ${address}：${why}`, '网络恢复后 svcd 自动恢复。'],
  remote_proxy: (address, proxy, why) => [
    `无法连接 ${address}：代理 ${proxy} ${why}`,
    'PROXY 是正确的代理地址，"direct"表示不用代理。用户名和密码请写在 HTTPS_PROXY 中。',
  ],
  remote_tls_untrusted: (address, code) => [
    `${address} 的证书不受本机信任（${code}）`,
    'FILE 是您的网络所用证书机构的证书，PEM 格式。',
  ],
  remote_tls_dates: (address, code, now) => [
    `${address} 的证书现在无效（${code}）；本机时钟为 ${now}`,
    '如果时钟正确，只有服务方能更新证书。',
  ],
  remote_tls_name: (address, host) => [`${address} 出示的证书不属于 ${host}`, '地址正确吗？可能有人在中间代它应答。'],
  remote_tls_none: (address, code) => [`${address} 不使用 TLS，或所用的不安全（${code}）`, '端口正确吗？'],
  remote_redirect: (address, to) => [
    `${address} 把请求转到 ${to}，svcd 不会带着您的 Key 跟随`,
    '远程服务可能已搬迁，或网络要求先登录（用浏览器打开）。',
  ],
  remote_foreign: (address, what) => [
    `${address} 有应答，但不是 svcd 所知的远程服务（${what}）`,
    '地址正确吗？网络也可能要求先登录（用浏览器打开）。',
  ],
  remote_failing: (address, status) => [`${address} 应答错误（${status}）`, '远程服务恢复后 svcd 自动恢复。'],
  key_ok: (lastFour, source) => [`以 ${lastFour} 结尾，${SOURCES[source]}；远程服务接受它`],
  key_untried: (lastFour, source) => [`以 ${lastFour} 结尾，${SOURCES[source]}；没有询问远程服务`],
  key_hub: () => ['在集线器上：此机器不需要'],
  key_hub_none: () => ['集线器没有 Key，不会购买', '在集线器上运行 "svcd key set"。'],
  key_hub_wrong: (message) => [`远程服务不接受集线器的 Key：${message}`, '在集线器上运行 "svcd hub doctor"。'],
  key_sandbox: () => ['沙盒自己的'],
  key_unneeded: () => ['没有；没有远程服务时不需要'],
  key_none: () => ['没有：无法购买'],
  key_warning: (message) => [message],
  key_exposed: (path) => [`${path} 中有 Key，其他用户可以读取`],
  key_wrong: (lastFour, source, message) => [
    `远程服务拒绝以 ${lastFour} 结尾的 Key（${SOURCES[source]}）：${message}`,
    '请从您的账户重新复制；此命令会询问。',
  ],
  key_wrong_variable: (lastFour, message) => [
    `远程服务拒绝以 ${lastFour} 结尾的 Key（来自 SERVICE_API_KEY）：${message}`,
    '或在您的 shell 配置中改为正确的 Key。然后重新启动 svcd。',
  ],
  keychain_ok: (state) => [KEYCHAIN[state]],
  keychain_unneeded: (source) => [`不需要：Key ${SOURCES[source]}`],
  keychain_hub: () => ['不需要：Key 在集线器上'],
  keychain_sandbox: () => ['不需要：沙盒有自己的 Key'],
  keychain_no_remote: () => ['不需要：没有配置远程服务'],
  keychain_unusable: (state, why) => [
    `无法使用：${KEYCHAIN[state]}（${why}）`,
    `${UNLOCK[state] ?? ''}此命令改为把 Key 保存在私有文件中，并会询问 Key。`,
  ],
  clock_ok: (now) => [`现在是 ${now}`],
  clock_behind: (now, newest) => [
    `现在是 ${now}，但数据目录中有 ${newest} 的文件`,
    '如果时钟正确，它们是在时钟错误时产生的：此命令把它们的日期改为现在。否则请先校准时钟。',
  ],
  clock_off: (now, seconds, host) => [
    `现在是 ${now}，比 ${host} ${seconds > 0 ? '快' : '慢'} ${Math.abs(seconds)} 秒`,
    '预算按天计算，TLS 检查日期。此命令需要 root 权限。',
  ],

  lock_none: () => ['此文件夹中没有'],
  lock_ok: (file, files) => [`${file}：${files} 个文件，都与锁文件一致`],
  lock_unreadable: (message, hint) => [message, hint],
  lock_unmet: (file, names) => [`${file}：缺失或改变：${names}；其内容已拥有`, '此命令恢复它们，不购买。'],
  lock_lost: (file, names, count) => [
    `${file}：缺失或改变：${names}；其中 ${count} 个在此未拥有`,
    'FILE 是在已拥有它们的地方用"svcd owned export --lock"写的文件。重新购买贴纸："svcd fetch --locked --buy --max-credits N"。',
  ],
};
