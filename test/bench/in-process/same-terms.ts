// MiniSearch over the very terms that svcd indexes, asked for the very terms svcd makes of a query, with their boosts:
// what svcd's own lists save when all else is equal. It gives no meanings, reasons or pages; only its search is timed.

import MiniSearch from 'minisearch';
import { loadGlossary } from '../../../src/library/language/glossary.js';
import { normalise } from '../../../src/library/language/normalise.js';
import { createQueryContext, type QueryContext } from '../../../src/library/query/query-context.js';
import { planQuery } from '../../../src/library/query/query-plan.js';
import { Spelling } from '../../../src/library/search-index/spelling.js';
import { parseSynonyms } from '../../../src/library/language/synonyms.js';
import { termsOf, WORD_ENGINE, wordDocument, type WordDocument } from '../../library/word-engine.js';
import { indexOf } from '../../library/scratch-library.js';
import { recode } from '../../library/recode.js';
import type { Text } from '../peers/peer.js';

/** A search of such an engine: every document with its score, as MiniSearch gives them. */
export function openSameTerms(texts: readonly Text[], synonymTable: string): (query: string) => unknown {
  const lexicon = makeLexicon(texts, synonymTable);
  const engine = new MiniSearch<WordDocument>(WORD_ENGINE);
  for (const [id, text] of texts.entries()) {
    const terms = termsOf({ ...text, rowid: id }, lexicon.glossary);
    const document = wordDocument(id, terms, recode);
    const meanings = Array.from(terms.meanings.keys(), recode).join('\n');
    engine.add({ ...document, keywords: `${document.keywords}\n${meanings}` });
  }
  return (query) => {
    const { direct, synonyms, meanings, single } = planQuery(normalise(query), lexicon);
    const uses = [...direct, ...[...synonyms, ...meanings].flatMap(({ terms }) => terms), ...single];
    const terms = uses.map(({ term }) => recode(lexicon.index.spell(term))).join('\n');
    return engine.search(terms, { boostTerm: (_, i) => uses[i]!.boost });
  };
}

function makeLexicon(texts: readonly Text[], synonymTable: string): QueryContext {
  const glossary = loadGlossary();
  const index = indexOf(
    texts.map((text, rowid) => ({ ...text, rowid })),
    glossary,
  );
  return createQueryContext({
    index,
    synonyms: parseSynonyms(synonymTable),
    glossary,
    spelling: new Spelling(index),
  });
}
