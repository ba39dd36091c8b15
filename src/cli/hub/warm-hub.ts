// svcd hub warm: the price first, then the purchases, with progress on a terminal and an event a line for a program.

import type { WarmEvent } from '../../api/hub.js';
import { ERROR_CODES, type ErrorCode, SvcdError } from '../../model/errors.js';
import { type Client, withClient } from '../connection/client.js';
import { agreeToPay } from '../terminal/consent.js';
import { EXIT_CODE_OF } from '../terminal/exit-codes.js';
import { sanitize } from '../terminal/format.js';
import { readEvents } from '../connection/read-events.js';
import type { Input } from '../terminal/input.js';
import { printAnswer, printNote } from '../terminal/output.js';
import { openProgress } from '../terminal/progress.js';
import { readPresets } from '../get/read-presets.js';
import { jsonQuestion } from '../connection/running-daemon.js';
import { hubWords } from './words.js';

type Ended = Extract<WarmEvent, { event: 'ended' }>;
type Begun = Extract<WarmEvent, { event: 'begun' }>;
type Failure = { event: 'error'; code: 'internal'; message: string; hint?: string };

export async function warmHub(input: Input): Promise<void> {
  const words = hubWords();
  const list = { presets: await readPresets(input.word('file')), project: input.text('project') };
  let failedCode: ErrorCode | undefined;
  const end = await withClient({ ...input, spends: true }, async (client) => {
    let price: Begun | undefined;
    await follow(client, list, (event) => {
      if (event.event === 'begun') price = event;
    });
    if (price === undefined) throw cutShort();
    await agreeToPay(input, price.buy, [words.warmPrice(price.of, price.have, price.buy)]);
    const progress = openProgress(input.json);
    let last: Ended | undefined;
    await follow(client, { ...list, max_credits: price.buy }, (event) => {
      if (event.event === 'ended') last = event;
      if (event.event === 'failed') failedCode = ERROR_CODES.find((code) => code === event.code);
      if (event.event !== 'kept' && event.event !== 'failed') return;
      progress.show(words.warmed(event.done, event.of));
      if (event.event === 'failed' && !input.json) printNote(sanitize(words.warmFailed(event.preset, event.message)));
    }).finally(() => progress.end());
    if (last === undefined) throw cutShort();
    return last;
  });
  const { event: _, ...answer } = end;
  await printAnswer(input, answer, () => [
    words.warmEnd(end.cost, end.failed, end.left),
    ...(end.uncertain.length === 0 ? [] : [words.warmUncertain(end.uncertain.length)]),
  ]);
  if (end.failed + end.left > 0) process.exitCode = EXIT_CODE_OF[failedCode ?? 'internal'];
}

/** Sends a list and hands on its events. Throws the refusal, and an error among the events. */
async function follow(client: Client, body: object, note: (event: WarmEvent) => void): Promise<void> {
  const answer = await client.stream('POST', '/svcd/hub/warm', jsonQuestion(body));
  for await (const event of readEvents<WarmEvent | Failure>(answer)) {
    if (event.event !== 'error') note(event);
    else throw new SvcdError(event.code, event.message, event.hint === undefined ? {} : { hint: event.hint });
  }
}

function cutShort(): SvcdError {
  return new SvcdError('not_running', 'svcd stopped in the middle', { hint: 'Start it, and run the command again.' });
}
