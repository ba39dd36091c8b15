// Joining a hub and leaving it.

import { pairsOf, wordsBeside } from '../terminal/language.js';

const pairs = pairsOf({
  user: ['Who works at this machine, where the invite does not say.', '在此机器上工作的人，邀请码未写明时使用。'],
  name: ['What the hub calls this machine [its host name].', '集线器对此机器的称呼 [主机名]。'],
  anew: [
    'Be another machine than the home that this one was copied from.',
    '作为新的机器加入，不再与被复制的原数据目录相同。',
  ],
  removeKey: ['Remove the Key from the OS keychain of this machine.', '从本机的系统钥匙串中移除 Key。'],
  isHub: ['this home is a hub itself, and cannot join one', '此数据目录本身就是集线器，不能加入另一个集线器'],
  isHubHint: ['Name another home with --home.', '请用 --home 指定另一个数据目录。'],
  onlyOwned: ['It gets what is owned already; it does not buy.', '它只能得到已拥有的素材，不能购买。'],
  expires: (time: string) => [`It belongs to the hub until ${time}.`, `它属于集线器，直到 ${time}。`],
  restartedAlone: (url: string) => [`The daemon at ${url} was restarted.`, `位于 ${url} 的后台服务已重启。`],
  startIt: ['Start it with "svcd start".', '用 "svcd start" 启动。'],
  wasNone: ['This home belongs to no hub.', '此数据目录没有加入集线器。'],
  usesSandbox: ['It uses the sandbox of this machine again.', '它重新使用本机的沙盒。'],
  usesNone: ['It uses no remote, as before it joined.', '与加入之前一样，它没有远程服务。'],
  ofSandbox: [
    'What came through the hub is of a sandbox: "svcd start --sandbox" serves it.',
    '通过集线器得到的属于沙盒："svcd start --sandbox" 可继续使用。',
  ],
  ofRemote: (scope: string) => [
    `What came through the hub is of ${scope}: "svcd config set remote ${scope}" serves it.`,
    `通过集线器得到的属于 ${scope}："svcd config set remote ${scope}" 可继续使用。`,
  ],
});

const en = {
  joinExamples: ['svcd hub join svcdi_… # the code that "svcd hub invite" printed'],
  leaveExamples: ['svcd hub leave # what came through the hub stays owned'],
  belongsAlready: (address: string) => `this home belongs to a hub already, at ${address}`,
  isAlready: (name: string, user: string | null) =>
    `the hub knows this machine already, as "${name}"${user === null ? ' of no user' : ` of ${user}`}`,
  changedReceipts: 'the hub signs with another key than the code says: the code is not its own',
  joined: (machine: string, address: string, project: string) =>
    `This machine is "${machine}" of the hub at ${address}; it buys for the project ${project}.`,
  more: (projects: string) => `It may also buy for: ${projects} ("svcd config set project NAME").`,
  restarted: (url: string) => `The daemon at ${url} was restarted and uses the hub now.`,
  notRestarted: (why: string) => `The running daemon does not use this yet (${why}): run "svcd restart".`,
  undecided: (purchases: number) =>
    `of ${purchases} of this home's purchases it is not known whether they were charged, and the hub might pay for the same again`,
  settleFirst:
    'Settle each one first: "svcd purchases --state unknown" lists them; "svcd purchases settle ID" asks the service, and with --as charged or --as free decides without it.',
  keyRemoved: (account: string) => `The Key for ${account} was removed from the OS keychain; the hub has its own.`,
  keyStays: (account: string) =>
    `Your Key for ${account} stays in the OS keychain, unused; "svcd key remove --remote ${account}" removes it.`,
  keyInPlace: (place: string) => `A Key is still in ${place}; it is not used while this home belongs to the hub.`,
  keyNotLooked: (why: string) => `Whether the OS keychain holds a Key could not be seen (${why}).`,
  left: (address: string) => `This home no longer belongs to the hub at ${address}. What came through it stays owned.`,
  notTold: (why: string, machine: string, id: number) =>
    `The hub could not be told (${why}); its administrator can end the token of "${machine}", on the hub: "svcd hub revoke ${id}".`,
  uses: (remote: string, key: string | null) =>
    key === null
      ? `It uses ${remote} again; for buying it needs a Key in the OS keychain ("svcd key status", "svcd key set").`
      : `It uses ${remote} again, and buys with the Key in ${key}.`,
};

const zh: typeof en = {
  joinExamples: ['svcd hub join svcdi_… # "svcd hub invite" 输出的邀请码'],
  leaveExamples: ['svcd hub leave # 通过集线器得到的素材仍归您所有'],
  belongsAlready: (address) => `此数据目录已加入位于 ${address} 的集线器`,
  isAlready: (name, user) => `集线器已认识此机器，名称为 "${name}"${user === null ? '，没有用户' : `，用户为 ${user}`}`,
  changedReceipts: '集线器的签名密钥与邀请码不符：邀请码不是它的',
  joined: (machine, address, project) => `此机器是位于 ${address} 的集线器的 "${machine}"；它为项目 ${project} 购买。`,
  more: (projects) => `它还可以为这些项目购买：${projects}（"svcd config set project NAME"）。`,
  restarted: (url) => `位于 ${url} 的后台服务已重启，现在使用集线器。`,
  notRestarted: (why) => `正在运行的后台服务尚未使用集线器（${why}）：请运行 "svcd restart"。`,
  undecided: (purchases) => `此数据目录有 ${purchases} 笔购买不知是否已扣费，集线器可能会为同样的素材再次付费`,
  settleFirst:
    '请先逐笔了结："svcd purchases --state unknown" 列出它们；"svcd purchases settle ID" 向远程服务核对，加 --as charged 或 --as free 则由您直接决定。',
  keyRemoved: (account) => `${account} 的 Key 已从系统钥匙串中移除；集线器有自己的 Key。`,
  keyStays: (account) => `${account} 的 Key 仍在系统钥匙串中，不再使用；"svcd key remove --remote ${account}" 可移除。`,
  keyInPlace: (place) => `${place} 中仍有 Key；加入集线器期间不使用。`,
  keyNotLooked: (why) => `无法确认系统钥匙串中是否有 Key（${why}）。`,
  left: (address) => `此数据目录不再属于位于 ${address} 的集线器。通过它得到的素材仍归您所有。`,
  notTold: (why, machine, id) =>
    `无法通知集线器（${why}）；其管理员可以终止 "${machine}" 的令牌，在集线器上运行 "svcd hub revoke ${id}"。`,
  uses: (remote, key) =>
    key === null
      ? `它重新使用 ${remote}；购买需要系统密钥链中的 Key（"svcd key status"、"svcd key set"）。`
      : `它重新使用 ${remote}，并用 ${key} 中的 Key 购买。`,
};

export const joinWords = wordsBeside(pairs, { en, zh });
