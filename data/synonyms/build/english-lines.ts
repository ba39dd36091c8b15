// English words and their Chinese, from emoji that both languages name: a word that is the whole name of an emoji, or one
// that stands beside a Chinese word on most emoji of either.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

type Annotations = Record<string, { readonly default: readonly string[]; readonly tts: readonly string[] }>;

const { resolve } = createRequire(import.meta.url);
const ENGLISH_WORD = /^[a-z]{3,}$/;
const HAN_WORD = /^[\u4E00-\u9FFF]{1,5}$/;
/** Pictures; joined sequences only repeat the words of their parts. */
const PICTURE = /^\p{Extended_Pictographic}[\uFE0F]?$/u;
const LEAST_ALIKE = 0.6;
const LEAST_SHARED = 2;

/** Read by hand, line by line, and left out: not what an editor who types the word wants to see. */
const REFUSED = new Set(
  `abcd accessibility adult amusement angle arrived babe backhand bae balance bald ball bandage basket bearer because bedtime
   behind belly bestie between bff block bloated blind boy brown bug bust cab cabbie cable cancel cancer case cell chains child
   christian club clue collision contact country cream customs cycle data dating death demon devil dialog direction disbelief
   disk divide divides dizzy doll dolls done doubt drinking drinks drive eight eleven elegant emotion entry equals european ewe
   extraterrestrial fairy falling fine first flair flat flavoring fly flying forbidden formal fortune four french frown frowning
   goodnight grateful gray groove gross haha halt headstone hear hello hidden hook horn horns hump hurt identity ideograph ily
   improvement increasing increment index input integral intersection islam japanese jar jealous jew jewish joker joy judaism
   kaaba katakana khanda king kid lacrosse large last latin leftward legume lens lenticular letter letters like lowered lozenge
   maddening mage mail mate mechanical medicine medium menorah merperson merry mexican military moo mute muslim myth nabla nap
   nest nesting new nib nine note novels oden okay omw ophiuchus optical organ original ornithology outlined overeat pad page
   painting panic parallel park partying passenger person pest pick pin pine place play please plunger point pointed pointing
   pointy post precedes predator print proportion proportional prosthetic proud punctuation push pushing quarter queen question
   quiet rage raising ram ranch ratio reach receive record refuse religion rial riding rightward rock rofl root rosette royal
   royalty scales scorpius sauropod seat secret sent serpent settle seven sexy shell shh shooting shortcake showing sick silent
   silhouette simple six skeptical skewer skin slap slice sly smart smell soar special speech speed spiral stick stink straight
   straw suburban suburbia succeeds superset surf surfer sweat tear ten theme therefore thirty thread three tick tilted tired
   together tone tool track traffic transgender tray trend troll tuple twelve twins type undead unimpressed union unlocked upset
   upward volume wait war where whoa wing wings wireless wise wtv yen yes yikes young younger zzz moai genie crossed flamenco
   synagogue mosque chapel church cross hamsa mammal marsupial divide emergency locked bill bracket brackets chevron booze lol
   bullseye clean dvd education fork haircut line magnifying middle mill multiplication musical pearl purse quote sand section sewing
   shake sharp single slash squinting steaming tag than won football control inverted degree fearful rich underwear briefs minus
   bang bubble bull bullet pound peso rupee lira ruble cent colon prime period comma austral haha barbell growth experiment fear fight file hole identity knot lab kiss kissing love instrument dance dancing dancer
   festive salsa tango lodging health holiday christmas halloween birthday wedding travel sport study music movie news shopping`.split(
    /\s+/,
  ),
);
/** Where the first Chinese word of the data is the lesser one. */
const BETTER = new Map(
  Object.entries({
    alcohol: '酒',
    baby: '婴儿',
    biking: '骑自行车',
    castle: '城堡',
    construction: '施工',
    cooking: '烹饪',
    ruler: '尺子',
    salad: '沙拉',
    santa: '圣诞老人',
    sleep: '睡觉',
    surfing: '冲浪',
    prize: '奖品',
    cry: '哭',
    airplane: '飞机',
    aeroplane: '飞机',
    art: '艺术',
    autumn: '秋天',
    bat: '蝙蝠',
    bathroom: '浴缸',
    bike: '自行车',
    bicyclist: '骑自行车',
    cat: '猫',
    city: '城市',
    cold: '寒冷',
    couple: '情侣',
    earth: '地球',
    eat: '餐具',
    friends: '朋友',
    folder: '文件夹',
    fruit: '水果',
    knowledge: '知识',
    luggage: '行李箱',
    library: '图书馆',
    phone: '手机',
    pulse: '心跳',
    museum: '博物馆',
    snowman: '雪人',
    space: '太空',
    swimsuit: '泳衣',
    world: '世界',
    yawn: '打哈欠',
    turtle: '乌龟',
    tortoise: '乌龟',
    crab: '螃蟹',
    bird: '鸟',
    refresh: '刷新',
    search: '搜索',
    mouse: '老鼠',
    rat: '老鼠',
  }),
);

/** Entries, one English word each, in alphabetical order. */
export function englishLines(): string[] {
  const chinese = readAnnotations('zh');
  const english = readAnnotations('en');
  const emoji = Object.keys(chinese).filter((one) => english[one] !== undefined && PICTURE.test(one));
  const found = new Map([...alike(emoji, english, chinese), ...namesakes(emoji, english, chinese), ...BETTER]);
  return [...found]
    .filter(([word]) => !REFUSED.has(word))
    .map(([word, meaning]) => `${word} > ${meaning}`)
    .toSorted();
}

function* namesakes(emoji: readonly string[], english: Annotations, chinese: Annotations): Iterable<[string, string]> {
  for (const one of emoji) {
    const word = english[one]!.tts[0]?.toLowerCase() ?? '';
    const meaning = chinese[one]!.tts[0] ?? '';
    if (ENGLISH_WORD.test(word) && HAN_WORD.test(meaning)) yield [word, meaning];
  }
}

function* alike(emoji: readonly string[], english: Annotations, chinese: Annotations): Iterable<[string, string]> {
  const ofEnglish = emojiByWord(emoji, english, ENGLISH_WORD);
  const ofChinese = emojiByWord(emoji, chinese, HAN_WORD);
  for (const [word, its] of ofEnglish) {
    let best = { meaning: '', likeness: LEAST_ALIKE };
    for (const [meaning, others] of ofChinese) {
      const shared = [...its].filter((one) => others.has(one)).length;
      const likeness = shared / (its.size + others.size - shared);
      if (shared >= LEAST_SHARED && likeness >= best.likeness) best = { meaning, likeness };
    }
    if (best.meaning !== '') yield [word, best.meaning];
  }
}

function emojiByWord(emoji: readonly string[], annotations: Annotations, pattern: RegExp): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const one of emoji) {
    for (const word of [...annotations[one]!.default, ...annotations[one]!.tts].map((each) => each.toLowerCase())) {
      if (pattern.test(word)) found.set(word, (found.get(word) ?? new Set()).add(one));
    }
  }
  return found;
}

function readAnnotations(language: string): Annotations {
  const file = resolve(`cldr-annotations-full/annotations/${language}/annotations.json`);
  const json = JSON.parse(readFileSync(file, 'utf8')) as { annotations: { annotations: Annotations } };
  return json.annotations.annotations;
}
