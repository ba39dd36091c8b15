// svcd logs: what the daemon of a home has written down, whether or not it runs, and however it was started.

import { systemClock } from '../../platform/clock.js';
import { findHomeCopy } from '../../platform/files/home-copy.js';
import { entryAsJson, entryAsWords, LOG_LEVELS, type LogEntry, type LogLevel } from '../../platform/log.js';
import { type Bodies, type CommandBody, switchOption, textOption } from '../command.js';
import { EXIT_CODE_OF } from '../terminal/exit-codes.js';
import { sanitize } from '../terminal/format.js';
import type { Input } from '../terminal/input.js';
import { wrongValue } from '../terminal/invalid-argument.js';
import { print, printNote } from '../terminal/output.js';
import { type LogFilter, openLogReader } from './read-log.js';
import { onStopSignal } from '../terminal/stop-signals.js';
import { daemonWords } from './words.js';

const words = daemonWords().logs;

const LINES = 200;
const LINES_MAX = 1_000_000;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const logsCommand: CommandBody = {
  options: {
    follow: { ...switchOption(words.follow), alias: 'f' },
    since: textOption(words.since),
    level: textOption(words.level),
    lines: { ...textOption(words.lines), alias: 'n' },
  },
  examples: [
    `svcd logs # ${words.examples.last}`,
    `svcd logs --since 2h --level warn # ${words.examples.night}`,
    `svcd logs -f # ${words.examples.follow}`,
    `svcd logs --json --since 10m # ${words.examples.json}`,
  ],
  run: async (input) => {
    const filter: LogFilter = { since: readSince(input), level: readLevel(input) };
    const lines = input.whole('lines', 0, LINES_MAX) ?? (filter.since === undefined ? LINES : LINES_MAX);
    const follows = input.flag('follow') === true;
    const home = await input.home();
    // The daemon of a home that cannot be written has its log where it has its copy.
    const reader = openLogReader(findHomeCopy(home) ?? home);
    try {
      const entries = reader.readLast(filter, lines);
      await show(entries, input);
      if (follows) return await follow(reader, filter, input);
      if (entries.length === 0 && lines > 0) printNote(reader.isThere() ? words.noneFits : words.noLog(home));
    } finally {
      reader.close();
    }
  },
};

export const bodies: Bodies = { logs: logsCommand };

async function follow(reader: ReturnType<typeof openLogReader>, filter: LogFilter, input: Input): Promise<void> {
  const over = new AbortController();
  const stopListening = onStopSignal(() => over.abort());
  try {
    for await (const entries of reader.follow(filter, over.signal)) await show(entries, input);
    process.exitCode = EXIT_CODE_OF.interrupted;
  } finally {
    stopListening();
  }
}

function show(entries: readonly LogEntry[], { json }: Input): Promise<void> {
  if (entries.length === 0) return Promise.resolve();
  return print(entries.map((entry) => `${json ? entryAsJson(entry) : inWords(entry)}\n`).join(''));
}

/** In the time of the person who reads. */
function inWords(entry: LogEntry): string {
  const moment = new Date(entry.at);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join('-');
  const time = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(two).join(':');
  return sanitize(entryAsWords(entry, `${day} ${time}`));
}

function readLevel(input: Input): LogLevel {
  const typed = input.text('level');
  if (typed === undefined) return 'info';
  const known = LOG_LEVELS.find((one) => one === typed);
  if (known === undefined) throw wrongValue('--level', words.levelRule, typed);
  return known;
}

/** Milliseconds since the epoch; undefined when nothing was typed. */
function readSince(input: Input): number | undefined {
  const typed = input.text('since');
  if (typed === undefined) return undefined;
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(typed) ?? [];
  if (count !== '') return systemClock.now() - Number(count) * (UNIT_MS[unit] ?? 0);
  const moment = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?$/.test(typed) ? Date.parse(typed) : NaN;
  if (Number.isNaN(moment)) throw wrongValue('--since', words.sinceRule, typed);
  return moment;
}
