// svcd defaults list

import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { presetName, type DefaultView } from '../default-view.js';
import { counted, grouped, plain, printJson, printLines } from '../output.js';
import { openPaint, type Paint } from '../colors.js';
import { shapeColumn } from '../sticker-columns.js';
import { layOut } from '../table.js';

const NONE =
  'No default is registered: what is owned or shipped stands in. "svcd defaults add" registers one.';

export const defaultsListCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd defaults', 'what you registered']],
  run: async (input) => {
    const needs = { json: input.json, spends: false };
    const answer = await withClient({ home: input.text('home') }, needs, async (client) =>
      expectOk(await client.request('GET', '/svcd/defaults/stickers')),
    );
    if (input.json) return printJson(answer.json());
    const { defaults } = answer.json() as { defaults: DefaultView[] };
    return printLines(...(defaults.length === 0 ? [NONE] : describe(defaults, openPaint())));
  },
};

function describe(defaults: readonly DefaultView[], paint: Paint): string[] {
  const head = ['preset', 'shape', 'bytes', 'added'].map(paint.faint);
  const rows = defaults.map((one) => [
    plain(presetName(one.preset)),
    shapeColumn(one),
    grouped(one.size_bytes),
    one.added_at.slice(0, 10),
  ]);
  return [...layOut([head, ...rows]), paint.faint(counted(defaults.length, 'registered default'))];
}
