// SQLite FTS5, with its own tokenisers and with text that was cut before.

import { BIGRAM_QUERIES, JIEBA_AND_UNIGRAMS, UNIGRAMS_AND_BIGRAMS, WITH_WHOLES, type Cut } from './cut.js';
import { BOOSTS, type Peer, type SetUp, type Text } from './peer.js';
import { Sqlite } from '../../support/sqlite.js';

const WORDS: Cut = both('unicode61', (text) => text.match(/[\p{L}\p{N}]+/gu) ?? []);
const TRIGRAMS: Cut = both('trigram', (text) => {
  const characters = Array.from(text);
  return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''));
});

/** FTS5 with different tokenisers. */
export const FTS5: readonly SetUp[] = [
  setUp(WITH_WHOLES),
  setUp(UNIGRAMS_AND_BIGRAMS),
  setUp(BIGRAM_QUERIES),
  setUp(JIEBA_AND_UNIGRAMS),
  { engine: 'fts5', name: TRIGRAMS.name, open: (texts) => openFts5(texts, TRIGRAMS, 'trigram') },
  { engine: 'fts5', name: WORDS.name, open: (texts) => openFts5(texts, WORDS, 'unicode61') },
];

function both(name: string, cut: (text: string) => string[]): Cut {
  return { name, index: cut, query: cut };
}

function setUp(cut: Cut): SetUp {
  return { engine: 'fts5', name: cut.name, open: (texts) => openFts5(texts, cut) };
}

/** Text is handed over as it is to a `tokenizer` of FTS5's own, else cut and with spaces between the terms. */
function openFts5(texts: readonly Text[], cut: Cut, tokenizer?: string): Peer {
  const db = new Sqlite(':memory:');
  const given = (text: string) => (tokenizer === undefined ? cut.index(text).join(' ') : text);
  db.exec(
    `CREATE VIRTUAL TABLE texts USING fts5(title, keywords, tokenize = '${tokenizer ?? 'unicode61 remove_diacritics 0'}')`,
  );
  const insert = db.prepare('INSERT INTO texts (rowid, title, keywords) VALUES (?, ?, ?)');
  db.transaction(() => {
    for (const [at, { title, keywords }] of texts.entries())
      insert.run(at + 1, given(title), given(keywords.join('\n')));
  })();
  const select = db
    .prepare<[string, number], number>(
      `SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, ${BOOSTS.title}, ${BOOSTS.keywords}), rowid LIMIT ?`,
    )
    .pluck();
  return {
    rank: (text, limit) => {
      const terms = [...new Set(cut.query(text))].map((term) => `"${term.replaceAll('"', '""')}"`);
      return terms.length === 0 ? [] : select.all(terms.join(' OR '), limit).map((rowid) => texts[rowid - 1]!.preset);
    },
    close: () => void db.close(),
  };
}
