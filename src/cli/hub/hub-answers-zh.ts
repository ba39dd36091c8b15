// What a hub refuses who looks after it, for those who do not read English. By the English text that it gives; `{}` stands
// for a value. A test finds each of them in the source.

export const HUB_ANSWERS: Readonly<Record<string, string>> = {
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
};
