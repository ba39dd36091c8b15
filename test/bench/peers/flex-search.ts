// FlexSearch, as its documentation has it for Chinese, and with tokenisers that suit it better.

import { Charset, Index, type IndexOptions } from 'flexsearch';
import { BIGRAM_QUERIES, JIEBA_AND_UNIGRAMS, UNIGRAMS_AND_BIGRAMS, WITH_WHOLES, type Cut } from './cut.js';
import type { Peer, SetUp, Text } from './peer.js';

/** FlexSearch with different encoders. It ranks by place in the text, so that the title stands first. */
export const FLEXSEARCH: readonly SetUp[] = [
  setUp('its charset for Chinese', { tokenize: 'forward', encoder: Charset.CJK }),
  ...[WITH_WHOLES, UNIGRAMS_AND_BIGRAMS, JIEBA_AND_UNIGRAMS, BIGRAM_QUERIES].flatMap(withCut),
];

function withCut(cut: Cut): SetUp[] {
  return [
    setUp(cut.name, { tokenize: 'strict', resolution: 9 }, cut),
    setUp(
      `${cut.name}, in context`,
      { tokenize: 'strict', resolution: 9, context: { depth: 1, resolution: 9, bidirectional: true } },
      cut,
    ),
  ];
}

function setUp(name: string, options: IndexOptions, cut?: Cut): SetUp {
  return { engine: 'flexsearch', name, open: (texts) => openFlexSearch(texts, options, cut) };
}

function openFlexSearch(texts: readonly Text[], options: IndexOptions, cut: Cut | undefined): Peer {
  let encode = cut?.index;
  const engine = new Index(cut === undefined ? options : { ...options, encode: (text) => encode?.(text) ?? [] });
  for (const [id, { title, keywords }] of texts.entries()) engine.add(id, [title, ...keywords].join('\n'));
  encode = cut?.query;
  return {
    // Suggestions are its name for results that lack some of the words.
    rank: (text, limit) => engine.search(text, { limit, suggest: true }).map((id) => texts[id as number]!.preset),
    close: () => engine.clear(),
  };
}
