// What svcd says of words and options that were typed, of standard input, of questions on the terminal, and of a home
// whose daemon does not run.

import { wordsIn } from './language.js';

const en = {
  missing: (name: string, usage: string) => `${name} is missing: svcd ${usage}`,
  unexpected: (word: string, usage: string) => `unexpected argument ${word}: svcd ${usage}`,
  seeHelp: (command: string) => `See "svcd ${command} --help".`,
  trueOrFalse: 'true or false',
  whole: (min: number, max: number) => `a whole number from ${min} to ${max}`,
  creditsOrNone: 'a whole number of credits or none',
  tooLong: (what: string, bytes: number) => `${what} on stdin is over ${bytes} bytes`,
  theKey: 'the Key',
  noTerminal: (question: string) => `${question} There is no terminal to ask on: confirm with --yes`,
  goOn: (question: string) => `${question} Continue? [y/N] `,
  nothingBought: 'nothing was bought',
  nothingStored: 'nothing was stored',
  pay: {
    ask: (cost: string) => `Buy for ${cost}?`,
    overMax: (cost: string, max: number) => `it would cost ${cost}, and --max-credits allows ${max}`,
    nothingBought: 'Nothing was bought.',
    cannotAsk: (cost: string) => `it would cost ${cost}, and there is no terminal to ask on`,
    sayYes: 'Nothing was bought. Say --yes, and --max-credits N for the most it may cost.',
    declined: 'nothing was bought',
  },
  portUnknown: 'the port is 0, so the address is known only while svcd runs',
  startFirst: 'Start it with "svcd start", and try again.',
};

const zh: typeof en = {
  missing: (name, usage) => `缺少 ${name}：svcd ${usage}`,
  unexpected: (word, usage) => `多余的参数 ${word}：svcd ${usage}`,
  seeHelp: (command) => `见 "svcd ${command} --help"。`,
  trueOrFalse: 'true 或 false',
  whole: (min, max) => `${min} 到 ${max} 的整数`,
  creditsOrNone: '积分的整数，或 none',
  tooLong: (what, bytes) => `标准输入中的${what}超过 ${bytes} 字节`,
  theKey: ' Key ',
  noTerminal: (question) => `${question}没有终端可供询问：请用 --yes 确认`,
  goOn: (question) => `${question}继续吗？[y/N] `,
  nothingBought: '没有购买任何内容',
  nothingStored: '没有保存任何内容',
  pay: {
    ask: (cost) => `花费 ${cost} 购买吗？`,
    overMax: (cost, max) => `需要 ${cost}，而 --max-credits 只允许 ${max}`,
    nothingBought: '没有购买任何东西。',
    cannotAsk: (cost) => `需要 ${cost}，而这里没有可以询问的终端`,
    sayYes: '没有购买任何东西。请加 --yes，并用 --max-credits N 限定最多花费。',
    declined: '没有购买任何东西',
  },
  portUnknown: '端口为 0，只有 svcd 运行时才知道地址',
  startFirst: '请先用 "svcd start" 启动，然后再试。',
};

export const inputWords = wordsIn<typeof en>({ en, zh });
