// What a hub answers who looks after it, for those who do not read English: what its doctor finds, and what it refuses.
// By the English text that it gives; `{}` stands for a value. A test finds each of them in the source.

export const HUB_ANSWERS: Readonly<Record<string, string>> = {
  // What the hub finds wrong with itself (hub/app/hub-checks.ts).
  'the certificate is good for {} days': '证书还有 {} 天有效',
  'the certificate is over': '证书已过期',
  'Restart the hub: it makes a new one of the same key, and machines know it again.':
    '请重启集线器：它会用同一密钥生成新证书，各机器仍认得它。',
  'Renew it with the same private key, or machines have to join again; then "svcd restart".':
    '请用同一私钥续期，否则各机器须重新加入；然后运行 "svcd restart"。',
  'the hub has no Key, so it buys nothing': '集线器没有 Key，不会购买',
  'Store one: "svcd key set".': '请保存一个："svcd key set"。',
  'the hub has a Key': '集线器有 Key',
  'the service refuses the Key of the hub ({}), so it buys nothing': '远程服务不接受集线器的 Key（{}），不会购买',
  'Raise its limit at the service, or store another: "svcd key set".':
    '请在远程服务提高它的限额，或保存另一个："svcd key set"。',
  'Enable it at the service, or store another: "svcd key set".': '请在远程服务启用它，或保存另一个："svcd key set"。',
  'the end of every purchase is known': '每笔购买的结果都已知',
  'purchases of unknown end: {}, the oldest for {} minutes': '结果未知的购买：{} 笔，最早的已有 {} 分钟',
  'They may have been charged. See "svcd purchases --state unknown"; "svcd purchases settle ID" settles one.':
    '它们可能已扣费。见 "svcd purchases --state unknown"；"svcd purchases settle ID" 可了结一笔。',
  'the clock agrees with that of the service': '时钟与远程服务一致',
  'the clock is {} seconds {} that of the service': '时钟与远程服务相差 {} 秒（{}）',
  'Budgets count days by it: set it, and keep it set by NTP.': '预算按它计日：请校正，并用 NTP 保持。',
  'no backup was made of this home': '此数据目录还没有备份',
  'the last backup is {} days old': '上次备份是 {} 天前',
  'Make one: "svcd owned backup FILE". It holds what was paid for, and cannot be made again.':
    '请备份："svcd owned backup FILE"。其中是已付费的内容，无法重建。',
  // Its PostgreSQL.
  'the database is sound': '数据库没有问题',
  "the clock of PostgreSQL is {} s {} the hub's; set both by NTP":
    'PostgreSQL 的时钟与集线器相差 {} 秒（{}）；请都用 NTP 校正',
  'PostgreSQL {} is too old; {} or newer is needed': 'PostgreSQL {} 太旧，需要 {} 或更新版本',
  'fsync is off: a power cut forgets purchases that were confirmed; set fsync = on':
    'fsync 已关闭：断电会丢失已确认的购买；请设 fsync = on',
  'full_page_writes is off: a power cut may leave half a page; set full_page_writes = on':
    'full_page_writes 已关闭：断电可能留下半页数据；请设 full_page_writes = on',
  'synchronous_commit is {}; svcd sets it on for its own commits, but what else writes here may lose rows':
    'synchronous_commit 为 {}；svcd 为自己的提交打开它，但其他程序写入的行可能丢失',
  "{} asynchronous: purchases that were confirmed are gone when it is promoted; set synchronous_standby_names = 'ANY 1 (*)'":
    "{}异步的：升为主库时，已确认的购买会丢失；请设 synchronous_standby_names = 'ANY 1 (*)'",
  'the standby is': '备库是',
  'all {} standbys are': '{} 个备库都是',
  'no standby confirms commits, though synchronous_standby_names is {}; correct the names':
    '没有备库确认提交，而 synchronous_standby_names 为 {}；请改正名称',
  'Nothing is bought until it is back; what is on the disk of the hub is served.':
    '它恢复之前不会购买；集线器磁盘上已有的照常提供。',
  'Check the user, the password and the name of the database, and pg_hba.conf on the server.':
    '请检查用户、密码、数据库名，以及服务器上的 pg_hba.conf。',
  // What it refuses.
  'no machine {} has joined': '没有名为 {} 的机器加入',
  '"svcd hub machines" lists them.': '"svcd hub machines" 列出各机器。',
  '{} machines are called {}': '有 {} 台机器名为 {}',
  'Name one by its number: {}. "svcd hub machines" shows when each was last seen.':
    '请用编号指定一台：{}。"svcd hub machines" 显示各自上次出现的时间。',
  'the limit of all together is one of a request, a day or a month': '所有机器合计的上限只能是每个请求、每天或每月的',
  'Give a project one for good: "svcd hub budget set project:NAME --total N".':
    '可以为项目设定总上限："svcd hub budget set project:NAME --total N"。',
  'name one of project, user and machine': '--project、--user、--machine 只能给出一个',
  'no hub runs on this home': '此数据目录上没有运行集线器',
  'Start one with "svcd hub start"; a daemon that runs already, with "svcd stop" before it.':
    '用 "svcd hub start" 启动；已有后台服务在运行的，先运行 "svcd stop"。',
  'the purchases and machines of this hub are in {}, and the hub does not run with it':
    '此集线器的购买和机器记录在 {} 中，而集线器没有带着它运行',
  'Start it with "svcd hub start", and --database postgres://… unless the setting hubDatabase names it.':
    '请用 "svcd hub start" 启动；设置 hubDatabase 未指定数据库时，加 --database postgres://…。',
  // Invites, at the machine that joins.
  'this is no code of an invite: {}': '这不是邀请码：{}',
  'it does not begin with {}': '不以 {} 开头',
  'Copy the whole code that was printed on the hub by "svcd hub invite".':
    '请完整复制集线器上 "svcd hub invite" 打印的邀请码。',
  'this hub knows no invite of this code': '集线器没有这个邀请码',
  'the time of this invite is over': '这个邀请码已过期',
  'as many machines have joined by this invite as it allows': '这个邀请码允许的机器数已满',
  'Ask for a new one: on the hub, "svcd hub invite --project NAME".':
    '请要一个新的：在集线器上运行 "svcd hub invite --project NAME"。',
  'Join the hub: on the hub, "svcd hub invite --project NAME"; here, "svcd hub join CODE".':
    '请加入集线器：在集线器上运行 "svcd hub invite --project NAME"，在此运行 "svcd hub join CODE"。',
  'Join again: on the hub, "svcd hub invite --project NAME"; here, "svcd hub join CODE".':
    '请重新加入：在集线器上运行 "svcd hub invite --project NAME"，在此运行 "svcd hub join CODE"。',
  'At the hub: "svcd hub purchases --state unknown" lists such purchases, "svcd purchases settle ID" settles one.':
    '在集线器上："svcd hub purchases --state unknown" 列出这些购买，"svcd purchases settle ID" 了结一笔。',
};

/** What is put together from several texts: the option that was typed and the rule it breaks, which way a clock is wrong. */
export const HUB_RULES: Readonly<Record<string, string>> = {
  'PAYER must be all, project:NAME, user:NAME or machine:NUMBER, got {}':
    'PAYER 须为 all、project:NAME、user:NAME 或 machine:NUMBER，而不是 {}',
  '{} must be 1 to 64 letters, digits, dots, dashes, underscores or @, got {}':
    '{} 须为 1 到 64 个字母、数字、点、短横、下划线或 @，而不是 {}',
  '--state must be one of intent, sent, paid, refused, unknown, got {}':
    '--state 须为 intent、sent、paid、refused、unknown 之一，而不是 {}',
  behind: '慢',
  'ahead of': '快',
};
