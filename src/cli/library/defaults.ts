// svcd library defaults: files of the user's own that are served in place of stickers that cannot be had.

import { closeSync, openSync, readSync } from 'node:fs';
import type { DefaultView } from '../../api/answers.js';
import { REGISTERED_MAX_BYTES } from '../../contract/limits.js';
import { withClient } from '../connection/client.js';
import { type Bodies, command, type GroupBody } from '../command.js';
import { formatCount, formatNumber, formatTableWithHead, openPaint, sanitize } from '../terminal/format.js';
import type { Input } from '../terminal/input.js';
import { printAnswer } from '../terminal/output.js';
import { requestDaemon } from '../request-command.js';
import { expectOk, JSON_TYPE } from '../connection/running-daemon.js';
import { shapeColumn } from '../search/sticker-columns.js';
import { asFileError } from '../terminal/target-file.js';
import { defaultWords } from './defaults-words.js';

const words = defaultWords();

const defaultsGroup: GroupBody = {
  otherwise: 'list',
  commands: [
    command('list', words.list, {
      run: requestDaemon('GET /svcd/defaults/stickers', ({ defaults }: { defaults: DefaultView[] }) =>
        defaults.length === 0 ? words.list.none : describeList(defaults),
      ),
    }),
    command('add <preset> <file>', words.add, {
      run: add,
    }),
    command('remove <preset>', words.remove, {
      run: requestDaemon('DELETE /svcd/defaults/stickers/{preset}', (_, input) =>
        words.remove.done(nameOf(input.word('preset'))),
      ),
    }),
  ],
};

export const bodies: Bodies = { defaults: defaultsGroup };

async function add(input: Input): Promise<void> {
  const file = input.word('file');
  const path = `/svcd/defaults/stickers/${encodeURIComponent(input.word('preset'))}`;
  const body = readFile(file);
  const answer = await withClient(input, async (client) =>
    expectOk(await client.request('PUT', path, { body, headers: JSON_TYPE })),
  );
  return printAnswer(input, answer.json() as DefaultView, (added) =>
    words.add.done(`${sanitize(file)} (${shapeColumn(added)})`, nameOf(added.preset)),
  );
}

function nameOf(preset: string): string {
  return preset === '*' ? words.every : sanitize(preset);
}

function describeList(defaults: readonly DefaultView[]): string[] {
  const rows = defaults.map((one) => [
    nameOf(one.preset),
    shapeColumn(one),
    formatNumber(one.size_bytes),
    one.added_at.slice(0, 10),
  ]);
  return [
    ...formatTableWithHead(words.head, rows),
    openPaint().faint(formatCount(defaults.length, 'registered default')),
  ];
}

/** The file's bytes; of one that is too large, enough for the daemon to refuse it. Works for pipes, too. */
function readFile(file: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(REGISTERED_MAX_BYTES + 1);
  try {
    const handle = openSync(file, 'r');
    let size = 0;
    for (let read = -1; read !== 0; size += read) read = readSync(handle, bytes, { offset: size });
    closeSync(handle);
    return bytes.subarray(0, size);
  } catch (cause) {
    throw asFileError(cause, file, 'read');
  }
}
