// What `svcd purchases` says.

import { pairsOf, wordsBeside } from '../terminal/language.js';

const pairs = pairsOf({
  list: {
    what: ['List purchases, newest first.', '列出购买记录，最新的在前。'],
    preset: ['Only purchases of this sticker.', '只列此贴纸的购买。'],
    all: ['Include purchases older than a day that were not charged.', '也列出一天以前未扣积分的购买。'],
    noneLike: (remote: string) => [`No purchase matches (${remote}).`, `没有符合条件的购买（${remote}）。`],
    none: (remote: string) => [`Nothing was bought (${remote}).`, `还没有购买（${remote}）。`],
  },
  settle: {
    all: ['Look once for all purchases of unknown outcome.', '为所有结果未知的购买核对一次余额。'],
    which: ['ID is missing: give the number of a purchase, or --all', '缺少 ID：请写购买的编号，或 --all'],
    allAlone: ['--all takes neither a number nor --as', '--all 不能与编号或 --as 一起用'],
    nothing: ['No purchase has an unknown outcome.', '没有结果未知的购买。'],
    left: (which: string, why: string) => [`${which} stays unknown: ${why}.`, `${which}结果仍未知：${why}。`],
    looksAgain: (at: string) => [`svcd looks again by itself at ${at}.`, `svcd 将在 ${at} 自行再次核对。`],
  },
  retry: {
    yes: ['Do not ask: it may cost another credit.', '不询问：可能再花 1 积分。'],
    left: (credits: string) => [`; ${credits} left`, `；剩余 ${credits}`],
    unknown: ['unknown', '未知'],
    isOwned: (id: number, left: string) => [
      `What purchase ${id} brought is owned: nothing was bought, no charge${left}.`,
      `第 ${id} 笔购买的内容已拥有：没有购买任何东西，不收费${left}。`,
    ],
  },
  idHint: ['"svcd purchases" lists them.', '"svcd purchases" 列出所有购买。'],
  settled: { which: (id: number, name: string) => [`Purchase ${id} (${name})`, `第 ${id} 笔购买（${name}）`] },
  image: (digest: string) => [`image ${digest}…`, `图片 ${digest}…`],
  states: {
    intent: ['not sent yet', '尚未发送'],
    sent: ['in progress', '进行中'],
    paid: ['paid', '已付'],
    refused: ['not charged', '未扣积分'],
    unknown: ['UNKNOWN, may have been charged', '结果未知，可能已扣积分'],
  },
  /** Those without words of their own are codes of errors. */
  reasons: {
    balance_rose: ['the balance rose meanwhile', '其间余额增加过'],
    charged_refusal: [
      'refused, and yet the balance fell: charged, or another program bought with this account',
      '被拒绝了，但余额减少了：可能已扣积分，也可能是其他程序用此账户购买',
    ],
    bytes_lost: ['charged, but its file never arrived', '已扣积分，但文件没有到达'],
    cost_untold: ['the hub has not told yet what it cost', '集线器尚未告知花费'],
    decided: ['as you decided', '按您的决定'],
    late: ['the balance fell later: it may have been charged late', '后来余额减少：可能迟扣了积分'],
    interrupted: ['svcd stopped before the outcome was known', '结果未知时 svcd 就停止了'],
    not_charged: ['the balance did not change', '余额没有变化'],
    not_written: ['the outcome could not be saved', '结果无法保存'],
  },
  head: {
    number: ['number', '编号'],
    when: ['when', '时间'],
    what: ['what', '内容'],
    state: ['state', '状态'],
    why: ['why', '原因'],
    credits: ['credits', '积分'],
    owned: ['owned', '拥有'],
    template: ['template', '模板'],
  },
  owned: ['owned', '已拥有'],
  notOwned: ['no', '否'],
  unknown: {
    settle: ['compares the balance at the service, which may show the outcome', '核对远程服务的余额，也许能得知结果'],
    decide: ['records your decision', '记录您的决定'],
    retry: (cost: string) => [`buys it again; may cost ${cost} more`, `再次购买；可能再花 ${cost}`],
  },
  boughtAgain: [
    'A purchase of unknown outcome that is owned was bought again: the first one may have been charged too. It\ncounts against the budget of its own day and month until it is resolved:',
    '有结果未知的购买后来又买了一次，现已拥有：第一次可能也扣了积分。在得到处理之前，\n它计入当日和当月的预算：',
  ],
  costUntold: [
    'What came through the hub is owned, and the hub has not told what it cost. It counts against the budget until that is\ntold; where the hub will not tell it any more (you left it, or it lets this machine in no more), say it yourself:',
    '通过集线器得到的素材已拥有，但集线器尚未告知花费，在此之前它计入预算；如果集线器不会再告知（已退出，或不再让此机器进入），\n请自行决定：',
  ],
  lost: {
    retry: (cost: string) => [`buys it again, for ${cost} more`, `再次购买，再花 ${cost}`],
    image: ['with this header, the same request buys an image again', '带上此请求头再发同样的请求，会再次购买图片'],
  },
});

