// A library of any size: the sandbox's own, and as many grown ones as are missing.

import { growCatalogue } from '../in-process/grow.js';
import { readCatalogue } from '../questions.js';

const ASPECTS = [1, 1.6, 0.6];

/** Fills the library of a started svcd, whose sandbox knows the first of them, up to `entries`. */
export async function importGrown(
  { url, token }: { readonly url: string; readonly token: string },
  entries: number,
): Promise<void> {
  const lines = growCatalogue(entries)
    .slice(readCatalogue().length)
    .map((sticker, at) =>
      JSON.stringify({
        ...sticker,
        aspect: ASPECTS[at % ASPECTS.length],
        duration: 1 + (at % 30) / 10,
        color: `#${((at * 7919) % 0xffffff).toString(16).padStart(6, '0')}`,
      }),
    );
  const answer = await fetch(`${url}/svcd/library/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
  });
  if (!answer.ok) throw new Error(`the library was not filled: ${answer.status} ${await answer.text()}`);
}
