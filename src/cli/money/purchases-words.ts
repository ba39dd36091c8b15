// What `svcd purchases` says.

import { wordsIn } from '../terminal/language.js';

const en = {
  list: {
    what: 'List purchases, newest first.',
    since: 'Only purchases since this day (2026-11-21, local time) or time (2026-11-21T08:00:00Z).',
    preset: 'Only purchases of this sticker.',
    state: 'Only purchases in this state: intent, sent, paid, refused or unknown.',
    all: 'Include purchases older than a day that were not charged.',
    limit: (most: number, usual: number) => `How many to list, newest first, 1 to ${most} [${usual}].`,
    examples: [
      'svcd purchases # what was bought, newest first',
      'svcd purchases --state unknown # what may have been charged or not',
      'svcd purchases --since 2026-11-01 --json # for a script',
    ],
    noneLike: (remote: string) => `No purchase matches (${remote}).`,
    none: (remote: string) => `Nothing was bought (${remote}).`,
    more: (limit: number) => `The ${limit} newest; --limit and --since show others.`,
  },
  settle: {
    what: 'Resolve a purchase of unknown outcome: by the balance, or by your decision. Free.',
    as: 'Your decision: charged or free. Without it svcd compares the balance at the service.',
    examples: [
      'svcd purchases settle 7 # compare the balance at the service; costs nothing',
      'svcd purchases settle 7 --as free # it was not charged, so it may be bought again',
    ],
    asRule: 'charged or free',
  },
  retry: {
    what: 'Buy the sticker of a purchase again. May cost a second time.',
    yes: 'Do not ask: it may cost another credit.',
    examples: [
      'svcd purchases retry 7 # buy the sticker of purchase 7 again, after a question',
      'svcd purchases retry 7 --yes --json # the same from a script',
    ],
    question: (name: string, id: string, cost: string) =>
      `Buying ${name} again (purchase ${id}) may cost ${cost} more.`,
    bought: (id: number, cost: string, left: string) =>
      `The sticker of purchase ${id} was bought again (remote, ${cost}${left}) and is owned.`,
    there: (id: number, source: string, left: string) =>
      `The sticker of purchase ${id} was not bought again (${source}, no charge${left}).`,
    left: (credits: string) => `; ${credits} left`,
    unknown: 'unknown',
  },
  sinceRule: 'a day or time such as 2026-11-21 or 2026-11-21T08:00:00Z',
  badId: (typed: string) => `ID must be the number of a purchase, got ${typed}`,
  idHint: '"svcd purchases" lists them.',
  settled: {
    which: (id: number, name: string) => `Purchase ${id} (${name})`,
    freeOwned: (which: string) => `${which} was not charged; another purchase brought its file.`,
    free: (which: string) => `${which} was not charged; the next request for it buys it.`,
    paidOwned: (which: string, cost: string) => `${which} was charged: ${cost}. It is owned.`,
    paidLost: (which: string, cost: string, id: number) =>
      `${which} was charged: ${cost}. Its file is missing; "svcd purchases retry ${id}" buys it again.`,
  },
  image: (digest: string) => `image ${digest}…`,
  states: {
    intent: 'not sent yet',
    sent: 'in progress',
    paid: 'paid',
    refused: 'not charged',
    unknown: 'UNKNOWN, may have been charged',
  },
  /** Those without words of their own are codes of errors. */
  reasons: {
    bytes_lost: 'charged, but its file never arrived',
    decided: 'as you decided',
    interrupted: 'svcd stopped before the outcome was known',
    not_charged: 'the balance did not change',
    not_written: 'the outcome could not be saved',
  },
  head: {
    number: 'number',
    when: 'when',
    what: 'what',
    state: 'state',
    why: 'why',
    credits: 'credits',
    owned: 'owned',
    template: 'template',
  },
  owned: 'owned',
  notOwned: 'no',
  unknown: {
    count: (count: number) =>
      `${count === 1 ? 'One purchase has' : `${count} purchases have`} an unknown outcome. ` +
      'svcd does not repeat such a purchase by itself.',
    settle: 'compares the balance at the service, which may show the outcome',
    decide: 'records your decision',
    retry: (cost: string) => `buys it again; may cost ${cost} more`,
  },
  lost: {
    count: (count: number) =>
      `${count === 1 ? 'One purchase was paid for, but its file is' : `${count} purchases were paid for, but their files are`} missing. ` +
      'svcd does not buy the same again by itself:',
    retry: (cost: string) => `buys it again, for ${cost} more`,
    image: 'with this header, the same request buys an image again',
  },
  boughtAgain: [
    'A purchase of unknown outcome that is owned was bought again: the first one may have been charged too. It',
    'counts against the budget of its own day and month until it is resolved:',
  ],
};