const en = {
  list: {
    since: 'Only purchases since this day (2026-11-21, local time) or time (2026-11-21T08:00:00Z).',
    state: 'Only purchases in this state: intent, sent, paid, refused or unknown.',
    limit: (most: number, usual: number) => `How many to list, newest first, 1 to ${most} [${usual}].`,
    examples: [
      'svcd purchases # what was bought, newest first',
      'svcd purchases --state unknown # what may have been charged or not',
    ],
    more: (limit: number) => `The ${limit} newest; --limit and --since show others.`,
  },
  settle: {
    what: 'Resolve a purchase of unknown outcome: by the balance, or by your decision. Free.',
    as: 'Your decision: charged or free. Without it svcd compares the balance at the service.',
    examples: [
      'svcd purchases settle 7 # compare the balance at the service; costs nothing',
      'svcd purchases settle --all # the same for all of unknown outcome',
      'svcd purchases settle 7 --as free # it was not charged, so it may be bought again',
    ],
    allHint: 'What you know of a purchase is said of one: "svcd purchases settle ID --as charged".',
    decide: (id: number) => `What you know yourself you can record: "svcd purchases settle ${id} --as charged|free".`,
  },
  retry: {
    what: 'Buy the sticker of a purchase again. May cost a second time.',
    examples: ['svcd purchases retry 7 # buy the sticker of purchase 7 again, after a question'],
    question: (name: string, id: string, cost: string) =>
      `Buying ${name} again (purchase ${id}) may cost ${cost} more.`,
    bought: (id: number, cost: string, left: string) =>
      `The sticker of purchase ${id} was bought again (remote, ${cost}${left}) and is owned.`,
    there: (id: number, source: string, left: string) =>
      `The sticker of purchase ${id} was not bought again (${source}, no charge${left}).`,
  },
  sinceRule: 'a day or time such as 2026-11-21 or 2026-11-21T08:00:00Z',
  badId: (typed: string) => `ID must be the number of a purchase, got ${typed}`,
  settled: {
    freeOwned: (which: string) => `${which} was not charged; another purchase brought its file.`,
    free: (which: string) => `${which} was not charged; the next request for it buys it.`,
    paidOwned: (which: string, cost: string) => `${which} was charged: ${cost}. It is owned.`,
    paidLost: (which: string, cost: string, id: number) =>
      `${which} was charged: ${cost}. Its file is missing; "svcd purchases retry ${id}" buys it again.`,
  },
  unknown: {
    count: (count: number) =>
      `${count === 1 ? 'One purchase has' : `${count} purchases have`} an unknown outcome. ` +
      'svcd does not repeat such a purchase by itself.',
  },
  lost: {
    count: (count: number) =>
      `${count === 1 ? 'One purchase was paid for, but its file is' : `${count} purchases were paid for, but their files are`} missing. ` +
      'svcd does not buy the same again by itself:',
  },
};

const zh: typeof en = {
  list: {
    since: '只列此日（2026-11-21，本地时间）或此时（2026-11-21T08:00:00Z）以来的购买。',
    state: '只列此状态的购买：intent、sent、paid、refused 或 unknown。',
    limit: (most, usual) => `最多列出多少笔，最新的在前，1 到 ${most} [${usual}]。`,
    examples: [
      'svcd purchases # 已购买的内容，最新的在前',
      'svcd purchases --state unknown # 可能扣了积分、也可能没扣的购买',
    ],
    more: (limit) => `以上是最新的 ${limit} 笔；用 --limit 和 --since 查看其他。`,
  },
  settle: {
    what: '处理结果未知的购买：按余额判断，或由您决定。免费。',
    as: '您的决定：charged（已扣积分）或 free（未扣）。不写则由 svcd 核对远程服务的余额。',
    examples: [
      'svcd purchases settle 7 # 核对远程服务的余额，不花积分',
      'svcd purchases settle --all # 同上，针对所有结果未知的购买',
      'svcd purchases settle 7 --as free # 没有扣积分，可以再次购买',
    ],
    allHint: '您知道的结果请逐笔记录："svcd purchases settle ID --as charged"。',
    decide: (id) => `您知道的结果可以记录："svcd purchases settle ${id} --as charged|free"。`,
  },
  retry: {
    what: '再次购买某笔购买的贴纸。可能再扣一次积分。',
    examples: ['svcd purchases retry 7 # 询问后再次购买第 7 笔的贴纸'],
    question: (name, id, cost) => `再次购买 ${name}（第 ${id} 笔购买）可能再花 ${cost}。`,
    bought: (id, cost, left) => `第 ${id} 笔购买的贴纸已再次购买（来自远程服务，${cost}${left}），现已拥有。`,
    there: (id, source, left) => `第 ${id} 笔购买的贴纸没有再次购买（来源：${source}，未扣积分${left}）。`,
  },
  sinceRule: '日期或时间，如 2026-11-21 或 2026-11-21T08:00:00Z',
  badId: (typed) => `ID 必须是购买的编号，而不是 ${typed}`,
  settled: {
    freeOwned: (which) => `${which}没有扣积分；文件来自另一笔购买。`,
    free: (which) => `${which}没有扣积分；下次请求时会购买。`,
    paidOwned: (which, cost) => `${which}已扣 ${cost}，并已拥有。`,
    paidLost: (which, cost, id) => `${which}已扣 ${cost}，但文件缺失；"svcd purchases retry ${id}" 再次购买。`,
  },
  unknown: { count: (count) => `有 ${count} 笔购买结果未知。svcd 不会自行重复这样的购买。` },
  lost: { count: (count) => `有 ${count} 笔购买已付积分，但文件缺失。svcd 不会自行再次购买：` },
};

export const purchaseWords = wordsBeside(pairs, { en, zh });
