// The language that the page speaks, how it writes numbers and times, and the words of what is there from the beginning.

import { computed, type ReadonlySignal, signal } from '@preact/signals';

export type Lang = 'en' | 'zh';

const KEPT = 'svcd.lang';

export const lang = signal<Lang>('en');

type Pair = readonly [en: string, zh: string];

/** Each sentence stands in English and then in Chinese: one that is missing does not compile. */
export interface Table {
  readonly [name: string]: Pair | ((...given: never[]) => Pair) | Table;
}

type InOne<T> = T extends Pair
  ? string
  : T extends (...given: infer G) => Pair
    ? (...given: G) => string
    : { readonly [Name in keyof T]: InOne<T[Name]> };

/** The words of some part of the page, in the language that is chosen. */
export const wordsIn = <const T extends Table>(table: T): ReadonlySignal<InOne<T>> =>
  computed(() => inOne(table, lang.value === 'zh' ? 1 : 0) as InOne<T>);

function inOne(one: Table[string], at: 0 | 1): unknown {
  if (typeof one === 'function') return (...given: never[]) => one(...given)[at];
  if (isPair(one)) return one[at];
  return Object.fromEntries(Object.entries(one).map(([name, below]) => [name, inOne(below, at)]));
}

const isPair = (one: Pair | Table): one is Pair => Array.isArray(one);

const table = {
  title: ['svcd', 'svcd'],
  search: ['Search stickers', '搜索贴纸'],
  searchHint: ['Words, pinyin or emoji', '词语、拼音或表情'],
  found: (count: string, q: string, isOne: boolean) => [
    q === '' ? `${count} ${isOne ? 'sticker' : 'stickers'}` : `${count} found · ${q}`,
    q === '' ? `${count} 个贴纸` : `找到 ${count} 个 · ${q}`,
  ],
  meant: ['Did you mean', '您是不是要找'],
  all: ['All', '全部'],
  owned: ['Owned', '已拥有'],
  usual: {
    recent: ['Recent', '最近使用'],
    favourites: ['Favourites', '收藏'],
    wanted: ['Wanted', '想要'],
    'no-sketch': ['Without a sketch', '不要示意图'],
  },
  collections: ['Collections', '收藏夹'],
  color: ['Color', '颜色'],
  shape: ['Shape', '形状'],
  square: ['Square', '方形'],
  wide: ['Wide', '横向'],
  tall: ['Tall', '纵向'],
  length: ['Length', '时长'],
  anyLength: ['Any', '不限'],
  atMost: (seconds: string) => [`≤ ${seconds} s`, `≤ ${seconds} 秒`],
  style: ['Style', '风格'],
  sort: ['Order', '排序'],
  sorts: {
    best: ['Best first', '最相关'],
    title: ['By title', '按标题'],
    seen: ['Newest', '最新'],
    hue: ['By color', '按颜色'],
    length: ['By length', '按时长'],
  },
  motion: ['Motion', '动画'],
  motions: {
    hover: ['On hover', '悬停时'],
    view: ['All', '全部'],
    never: ['Never', '不播放'],
  },
  size: ['Size', '大小'],
  sizes: {
    small: ['Small', '小'],
    medium: ['Medium', '中'],
    large: ['Large', '大'],
  },
  theme: ['Theme', '外观'],
  themes: {
    system: ['System', '跟随系统'],
    light: ['Light', '浅色'],
    dark: ['Dark', '深色'],
  },
  language: ['中文', 'EN'],
  removeFilter: (name: string) => [`Remove filter ${name}`, `去掉筛选：${name}`],
  seconds: (text: string) => [`${text} s`, `${text} 秒`],
  credits: (count: number, text: string) => [`${text} ${count === 1 ? 'credit' : 'credits'}`, `${text} 积分`],
  label: {
    owned: ['✓ Owned', '✓ 已拥有'],
    own: ['✓ Yours', '✓ 自己的'],
    shipped: ['✓ Free', '✓ 免费'],
    sandbox: ['Sandbox', '沙盒'],
    sketch: ['Sketch', '示意'],
    none: ['No picture', '无图'],
  },
  purchase: {
    under_way: ['Buying …', '正在购买…'],
    slow: ['Still under way; it is kept when it comes', '仍在购买，到达后会保存'],
    unknown: ['1 credit may be gone', '可能已扣 1 积分'],
    damaged: ['File damaged', '文件已损坏'],
    undrawable: ['This file could not be drawn here', '此文件无法在这里显示'],
    gone: ['No longer sold; yours stays', '已停售，您的仍可用'],
    unsold: ['No longer sold', '已停售'],
  },
  stickers: ['Stickers', '贴纸'],
  details: ['Details', '详情'],
  close: ['Close', '关闭'],
  cancel: ['Cancel', '取消'],
  undo: ['Undo', '撤销'],
  buy: (price: string) => [`Buy · ${price}`, `购买 · ${price}`],
  asOf: (at: string) => [`as of ${at}`, `${at} 的数据`],
  help: ['Keys', '快捷键'],
  again: ['Try again', '重试'],
  changed: ['The list has changed.', '列表有变化。'],
  show: ['Show', '显示'],
  copy: ['Script', '文案'],
  completions: ['Completions', '补全'],
  completion: (word: string, count: string) => [`${word}, ${count} stickers`, `${word}，${count} 个贴纸`],
  readAsCopy: ['Read as a text to match.', '已作为文案匹配。'],
  asWords: ['Search as words instead', '改为按词语搜索'],
  scenes: ['Try', '试试'],
  sceneNames: {
    生日: ['Birthday', '生日'],
    促销: ['Sale', '促销'],
    点赞: ['Like', '点赞'],
    新年: ['New Year', '新年'],
    爱心: ['Heart', '爱心'],
    庆祝: ['Party', '庆祝'],
    美食: ['Food', '美食'],
    音乐: ['Music', '音乐'],
    天气: ['Weather', '天气'],
    旅行: ['Travel', '旅行'],
    箭头: ['Arrow', '箭头'],
    笑脸: ['Smile', '笑脸'],
  },
  standIn: [
    'Dashed frames are stand-ins: the service shows no picture before you buy.',
    '虚线框只是示意：付费之前，服务不提供图片。',
  ],
  filters: ['Filters', '筛选'],
  filterCount: (count: string) => [`Filters (${count})`, `筛选（${count}）`],
  otherColor: ['Another color', '其他颜色'],
  pickColor: ['Pick a color from the screen', '从屏幕取色'],
  colors: {
    f8312f: ['Red', '红色'],
    ff822d: ['Orange', '橙色'],
    fcd53f: ['Yellow', '黄色'],
    '00d26a': ['Green', '绿色'],
    '00a6ed': ['Blue', '蓝色'],
    '5b4bd6': ['Violet', '蓝紫色'],
    b4478f: ['Purple', '紫红色'],
    '9b9b9b': ['Gray', '灰色'],
    '212121': ['Black', '黑色'],
    ffffff: ['White', '白色'],
  },
  letters: ['Single-letter keys', '单字母快捷键'],
  stop: ['Stop all motion', '停止全部动画'],
  nothingFor: (q: string) => [`Nothing found for “${q}”`, `没有找到“${q}”`],
  nothingHere: ['Nothing here yet', '这里还没有贴纸'],
  noWord: ['Nothing has these words:', '没有贴纸含有：'],
  putBack: (word: string) => [`Search with ${word} again`, `重新搜索 ${word}`],
  without: ['Found without a filter:', '去掉一个筛选条件：'],
  onlyChosen: ['Chosen', '已选'],
  chosenMany: (count: string) => [`${count} chosen`, `已选 ${count} 个`],
  choosing: ['Choosing …', '正在选择…'],
  copied: (what: string) => [`Copied: ${what}`, `已复制：${what}`],
  notCopied: ['The browser does not let this page copy.', '浏览器不允许本页复制。'],
  saved: (name: string) => [`Saved: ${name}`, `已保存：${name}`],
  inFolder: (path: string) => [`In the folder; its path is copied: ${path}`, `已放入文件夹，路径已复制：${path}`],
  inFolderOnly: (path: string) => [`In the folder: ${path}`, `已放入文件夹：${path}`],
  awayNow: ['svcd does not answer. Nothing was changed.', 'svcd 没有响应，没有任何改动。'],
  failed: (why: string) => [`That did not work: ${why}`, `操作失败：${why}`],
  noneFits: ['Nothing fits; these are only loosely related', '没有合适的贴纸；以下仅略有关联'],
  related: (count: string) => [`Only loosely related · ${count}`, `以下仅略有关联 · ${count} 个`],
  more: (count: string) => [`${count} more.`, `又有 ${count} 个。`],
} satisfies Table;

