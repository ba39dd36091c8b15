// What the remote wraps its candidates in: learned from its answers, so that ours look the same when it is away.

import { isRecord } from '../platform/json.js';
import { valueAt, type ReadAnswer } from './read-candidates.js';

/** An answer without its candidates, and the places of what differs from answer to answer. */
export interface Envelope {
  readonly answer: unknown;
  readonly listPath: readonly string[];
  readonly totalPath?: readonly string[];
  readonly queryPath?: readonly string[];
  readonly keywordsPath?: readonly string[];
}

export interface EnvelopeContent {
  readonly results: readonly unknown[];
  readonly total: number;
  readonly query?: string;
  readonly extractedKeywords?: readonly string[];
}

const KEYWORDS = 'extracted_keywords';
const MAX_CHARACTERS = 4096;

/** The envelope of an answer to `query`; undefined when too much is in it besides the candidates. */
export function envelopeOf(answer: unknown, read: ReadAnswer, query?: string): Envelope | undefined {
  const { listPath, totalPath } = read;
  const empty = withValue(answer, listPath, []);
  if (JSON.stringify(empty).length > MAX_CHARACTERS) return undefined;
  const holderPath = listPath.slice(0, -1);
  const holder = valueAt(answer, holderPath);
  const names = isRecord(holder) ? Object.keys(holder) : [];
  const echo = names.find((name) => query !== undefined && valueAt(holder, [name]) === query);
  return {
    // What was asked is not part of the form.
    answer: echo === undefined ? empty : withValue(empty, [...holderPath, echo], ''),
    listPath,
    ...(totalPath !== undefined && { totalPath }),
    ...(echo !== undefined && { queryPath: [...holderPath, echo] }),
    ...(names.includes(KEYWORDS) && { keywordsPath: [...holderPath, KEYWORDS] }),
  };
}

/** An answer of this form with other content. */
export function fillEnvelope(envelope: Envelope, content: EnvelopeContent): unknown {
  const { answer, listPath, totalPath, queryPath, keywordsPath } = envelope;
  let filled = withValue(answer, listPath, content.results);
  if (totalPath !== undefined) filled = withValue(filled, totalPath, content.total);
  if (queryPath !== undefined) filled = withValue(filled, queryPath, content.query ?? '');
  if (keywordsPath !== undefined) filled = withValue(filled, keywordsPath, content.extractedKeywords ?? []);
  return filled;
}

/** A copy in which the place at the end of the path holds another value. */
function withValue(value: unknown, [name, ...rest]: readonly string[], put: unknown): unknown {
  if (name === undefined) return put;
  if (Array.isArray(value)) {
    return value.map((item, i) => (String(i) === name ? withValue(item, rest, put) : (item as unknown)));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === name ? withValue(item, rest, put) : item]),
  );
}
