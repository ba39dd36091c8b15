// What the commands of the sandbox's money and templates say.

import { wordsIn } from '../terminal/language.js';

const en = {
  topup: {
    what: 'Buy credits: 10 per CNY 1.',
    examples: [
      'svcd sandbox topup 12.50 # 125 credits at once, and a reward of 6 that is locked for 14 days',
      'svcd sandbox topup 100 --account ada # for another account',
    ],
  },
  buy: {
    what: 'Buy a template; brings a Key for its package.',
    examples: ['svcd sandbox buy birthday-card@1.1.0 30 # brings a Key for its service.key.json, and a locked reward'],
    key: (key: string) => `Key for its service.key.json, shown only once: ${key}`,
  },
  payments: {
    what: 'List payments, and mark them as suspicious or verified.',
    list: 'List payments with the state of their rewards.',
    listExamples: ['svcd sandbox payments # every payment, with its id and its rewards'],
    none: 'There are no payments yet.',
    judge: 'Mark a payment as having an anomaly, or as not verified.',
    anomaly: 'Whether there is an anomaly.',
    verified: "Whether the provider's verification succeeded.",
    judgeExamples: [
      'svcd sandbox payments judge ID --anomaly # its rewards stay locked',
      'svcd sandbox payments judge ID --no-anomaly # its rewards are released when they are due',
    ],
    rule: 'give --anomaly or --verified, or one of them with --no- before it',
    credits: (credits: string) => `for ${credits}`,
    template: (template: string | undefined) => `for ${template ?? 'a template'}`,
    refunded: ', refunded',
    line: (account: string, amount: string, what: string, end: string, left: string) =>
      `${account} paid CNY ${amount} ${what}${end}; ${left} to spend.`,
    reward: (credits: string, account: string, role: string, state: string) =>
      `Reward of ${credits} for ${account} (${role}): ${state}`,
    id: (id: string) => `Payment ${id}`,
  },
  refund: {
    what: 'Refund a payment; takes its credits and rewards back.',
    examples: ['svcd sandbox refund ID # the id is in "svcd sandbox payments"'],
  },
  ledger: {
    what: 'Check that the credits add up.',
    examples: ['svcd sandbox ledger --json # movements, and how many of them do not add up'],
    good: (movements: string) => `${movements}: all of them add up.`,
    bad: (movements: string, unbalanced: number, wrong: number) =>
      `${movements}: ${unbalanced} do not add up, ${wrong} balances are wrong.`,
  },
  templates: {
    what: 'List the templates with their versions.',
    examples: ['svcd sandbox templates # what "svcd sandbox download" and "buy" accept'],
  },
  release: {
    what: 'Release a version of a template, with tips and known issues.',
    issue: 'A known issue; may be repeated.',
    tip: "One of its author's tips; may be repeated.",
    examples: [
      'svcd sandbox release birthday-card@1.2.0 --tip "Less is more." # productions of older versions get a notice',
    ],
    done: (template: string) => `${template} is released.`,
  },
  download: {
    what: 'Download the package of a template, with a new Key in it.',
    examples: [
      'svcd sandbox download birthday-card # its newest version, as a folder birthday-card@1.1.0.motion',
      'svcd sandbox download birthday-card@1.0.0 card.zip # one version, in one file',
    ],
    done: (template: string, id: number, account: string) =>
      `The package of ${template}, with Key ${id} of ${account} in its service.key.json.`,
    disable: (id: number) =>
      `"svcd sandbox keys set ${id} --state disabled" disables only that Key; another download makes a new one.`,
    unwritable: (path: string, why: string) => `${path} cannot be written (${why})`,
  },
};

const zh: typeof en = {
  topup: {
    what: '购买积分：每 1 元 10 积分。',
    examples: [
      'svcd sandbox topup 12.50 # 立即得到 125 积分，另有 6 积分奖励锁定 14 天',
      'svcd sandbox topup 100 --account ada # 为另一个账户',
    ],
  },
  buy: {
    what: '购买一个模板；得到用于它的包的 Key。',
    examples: ['svcd sandbox buy birthday-card@1.1.0 30 # 得到用于 service.key.json 的 Key，以及锁定的奖励'],
    key: (key) => `用于它的 service.key.json 的 Key，只显示这一次：${key}`,
  },
  payments: {
    what: '列出付款，并标记异常或验证结果。',
    list: '列出付款及其奖励的状态。',
    listExamples: ['svcd sandbox payments # 每笔付款，及其编号和奖励'],
    none: '还没有付款。',
    judge: '把付款标为有异常，或未通过验证。',
    anomaly: '是否有异常。',
    verified: '支付方的验证是否成功。',
    judgeExamples: [
      'svcd sandbox payments judge ID --anomaly # 它的奖励保持锁定',
      'svcd sandbox payments judge ID --no-anomaly # 它的奖励到期发放',
    ],
    rule: '请给出 --anomaly 或 --verified，或在前面加 --no-',
    credits: (credits) => `购买${credits}`,
    template: (template) => `购买${template === undefined ? '一个模板' : ` ${template}`}`,
    refunded: '，已退款',
    line: (account, amount, what, end, left) => `${account} 付了 ${amount} 元，${what}${end}；还有${left}可用。`,
    reward: (credits, account, role, state) => `给 ${account}（${role}）的奖励 ${credits}：${state}`,
    id: (id) => `付款 ${id}`,
  },
  refund: {
    what: '退还一笔付款；收回它的积分和奖励。',
    examples: ['svcd sandbox refund ID # 编号见"svcd sandbox payments"'],
  },
  ledger: {
    what: '检查积分账目是否平衡。',
    examples: ['svcd sandbox ledger --json # 变动，以及其中多少不平衡'],
    good: (movements) => `${movements}：全部平衡。`,
    bad: (movements, unbalanced, wrong) => `${movements}：${unbalanced} 笔不平衡，${wrong} 个余额有误。`,
  },
  templates: {
    what: '列出模板及其版本。',
    examples: ['svcd sandbox templates # "svcd sandbox download"和"buy"接受的名称'],
  },
  release: {
    what: '发布模板的一个版本，附提示和已知问题。',
    issue: '一个已知问题；可重复给出。',
    tip: '作者的一条提示；可重复给出。',
    examples: ['svcd sandbox release birthday-card@1.2.0 --tip "Less is more." # 用旧版本制作时会得到通知'],
    done: (template) => `已发布 ${template}。`,
  },
  download: {
    what: '下载模板的包，其中有一个新的 Key。',
    examples: [
      'svcd sandbox download birthday-card # 最新版本，存为文件夹 birthday-card@1.1.0.motion',
      'svcd sandbox download birthday-card@1.0.0 card.zip # 一个版本，存为一个文件',
    ],
    done: (template, id, account) => `${template} 的包，其 service.key.json 中是 ${account} 的 Key ${id}。`,
    disable: (id) => `"svcd sandbox keys set ${id} --state disabled"只停用这个 Key；再次下载会生成新的。`,
    unwritable: (path, why) => `无法写入 ${path}（${why}）`,
  },
};

export const sandboxMoneyWords = wordsIn<typeof en>({ en, zh });
