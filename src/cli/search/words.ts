// What search and match say, and the columns that stickers are listed in.

import { pairsOf, wordsBeside } from '../terminal/language.js';

const pairs = pairsOf({
  offset: ['How many to skip, for the next page.', '跳过多少个，用于翻页。'],
  owned: ['Only owned stickers; --owned=false only the others.', '仅已拥有的贴纸；--owned=false 仅其余的。'],
  minDuration: ['Only stickers of at least these seconds.', '时长不少于此秒数的贴纸。'],
  style: ['Only stickers of this style: the first part of a preset.', '只要此风格（预设的第一部分）的贴纸。'],
  styleKind: ['Only stickers that are drawn so.', '只要这样绘制的贴纸：填充、线条或彩色。'],
  maxDuration: ['Only stickers of at most these seconds.', '时长不超过此秒数的贴纸。'],
  complete: ['List words of the library that begin with a text.', '列出素材库中以某段文字开头的词语。'],
  keyword: ['A word that counts more than the copy; may be repeated.', '比文案更重要的词；可重复。'],
  look: [
    'Also show them as one picture with numbers; in a pipe it is a PNG in this folder.',
    '同时显示为一张带编号的图；在管道中则为当前文件夹里的 PNG。',
  ],
  lookOutput: ['PNG file or folder; - is stdout.', 'PNG 文件或文件夹；- 表示标准输出。'],
  frames: ['Frames of each: 1 or 4 [1].', '每个的帧数：1 或 4 [1]。'],
  protocol: ['How a terminal is shown it: kitty, iterm or blocks.', '终端显示方式：kitty、iterm 或 blocks。'],
  tooManyToSee: (max: number) => [`a picture has at most ${max} stickers`, `一张图最多 ${max} 个贴纸`],
  pictureIn: (file: string) => [`The picture is ${file}.`, `图片在 ${file}。`],
  cards: [
    'A struck-through card stands for what is not owned: there is no picture before it is bought.',
    '划线的卡片代表未拥有的贴纸：购买之前没有图片。',
  ],
  examples: {
    look: ['one picture with numbers', '一张带编号的图'],
    birthday: ['stickers for birthdays', '生日用的贴纸'],
    hearts: ['red hearts, two seconds at most', '红色的心，最长两秒'],
    copy: ['stickers for a line of copy', '适合一行文案的贴纸'],
    related: ['the cake in other styles, then other birthdays', '其他风格的蛋糕，然后是其他生日贴纸'],
  },
  colorNames: (names: string) => [`Names: ${names}.`, `名称：${names}。`],
  queryMissing: ['QUERY is missing: svcd search <query..>', '缺少 QUERY：svcd search <query..>'],
  heads: {
    title: ['title', '标题'],
    seconds: ['seconds', '时长'],
    shape: ['shape', '形状'],
    preset: ['preset', '预设'],
    price: ['price', '价格'],
    why: ['why', '理由'],
  },
  shapes: { square: ['square', '方'], wide: ['wide', '宽'], tall: ['tall', '高'] },
  seconds: (seconds: string) => [`${seconds} s`, `${seconds} 秒`],
  owns: ['owned', '已拥有'],
  ships: ["svcd's own", 'svcd 自带'],
  free: ['free', '免费'],
  count: (shown: number, total: string) => [`${shown} of ${total}.`, `${shown} 个，共 ${total} 个。`],
  nextPage: (offset: number) => [` --offset ${offset} shows the next page.`, `--offset ${offset} 显示下一页。`],
  from: (first: string) => [`from ${first}, `, `从第 ${first} 个起，`],
  getOne: [' "svcd get PRESET" downloads one.', '"svcd get PRESET" 下载一个。'],
  onlySoMany: (total: string) => [`There are only ${total}.`, `只有 ${total} 个。`],
  nothingPasses: ['Nothing passes these filters.', '没有贴纸符合这些条件。'],
  nothingFor: (query: string) => [`Nothing found for ${query}.`, `没有找到 ${query}。`],
  meant: (words: string) => [`Did you mean ${words}?`, `您是不是要找 ${words}？`],
  nothingFits: ['Nothing fits; these are only loosely related.', '没有合适的贴纸；以下仅略有关联。'],
  loose: ['  Loosely related:', '  略有关联：'],
  nothingToMatch: ['COPY is missing: svcd match <copy..>', '缺少 COPY：svcd match <copy..>'],
  keywords: (words: string) => [`Keywords: ${words}`, `关键词：${words}`],
  none: ['none', '无'],
  nothingMatches: ['Nothing in the library matches.', '素材库中没有匹配的贴纸。'],
  field: (field: string) => [field, FIELDS[field] ?? field],
  comma: [', ', '、'],
  fromService: [
    'The service was asked too, and told what the list here lacks.',
    '也询问了远程服务，它给出了此处列表没有的贴纸。',
  ],
  nothingRelated: (preset: string) => [`Nothing is related to ${preset}.`, `没有与 ${preset} 相关的贴纸。`],
  anotherStyle: ['another style', '另一种风格'],
  otherWordsHere: [
    'Try other words: "svcd search --complete TEXT" lists those of the library.',
    '换个词试试："svcd search --complete TEXT" 列出素材库中的词。',
  ],
  haveTheWord: [
    'Counted is what has the very word; search also finds words of one meaning, and match what is related.',
    '只计含有该词本身的贴纸；search 还会找到同义词，match 还会找到相关的。',
  ],
  noWord: (text: string) => [`No word begins with ${text}.`, `没有以 ${text} 开头的词。`],
  noPresets: ['Search for it: "svcd search WORDS" lists presets.', '请先搜索："svcd search WORDS" 列出预设。'],
});