const zh: typeof en = {
  list: {
    what: '列出购买记录，最新的在前。',
    since: '只列此日（2026-11-21，本地时间）或此时（2026-11-21T08:00:00Z）以来的购买。',
    preset: '只列此贴纸的购买。',
    state: '只列此状态的购买：intent、sent、paid、refused 或 unknown。',
    all: '也列出一天以前未扣积分的购买。',
    limit: (most, usual) => `最多列出多少笔，最新的在前，1 到 ${most} [${usual}]。`,
    examples: [
      'svcd purchases # 已购买的内容，最新的在前',
      'svcd purchases --state unknown # 可能扣了积分、也可能没扣的购买',
      'svcd purchases --since 2026-11-01 --json # 供脚本使用',
    ],
    noneLike: (remote) => `没有符合条件的购买（${remote}）。`,
    none: (remote) => `还没有购买（${remote}）。`,
    more: (limit) => `以上是最新的 ${limit} 笔；用 --limit 和 --since 查看其他。`,
  },
  settle: {
    what: '处理结果未知的购买：按余额判断，或由您决定。免费。',
    as: '您的决定：charged（已扣积分）或 free（未扣）。不写则由 svcd 核对远程服务的余额。',
    examples: [
      'svcd purchases settle 7 # 核对远程服务的余额，不花积分',
      'svcd purchases settle 7 --as free # 没有扣积分，可以再次购买',
    ],
    asRule: 'charged 或 free',
  },
  retry: {
    what: '再次购买某笔购买的贴纸。可能再扣一次积分。',
    yes: '不询问：可能再花 1 积分。',
    examples: [
      'svcd purchases retry 7 # 询问后再次购买第 7 笔的贴纸',
      'svcd purchases retry 7 --yes --json # 同上，供脚本使用',
    ],
    question: (name, id, cost) => `再次购买 ${name}（第 ${id} 笔购买）可能再花 ${cost}。`,
    bought: (id, cost, left) => `第 ${id} 笔购买的贴纸已再次购买（来自远程服务，${cost}${left}），现已拥有。`,
    there: (id, source, left) => `第 ${id} 笔购买的贴纸没有再次购买（来源：${source}，未扣积分${left}）。`,
    left: (credits) => `；剩余 ${credits}`,
    unknown: '未知',
  },
  sinceRule: '日期或时间，如 2026-11-21 或 2026-11-21T08:00:00Z',
  badId: (typed) => `ID 必须是购买的编号，而不是 ${typed}`,
  idHint: '"svcd purchases" 列出所有购买。',
  settled: {
    which: (id, name) => `第 ${id} 笔购买（${name}）`,
    freeOwned: (which) => `${which}没有扣积分；文件来自另一笔购买。`,
    free: (which) => `${which}没有扣积分；下次请求时会购买。`,
    paidOwned: (which, cost) => `${which}已扣 ${cost}，并已拥有。`,
    paidLost: (which, cost, id) => `${which}已扣 ${cost}，但文件缺失；"svcd purchases retry ${id}" 再次购买。`,
  },
  image: (digest) => `图片 ${digest}…`,
  states: {
    intent: '尚未发送',
    sent: '进行中',
    paid: '已付',
    refused: '未扣积分',
    unknown: '结果未知，可能已扣积分',
  },
  reasons: {
    bytes_lost: '已扣积分，但文件没有到达',
    decided: '按您的决定',
    interrupted: '结果未知时 svcd 就停止了',
    not_charged: '余额没有变化',
    not_written: '结果无法保存',
  },
  head: {
    number: '编号',
    when: '时间',
    what: '内容',
    state: '状态',
    why: '原因',
    credits: '积分',
    owned: '拥有',
    template: '模板',
  },
  owned: '已拥有',
  notOwned: '否',
  unknown: {
    count: (count) => `有 ${count} 笔购买结果未知。svcd 不会自行重复这样的购买。`,
    settle: '核对远程服务的余额，也许能得知结果',
    decide: '记录您的决定',
    retry: (cost) => `再次购买；可能再花 ${cost}`,
  },
  lost: {
    count: (count) => `有 ${count} 笔购买已付积分，但文件缺失。svcd 不会自行再次购买：`,
    retry: (cost) => `再次购买，再花 ${cost}`,
    image: '带上此请求头再发同样的请求，会再次购买图片',
  },
  boughtAgain: [
    '有结果未知的购买后来又买了一次，现已拥有：第一次可能也扣了积分。在得到处理之前，',
    '它计入当日和当月的预算：',
  ],
};

export const purchaseWords = wordsIn<typeof en>({ en, zh });
