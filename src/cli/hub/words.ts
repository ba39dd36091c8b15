// What svcd hub says.

import { formatCount, formatNumber } from '../terminal/format.js';
import { pairsOf, wordsBeside } from '../terminal/language.js';

const pairs = pairsOf({
  image: (digest: string) => [`image ${digest}…`, `图片 ${digest}…`],
  join: ['Make this machine one of a hub, by the code of an invite.', '用邀请码把此机器加入集线器。'],
  leave: ['Let this machine buy for itself again.', '退出集线器，此机器重新自己购买。'],
  listen: ['Address and port where machines come in [0.0.0.0:7825].', '机器接入的地址和端口 [0.0.0.0:7825]。'],
  tlsCert: ['Certificate (PEM) in place of one that svcd makes.', '证书（PEM），代替 svcd 自己生成的。'],
  tlsKey: ['Private key of that certificate (PEM).', '该证书的私钥（PEM）。'],
  receiptKey: ['Private key that receipts are signed with (Ed25519, PEM).', '签署收据的私钥（Ed25519，PEM）。'],
  detach: ['Start it in the background, and return when it is ready.', '在后台启动，就绪后返回。'],
  expires: ['How long the code lets machines in, such as 1h or 3d [1d].', '邀请码的有效时间，如 1h 或 3d [1d]。'],
  uses: ['How many machines may join by it [any number].', '可以加入的机器数 [不限]。'],
  user: ['Whose machines they are: a budget can be set for a user.', '这些机器属于谁：可以为用户设定预算。'],
  needsProject: ['name a project: --project NAME', '请指定项目：--project NAME'],
  anyNumber: ['any number of machines', '任意多台机器'],

  noHub: (home: string) => [`no hub was started on ${home}`, `${home} 上尚未启动过集线器`],

  backupDone: ['Note that the database of the hub was backed up just now.', '记下：刚刚备份过集线器的数据库。'],
  backupNoted: ['Noted: "svcd doctor" counts from now.', '已记下："svcd doctor" 从现在算起。'],
  noDatabase: (home: string) => [
    `the hub on ${home} uses no database: its purchases are in owned.db`,
    `${home} 上的集线器没有使用数据库：购买记录在 owned.db 中`,
  ],
  backUpFile: ['"svcd owned backup FILE" backs it up, and notes it.', '"svcd owned backup FILE" 会备份并记下。'],
  machines: ['List the machines that joined, and what they spent.', '列出已加入的机器和它们的花费。'],
  removeMachines: ['End the tokens of machines that were not seen for long.', '撤销长期未出现的机器的令牌。'],
  unseen: ['For how long, such as 90d.', '未出现的时间，如 90d。'],
  needsUnseen: ['say for how long: --unseen 90d', '请指定时间：--unseen 90d'],
  noneUnseen: ['Every machine was seen since then.', '所有机器在此期间都出现过。'],
  move: ['Tell machines where the hub will be next, or none.', '告知各机器集线器将来的地址，none 表示不迁移。'],
  moves: (address: string) => [
    `Machines learn within a minute that the hub will be at ${address}. Then move its home there, and start it.`,
    `一分钟内各机器会得知集线器将位于 ${address}。之后把数据目录移到那里并启动。`,
  ],
  movesNowhere: ['Machines are told of no next address.', '不再告知新地址。'],
  all: ['Also those whose token has ended.', '也列出令牌已失效的机器。'],
  machinesHead: {
    number: ['number', '编号'],
    name: ['name', '名称'],
    projects: ['projects', '项目'],
    user: ['user', '用户'],
    spent: ['spent', '花费'],
    seen: ['seen', '上次出现'],
    state: ['state', '状态'],
  },
  never: ['never', '从未'],
  revokedAt: (at: string) => [`revoked ${at}`, `${at} 撤销`],
  endedAt: (at: string) => [`ended ${at}`, `${at} 到期`],
  endsAt: (at: string) => [`ends ${at}`, `${at} 到期`],
  clonedAt: (at: string) => [`in two places at once ${at}`, `${at} 同时在两处运行`],
  replacedAt: (at: string) => [`another process took over ${at}`, `${at} 由另一进程接替`],
  ownedOnly: ['owned only', '只取已拥有的'],

  revoke: ['End the token of a machine at once, by its number or name.', '按编号或名称立即撤销一台机器的令牌。'],

  budgets: ['Show and set what projects, users and machines may spend.', '显示和设定项目、用户、机器可以花费多少。'],
  showBudgets: ['Show the limits and what was spent of them.', '显示各项上限和已花费的积分。'],
  periods: {
    request: ['Credits one request may cost, or none.', '一个请求最多花费的积分，或 none。'],
    day: ['Credits a day, or none.', '每天的积分，或 none。'],
    month: ['Credits a calendar month, or none.', '每个日历月的积分，或 none。'],
    total: ['Credits in all, or none.', '总共的积分，或 none。'],
  },
  per: {
    request: ['a request', '每个请求'],
    day: ['a day', '每天'],
    month: ['a month', '每月'],
    total: ['in all', '总共'],
  },

  purchases: ['List purchases, and who asked for them.', '列出购买记录，以及是谁请求的。'],
  limit: ['How many [100; all with --csv or --ndjson].', '列出多少条 [100；使用 --csv 或 --ndjson 时为全部]。'],
  since: ['Only from this day or time on, such as 2026-11-01.', '只列此日期或时间之后的，如 2026-11-01。'],
  csv: ['Print CSV.', '输出 CSV。'],
  ndjson: ['Print a line of JSON for each.', '每条输出一行 JSON。'],
  oneFormat: ['give only one of --json, --csv and --ndjson', '--json、--csv 和 --ndjson 只能给出一个'],
  report: ['Show what a month cost, by project, user or machine.', '按项目、用户或机器显示一个月的花费。'],
  month: ['Which month, such as 2026-11 [this one].', '哪个月，如 2026-11 [本月]。'],
  by: [
    'project, user, machine, or several with commas [project].',
    'project、user、machine，多个用逗号分隔 [project]。',
  ],
  nothingIn: (month: string) => [`Nothing was bought in ${month}.`, `${month} 没有购买。`],
  reportHead: {
    project: ['project', '项目'],
    user: ['user', '用户'],
    machine: ['machine', '机器'],
    purchases: ['purchases', '购买'],
    credits: ['credits', '积分'],
    unknown: ['unknown', '结果未知'],
    unknown_credits: ['unknown credits', '未知积分'],
  },
  noLimit: ['no limit', '不限'],
  ofProject: ['Of this project only.', '只列这个项目的。'],
  ofUser: ['Of this user only.', '只列这个用户的。'],
  ofMachine: ['Of this machine only, by its number.', '只列这台机器的（编号）。'],
  noPurchases: ['No purchases.', '没有购买记录。'],
  purchasesHead: {
    number: ['number', '编号'],
    time: ['time', '时间'],
    what: ['what', '素材'],
    state: ['state', '状态'],
    credits: ['credits', '积分'],
    by: ['asked by', '请求者'],
    of: ['paid by', '付费者'],
  },
  states: {
    intent: ['not sent', '未发送'],
    sent: ['in progress', '进行中'],
    paid: ['paid', '已付'],
    refused: ['not charged', '未扣费'],
    unknown: ['UNKNOWN', '结果未知'],
  },
  warmProject: ['Project whose budget pays, besides that of all together.', '由哪个项目的预算支付（同时计入总预算）。'],
  warmFailed: (preset: string, why: string) => [`${preset}: ${why}`, `${preset}：${why}`],

  status: ['Show where the hub is, whom it serves and what it spent.', '显示集线器的地址、服务的机器和花费。'],
  fields: {
    addresses: ['Addresses', '地址'],
    certificate: ['Certificate', '证书'],
    remote: ['Remote', '远程服务'],
    database: ['Database', '数据库'],
    machines: ['Machines', '机器'],
    invites: ['Invites', '邀请码'],
    waiting: ['Waiting', '排队'],
    purchases: ['Purchases', '购买'],
    spent: ['Spent', '花费'],
  },
  hubAt: (url: string) => [`The hub answers machines at ${url}`, `集线器在 ${url} 接受机器`],
  requests: (count: number) => [formatCount(count, 'request'), `${formatNumber(count)} 个请求`],
  open: (count: number) => [formatNumber(count), formatNumber(count)],
});

