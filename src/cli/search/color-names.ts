// Colors as people type them, for `svcd search --color`.

import { invalidArgument } from '../terminal/input.js';
import { didYouMean } from '../terminal/usage-error.js';
import { findWords } from './words.js';

/** The sixteen basic names of CSS, more of its names for what stickers have, and Chinese ones, without 色 at their end; a search takes six digits. */
const NAMES: Readonly<Record<string, string>> = {
  '000000': 'black 黑',
  '808080': 'gray grey 灰',
  c0c0c0: 'silver 银 銀',
  ffffff: 'white 白',
  ff0000: 'red 红 紅 大红 正红 朱红',
  '800000': 'maroon 栗 枣红 暗红 深红',
  dc143c: 'crimson 绯红 緋紅',
  ffa500: 'orange 橙 橘 橘黄',
  ff7f50: 'coral 珊瑚',
  a52a2a: 'brown 棕 褐 咖啡',
  d2b48c: 'tan 茶 驼',
  ffe4c4: 'bisque beige 米',
  ffff00: 'yellow 黄 黃 明黄',
  ffd700: 'gold 金',
  '808000': 'olive 橄榄 橄欖',
  '008000': 'green 绿 綠 翠绿',
  '00ff00': 'lime 青柠 亮绿 酸橙',
  '006400': 'darkgreen 深绿 墨绿',
  '90ee90': 'lightgreen 浅绿 淡绿',
  '008080': 'teal 水鸭 蓝绿',
  '00ffff': 'aqua cyan 青 水',
  '40e0d0': 'turquoise 绿松石 青绿',
  '0000ff': 'blue 蓝 藍',
  '000080': 'navy 藏青 海军蓝 深蓝',
  '87ceeb': 'skyblue 天蓝',
  add8e6: 'lightblue 浅蓝 淡蓝',
  '4b0082': 'indigo 靛 靛蓝',
  '800080': 'purple 紫',
  ee82ee: 'violet 紫罗兰',
  ff00ff: 'fuchsia magenta 洋红 品红 紫红',
  ffc0cb: 'pink 粉 粉红',
  ff69b4: 'hotpink 玫红 桃红',
};

const HEX_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([hex, names]) => names.split(' ').map((name) => [name, hex] as const)),
);

/** What was typed as `--color`: six digits after a `#`. Throws `invalid_argument` with the names there are. */
export function readColor(typed: string): string {
  const digits = /^#?([\da-f]{6}|[\da-f]{3})$/i.exec(typed.trim())?.[1]?.toLowerCase();
  if (digits !== undefined) return `#${digits.length === 6 ? digits : digits.replace(/./g, '$&$&')}`;
  const name = typed.toLowerCase().replace(/[\s_-]+/g, '');
  const hex = HEX_OF.get(name) ?? HEX_OF.get(name.replace(/色$/u, ''));
  if (hex !== undefined) return `#${hex}`;
  const words = findWords();
  throw invalidArgument(
    words.noColor(JSON.stringify(typed), didYouMean(name, [...HEX_OF.keys()])),
    words.colorNames(
      Object.values(NAMES)
        .map((names) => names.split(' ')[0])
        .join(', '),
    ),
  );
}
