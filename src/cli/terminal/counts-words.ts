// Counts, prices and durations in words. A noun that is counted somewhere and is missing here does not compile.

import { wordsIn } from './language.js';

/** What is counted, with the word that Chinese puts behind the number. */
const NOUNS = {
  asset: ' 个素材',
  character: ' 个字符',
  credit: ' 积分',
  day: ' 天',
  'embedded picture': ' 张内嵌图片',
  fallback: ' 次替代',
  'fault rule': ' 条故障规则',
  file: ' 个文件',
  hour: ' 小时',
  keyframe: ' 个关键帧',
  keyword: ' 个关键词',
  'known issue': ' 个已知问题',
  layer: ' 个图层',
  line: ' 行',
  list: ' 个列表',
  minute: ' 分钟',
  movement: ' 笔变动',
  'new sticker': ' 个新贴纸',
  'other command': ' 个其他命令',
  'owned file': ' 个已拥有的文件',
  purchase: ' 笔购买',
  'registered default': ' 个已登记的替代素材',
  request: ' 个请求',
  second: ' 秒',
  slot: ' 个位置',
  sticker: ' 个贴纸',
  tip: ' 条提示',
  'valid line': ' 个有效行',
} as const;

export type Noun = keyof typeof NOUNS;

const en = {
  count: (number: string, noun: Noun, isOne: boolean) => `${number} ${noun}${isOne ? '' : 's'}`,
  costUnknown: 'cost not known yet',
  none: 'none',
};

const zh: typeof en = {
  count: (number, noun) => `${number}${NOUNS[noun]}`,
  costUnknown: '费用尚不清楚',
  none: '无',
};

export const countWords = wordsIn<typeof en>({ en, zh });
