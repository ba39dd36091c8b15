// What a prompt says of a picture's color, place and shapes, by plain words in Chinese and English. Which things
// stand in it is for the catalogue to say.

export type Rgb = readonly [red: number, green: number, blue: number];
export type Ground = 'sea' | 'grass' | 'sand' | 'snow' | 'city' | 'floor';
export type Sky = 'day' | 'night' | 'sunset' | 'plain';
export type Weather = 'rain' | 'snow' | 'confetti' | 'stars' | 'hearts';
export type Shape = 'circle' | 'square' | 'triangle' | 'star' | 'heart';

export interface Reading {
  /** Of the backdrop. */
  readonly color: Rgb | undefined;
  /** Other colors that are named. */
  readonly accents: readonly Rgb[];
  readonly sky: Sky;
  readonly ground: Ground | undefined;
  readonly weather: readonly Weather[];
  readonly shapes: readonly Shape[];
}

type Words<T> = readonly (readonly [words: RegExp, meaning: T])[];

const COLORS: Words<Rgb> = [
  [/粉红?|\bpink/, [255, 182, 203]],
  [/红|\bred\b|crimson/, [226, 61, 66]],
  [/橙|橘|\borange\b/, [250, 152, 58]],
  [/黄|\byellow/, [252, 213, 83]],
  [/金|\bgold/, [232, 186, 74]],
  [/绿|\bgreen/, [92, 184, 110]],
  [/青|\bteal\b|turquoise|\bcyan/, [70, 190, 190]],
  [/蓝|\bblue|\bnavy/, [84, 150, 236]],
  [/紫|\bpurple|violet|lavender/, [158, 117, 224]],
  [/棕|褐|咖啡色|\bbrown/, [150, 104, 72]],
  [/黑|\bblack/, [38, 40, 48]],
  [/灰|\bgr[ae]y/, [168, 174, 184]],
  [/白|\bwhite/, [246, 247, 249]],
];
/** Words that say a color is that of the backdrop, after it or before it. */
const BACKDROP_AFTER = /^色?的?(背景|底色?|墙|天空|纸)|^\s*(background|backdrop|wall|sky|paper)/;
const BACKDROP_BEFORE =
  /(\bon|against|背景是?|背景为)\s*(an?\s|the\s)?(soft|light|pale|bright|dark|浅|淡|深)?\s*$/;

const SKIES: Words<Sky> = [
  [/夜|星空|月亮|月光|银河|午夜|\bnight|midnight|starry|moonlight|galaxy/, 'night'],
  [/夕阳|日落|黄昏|晚霞|日出|清晨|\bsunset|sunrise|\bdusk|\bdawn/, 'sunset'],
  [/天空|蓝天|白云|晴|户外|风景|\bsky\b|\bsunny|outdoor|landscape/, 'day'],
];
const GROUNDS: Words<Ground> = [
  [/海|湖|河|波浪|\bsea\b|ocean|\blake|\briver|waves?\b/, 'sea'],
  [/沙滩|沙漠|海滩|\bbeach|desert|\bsand/, 'sand'],
  [/草|森林|田|公园|花园|山|grass|forest|\bfield|\bpark\b|garden|\bhills?\b|mountain/, 'grass'],
  [/雪|冬|冰|\bsnow|winter|\bice\b/, 'snow'],
  [/城市|街|都市|大楼|\bcity|street|skyline|\btown/, 'city'],
  [/桌|室内|房间|舞台|\btable|indoor|\broom\b|\bstage/, 'floor'],
];
const WEATHERS: Words<Weather> = [
  [/雨|\brain/, 'rain'],
  [/雪|\bsnow/, 'snow'],
  [/星|夜空|\bstars?\b|starry|\bnight/, 'stars'],
  [/生日|派对|庆祝|节日|新年|彩带|狂欢|birthday|\bparty|celebrat|festival|confetti/, 'confetti'],
  [/爱|浪漫|情人|婚|\blove|romantic|valentine|wedding/, 'hearts'],
];
const SHAPES: Words<Shape> = [
  [/圆|\bcircles?\b|\bround\b|\bdots?\b/, 'circle'],
  [/方块|方形|正方|\bsquares?\b|\bcubes?\b|\bboxes\b/, 'square'],
  [/三角|\btriangles?\b/, 'triangle'],
  [/星形|五角星|\bstar shapes?\b/, 'star'],
  [/心形|\bhearts?\b/, 'heart'],
];

/** Reads a prompt; what it does not speak of stays undefined or empty. */
export function readPrompt(prompt: string): Reading {
  const text = prompt.toLowerCase();
  const sky = SKIES.find(([words]) => words.test(text))?.[1];
  const ground = GROUNDS.find(([words]) => words.test(text))?.[1];
  const [color, ...accents] = colorsIn(text);
  return {
    color,
    accents,
    sky: sky ?? (ground === undefined || ground === 'floor' ? 'plain' : 'day'),
    ground,
    weather: WEATHERS.filter(([words]) => words.test(text)).map(([, meaning]) => meaning),
    shapes: SHAPES.filter(([words]) => words.test(text)).map(([, meaning]) => meaning),
  };
}

/** The colors of a text, that of its backdrop first. */
function colorsIn(text: string): Rgb[] {
  const named = COLORS.flatMap(([words, color]) => {
    const found = words.exec(text);
    if (found === null) return [];
    const [before, after] = [text.slice(0, found.index), text.slice(found.index + found[0].length)];
    return [
      { at: found.index, color, isBackdrop: BACKDROP_AFTER.test(after) || BACKDROP_BEFORE.test(before) },
    ];
  });
  return named
    .toSorted((a, b) => Number(b.isBackdrop) - Number(a.isBackdrop) || a.at - b.at)
    .map(({ color }) => color);
}