const en = {
  start: 'Run svcd as a hub: other machines use its Key, and each asset is paid once for all.',
  publicUrl: 'What machines call it: an https address, or several with commas [its own addresses].',
  identity: 'Folder of its certificate and receipt key; several hubs can share one [hub in the home].',
  database: 'Keep the money in this PostgreSQL (postgres://USER:PASSWORD@HOST/NAME), which several hubs can share.',
  databaseOwner: 'The same with a user who may make tables, where that is another one.',
  startExamples: ['svcd hub start # machines come in at port 7825'],

  invite: 'Print a code by which machines join: "svcd hub join CODE".',
  project: 'Project that the machines buy for; may be repeated, the first is the usual one.',
  budget: 'Credits that each of these projects may spend in all, or none for no limit.',
  ephemeral: 'End the token of each machine after this time, such as 2h, for CI.',
  only: 'What the machines may have: owned, what is owned already; they never buy.',
  inviteExamples: ['svcd hub invite --project promo --budget 500 # the project may spend 500 credits'],
  wrongTime: (name: string, got: string) => `--${name} must be a time such as 90s, 20m, 2h or 3d, got ${got}`,
  invited: (until: string, uses: string) => `On each machine: svcd hub join CODE. Good until ${until}, for ${uses}.`,
  budgetChanged: (payer: string, was: number, now: number | null) =>
    `The budget of ${payer} was ${formatNumber(was)}, now ${now === null ? 'none' : formatNumber(now)}.`,
  unknownPayer: (payer: string) => `No machine and no invite is of ${payer} yet: the limit holds once one is.`,
  someMachines: (count: number) => (count === 1 ? 'one machine' : `${formatNumber(count)} machines`),
  keepSecret: 'Who has the code gets in: give it to nobody else. It is shown only once.',
  startHub: 'Start one there with "svcd hub start", or name the home of the hub: --home DIR.',
  isMachine: (home: string, address: string) => `${home} is no hub: it belongs to the hub at ${address}`,
  askAtHub: (machine: string) => `Run this on the machine of the hub, which knows this one as "${machine}".`,
  noMachines:
    'No machine is in. Invite one: "svcd hub invite --project NAME"; "svcd hub machines --all" lists those that were.',
  revokeExamples: ['svcd hub revoke 7 # what waits for its turn is not bought either'],
  revoked: (name: string, id: number) => `Machine ${id} (${name}) revoked. What it bought stays owned.`,
  setBudget: 'Set limits: of all, project:NAME, user:NAME or machine:NUMBER.',
  budgetExamples: [
    'svcd hub budget # every limit, and what was spent of it',
    'svcd hub budget set project:promo --total 500 # of a project, in all',
  ],
  needsLimit: 'give at least one of --request, --day, --month and --total',
  noBudgets: 'There is no limit. Set one: "svcd hub budget set project:NAME --total N"',
  budgetHead: ['who', 'limit', 'spent', 'reserved'],
  ofState: 'Of this state only: intent, sent, paid, refused or unknown.',
  purchasesExamples: [
    'svcd hub purchases --project promo # the newest first',
    'svcd hub purchases --since 2026-11-01 --csv # all of them, for a table program',
  ],
  removeExamples: ['svcd hub machines remove --unseen 90d # what they bought stays owned'],
  moveExamples: ['svcd hub move https://hub2.example.com:7825 # a minute before the move'],
  reportExamples: ['svcd hub report --month 2026-11 --by project,user --csv # for whoever keeps the accounts'],

  audit: 'Compare every budget line with the journal, and say which line is wrong.',
  auditExamples: ['svcd hub audit # exit code 1 when a line is wrong'],
  recover:
    'Put back what a restored database forgot and this hub had noted; it is unknown then, and not bought again unasked.',
  recovered: (count: number) =>
    count === 0
      ? 'The database lacks nothing that this hub sent.'
      : `Put back as unknown: ${count}. See "svcd purchases".`,
  auditRight: (lines: number) => `${formatCount(lines, 'line')} of budgets: each is what the journal comes to.`,
  auditWrong: (payer: string, day: string, is: string, journal: string) =>
    `WRONG: ${payer}, ${day}: the line says ${is}, the journal comes to ${journal}`,
  figures: (spent: number, reserved: number) => `${formatNumber(spent)} spent and ${formatNumber(reserved)} reserved`,
  auditCharged: (credits: number, purchases: number) =>
    `Charged in all: ${formatCount(credits, 'credit')}, in ${formatCount(purchases, 'purchase')}.`,
  auditUnknown: (credits: number, purchases: number) =>
    `Of unknown outcome: ${formatCount(purchases, 'purchase')}, ${formatCount(credits, 'credit')}.`,
  unknownOf: (payer: string, purchases: number, credits: number) =>
    `  ${payer}: ${formatCount(purchases, 'purchase')}, ${formatCount(credits, 'credit')}`,
  seeUnknown: 'See "svcd hub purchases --state unknown"; "svcd purchases settle ID" settles one.',

  warm: 'Buy a list of stickers ahead, the most wanted first, in the background.',
  warmExamples: ['svcd hub warm wanted.txt # one preset a line; asks before it buys'],
  warmPrice: (of: number, have: number, buy: number) =>
    `${formatCount(of, 'sticker')}, ${formatNumber(have)} owned already: ${formatCount(buy, 'credit')} to buy.`,
  warmed: (done: number, of: number) => `${formatNumber(done)} of ${formatNumber(of)}`,
  warmEnd: (cost: number, failed: number, left: number) =>
    `${formatCount(cost, 'credit')} spent, ${formatNumber(failed)} failed, ${formatNumber(left)} not begun.`,
  warmUncertain: (count: number) =>
    `${formatNumber(count)} may have been charged: see "svcd hub purchases --state unknown".`,
  certificateUntil: (own: boolean, day: string) => `${own ? 'made by svcd' : 'given'}, until ${day}`,
  joinedSeen: (joined: number, seen: number) => `${formatNumber(joined)} joined, ${formatNumber(seen)} seen of late`,
  openUnknown: (open: number, unknown: number) => `${formatNumber(open)} open, ${formatNumber(unknown)} unknown`,
  spentDayMonth: (day: number, month: number) =>
    `${formatCount(day, 'credit')} today, ${formatNumber(month)} this month (reserved included)`,

  run: (command: string) => `Run: "${command}"`,
  checks: {} as Readonly<Record<string, string>>,
};

