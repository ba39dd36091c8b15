// Builds data/hypernyms/hypernyms.txt from WordNet and the titles of the catalogue: `npx tsx data/hypernyms/build/main.ts`.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openCatalogue } from '../../../src/catalogue/catalogue.js';
import { meaningsIn } from '../../../src/library/language/concepts.js';
import { stemsOf } from '../../../src/library/language/english.js';
import { loadGlossary } from '../../../src/library/language/glossary.js';
import { normalise } from '../../../src/library/language/normalise.js';
import { readNouns } from './wordnet.js';

const SENSES = 2;
/** Of the nouns of a sense; later ones are seldom used so. */
const USUAL = 2;
const SURE = 0.7;
/** Kinds of one step. */
const MOST = 3;
/** So general that what is of one kind shows nothing of the other. */
const TOO_GENERAL = new Set(
  `entity object thing whole artifact instrumentality device unit group part matter person people individual being
   abstraction act action activity event state property attribute quality measure quantity amount relation cause
   change condition substance material structure system process content idea concept communication message signal
   area region location place position point way means work piece member collection organization body implement
   equipment covering container construction creation product creature organism time period number character form
   set line end head side kind category class type family genu order specy name word letter symbol sign cognition
   knowledge information feel content power control use result outcome happen occurrenc one item good commodity agent deed agency ground
   status motion movement move stuff element center division district capital instrument leader adult solid travel
   writ shap earth immortal land sound support attention extent degree beginning end start cut effect`
    .split(/\s+/)
    .flatMap(stemsOf),
);

const { senses, words, above } = readNouns();
const shown = stemsWithTitles();
const glossary = loadGlossary();
const glossed = new Set(Array.from({ length: glossary.stems }, (_, i) => glossary.stem(i)));
const found = new Map<string, [near: Set<string>, far: Set<string>]>();
for (const [word, offsets] of senses) {
  const [stem, ...others] = stemsOf(word);
  if (stem === undefined || others.length > 0 || word.includes('_') || !glossed.has(stem)) continue;
  const [near, far] = found.get(stem) ?? [new Set<string>(), new Set<string>()];
  const first = offsets.slice(0, SENSES).flatMap((offset) => above.get(offset) ?? []);
  for (const kind of first.flatMap(kindsOf)) near.add(kind);
  for (const kind of first.flatMap((offset) => above.get(offset) ?? []).flatMap(kindsOf)) far.add(kind);
  found.set(stem, [near, far]);
}

const lines = Array.from(found, ([stem, [near, far]]) => {
  const [one, two] = [[...near], [...far].filter((kind) => !near.has(kind))].map((kinds) =>
    kinds
      .filter((kind) => kind !== stem)
      .slice(0, MOST)
      .join(' '),
  );
  return one === '' && two === '' ? [] : [`${stem} ${one}${two === '' ? '' : `,${two}`}`];
});
const text = `${lines.flat().toSorted().join('\n')}\n`;
writeFileSync(new URL('../hypernyms.txt', import.meta.url), text);
process.stderr.write(`${lines.flat().length} stems, ${text.length} bytes\n`);

/** The usual nouns of a sense; where none is shown, the heads of its compounds: a toy dog is a dog. */
function kindsOf(offset: string): string[] {
  const nouns = words.get(offset) ?? [];
  const of = (some: readonly string[]) => some.flatMap(stemsOf).filter((stem) => shown.has(stem));
  const single = of(nouns.filter((noun) => !noun.includes('_')).slice(0, USUAL));
  const kinds = single.length > 0 ? single : of(nouns.map((noun) => noun.split('_').at(-1) ?? '')).slice(0, 1);
  return kinds.filter((stem) => !TOO_GENERAL.has(stem));
}

/** What titles of the catalogue mean by themselves, in Chinese or English: other kinds would find nothing. */
function stemsWithTitles(): ReadonlySet<string> {
  const stems = new Set<string>();
  const catalogue = openCatalogue(fileURLToPath(new URL('../../catalogue', import.meta.url)));
  for (const { title, titles } of catalogue.entries()) {
    for (const [stem, sure] of meaningsIn(normalise(title), loadGlossary())) if (sure >= SURE) stems.add(stem);
    const [stem, ...others] = stemsOf(titles?.en ?? '');
    if (stem !== undefined && others.length === 0) stems.add(stem);
  }
  return stems;
}
