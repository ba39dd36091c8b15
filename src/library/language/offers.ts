// What a copy offers by a number: 满300减50, 50% off, 最后3天. No table of words can list them, and the number alone says
// nothing that could be seen: the word for the offer does.

import { spellEmoji } from './emoji-words.js';
import { normalise } from './normalise.js';

interface Offer {
  /** Where it begins and ends in the normalised text. */
  readonly start: number;
  readonly end: number;
  /** One that the synonyms know. */
  readonly word: string;
}

const HAS_NUMBER = /[0-9一二两三四五六七八九十百千万半几]|(?<![a-z])(?:one|two|three)(?![a-z])/;
const NUMBER = '(?:[0-9]+(?:[.,][0-9]+)*|[一二两三四五六七八九十百千万半几]+)';
const MONEY = `[¥￥$€£]? ?${NUMBER} ?[元块]?`;
const TIME = '(?:天|日|周|个?小时|个?钟头|分钟|秒)';

/** By word. In Latin letters a number stands apart from what is beside it. */
const OFFERS: readonly (readonly [word: string, pattern: RegExp])[] = [
  ['满减', pattern(`满 ?${MONEY} ?(?:立|直|再)?[减返抵送] ?${MONEY}`)],
  ['满减', pattern(`(?:立减|直降|立省) ?${MONEY}`)],
  ['折扣', pattern(`(?<![0-9.])[0-9]+(?:\\.[0-9]+)? ?% off(?![a-z])`)],
  ['折扣', pattern(`(?<![a-z])save (?:up to )?(?:[$€£] ?[0-9.,]*[0-9]|[0-9.,]*[0-9] ?%)`)],
  ['特价', pattern(`(?:仅需|只需|仅售|低至|最低|到手价?) ?(?:[¥￥] ?${NUMBER}|${NUMBER} ?[元块])`)],
  ['特价', pattern(`(?<![a-z])(?:only|just|from) [$€£] ?[0-9.,]*[0-9]`)],
  ['倒计时', pattern(`(?:最后|仅剩|只剩|还剩|还有|倒数|剩余?) ?${NUMBER} ?${TIME}`)],
  [
    '倒计时',
    pattern(`(?<![a-z])(?:last|final|only) (?:[0-9]+|one|two|three) (?:days?|hours?|minutes?)(?: left)?(?![a-z])`),
  ],
  ['倒计时', pattern(`(?<![a-z0-9])[0-9]+ (?:days?|hours?|minutes?) (?:left|to go)(?![a-z])`)],
  ['买一送一', pattern(`买 ?${NUMBER} ?[送赠] ?${NUMBER}`)],
  ['买一送一', pattern(`(?<![a-z])buy (?:[0-9]+|one|two),? get (?:[0-9]+|one|two)(?: free)?(?![a-z])`)],
];

/** The offers of a normalised text, in order and apart. */
export function findOffers(text: string): Offer[] {
  if (!HAS_NUMBER.test(text)) return [];
  const found = OFFERS.flatMap(([word, offer]) =>
    Array.from(text.matchAll(offer), ({ 0: said, index }) => ({ start: index, end: index + said.length, word })),
  ).toSorted((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return found.filter((offer) => {
    const isApart = offer.start >= end;
    if (isApart) ({ end } = offer);
    return isApart;
  });
}

/** A text as words are looked for in it: normalised, emoji and offers by their names. */
export function spellOut(text: string): string {
  const plain = normalise(spellEmoji(text));
  let spelled = '';
  let at = 0;
  for (const { start, end, word } of findOffers(plain)) {
    spelled += `${plain.slice(at, start)} ${word} `;
    at = end;
  }
  return at === 0 ? plain : normalise(spelled + plain.slice(at));
}

function pattern(source: string): RegExp {
  return new RegExp(source, 'gu');
}
