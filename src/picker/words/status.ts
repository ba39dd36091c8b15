// What the bars say: of the service, the balance, the budgets, what is chosen.

import { wordsIn } from './words.js';

export const statusWords = wordsIn({
  status: ['Status', '状态'],
  online: ['Online', '在线'],
  noAnswer: ['svcd is stopped', 'svcd 已停止'],
  offline: ['Offline', '离线'],
  offlineSince: (time: string) => [`Offline since ${time}`, `${time} 起离线`],
  sandbox: ['Sandbox', '沙盒'],
  playMoney: ['The sandbox is for trying out: its credits are play money.', '沙盒用于试用，其中的积分是虚拟的。'],
  openMoney: (balance: string) => [`${balance}: purchases and budgets`, `${balance}：购买记录与预算`],
  money: ['Purchases', '购买记录'],
  today: (spent: string, limit: string) => [`today ${spent} of ${limit}`, `今日 ${spent}/${limit}`],
  unknown: (count: number) => [
    count === 1 ? '1 purchase of unknown end' : `${count} purchases of unknown end`,
    `${count} 笔购买结果未知`,
  ],
  unsettled: (count: number) => [
    `${count === 1 ? '1 purchase' : `${count} purchases`} broke off, and may have been charged. svcd asks for the balance, for free, and buys none of it again meanwhile; what the balance does not tell, you have to say in the purchases.`,
    `有 ${count} 笔购买中断，可能已扣积分。svcd 会免费核对余额，其间不会重复购买；余额无法说明的，请在购买记录中注明。`,
  ],
  askNow: ['Ask now', '立即核对'],
  looked: (settled: string, left: string) => [
    `Settled by the balance: ${settled}. Still unknown: ${left}.`,
    `按余额核定：${settled} 笔。仍未知：${left} 笔。`,
  ],
  underWay: (count: string) => [`buying ${count}`, `正在购买 ${count} 个`],
  filling: (known: string) => [`Library: ${known} stickers so far`, `素材库：已有 ${known} 个贴纸`],
  fillingOf: (known: string, total: string, low: string, high: string) => [
    `Library: ${known} of about ${total} stickers (${low}–${high})`,
    `素材库：${known} / 约 ${total} 个贴纸（${low}–${high}）`,
  ],
  minutesLeft: (minutes: number, text: string) => [
    minutes <= 1 ? 'a minute left' : `${text} min left`,
    minutes <= 1 ? '还需约 1 分钟' : `还需 ${text} 分钟`,
  ],
  paused: ['paused', '已暂停'],
  pause: ['Pause', '暂停'],
  resume: ['Resume', '继续'],
  copy: ['Copy', '复制'],
  copyThis: (command: string) => [`Copy the command ${command}`, `复制命令 ${command}`],
  copied: ['Copied', '已复制'],
  tryNow: ['Try now', '立即重试'],
  away: [
    'svcd does not answer. What you see stays, and what you search comes when it is back. Start svcd in a terminal:',
    'svcd 没有响应。已显示的内容保留不变，搜索会在恢复后进行。请在终端中启动：',
  ],
  lost: [
    'svcd was started again, and this page is no longer signed in. What you chose is still here. To see your collections again, sign in from a terminal:',
    'svcd 已重新启动，本页的登录已失效，已选的贴纸仍在。要再看到收藏夹，请在终端中重新登录：',
  ],
  drawsNothing: [
    'This browser draws nothing here: you see words in place of pictures. Reload the page, or try another browser.',
    '这个浏览器无法绘制，因此用文字代替图片。请重新加载页面，或换一个浏览器。',
  ],
  signedOut: [
    'You can look at everything. To buy and to see your credits, sign in from a terminal:',
    '可以查看全部贴纸。要购买和查看积分，请在终端中登录：',
  ],
  noKey: [
    'No Key: you can use what you own. To buy, store your Key from a terminal:',
    '没有 Key：只能使用已拥有的贴纸。要购买，请在终端中保存 Key：',
  ],
  hub: (project: string) => [`Hub · ${project}`, `集线器 · ${project}`],
  hubTitle: (address: string, machine: string) => [
    `The hub at ${address} buys and pays; this machine is "${machine}".`,
    `由位于 ${address} 的集线器购买和付费；这台机器是“${machine}”。`,
  ],
  hubRefuses: [
    'The hub no longer accepts this machine: it was revoked, or its time is over. What you own works. Join again, or leave the hub, in a terminal:',
    '集线器不再接受这台机器：它已被停用，或期限已过。已拥有的仍可使用。请在终端中重新加入或退出：',
  ],
  otherHub: [
    'What answers is not the hub that this machine joined, or it has a new certificate. What you own works. Ask who looks after the hub, then in a terminal:',
    '应答的不是这台机器所加入的集线器，或其证书已更换。已拥有的仍可使用。请询问集线器的管理者，然后在终端中：',
  ],
  key: {
    invalid_key: (last: string) => [
      `The service does not know the Key${last}. Store the right one from a terminal:`,
      `服务不认识这个 Key${last}。请在终端中保存正确的 Key：`,
    ],
    key_disabled: (last: string) => [
      `The Key${last} is disabled. Its owner can enable it, or store another one:`,
      `Key${last} 已停用。请由 Key 的所有者启用，或保存另一个：`,
    ],
    key_limit_exceeded: (last: string) => [
      `The Key${last} has reached its limit. Its owner can raise the limit, or store another one:`,
      `Key${last} 已达到限额。请由 Key 的所有者提高限额，或保存另一个：`,
    ],
    other: (last: string) => [
      `The service refuses the Key${last}. Store another one from a terminal:`,
      `服务拒绝了 Key${last}。请在终端中保存另一个：`,
    ],
  },
  endsIn: (last: string) => [` that ends in ${last}`, `（末四位 ${last}）`],
  stoppedByYou: (since: string) => [
    `Spending is stopped${since === '' ? '' : ` since ${since}`}: nothing is bought.`,
    `已停止一切消费${since === '' ? '' : `（自 ${since} 起）`}：不会购买任何东西。`,
  ],
  stopped: ['Nothing is bought, to protect your credits.', '为保护积分，暂不购买任何东西。'],
  lift: ['Allow spending', '允许消费'],
  noCredits: ['The balance is 0. You can use what you own.', '余额为 0。可以使用已拥有的贴纸。'],
  topUp: [
    'To buy, top up the account on the website of the service, under API and credits, then check again.',
    '要购买，请在服务网站上账户的“API 与积分”中充值，然后重新核对。',
  ],
  topUpHub: [
    'The hub pays: ask who looks after it to top up its account, then check again.',
    '由集线器付费：请联系集线器的管理者为其账户充值，然后重新核对。',
  ],
  topUpSandbox: [
    'To buy, top up the play money in a terminal, then check again:',
    '要购买，请在终端中为沙盒充值，然后重新核对：',
  ],
  checkAgain: ['Check again', '重新核对'],
  budget: {
    request: (_: string, limit: string) => [`One purchase may cost ${limit} at most.`, `每次购买最多 ${limit} 积分。`],
    day: (spent: string, limit: string) => [`Budget of the day: ${spent} of ${limit}`, `今日预算：${spent}/${limit}`],
    month: (spent: string, limit: string) => [
      `Budget of the month: ${spent} of ${limit}`,
      `本月预算：${spent}/${limit}`,
    ],
  },
  freeAgain: (time: string, zone: string) => [`, free again at ${time} (${zone}).`, `，${time}（${zone}）恢复。`],
  changeBudget: ['Change the budget', '修改预算'],
  showOwned: ['Show what you own', '显示已拥有的'],
  offlineBar: [
    'All that you own works. You can put the rest on your Wanted list.',
    '已拥有的贴纸都能使用，其余的可以先加入“想要”。',
  ],
  goOnline: ['Go online', '转为在线'],
  sandboxBar: [
    "You see pictures because the sandbox's art is on this disk; credits are play money. The real service shows no picture before you buy.",
    '能看到图片，是因为沙盒的素材就在这台电脑上，积分也只是模拟的。真实的服务在付费之前不提供图片。',
  ],
  sandboxAsReal: [
    'This is what you see of the real service: no picture before you buy. Credits are play money.',
    '真实的服务就是这样：付费之前没有图片。积分只是模拟的。',
  ],
  asReal: ['As with the real service', '与真实的服务一致'],
  libraryDamaged: [
    'The library is damaged. svcd builds it again by itself; what you own and your collections work.',
    '素材库已损坏，svcd 会自动重建。已拥有的贴纸和收藏夹仍可使用。',
  ],
  librarySetAside: [
    'The file of the library was damaged and was set aside. svcd fills it again by itself; what you own and your collections work.',
    '素材库文件已损坏，已移到一旁。svcd 会自动重新填充；已拥有的贴纸和收藏夹照常可用。',
  ],
  showChosen: ['Show only these, or all again', '只显示已选，或恢复全部'],
  owned: (count: string) => [`${count} owned`, `${count} 个已拥有`],
  want: (count: number, text: string) => [
    count === 1 ? 'Want it' : `Want ${text}`,
    count === 1 ? '加入“想要”' : `${text} 个加入“想要”`,
  ],
  wanted: (count: number, text: string) => [
    count === 1 ? 'It is on your Wanted list.' : `${text} are on your Wanted list.`,
    `已把 ${text} 个加入“想要”。`,
  ],
  undone: ['Undone.', '已撤销。'],
  export: ['Export', '导出'],
  clear: ['Clear the choice', '清空选择'],
  cleared: ['Nothing is chosen any more.', '已清空选择。'],
  plan: ['What you chose', '已选的贴纸'],
  dismiss: ['Close this message', '关闭这条消息'],
  canBuyWanted: (count: number, text: string, price: string) => [
    `You can buy ${count === 1 ? 'what' : `the ${text} that`} you wanted: ${price}.`,
    `现在可以购买“想要”中的 ${text} 个：${price}。`,
  ],
  see: ['See', '查看'],
  lookFurther: ['Look at the service too (free)', '也问问服务（免费）'],
  lookingFurther: ['Asking the service …', '正在询问服务…'],
  nothingFurther: ['The service has told nothing more.', '服务没有给出更多贴纸。'],
});
