// svcd library remove: a sticker of the user's own, away again.

import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { ownPreset } from '../own-file.js';
import { plain, printJson, printLines } from '../output.js';

export const libraryRemoveCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd library remove own/our-cake', 'the file you added it from stays where it is']],
  run: async (input) => {
    const needs = { json: input.json, spends: false };
    const presets = input.words('presets').map((preset) => ownPreset(preset, preset));
    await withClient({ home: input.text('home') }, needs, async (client) => {
      for (const preset of presets) {
        expectOk(await client.request('DELETE', `/svcd/library/stickers/${encodeURIComponent(preset)}`));
      }
    });
    if (input.json) return printJson({ removed: presets });
    return printLines(...presets.map((preset) => `${plain(preset)} is removed.`));
  },
};
