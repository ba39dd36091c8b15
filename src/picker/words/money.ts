// What the buy dialog and the list of purchases say. It is loaded with them.

import type { PrefetchEvent } from '../../api/prefetch.js';
import { wordsIn } from './words.js';

export const moneyWords = wordsIn({
  title: (count: number, text: string) => [
    count === 1 ? 'Buy this sticker?' : `Buy ${text} stickers?`,
    count === 1 ? '购买这个贴纸？' : `购买 ${text} 个贴纸？`,
  ],
  health: {
    title: ['Is anything wrong with svcd?', 'svcd 有问题吗？'],
    looking: ['Looking …', '正在检查……'],
    good: ['Nothing is wrong.', '没有问题。'],
  },
  allFree: ['All of it is free: there is nothing to buy.', '全部免费，无需购买。'],
  price: ['Price', '价格'],
  each: (count: string, price: string, sum: string) => [`${count} × ${price} = ${sum}`, `${count} × ${price} = ${sum}`],
  balance: ['Balance', '余额'],
  notKnown: ['not known yet', '尚不清楚'],
  free: ['Free', '免费'],
  freeOnes: (count: string) => [`${count} of these cost nothing`, `其中 ${count} 个无需付费`],
  periods: {
    request: ['Limit of one purchase', '单次限额'],
    day: ['Budget of the day', '今日预算'],
    month: ['Budget of the month', '本月预算'],
  },
  spent: (spent: string, limit: string) => [`${spent} of ${limit}`, `${spent}/${limit}`],
  spentSoFar: (spent: string) => [`${spent} spent`, `已用 ${spent}`],
  ofLimit: (before: string, after: string, limit: string) => [
    `${before} → ${after} of ${limit}`,
    `${before} → ${after}，共 ${limit}`,
  ],
  noLimit: ['no limit', '不限'],
  isFree: ['free', '免费'],
  unsure: (time: string) => [`1 credit may be gone since ${time}.`, `${time} 起可能已扣 1 积分。`],
  unsureNote: [
    'An earlier purchase of it has an unknown end. Settle it first: buying it again may cost a second credit.',
    '它之前的一笔购买结果未知。请先处理：再次购买可能再扣 1 积分。',
  ],
  buying: ['Asking svcd …', '正在请求 svcd…'],
  asking: ['Asking for the price …', '正在查询价格…'],
  keep: (text: string) => [`Keep the first ${text} only`, `只保留前 ${text} 个`],
  tooFew: (credits: string, cost: string) => [
    `The balance of ${credits} does not cover ${cost}.`,
    `余额（${credits}）不足以支付 ${cost}。`,
  ],
  tooMuch: (budget: string) => [`${budget} does not allow it.`, `超出${budget}。`],
  tooMany: (most: string) => [
    `At most ${most} can be bought at once; the rest is left out.`,
    `一次最多购买 ${most} 个，其余未列入。`,
  ],
  changed: [
    'The figures have changed, and nothing was bought. Please look at them again.',
    '数据有变化，没有购买任何东西。请再看一遍。',
  ],
  priceChanged: (before: string, after: string) => [
    `The price has changed from ${before} to ${after}. Nothing was bought.`,
    `价格已从 ${before} 变为 ${after}。没有购买任何东西。`,
  ],
  lookAgain: ['I have seen it', '我已看过'],
  offlineByYou: [
    'svcd is told to stay offline. You can put it on your Wanted list and buy it later.',
    '已设为离线。可以先加入“想要”，以后再购买。',
  ],
  noKey: ['svcd has no Key. Store it in a terminal: svcd key set', 'svcd 没有 Key。请在终端中保存：svcd key set'],
  hint: ['Enter buys, Esc leaves', '按 Enter 购买，按 Esc 离开'],
  bought: (count: string, cost: string) => [`Bought ${count} for ${cost}.`, `已购买 ${count} 个，花费 ${cost}。`],
  notBought: (titles: readonly string[], more: number) => [
    `Not bought: ${titles.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    `没有买到：${titles.join('、')}${more > 0 ? ` 等 ${more + titles.length} 个` : ''}。`,
  ],
  nothingGone: ['Nothing was charged.', '没有扣积分。'],
  mayBeGone: (count: number) => [
    count === 1 ? '1 credit may be gone.' : `${count} credits may be gone.`,
    `可能已扣 ${count} 积分。`,
  ],
  brokeOff: [
    'svcd ended in the middle. What was under way is kept when it comes.',
    'svcd 中途停止。进行中的购买到达后会保存。',
  ],
  showPurchases: ['Show purchases', '查看购买记录'],
  reasons: {
    away: ['svcd does not answer.', 'svcd 没有响应。'],
    offline: ['The service cannot be reached.', '无法连接服务。'],
    insufficient_credits: ['The balance does not cover it.', '余额不足。'],
    budget: ['A budget does not allow it.', '超出预算。'],
    spending_stopped: ['Spending is stopped.', '已停止一切消费。'],
    disk_full: ['The disk is full.', '磁盘已满。'],
    unsettled: [
      'An earlier purchase of it was charged, or may have been: see the purchases.',
      '它之前的一笔购买已扣或可能已扣积分：请查看购买记录。',
    ],
    unknown_preset: ['The service no longer has it.', '服务中已没有这个贴纸。'],
    invalid_key: ['The service does not know the Key.', '服务不认识这个 Key。'],
    key_disabled: ['The Key is disabled.', 'Key 已停用。'],
    key_limit_exceeded: ['The Key has reached its limit.', 'Key 已达到限额。'],
    rate_limited: ['The service asks to wait a while.', '服务要求稍后再试。'],
    invalid_token: [
      'This page is no longer signed in: run "svcd open" in a terminal.',
      '本页的登录已失效：请在终端中运行 svcd open。',
    ],
    upstream_failure: ['The service failed.', '服务出错。'],
    timeout: ['The service did not answer in time.', '服务没有及时响应。'],
    duplicate_request: ['It is being bought already.', '它正在购买中。'],
    damaged: ['The file that came was damaged.', '收到的文件已损坏。'],
    busy: ['svcd is busy. Try again in a moment.', 'svcd 正忙，请稍后再试。'],
    late: [
      'The service did not answer in time; what it still sends is kept.',
      '服务没有及时响应；之后到达的文件会保存。',
    ],
    no_key: ['svcd has no Key. Store it in a terminal: svcd key set', 'svcd 没有 Key。请在终端中保存：svcd key set'],
    not_enabled: ['The service does not offer it.', '服务没有开放这项功能。'],
    permission_missing: ['The Key may not buy it.', '这个 Key 没有购买权限。'],
    not_found: ['The service does not have it.', '服务中没有它。'],
    hub_without_key: ['The hub has no Key.', '集线器没有 Key。'],
    machine_revoked: ['The hub no longer knows this machine.', '集线器不再认识这台机器。'],
    database_away: ['The hub does not reach its database.', '集线器无法连接数据库。'],
    owned_damaged: [
      'The file of what is owned is damaged: run "svcd doctor".',
      '已拥有文件的数据库已损坏：请运行 svcd doctor。',
    ],
  },
  money: ['Purchases and budgets', '购买记录与预算'],
  saved: ['Saved so far', '已节省'],
  savedText: (credits: string) => [
    `${credits}, because what is owned is never bought twice`,
    `${credits}：已拥有的不会重复购买`,
  ],
  spentAll: ['Spent so far', '已花费'],
  none: ['Nothing has been bought yet.', '还没有购买过。'],
  unknownTitle: ['Unknown end', '结果未知'],
  since: (credits: string, time: string) => [
    `${credits} may be gone since ${time}.`,
    `${time} 起可能已扣 ${credits}。`,
  ],
  lateNote: ['It was taken as not charged, and the balance fell later.', '曾视为没有扣积分，但后来余额减少了。'],
  askBalance: ['Check the balance', '核对余额'],
  askBalanceForAll: ['Check the balance for all', '为全部核对余额'],
  charged: ['It was charged', '已扣积分'],
  notCharged: ['It was not charged', '没有扣积分'],
  chargedMeans: [
    'charged: it counts as spent. Buying it again costs again.',
    '已扣积分：计入花费。再次购买会再扣积分。',
  ],
  notChargedMeans: [
    'not charged: it counts as never bought. You can buy it again.',
    '没有扣积分：视为没有买过，可以再次购买。',
  ],
  retry: ['Buy it again', '再次购买'],
  retryAsks: (price: string) => [
    `Buy it again for ${price}? If the first one was charged, that credit stays gone.`,
    `花费 ${price} 再次购买？如果第一次已扣积分，那一积分不会退回。`,
  ],
  settled: {
    paid: ['Noted: it was charged.', '已记录：扣了积分。'],
    refused: ['Noted: it was not charged.', '已记录：没有扣积分。'],
  },
  balanceSays: {
    paid: ['The balance says that it was charged.', '余额表明：扣了积分。'],
    refused: ['The balance says that it was not charged.', '余额表明：没有扣积分。'],
  },
  notYet: [
    'The balance does not tell now. Ask again later, or say what you know of it.',
    '现在无法从余额判断。请稍后再核对，或直接选择您知道的结果。',
  ],
  retried: ['Bought.', '已购买。'],
  states: {
    intent: ['about to be bought', '即将购买'],
    sent: ['under way', '进行中'],
    paid: ['bought', '已购买'],
    refused: ['not charged', '未扣积分'],
    unknown: ['unknown end', '结果未知'],
  },
  lost: ['charged, without its file', '已扣积分，没有文件'],
  lostNote: (time: string) => [
    `It was charged at ${time}, and its file is not here. Buying it again costs again.`,
    `${time} 已扣积分，但这里没有它的文件。再次购买会再扣积分。`,
  ],
  lostWhere: ['That is done in the purchases.', '可在购买记录中再次购买。'],
  lostAsks: (price: string) => [
    `Buy it again for ${price}? What was charged before stays gone.`,
    `花费 ${price} 再次购买？之前扣的积分不会退回。`,
  ],
  image: ['Image', '图片'],
  stop: ['Stop all spending', '停止一切消费'],
  stopMeans: [
    'Nothing is bought by anybody, here or in a terminal, until you allow it again.',
    '在重新允许之前，无论在这里还是在终端，都不会购买任何东西。',
  ],
  stopped: ['Spending is stopped.', '已停止一切消费。'],
  lifted: ['Spending is allowed.', '已允许消费。'],
  budgets: ['Budgets in credits', '预算（积分）'],
  budgetEmpty: ['Empty: no limit', '留空：不限'],
  budgetBad: [
    'A budget is a whole number of credits from 0 to 1,000,000,000, or empty.',
    '预算应为 0 到 1,000,000,000 的整数，或留空。',
  ],
  save: ['Save the budgets', '保存预算'],
  savedBudgets: ['The budgets are saved.', '预算已保存。'],
  code: {
    title: ['A code from your terminal', '终端验证码'],
    run: ['This lets more be spent. Run in a terminal:', '此操作会允许更多消费。请在终端中运行：'],
    field: ['The code it prints', '它显示的验证码'],
    wrong: [
      'This code does not work: it is good once, for two minutes and five tries. Get another one.',
      '验证码无效：只能用一次，两分钟内有效，最多试五次。请重新获取。',
    ],
    none: ['Nothing was changed: no code was given.', '没有更改：未输入验证码。'],
    send: ['Go on', '继续'],
  },
  more: ['Show older ones', '显示更早的'],
});

type FallbackReason = NonNullable<Extract<PrefetchEvent, { event: 'asset' }>['reason']>;

/** A sentence for an error's code; one that has none is told as the daemon tells it. */
export function sayFailure(code: string, message: string): string {
  const ofDefaults: Readonly<Record<FallbackReason, string>> = moneyWords.value.reasons;
  const reasons: Readonly<Record<string, string>> = ofDefaults;
  return reasons[code] ?? message;
}