export const words = wordsIn(table);
export const SCENES = Object.keys(table.sceneNames) as (keyof typeof table.sceneNames)[];

/** Chooses by `lang=` in the address, then what was chosen before, then the browser. */
export function beginLanguage(address: URL): void {
  const asked = [address.searchParams.get('lang'), localStorage.getItem(KEPT), navigator.language];
  const found = asked.find((one) => one !== null && one !== '') ?? '';
  chooseLanguage(found.toLowerCase().startsWith('zh') ? 'zh' : 'en', false);
}

export function chooseLanguage(chosen: Lang, keep = true): void {
  lang.value = chosen;
  document.documentElement.lang = chosen === 'zh' ? 'zh-CN' : 'en';
  document.title = words.value.title;
  if (keep) localStorage.setItem(KEPT, chosen);
}

/** This moment, in the browser. */
export const now = (): Date => new Date();

/** A time of today by its clock, another with its day. */
export function time(instant: string | Date): string {
  const at = new Date(instant);
  const isToday = at.toDateString() === now().toDateString();
  return new Intl.DateTimeFormat(lang.value, {
    ...(!isToday && { month: 'short', day: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);
}

/** A number as people write it here. */
export function number(value: number, digits = 0): string {
  const key = `${lang.value} ${digits}`;
  // To make a format takes far longer than to use it, and every tile has two.
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(lang.value, { maximumFractionDigits: digits });
    formats.set(key, format);
  }
  return format.format(value);
}

const formats = new Map<string, Intl.NumberFormat>();

/** What stands above those of a list that are only loosely related. */
export const sayRelated = (from: number, total: number): string =>
  from === 0 ? words.value.noneFits : words.value.related(number(total - from));

/** So many credits, in words. */
export const credits = (count: number, text = number(count)): string => words.value.credits(count, text);

/** A style that svcd knows no name for is called what it is called in presets. */
export const nameOfStyle = (style: string): string => STYLE_NAMES[style]?.[lang.value] ?? style;

/** Collections that everybody has are named in the page's language. */
export function nameOfCollection(name: string): string {
  const { usual } = words.value;
  return Object.hasOwn(usual, name) ? usual[name as keyof typeof usual] : name;
}