const en = {
  limit: (max: number, usual: number) => `How many to list, 1 to ${max} [${usual}].`,
  shipped: "Also svcd's own stickers, after all others that suit; --shipped=false none of them.",
  color: "Only stickers of about this color: a name ('red', '红'), '#f00' or '#ff8800'.",
  distance: (usual: number) => `Greatest distance from --color; 2 is just visible [${usual}].`,
  aspect: 'Only this shape: square, wide, tall, 16:9, or a range such as 0.8..1.25.',
  related: 'List stickers related to PRESET: other styles first, then shared words.',
  notWith: (option: string, other: string) => `${option} cannot stand beside ${other}`,
  noColor: (typed: string, meant: string) =>
    `--color must be a name or six or three hexadecimal digits such as '#ff8800' or '#f80', got ${typed}${meant}`,
  queryHint: 'With a filter, such as --owned, it may be left out. See "svcd search --help".',
  leftOut: (words: string) => `No sticker has all words; left out: ${words}.`,
  looserFilters: 'Leave a filter out, or widen it: --distance 25 for --color, a range such as 0.5..2 for --aspect.',
  otherWords:
    'Try other words: "svcd search --complete TEXT" lists words of the library, and "svcd library sync" asks the service for more stickers.',
  giveCopy: 'Give copy as words or on stdin, or keywords with --keyword.',
  matchOther: 'Try other copy, or name what to show with --keyword, such as "svcd match -k 蛋糕".',
  reason: (keyword: string, field: string, isSynonym: boolean) =>
    `${keyword} (${field}${isSynonym ? ', synonym' : ''})`,
  /** Presets that are much like one that there is not. */
  presets: (presets: readonly string[]) =>
    `Did you mean ${presets.join(' or ')}?\nNothing was bought. "svcd search WORDS" lists presets.`,
};

const FIELDS: Readonly<Record<string, string>> = { title: '标题', keywords: '关键词', preset: '预设' };

const zh: typeof en = {
  limit: (max, usual) => `列出多少个，1 到 ${max} [${usual}]。`,
  shipped: '也列出 svcd 自带的贴纸，排在其他合适的之后；--shipped=false 则一个不列。',
  color: "仅大致为此颜色的贴纸：名称（'red'、'红'）、'#f00' 或 '#ff8800'。",
  distance: (usual) => `与 --color 的最大色差；2 刚好可见 [${usual}]。`,
  aspect: '仅此形状：square（方）、wide（宽）、tall（高）、16:9，或范围如 0.8..1.25。',
  related: '列出与某个预设相关的贴纸：先列其他风格，再列有共同词语的。',
  notWith: (option, other) => `${option} 不能与 ${other} 同用`,
  noColor: (typed, meant) =>
    `--color 应为颜色名称，或三位、六位十六进制数如 '#f80'、'#ff8800'，而不是 ${typed}${meant}`,
  queryHint: '有筛选条件（如 --owned）时可以省略。见 "svcd search --help"。',
  leftOut: (words) => `没有贴纸包含所有词；已略去：${words}。`,
  looserFilters: '去掉一个条件，或放宽它：--color 用 --distance 25，--aspect 用范围如 0.5..2。',
  otherWords:
    '换个词试试："svcd search --complete TEXT" 列出素材库中的词，"svcd library sync" 向远程服务获取更多贴纸。',
  giveCopy: '请以参数或标准输入给出文案，或用 --keyword 给出关键词。',
  matchOther: '换一段文案，或用 --keyword 指明要展示什么，例如 "svcd match -k 蛋糕"。',
  reason: (keyword, field, isSynonym) => `${keyword}（${field}${isSynonym ? '，同义词' : ''}）`,
  presets: (presets) => `您是不是要找 ${presets.join(' 或 ')}？\n没有购买任何东西。"svcd search WORDS" 可查找预设。`,
};

export const findWords = wordsBeside(pairs, { en, zh });
