// svcd library: filling it from the service, stickers of the user's own, export and import.

import type { OwnStickerView } from '../../api/answers.js';
import type { LibraryStatus } from '../../api/library.js';
import { systemClock } from '../../platform/clock.js';
import { addStickers, ownPreset } from './add-stickers.js';
import { withClient } from '../connection/client.js';
import { type Bodies, command, type GroupBody, switchOption, textOption } from '../command.js';
import { formatCount, formatNumber, formatTableWithHead, openPaint, sanitize } from '../terminal/format.js';
import type { Input } from '../terminal/input.js';
import { printAnswer } from '../terminal/output.js';
import { requestDaemon } from '../request-command.js';
import { shapeColumn } from '../search/sticker-columns.js';
import { describeLibrary, syncLibrary } from './sync-library.js';
import { exportTo, importFrom } from './transfer.js';
import { libraryWords } from './words.js';

const words = libraryWords();

const libraryGroup: GroupBody = {
  otherwise: 'status',
  commands: [
    command('status', words.status, {
      run: requestDaemon('GET /svcd/library', (status: LibraryStatus) => describeLibrary(status, systemClock.now())),
    }),
    command('sync', words.sync, {
      options: { 'max-requests': textOption(words.sync.maxRequests) },
      run: syncLibrary,
    }),
    command('pause', words.pause, {
      run: requestDaemon('POST /svcd/library/pause', ({ known }: LibraryStatus) =>
        words.pause.done(formatNumber(known)),
      ),
    }),
    command('resume', words.resume, {
      run: requestDaemon('POST /svcd/library/resume', ({ background }: LibraryStatus) =>
        background ? words.resume.done : words.resume.off,
      ),
    }),
    command('add <files..>', words.add, {
      options: {
        title: textOption(words.add.title),
        keywords: textOption(words.add.keywords),
        color: textOption(words.add.color),
        preset: textOption(words.add.preset),
        licence: textOption(words.add.licence),
        attribution: textOption(words.add.attribution),
      },
      run: addStickers,
    }),
    command('list', words.list, {
      run: requestDaemon('GET /svcd/library/stickers', ({ stickers }: { stickers: OwnStickerView[] }) =>
        stickers.length === 0 ? words.list.none : describeOwn(stickers),
      ),
    }),
    command('remove <presets..>', words.remove, {
      run: removeStickers,
    }),
    command('export <file>', words.export, {
      run: (input) => exportTo('/svcd/library/export', input),
    }),
    command('import <file>', words.import, {
      options: { 'any-remote': switchOption(words.import.anyRemote) },
      run: (input) => {
        const query = input.flag('any-remote') === true ? '?any_remote=1' : '';
        return importFrom(`/svcd/library/import${query}`, input);
      },
    }),
    { usage: 'facts <preset-or-file>', what: words.facts, load: () => import('./facts.js') },
    { usage: 'synonyms', what: words.ownSynonyms, load: () => import('./synonyms.js') },
    { usage: 'defaults', what: words.ownDefaults, load: () => import('./defaults.js') },
  ],
};

export const bodies: Bodies = { library: libraryGroup };

function describeOwn(stickers: readonly OwnStickerView[]): string[] {
  const { head } = words.list;
  const rows = stickers.map((one) => [
    sanitize(one.preset),
    sanitize(one.title),
    one.keywords.map(sanitize).join(', '),
    shapeColumn(one),
    formatNumber(one.size_bytes),
  ]);
  return [
    ...formatTableWithHead(Object.values(head), rows, [head.keywords, head.shape, head.title]),
    openPaint().faint(formatCount(stickers.length, 'sticker')),
  ];
}

async function removeStickers(input: Input): Promise<void> {
  const presets = input.words('presets').map((preset) => ownPreset(preset, preset));
  await withClient(input, async (client) => {
    for (const preset of presets) {
      await client.ask('DELETE', `/svcd/library/stickers/${encodeURIComponent(preset)}`);
    }
  });
  return printAnswer(input, { removed: presets }, () => presets.map((preset) => words.remove.done(sanitize(preset))));
}
