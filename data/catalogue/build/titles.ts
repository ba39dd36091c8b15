// Titles in other languages than Chinese, for each thing that the catalogue shows: Unicode CLDR's for emoji, IconPark's own
// English names, and the English names of OpenStreetMap's presets.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

type Annotations = Record<string, { readonly tts?: readonly string[] }>;
type Names = Record<string, { readonly name?: string }>;

/** Languages of a line, in its order. */
const LANGUAGES = ['en', 'ja', 'ko'] as const;
const SELECTOR = /\uFE0F/g;
/** IconPark numbers drawings of one name in words. */
const NUMBERED = /(?!^)-(?:one|two|three|four|five|six|seven|eight|nine|ten)$/;
/** Names in which the number says what is drawn. */
const COUNTS = new Set(['black-eight', 'grid-four', 'grid-nine', 'one-to-one', 'replay-five']);

const require = createRequire(import.meta.url);

/** The text of `titles.txt`: concept, English and, where there are any, Japanese and Korean titles. Throws for a concept without English. */
export function titlesOf(concepts: Iterable<string>): string {
  const sources: Record<string, (name: string) => readonly string[]> = {
    emoji: emojiTitles(),
    icon: (name) => [(COUNTS.has(name) ? name : name.replace(NUMBERED, '')).replaceAll('-', ' ')],
    place: placeTitles(),
  };
  const lines = Array.from(new Set(concepts))
    .toSorted()
    .map((concept) => {
      const slash = concept.indexOf('/');
      const titles = sources[concept.slice(0, slash)]?.(concept.slice(slash + 1)) ?? [];
      if (!titles[0]) throw new Error(`No English title for ${concept}`);
      return [concept, ...titles].join('\t');
    });
  return `${lines.join('\n')}\n`;
}

function emojiTitles(): (codes: string) => string[] {
  const languages = LANGUAGES.map((language) => {
    const all = { ...annotations('annotationsDerived', language), ...annotations('annotations', language) };
    return new Map(Object.entries(all).map(([emoji, { tts }]) => [emoji.replace(SELECTOR, ''), tts?.[0]]));
  });
  return (codes) => {
    const emoji = String.fromCodePoint(...codes.split('-').map((code) => Number.parseInt(code, 16)));
    return languages.map((names) => names.get(emoji.replace(SELECTOR, '')) ?? '');
  };
}

function annotations(kind: 'annotations' | 'annotationsDerived', language: string): Annotations {
  const folder = kind === 'annotations' ? 'cldr-annotations-full' : 'cldr-annotations-derived-full';
  const json = readJson(`${folder}/${kind}/${language}/annotations.json`) as Record<
    string,
    Record<string, Annotations>
  >;
  return json[kind]?.annotations ?? {};
}

function placeTitles(): (preset: string) => string[] {
  const { en } = readJson('@openstreetmap/id-tagging-schema/dist/translations/en.json') as {
    en: { presets: { presets: Names } };
  };
  return (preset) => [en.presets.presets[preset]?.name ?? ''];
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(require.resolve(file), 'utf8'));
}
