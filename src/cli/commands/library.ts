// svcd library: filling it from the service, stickers of the user's own, export and import.

import type { OwnStickerView } from '../../api/answers.js';
import type { LibraryStatus } from '../../api/library-status.js';
import { systemClock } from '../../platform/clock.js';
import { addStickers, ownPreset } from '../add-stickers.js';
import { withClient } from '../client.js';
import { type Bodies, command, type GroupBody, switchOption, textOption } from '../command.js';
import { formatCount, formatNumber, formatTableWithHead, openPaint, sanitize } from '../format.js';
import type { Input } from '../input.js';
import { printAnswer } from '../output.js';
import { requestDaemon } from '../request-command.js';
import { shapeColumn } from '../sticker-columns.js';
import { describeLibrary, syncLibrary } from '../sync-library.js';
import { exportTo, importFrom } from '../transfer.js';

const libraryGroup: GroupBody = {
  otherwise: 'status',
  commands: [
    command('status', 'Show how many stickers are known, how many there are, and the state of the sync.', {
      examples: ['svcd library status # how much of the service is known here'],
      run: requestDaemon('GET /svcd/library', (status: LibraryStatus) => describeLibrary(status, systemClock.now())),
    }),
    command('sync', 'Fill the library by free requests until practically everything is known.', {
      options: { 'max-requests': textOption('End after so many requests; all of them are free.') },
      examples: [
        'svcd library sync # Ctrl-C pauses it, the next run goes on',
        'svcd library sync --max-requests 100 --json # one event per line, for a script',
      ],
      run: syncLibrary,
    }),
    command('pause', 'Stop filling the library in the background until resumed.', {
      examples: ['svcd library pause # stops the background sync at once, also after a restart'],
      run: requestDaemon(
        'POST /svcd/library/pause',
        ({ known }: LibraryStatus) =>
          `The background sync is paused at ${formatNumber(known)} stickers; "svcd library resume" goes on.`,
      ),
    }),
    command('resume', 'Fill the library in the background again.', {
      examples: ['svcd library resume # goes on where it stopped'],
      run: requestDaemon('POST /svcd/library/resume', ({ background }: LibraryStatus) =>
        background
          ? 'The library fills itself in the background again.'
          : 'Nothing is paused; "backgroundSync" turns the background sync off ("svcd config").',
      ),
    }),
    command('add <files..>', 'Add your own Lottie files: found with the others, free, never sent anywhere.', {
      options: {
        title: textOption('Its title.'),
        keywords: textOption('Words to find it by, separated by commas or spaces.'),
        color: textOption('Its primary color, such as #ff8800.'),
        preset: textOption('Its name, own/…; the name of the file if not given.'),
        licence: textOption('Name of the licence it may be shown under, such as CC-BY-4.0.'),
        attribution: textOption('The credit line it asks for.'),
      },
      examples: [
        'svcd library add our-cake.json # asks for title and keywords, or reads our-cake.meta.json',
        "svcd library add logo.json --title '片头' --keywords '公司, 标志' # without questions",
      ],
      run: addStickers,
    }),
    command('list', 'List the stickers you added.', {
      examples: ['svcd library list # the Lottie files you added'],
      run: requestDaemon('GET /svcd/library/stickers', ({ stickers }: { stickers: OwnStickerView[] }) =>
        stickers.length === 0
          ? 'There are no stickers of your own. "svcd library add FILE" adds one.'
          : describeOwn(stickers),
      ),
    }),
    command('remove <presets..>', 'Remove stickers you added.', {
      examples: ['svcd library remove own/our-cake # the original file stays where it is'],
      run: removeStickers,
    }),
    command('export <file>', "Write the library to a file (.gz, .br or plain; '-' is standard output).", {
      examples: ['svcd library export library.ndjson.gz # compressed by the name: .gz, .br, or neither'],
      run: (input) => exportTo('/svcd/library/export', input),
    }),
    command('import <file>', "Merge an exported library into this one ('-' is standard input).", {
      options: { 'any-remote': switchOption('Also import an export of another remote.') },
      examples: [
        "svcd library import library.ndjson.gz # merge a colleague's library into yours",
        'curl -s … | svcd library import - # from standard input',
      ],
      run: (input) => {
        const query = input.flag('any-remote') === true ? '?any_remote=1' : '';
        return importFrom(`/svcd/library/import${query}`, input);
      },
    }),
  ],
};

export const bodies: Bodies = { library: libraryGroup };

function describeOwn(stickers: readonly OwnStickerView[]): string[] {
  const rows = stickers.map((one) => [
    sanitize(one.preset),
    sanitize(one.title),
    one.keywords.map(sanitize).join(', '),
    shapeColumn(one),
    formatNumber(one.size_bytes),
  ]);
  return [
    ...formatTableWithHead(['preset', 'title', 'keywords', 'shape', 'bytes'], rows, ['keywords', 'shape', 'title']),
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
  return printAnswer(input, { removed: presets }, () => presets.map((preset) => `${sanitize(preset)} was removed.`));
}
