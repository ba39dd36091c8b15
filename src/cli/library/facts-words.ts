// The words of `svcd library facts`: what is in a file.

import { formatNumber } from '../terminal/format.js';
import { pairsOf, wordsBeside } from '../terminal/language.js';

const pairs = pairsOf({
  example: ['of a sticker that is owned, your own, or shipped', '已拥有、您自己的或自带的贴纸'],
  noFile: (file: string) => [`there is no file ${file} here`, `此处没有文件 ${file}`],
  meaning: {
    heavy: ['it is more than players draw in time', '内容太多，播放器来不及绘制'],
    differs: ['some players draw it differently', '有的播放器画得不同'],
    clean: ['players draw it alike', '各播放器画得相同'],
  },
  remote: (pictures: number) => [`${pictures} from elsewhere`, `${pictures} 张取自别处`],
  join: [', ', '，'],
  colon: [': ', '：'],
  andMore: (at: string, more: string) => [`${at} and ${more} more`, `${at}，另有 ${more} 处`],
  all: (effects: string) => [`all: ${effects}`, `全部：${effects}`],
  fonts: (names: string) => [`fonts: ${names}`, `字体：${names}`],
  markers: (names: string) => [`markers: ${names}`, `标记：${names}`],
  uses: (names: string) => [`uses: ${names}`, `使用：${names}`],
});

const en = {
  tooLarge: (file: string, bytes: number, most: number) =>
    `${file} has ${formatNumber(bytes)} bytes, at most ${formatNumber(most)} are read`,
  meaning: {
    remote: 'something in it is fetched from elsewhere: another video where that is not there',
    scripted: 'it holds code, which some players run: another video in each of them',
  },
  verdict: (name: string, verdict: string, meaning: string) => `${name}: ${verdict} (${meaning})`,
  size: (width: number, height: number, frames: string, fps: number, seconds: number, bytes: string) =>
    `${width}×${height}, ${frames} frames at ${fps} a second (${seconds} s), ${bytes} bytes`,
  head: ['problem', 'first at', 'players'],
  safeForm: '"svcd get --form safe" gives it without code and without what is fetched.',
};

const zh: typeof en = {
  tooLarge: (file, bytes, most) => `${file} 有 ${formatNumber(bytes)} 字节，最多读取 ${formatNumber(most)}`,
  meaning: {
    remote: '其中有内容取自别处：取不到时，视频会不同',
    scripted: '其中含有代码，只有部分播放器会运行：视频因播放器而异',
  },
  verdict: (name, verdict, meaning) => `${name}：${verdict}（${meaning}）`,
  size: (width, height, frames, fps, seconds, bytes) =>
    `${width}×${height}，${frames} 帧，每秒 ${fps} 帧（${seconds} 秒），${bytes} 字节`,
  head: ['问题', '首次出现于', '播放器'],
  safeForm: '"svcd get --form safe" 给出不含代码、也不取自别处的形式。',
};

export const factsWords = wordsBeside(pairs, { en, zh });

const defaultPairs = pairsOf({
  list: { what: ['List the defaults you registered.', '列出您登记的替代素材。'] },
  remove: {
    what: ['Remove a registered default.', '删除登记的替代素材。'],
    done: (preset: string) => [`Default removed for ${preset}.`, `已删除 ${preset} 的替代素材。`],
  },
  every: ['every preset', '所有预设'],
});

const defaultsEn = {
  list: {
    none: 'No default is registered, so owned or shipped stickers are served instead. "svcd library defaults add" registers one.',
  },
  add: {
    what: "Register a Lottie file as the default of a preset, or of every preset ('*').",
    examples: [
      'svcd library defaults add food/birthday-cake our-cake.json # served when that sticker is not available',
    ],
    done: (file: string, preset: string) => `${file} is now the default for ${preset}.`,
  },
  remove: { examples: ["svcd library defaults remove '*' # serve owned or shipped stickers again"] },
  head: ['preset', 'shape', 'bytes', 'added'],
};

const defaultsZh: typeof defaultsEn = {
  list: { none: '没有登记替代素材，将改用已拥有的或自带的贴纸。"svcd library defaults add" 可登记一个。' },
  add: {
    what: "登记一个 Lottie 文件，作为某个预设或所有预设（'*'）的替代素材。",
    examples: ['svcd library defaults add food/birthday-cake our-cake.json # 该贴纸不可用时使用'],
    done: (file, preset) => `${file} 现在是 ${preset} 的替代素材。`,
  },
  remove: { examples: ["svcd library defaults remove '*' # 重新使用已拥有的或自带的贴纸"] },
  head: ['预设', '形状', '字节', '登记日期'],
};

export const defaultWords = wordsBeside(defaultPairs, { en: defaultsEn, zh: defaultsZh });
