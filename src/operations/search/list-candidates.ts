// Writes found stickers into answers: as the remote wrote them, with its field names and all it says of them, where it
// did; in our own shape where it did not. Addresses lead to svcd.

import type { Sticker } from '../../model/sticker.js';
import { candidateOf, matchResultOf, type Reason } from '../../contract/candidate.js';
import { fillEnvelope, type EnvelopeContent } from '../../contract/envelope.js';
import { readCandidate, REASON_FIELDS, REASON_NAMES, SCORE_NAMES } from '../../contract/read-candidates.js';
import type { Library } from '../../library/library.js';
import { otherTitlesOf } from '../../library/search-index/other-titles.js';
import { isRecord } from '../../platform/json.js';
import { relayAddresses, type NoteFile } from '../../upstream/relay-address.js';

type Shape = 'search' | 'match';
type Fields = Readonly<Record<string, unknown>>;

export interface ListingOptions {
  /** What is known of the form in which the remote lists its stickers. */
  readonly originals: Pick<Library, 'findOriginal' | 'findEnvelope'>;
  /** Address of svcd itself. */
  readonly origin: () => string;
  /** Base address of the remote; undefined when there is none. */
  readonly from: string | undefined;
  /** Told the files that are named. */
  readonly noteFile: NoteFile;
}

export type CandidateLister = ReturnType<typeof createCandidateLister>;

/** Lists stickers as the remote does. */
export function createCandidateLister({ originals, origin, from, noteFile }: ListingOptions) {
  const listed = (sticker: Sticker, shape: Shape, own: Fields): Fields => {
    const original = originals.findOriginal(sticker.preset, shape);
    if (original === undefined) return own;
    const relayed = from === undefined ? original : relayAddresses(original, from, origin(), noteFile);
    return completed(relayed as Fields, own);
  };
  return {
    /** Whether the remote has a form of its own for answers of this shape. */
    hasForm: (shape: Shape): boolean => originals.findEnvelope(shape) !== undefined,
    searchResult: (sticker: Sticker): object =>
      listed(sticker, 'search', { ...candidateOf(sticker, origin()), ...otherTitlesOf(sticker) }),
    matchResult: ({
      sticker,
      ...found
    }: {
      sticker: Sticker;
      score: number;
      fit: number;
      reasons: Reason[];
    }): object => {
      const own = matchResultOf(sticker, found, origin());
      const known = listed(sticker, 'match', { ...own, ...otherTitlesOf(sticker) });
      const isOwn = known['score'] === own.score && known['reasons'] === own.reasons;
      return isOwn ? known : { ...withReasons(known, own), fit: own.fit };
    },
    /** The whole answer, in the remote's own form where that is known. */
    wrap: (shape: Shape, content: EnvelopeContent, own: object): object => {
      const envelope = originals.findEnvelope(shape);
      return envelope === undefined ? own : (fillEnvelope(envelope, content) as object);
    },
  };
}

/** The original with those of our fields that it does not have under any name. */
function completed(original: Fields, own: Fields): Fields {
  const read = readCandidate(original)?.sticker;
  const isGiven: Readonly<Record<string, boolean>> = {
    title: (read?.title ?? '') !== '',
    keywords: (read?.keywords.length ?? 0) > 0,
    width: read?.width !== undefined,
    height: read?.height !== undefined,
    duration: read?.duration !== undefined,
    aspect_ratio: read?.aspect !== undefined,
    primary_color: read?.color !== undefined,
  };
  const missing = Object.entries(own).filter(
    ([name]) => original[name] === undefined && isGiven[name] !== true && name !== 'score' && name !== 'reasons',
  );
  return missing.length === 0 ? original : { ...original, ...Object.fromEntries(missing) };
}

/** Score and reasons belong to the question: ours, under the names and in the form of the remote. */
function withReasons(known: Fields, own: { score: number; reasons: Reason[] }): Fields {
  const scoreName = SCORE_NAMES.find((name) => name in known) ?? 'score';
  const reasonName = REASON_NAMES.find((name) => name in known) ?? 'reasons';
  const sample = known[reasonName];
  const form = Array.isArray(sample) && isRecord(sample[0]) ? sample[0] : undefined;
  return { ...known, [scoreName]: own.score, [reasonName]: own.reasons.map((one) => inForm(one, form)) };
}

function inForm(reason: Reason, form: Fields | undefined): object {
  if (form === undefined) return reason;
  const named = (names: readonly string[], otherwise: string) => names.find((name) => name in form) ?? otherwise;
  return {
    [named(REASON_FIELDS.keyword, 'keyword')]: reason.keyword,
    [named(REASON_FIELDS.field, 'field')]: reason.field,
    [named(REASON_FIELDS.source, 'source')]: reason.source,
  };
}
