// Builds data/emoji/emoji-words.txt: `npx tsx data/emoji/build/main.ts`.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

type Annotations = Record<string, { readonly default?: readonly string[]; readonly tts?: readonly string[] }>;

const { resolve } = createRequire(import.meta.url);
const SKIN_TONE = /[\u{1F3FB}-\u{1F3FF}]/u;
const SELECTOR = /[\uFE0E\uFE0F]/gu;
const NAMED_LAST = /^(?:\p{RI}|\u{1F3F4}\u{E0067}|.\u20E3)/u;
/** Keycaps, flags, pictures, and arrows and signs; not the marks and currency signs that every text is full of. */
const PICTURE = /^(?:[0-9#*]\u20E3|\p{RI}|\p{Extended_Pictographic}|[\u2190-\u21FF]|(?=[\u2300-\u{1FFFF}])\p{So})/u;

function readAnnotations(file: string, name: 'annotations' | 'annotationsDerived'): Annotations {
  const json = JSON.parse(readFileSync(resolve(file), 'utf8')) as Record<typeof name, { annotations: Annotations }>;
  return json[name].annotations;
}

function lineOf(emoji: string, { default: keywords = [], tts = [] }: Annotations[string]): string {
  const names = tts.flatMap((name) => name.split(/[:：]\s*/));
  // "旗: 中国", "按键: 1": which flag or key it is comes last, and is what it means.
  if (NAMED_LAST.test(emoji)) names.reverse();
  const words = [...names, ...keywords].map((word) => word.replace(/\s+/g, ''));
  return [emoji, ...new Set(words.filter((word) => word !== '' && word !== emoji))].join(' ');
}

const all = {
  ...readAnnotations('cldr-annotations-derived-full/annotationsDerived/zh/annotations.json', 'annotationsDerived'),
  ...readAnnotations('cldr-annotations-full/annotations/zh/annotations.json', 'annotations'),
};
const lines = Object.entries(all)
  .map(([emoji, words]) => [emoji.replace(SELECTOR, ''), words] as const)
  .filter(([emoji]) => PICTURE.test(emoji) && !SKIN_TONE.test(emoji))
  .map(([emoji, words]) => lineOf(emoji, words))
  .toSorted();
writeFileSync(new URL('../emoji-words.txt', import.meta.url), `${lines.join('\n')}\n`);
process.stderr.write(`${lines.length} emoji\n`);
