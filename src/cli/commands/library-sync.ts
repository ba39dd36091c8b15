// svcd library sync: fills the library while somebody watches.

import { systemClock } from '../../platform/clock.js';
import { SvcdError } from '../../model/errors.js';
import { expectOk, withClient, type Client } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { EXIT_CODE_OF } from '../exit-codes.js';
import { gather, type StreamedAnswer } from '../http-stream.js';
import { progressLine, statusRows } from '../library-view.js';
import type { LibraryStatus } from '../../api/library-status.js';
import { counted, note, printJson, printLines } from '../output.js';
import { watchStopSignals } from '../stop-signals.js';
import { layOut } from '../table.js';

type SyncEvent = LibraryStatus & {
  readonly event: 'begun' | 'asked' | 'waiting' | 'ended';
  /** Of an end. */
  readonly asked?: number;
  readonly fresh?: number;
};

const REQUESTS_MAX = 1_000_000;
const MINUTE_MS = 60_000;

export const librarySyncCommand: Command = {
  options: {
    ...HOME_OPTION,
    'max-requests': {
      type: 'string',
      requiresArg: true,
      describe: 'End after so many requests; all of them are free.',
    },
  },
  examples: [
    ['svcd library sync', 'until practically everything is known; Ctrl-C pauses, the next run goes on'],
    ['svcd library sync --max-requests 100 --json', 'an event a line, for a script'],
  ],
  run: async (input) => {
    const maxRequests = input.whole('max-requests', 1, REQUESTS_MAX);
    const flags = { home: input.text('home') };
    const signalled = watchStopSignals();
    const ended = await withClient(flags, { json: input.json, spends: true }, (client) =>
      follow(client, maxRequests, signalled, input.json),
    );
    return ended === undefined ? leave(input.json) : finish(ended, input.json);
  },
};

/** The last event; undefined when a person ended it before. */
async function follow(
  client: Client,
  maxRequests: number | undefined,
  signalled: Promise<string>,
  json: boolean,
): Promise<SyncEvent | undefined> {
  const wish = maxRequests === undefined ? '' : `?max_requests=${maxRequests}`;
  const answer = await client.stream('POST', `/svcd/library/sync${wish}`);
  if (answer.status !== 200) expectOk(await gather(answer));
  const show = createShow(json);
  let last: SyncEvent | undefined;
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    // The daemon sees that nobody listens, and ends the run after what is under way.
    answer.body.destroy();
  };
  void signalled.then(interrupt);
  try {
    for await (const event of eventsOf(answer)) {
      last = event;
      await show.tell(event);
    }
  } catch (error) {
    if (!isInterrupted) throw error;
  } finally {
    show.end();
  }
  if (isInterrupted) return undefined;
  if (last?.event === 'ended') return last;
  throw new SvcdError('not_running', 'the daemon went away before the sync ended', {
    hint: 'What was learned is kept; "svcd library sync" goes on.',
  });
}

async function* eventsOf({ body }: StreamedAnswer): AsyncGenerator<SyncEvent> {
  let rest = '';
  body.setEncoding('utf8');
  for await (const chunk of body) {
    const lines = (rest + (chunk as string)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line) as SyncEvent;
  }
}

/** A program gets every event; a person a line that is written over, or, without a terminal, nothing but the end. */
function createShow(json: boolean): { tell: (event: SyncEvent) => Promise<void>; end: () => void } {
  const shows = process.stderr.isTTY && !json;
  const askedAt: number[] = [];
  return {
    tell: async (event) => {
      if (json) return printJson(event);
      if (!shows) return;
      const now = systemClock.monotonic();
      if (event.event === 'asked') askedAt.push(now);
      while ((askedAt[0] ?? now) < now - MINUTE_MS) askedAt.shift();
      const line = progressLine(event, rateOf(askedAt));
      process.stderr.write(`\r${line.slice(0, (process.stderr.columns || 80) - 1)}\u001B[K`);
    },
    end: () => {
      if (shows) process.stderr.write('\r\u001B[K');
    },
  };
}

function rateOf(askedAt: readonly number[]): number | undefined {
  const [first, last] = [askedAt[0], askedAt.at(-1)];
  if (first === undefined || last === undefined || last - first < 1000) return undefined;
  return ((askedAt.length - 1) * MINUTE_MS) / (last - first);
}

function leave(json: boolean): void {
  if (!json) note('Paused: what was learned is kept, and "svcd library sync" goes on with the rest.');
  process.exitCode = EXIT_CODE_OF.interrupted;
}

async function finish(ended: SyncEvent, json: boolean): Promise<void> {
  const { asked = 0, fresh = 0, state, why } = ended;
  if (!json) {
    const head = `${counted(asked, 'request')} brought ${counted(fresh, 'new sticker')}.`;
    await printLines(head, '', ...layOut(statusRows(ended, systemClock.now())));
  }
  if (state !== 'stopped') return;
  throw new SvcdError(/\bKey\b/.test(why ?? '') ? 'invalid_key' : 'upstream_failure', why ?? 'it stopped', {
    hint: 'What was learned is kept; "svcd library sync" goes on when that is mended.',
  });
}
