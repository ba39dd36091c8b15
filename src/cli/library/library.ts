// svcd library: filling it from the service, stickers of the user's own, export and import.

import type { DefaultView, OwnStickerView } from '../../api/answers.js';
import type { LibraryStatus } from '../../api/library.js';
import { REGISTERED_MAX_BYTES } from '../../contract/limits.js';
import { readSynonymTable, type SynonymTable } from '../../library/language/synonym-table.js';
import { SYNONYMS_MAX_BYTES, userSynonymsPath } from '../../library/user-synonyms.js';
import { isSvcdError, systemCode } from '../../model/errors.js';
import { systemClock } from '../../platform/clock.js';
import { readForeignFile } from '../../platform/files/foreign-file.js';
import { type Bodies, command, group, type GroupBody, switchOption, textOption } from '../command.js';
import { withClient } from '../connection/client.js';
import { expectOk, JSON_TYPE } from '../connection/running-daemon.js';
import { requestDaemon } from '../request-command.js';
import { shapeColumn } from '../search/sticker-columns.js';
import { EXIT_CODE_OF } from '../terminal/exit-codes.js';
import { formatCount, formatNumber, formatTableWithHead, openPaint, sanitize } from '../terminal/format.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { OVERWRITE_OPTION } from '../terminal/options.js';
import { printAnswer } from '../terminal/output.js';
import { readSource } from '../terminal/target-file.js';
import { addStickers, ownPreset } from './add-stickers.js';
import { defaultWords } from './facts-words.js';
import { describeLibrary, syncLibrary } from './sync-library.js';
import { exportTo, importFrom } from './transfer.js';
import { libraryWords } from './words.js';

const words = libraryWords();

const forDefaults = defaultWords();

const synonymsGroup: GroupBody = {
  otherwise: 'check',
  commands: [
    command('check [file]', words.synonyms.check, {
      run: async (input) => {
        const named = input.findWord('file');
        const path = named ?? userSynonymsPath(await input.home());
        const { entries, problems } = readSynonymTable(readText(path, named !== undefined));
        if (problems.length > 0) process.exitCode = EXIT_CODE_OF.invalid_argument;
        return printAnswer(input, { path, entries: entries.length, problems }, (answer) =>
          describeLines(path, answer.entries, problems),
        );
      },
    }),
    command('path', words.synonyms.path, {
      run: async (input) => printAnswer(input, { path: userSynonymsPath(await input.home()) }, ({ path }) => path),
    }),
  ],
};

const defaultsGroup: GroupBody = {
  otherwise: 'list',
  commands: [
    command('list', forDefaults.list, {
      run: requestDaemon('GET /svcd/defaults/stickers', ({ defaults }: { defaults: DefaultView[] }) =>
        defaults.length === 0 ? forDefaults.list.none : describeDefaults(defaults),
      ),
    }),
    command('add <preset> <file>', forDefaults.add, { run: addDefault }),
    command('remove <preset>', forDefaults.remove, {
      run: requestDaemon('DELETE /svcd/defaults/stickers/{preset}', (_, input) =>
        forDefaults.remove.done(defaultName(input.word('preset'))),
      ),
    }),
  ],
};

const libraryGroup: GroupBody = {
  otherwise: 'status',
  commands: [
    command('status', words.status, {
      run: requestDaemon('GET /svcd/library', (status: LibraryStatus) => describeLibrary(status, systemClock.now())),
    }),
    command('sync', words.sync, { options: { 'max-requests': textOption(words.sync.maxRequests) }, run: syncLibrary }),
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
    command('remove <presets..>', words.remove, { run: removeStickers }),
    command('export <file>', words.export, {
      options: OVERWRITE_OPTION,
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
    group('synonyms', words.ownSynonyms, synonymsGroup),
    group('defaults', words.ownDefaults, defaultsGroup),
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

function describeLines(path: string, entries: number, problems: SynonymTable['problems']): string[] {
  const lines = problems.map(({ line, what }) => `${sanitize(path)}:${line}: ${sanitize(what)}`);
  const valid = formatCount(entries, 'valid line');
  const { check, of, addOne } = words.synonyms;
  const summary = problems.length === 0 ? valid : check.skipped(valid, problems.length);
  return [...lines, of(sanitize(path), summary), ...(entries === 0 ? [addOne] : [])];
}

function readText(path: string, isNamed: boolean): string {
  try {
    return readForeignFile(path, SYNONYMS_MAX_BYTES).toString('utf8');
  } catch (cause) {
    // The user's own synonyms are optional.
    if (systemCode(cause) === 'ENOENT' && !isNamed) return '';
    if (isSvcdError(cause)) throw cause;
    throw invalidArgument(words.synonyms.unreadable(path, (cause as Error).message), undefined, cause);
  }
}

async function addDefault(input: Input): Promise<void> {
  const file = input.word('file');
  const path = `/svcd/defaults/stickers/${encodeURIComponent(input.word('preset'))}`;
  const body = readSource(file, REGISTERED_MAX_BYTES);
  const answer = await withClient(input, async (client) =>
    expectOk(await client.request('PUT', path, { body, headers: JSON_TYPE })),
  );
  return printAnswer(input, answer.json() as DefaultView, (added) =>
    forDefaults.add.done(`${sanitize(file)} (${shapeColumn(added)})`, defaultName(added.preset)),
  );
}

function defaultName(preset: string): string {
  return preset === '*' ? forDefaults.every : sanitize(preset);
}

function describeDefaults(defaults: readonly DefaultView[]): string[] {
  const rows = defaults.map((one) => [
    defaultName(one.preset),
    shapeColumn(one),
    formatNumber(one.size_bytes),
    one.added_at.slice(0, 10),
  ]);
  return [
    ...formatTableWithHead(forDefaults.head, rows),
    openPaint().faint(formatCount(defaults.length, 'registered default')),
  ];
}
