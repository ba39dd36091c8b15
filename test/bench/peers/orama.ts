// Orama, with its own recipe for Chinese and with tokenisers that suit it better.

import { create, insertMultiple, search } from '@orama/orama';
import { JIEBA_AND_UNIGRAMS, SEGMENTER, UNIGRAMS_AND_BIGRAMS, WITH_WHOLES, BIGRAM_QUERIES, type Cut } from './cut.js';
import { BOOSTS, type Peer, type SetUp, type Text } from './peer.js';

/** Orama with different tokenisers; Intl.Segmenter is what its own one for Chinese uses. */
export const ORAMA: readonly SetUp[] = [
  WITH_WHOLES,
  UNIGRAMS_AND_BIGRAMS,
  JIEBA_AND_UNIGRAMS,
  BIGRAM_QUERIES,
  SEGMENTER,
].map((cut) => ({ engine: 'orama', name: cut.name, open: (texts) => openOrama(texts, cut) }));

function openOrama(texts: readonly Text[], cut: Cut): Peer {
  let isAsking = false;
  const tokenizer = {
    language: 'custom',
    normalizationCache: new Map<string, string>(),
    tokenize: (text: string) => (isAsking ? cut.query(text) : cut.index(text)),
  };
  const engine = create({ schema: { title: 'string', keywords: 'string' } as const, components: { tokenizer } });
  void insertMultiple(
    engine,
    texts.map(({ title, keywords }, at) => ({ id: String(at), title, keywords: keywords.join('\n') })),
    texts.length,
  );
  isAsking = true;
  return {
    rank: (text, limit) => {
      const found = search(engine, { term: text, limit, boost: BOOSTS, threshold: 1 });
      if (found instanceof Promise) throw new Error('Orama answers later');
      return found.hits.map(({ id }) => texts[Number(id)]!.preset);
    },
    close: () => undefined,
  };
}
