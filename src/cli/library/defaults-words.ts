// What `svcd library defaults` says.

import { wordsIn } from '../terminal/language.js';

const en = {
  list: {
    what: 'List the defaults you registered.',
    examples: ['svcd library defaults # what you registered'],
    none: 'No default is registered, so owned or shipped stickers are served instead. "svcd library defaults add" registers one.',
  },
  add: {
    what: "Register a Lottie file as the default of a preset, or of every preset ('*').",
    examples: [
      'svcd library defaults add food/birthday-cake our-cake.json # served when that sticker is not available',
      "svcd library defaults add '*' our-logo.json # for every other sticker",
    ],
    done: (file: string, preset: string) => `${file} is now the default for ${preset}.`,
  },
  remove: {
    what: 'Remove a registered default.',
    examples: ["svcd library defaults remove '*' # serve owned or shipped stickers again"],
    done: (preset: string) => `Default removed for ${preset}.`,
  },
  every: 'every preset',
  head: ['preset', 'shape', 'bytes', 'added'],
};

const zh: typeof en = {
  list: {
    what: '列出您登记的替代素材。',
    examples: ['svcd library defaults # 您登记的替代素材'],
    none: '没有登记替代素材，将改用已拥有的或自带的贴纸。"svcd library defaults add" 可登记一个。',
  },
  add: {
    what: "登记一个 Lottie 文件，作为某个预设或所有预设（'*'）的替代素材。",
    examples: [
      'svcd library defaults add food/birthday-cake our-cake.json # 该贴纸不可用时使用',
      "svcd library defaults add '*' our-logo.json # 用于其他所有贴纸",
    ],
    done: (file, preset) => `${file} 现在是 ${preset} 的替代素材。`,
  },
  remove: {
    what: '删除登记的替代素材。',
    examples: ["svcd library defaults remove '*' # 重新使用已拥有的或自带的贴纸"],
    done: (preset) => `已删除 ${preset} 的替代素材。`,
  },
  every: '所有预设',
  head: ['预设', '形状', '字节', '登记日期'],
};

export const defaultWords = wordsIn<typeof en>({ en, zh });
