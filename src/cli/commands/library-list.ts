// svcd library list: the user's own stickers.

import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { counted, grouped, plain, printJson, printLines } from '../output.js';
import { openPaint, type Paint } from '../colors.js';
import { shapeColumn } from '../sticker-columns.js';
import { layOut } from '../table.js';

interface Own {
  readonly preset: string;
  readonly title: string;
  readonly keywords: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly size_bytes: number;
}

const NONE = 'There are no stickers of your own. "svcd library add FILE" adds one.';

export const libraryListCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd library list', 'the Lottie files you added']],
  run: async (input) => {
    const needs = { json: input.json, spends: false };
    const answer = await withClient({ home: input.text('home') }, needs, async (client) =>
      expectOk(await client.request('GET', '/svcd/library/stickers')),
    );
    if (input.json) return printJson(answer.json());
    const { stickers } = answer.json() as { stickers: Own[] };
    return printLines(...(stickers.length === 0 ? [NONE] : describe(stickers, openPaint())));
  },
};

function describe(stickers: readonly Own[], paint: Paint): string[] {
  const head = ['preset', 'title', 'keywords', 'shape', 'bytes'].map(paint.faint);
  const rows = stickers.map((one) => [
    plain(one.preset),
    plain(one.title),
    one.keywords.map(plain).join(', '),
    shapeColumn(one),
    grouped(one.size_bytes),
  ]);
  return [...layOut([head, ...rows]), paint.faint(counted(stickers.length, 'sticker'))];
}
