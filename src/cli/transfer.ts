// Exporting and importing as the commands about the library and about what is owned share it: file, progress, report.

import type { Flags } from '../config/config.js';
import { SvcdError } from '../model/errors.js';
import { readExport, sizeOf, writeExport, type Watch } from './transfer-file.js';
import { expectOk, withClient } from './client.js';
import { gather } from './http-stream.js';
import { counted, grouped, note, plain, printJson, printLines } from './output.js';

export interface Carry {
  readonly flags: Flags;
  readonly json: boolean;
  /** Where the lines come from, or go to. */
  readonly path: string;
  readonly file: string;
}

/** Counts of an import, with the lines that could not be used. */
export interface ImportReport {
  readonly lines: number;
  readonly added: number;
  readonly unchanged: number;
  readonly changed?: number;
  readonly mended?: number;
  readonly bad: number;
  readonly bad_lines: readonly { readonly line: number; readonly why: string }[];
  readonly whole: boolean | null;
}

const TOLD_EVERY_BYTES = 256 * 1024;

/** Writes what is at a path to a file, whole or not at all. */
export async function exportTo({ flags, json, path, file }: Carry): Promise<void> {
  const progress = createProgress(undefined);
  let lines = 0;
  await withClient(flags, { json, spends: false }, async (client) => {
    const answer = await client.stream('GET', path);
    if (answer.status !== 200) expectOk(await gather(answer));
    try {
      const taken = countLines(answer.body, (found) => (lines += found));
      await writeExport(file, taken, progress.watch);
    } finally {
      // Whoever writes the lines must not go on when nobody takes them any more.
      answer.body.destroy();
    }
  });
  progress.end();
  if (file === '-') return;
  // The header and the end are lines too.
  const told = { file, lines, size_bytes: sizeOf(file) ?? 0 };
  return json
    ? printJson(told)
    : printLines(`${plain(file)}: ${grouped(lines)} lines, ${grouped(told.size_bytes)} bytes.`);
}

/** Sends a file to a path and reports what became of it. Throws `invalid_argument` when nothing in it could be used. */
export async function importFrom({ flags, json, path, file }: Carry): Promise<void> {
  const progress = createProgress(sizeOf(file));
  const carried = await readExport(file, progress.watch);
  const answer = await withClient(flags, { json, spends: false }, async (client) =>
    expectOk(await gather(await client.stream('POST', path, carried.lines))),
  );
  progress.end();
  const report = answer.json() as ImportReport;
  await (json ? printJson(report) : printLines(...describe(report)));
  const trouble = carried.findTrouble();
  if (trouble !== undefined) throw trouble;
  if (report.bad === report.lines)
    throw new SvcdError('invalid_argument', `nothing in ${file} could be used`);
}

function describe(report: ImportReport): string[] {
  const { lines, added, changed, mended, unchanged, bad, whole } = report;
  const counts = [
    `${grouped(added)} new`,
    ...(changed === undefined ? [] : [`${grouped(changed)} completed`]),
    ...(mended === undefined ? [] : [`${grouped(mended)} mended`]),
    `${grouped(unchanged)} known already`,
  ];
  const told = [`${counted(lines, 'line')} read: ${counts.join(', ')}.`];
  if (whole === false) told.push('The file ends early: it was cut short. What was in it is kept.');
  if (bad > 0) told.push(`${counted(bad, 'line')} could not be used:`);
  told.push(...report.bad_lines.map(({ line, why }) => `  line ${line}: ${why}`));
  if (bad > report.bad_lines.length) told.push('  …');
  return told;
}

async function* countLines(
  stream: AsyncIterable<unknown>,
  found: (lines: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    const bytes = chunk as Uint8Array;
    found(bytes.reduce((sum, byte) => sum + Number(byte === 10), 0));
    yield bytes;
  }
}

/** On a terminal a line that is written over; elsewhere nothing. */
function createProgress(total: number | undefined): { watch: Watch; end: () => void } {
  const shows = process.stderr.isTTY;
  let told = 0;
  return {
    watch: (bytes) => {
      if (!shows || bytes - told < TOLD_EVERY_BYTES) return;
      told = bytes;
      const part =
        total === undefined ? '' : ` of ${grouped(total)} (${Math.floor((100 * bytes) / total)} %)`;
      process.stderr.write(`\r${grouped(bytes)}${part} bytes\u001B[K`);
    },
    end: () => {
      if (shows && told > 0) note('\r\u001B[K');
    },
  };
}