const zh: typeof en = {
  start: '以集线器方式运行 svcd：其他机器共用它的 Key，每个素材只付一次费。',
  publicUrl: '机器访问它所用的 https 地址，多个用逗号分隔 [本机的各个地址]。',
  identity: '它的证书和收据密钥所在的文件夹；多个集线器可共用 [数据目录中的 hub]。',
  database: '把购买记录存放在此 PostgreSQL（postgres://USER:PASSWORD@HOST/NAME）中，多个集线器可以共用。',
  databaseOwner: '同上，但使用可以建表的用户（如果不是同一个用户）。',
  startExamples: ['svcd hub start # 机器从端口 7825 接入'],

  invite: '打印一个邀请码，机器用它加入："svcd hub join CODE"。',
  project: '机器为哪个项目购买；可重复，第一个为默认项目。',
  budget: '其中每个项目总共可以花费的积分，none 表示不限。',
  ephemeral: '每台机器的令牌在此时间后失效，如 2h，用于 CI。',
  only: '机器可以得到什么：owned 表示只有已拥有的素材，从不购买。',
  inviteExamples: ['svcd hub invite --project promo --budget 500 # 该项目可花费 500 积分'],
  wrongTime: (name, got) => `--${name} 必须是 90s、20m、2h 或 3d 这样的时间，而不是 ${got}`,
  invited: (until, uses) => `在每台机器上运行 "svcd hub join CODE"。有效期至 ${until}，可供${uses}使用。`,
  budgetChanged: (payer, was, now) =>
    `${payer} 的预算原为 ${formatNumber(was)}，现为 ${now === null ? '不限' : formatNumber(now)}。`,
  unknownPayer: (payer) => `尚无机器或邀请码属于 ${payer}：有了之后此上限才起作用。`,
  someMachines: (count) => ` ${formatNumber(count)} 台机器`,
  keepSecret: '得到邀请码的人就能加入：请勿给其他人。它只显示这一次。',
  startHub: '用 "svcd hub start" 在此启动一个，或用 --home DIR 指定集线器的数据目录。',
  isMachine: (home, address) => `${home} 不是集线器：它属于位于 ${address} 的集线器`,
  askAtHub: (machine) => `请在集线器所在的机器上运行；它称此机器为 "${machine}"。`,
  noMachines: '现在没有机器。邀请一台："svcd hub invite --project NAME"；"svcd hub machines --all" 也列出以前的。',
  revokeExamples: ['svcd hub revoke 7 # 正在排队的也不再购买'],
  revoked: (name, id) => `机器 ${id}（${name}）已撤销。它买到的仍归您所有。`,
  setBudget: '设定上限：all、project:NAME、user:NAME 或 machine:NUMBER。',
  budgetExamples: [
    'svcd hub budget # 各项上限和已花费的积分',
    'svcd hub budget set project:promo --total 500 # 一个项目，总共',
  ],
  needsLimit: '请至少给出 --request、--day、--month 和 --total 之一',
  noBudgets: '没有上限。设定一个："svcd hub budget set project:NAME --total N"',
  budgetHead: ['对象', '上限', '已花', '预留'],
  ofState: '只列这种状态的：intent、sent、paid、refused 或 unknown。',
  purchasesExamples: [
    'svcd hub purchases --project promo # 最新的在前',
    'svcd hub purchases --since 2026-11-01 --csv # 全部，供表格程序使用',
  ],
  removeExamples: ['svcd hub machines remove --unseen 90d # 它们买到的仍归您所有'],
  moveExamples: ['svcd hub move https://hub2.example.com:7825 # 迁移前一分钟'],
  reportExamples: ['svcd hub report --month 2026-11 --by project,user --csv # 交给记账的人'],

  audit: '把每一行预算与购买日志核对，并指出哪一行有误。',
  auditExamples: ['svcd hub audit # 有误时退出码为 1'],
  recover: '补回数据库恢复后缺失、而本集线器有记录的购买；它们会标为结果未知，未经同意不会再次购买。',
  recovered: (count) =>
    count === 0
      ? '数据库不缺少本集线器发出的任何购买。'
      : `已补回 ${count} 次购买，标为结果未知。见 "svcd purchases"。`,
  auditRight: (lines) => `${formatNumber(lines)} 行预算：每一行都与日志相符。`,
  auditWrong: (payer, day, is, journal) => `有误：${payer}，${day}：该行为${is}，日志为${journal}`,
  figures: (spent, reserved) => `已花 ${formatNumber(spent)}、预留 ${formatNumber(reserved)}`,
  auditCharged: (credits, purchases) =>
    `总共扣除 ${formatCount(credits, 'credit')}（${formatCount(purchases, 'purchase')}）。`,
  auditUnknown: (credits, purchases) =>
    `结果未知：${formatCount(purchases, 'purchase')}，${formatCount(credits, 'credit')}。`,
  unknownOf: (payer, purchases, credits) =>
    `  ${payer}：${formatCount(purchases, 'purchase')}，${formatCount(credits, 'credit')}`,
  seeUnknown: '见 "svcd hub purchases --state unknown"；"svcd purchases settle ID" 可了结一笔。',

  warm: '在后台提前购买一批贴纸，最需要的在前。',
  warmExamples: ['svcd hub warm wanted.txt # 每行一个预设；购买前会询问'],
  warmPrice: (of, have, buy) =>
    `${formatCount(of, 'sticker')}，其中 ${formatNumber(have)} 个已拥有：需花费 ${formatCount(buy, 'credit')}。`,
  warmed: (done, of) => `${formatNumber(done)} / ${formatNumber(of)}`,
  warmEnd: (cost, failed, left) =>
    `已花费 ${formatCount(cost, 'credit')}，${formatNumber(failed)} 个失败，${formatNumber(left)} 个未开始。`,
  warmUncertain: (count) => `${formatNumber(count)} 个可能已扣费：见 "svcd hub purchases --state unknown"。`,
  certificateUntil: (own, day) => `${own ? '由 svcd 生成' : '外部提供'}，有效期至 ${day}`,
  joinedSeen: (joined, seen) => `${formatNumber(joined)} 台已加入，${formatNumber(seen)} 台近期出现`,
  openUnknown: (open, unknown) => `${formatNumber(open)} 笔进行中，${formatNumber(unknown)} 笔结果未知`,
  spentDayMonth: (day, month) => `今天 ${formatCount(day, 'credit')}，本月 ${formatNumber(month)}（含预留）`,

  run: (command) => `运行："${command}"`,
  checks: {
    certificate: '证书',
    key: 'Key',
    unsettled: '未知结果',
    audit: '预算核对',
    database: '数据库',
    backup: '备份',
    clock: '时钟',
  },
};

export const hubWords = wordsBeside(pairs, { en, zh });
