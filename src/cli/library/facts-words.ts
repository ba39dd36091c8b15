// The words of `svcd library facts`: what is in a file.

import { wordsIn } from '../terminal/language.js';

const en = {
  example: 'of a sticker that is owned, your own, or shipped',
  exampleFile: 'of any Lottie file, without a daemon',
  preset: (problem: string, got: string) => `preset: ${problem}, got ${got}`,
  noFile: (file: string) => `there is no file ${file} here`,
  tooLarge: (file: string, bytes: number, most: number) => `${file} has ${bytes} bytes, at most ${most} are read`,
  meaning: {
    remote: 'something in it is fetched from elsewhere: another video where that is not there',
    scripted: 'it holds code, which some players run: another video in each of them',
    heavy: 'it is more than players draw in time',
    differs: 'some players draw it differently',
    clean: 'players draw it alike',
  },
  verdict: (name: string, verdict: string, meaning: string) => `${name}: ${verdict} (${meaning})`,
  size: (width: number, height: number, frames: string, fps: number, seconds: number, bytes: string) =>
    `${width} x ${height}, ${frames} frames at ${fps} a second (${seconds} s), ${bytes} bytes`,
  remote: (pictures: number) => `${pictures} from elsewhere`,
  join: ', ',
  colon: ': ',
  andMore: (at: string, more: string) => `${at} and ${more} more`,
  all: (effects: string) => `all: ${effects}`,
  fonts: (names: string) => `fonts: ${names}`,
  markers: (names: string) => `markers: ${names}`,
  uses: (names: string) => `uses: ${names}`,
  head: ['problem', 'first at', 'players'],
  safeForm: '"svcd get --form safe" gives it without code and without what is fetched.',
};

const zh: typeof en = {
  example: '已拥有、您自己的或自带的贴纸',
  exampleFile: '任意 Lottie 文件，无需后台服务',
  preset: (problem, got) => `预设：${problem}，实际为 ${got}`,
  noFile: (file) => `此处没有文件 ${file}`,
  tooLarge: (file, bytes, most) => `${file} 有 ${bytes} 字节，最多读取 ${most}`,
  meaning: {
    remote: '其中有内容取自别处：取不到时，视频会不同',
    scripted: '其中含有代码，只有部分播放器会运行：视频因播放器而异',
    heavy: '内容太多，播放器来不及绘制',
    differs: '有的播放器画得不同',
    clean: '各播放器画得相同',
  },
  verdict: (name, verdict, meaning) => `${name}：${verdict}（${meaning}）`,
  size: (width, height, frames, fps, seconds, bytes) =>
    `${width} x ${height}，${frames} 帧，每秒 ${fps} 帧（${seconds} 秒），${bytes} 字节`,
  remote: (pictures) => `${pictures} 张取自别处`,
  join: '，',
  colon: '：',
  andMore: (at, more) => `${at}，另有 ${more} 处`,
  all: (effects) => `全部：${effects}`,
  fonts: (names) => `字体：${names}`,
  markers: (names) => `标记：${names}`,
  uses: (names) => `使用：${names}`,
  head: ['问题', '首次出现于', '播放器'],
  safeForm: '"svcd get --form safe" 给出不含代码、也不取自别处的形式。',
};

export const factsWords = wordsIn<typeof en>({ en, zh });
