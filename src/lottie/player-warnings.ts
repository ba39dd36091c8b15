// What common players trip over in a playable file, in the words of `X-Svcd-Warning`. Each word was seen: of the file that
// its test makes, one of lottie-web (SVG, canvas), dotlottie-web and skottie fails, draws nothing, or draws another picture.

import { isRecord, parseJson, type JsonBounds } from '../platform/json.js';
import { PLAYER_WARNINGS, rowOf, type PlayerWarning } from './feature-table.js';
import { inspectLottie, type Inspection } from './inspect-lottie.js';

/** So much is parsed and looked through in a few milliseconds; what is embedded in a file does not count. */
export const IN_PASSING_BYTES = 384 * 1024;
export const IN_PASSING = { values: 20_000, parts: 20_000 };
const EMBEDDED_MAX = 1_000;

/** The size that is read bounds what it may hold; how deep it is nested is one of the questions. */
const UNBOUNDED: JsonBounds = { depth: Infinity, tokens: Infinity };

/** What players trip over in these bytes; `not_checked` of a file that is too large to be checked in passing. */
export function playerWarnings(bytes: Uint8Array): PlayerWarning[] {
  const text = withoutEmbedded(bytes);
  const file = text === undefined ? undefined : parseJson(text, UNBOUNDED);
  return isRecord(file) ? wordsOf(inspectLottie(file, IN_PASSING)) : ['not_checked'];
}

/** The words for what was found. */
export function wordsOf({ found, complete }: Inspection): PlayerWarning[] {
  const words = new Set([...found.keys()].map((code) => rowOf(code).word));
  if (!complete) words.add('not_checked');
  return PLAYER_WARNINGS.filter((word) => words.has(word));
}

/** The file, what is embedded in it left out if it is large; undefined if it still is too large. */
function withoutEmbedded(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.byteLength <= IN_PASSING_BYTES) return bytes;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept: Buffer[] = [];
  let [from, size] = [0, 0];
  while (kept.length < EMBEDDED_MAX && size <= IN_PASSING_BYTES) {
    const start = file.indexOf('"data:', from);
    const part = file.subarray(from, start < 0 ? undefined : start + '"data:'.length);
    kept.push(part);
    size += part.length;
    if (start < 0) return size <= IN_PASSING_BYTES ? Buffer.concat(kept) : undefined;
    from = file.indexOf('"', start + 1);
    if (from < 0) return undefined;
  }
  return undefined;
}
