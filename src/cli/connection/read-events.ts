// The events of an answer that comes line by line.

import { readLines } from '../../platform/read-lines.js';
import { gather, type StreamedAnswer } from './http-exchange.js';
import { expectOk } from './running-daemon.js';

const LINE_MAX_BYTES = 1024 * 1024;

/** Its lines as they come; the connection ends with the loop over them. Throws the refusal in place of the first one. */
export async function* readTexts(answer: StreamedAnswer, maxBytes = LINE_MAX_BYTES): AsyncGenerator<string> {
  if (answer.status !== 200) expectOk(await gather(answer));
  try {
    for await (const lines of readLines(answer.body, { maxBytes, batch: 1 })) {
      for (const { text = '' } of lines) yield text;
    }
  } finally {
    answer.body.destroy();
  }
}

/** The same as events. */
export async function* readEvents<Event>(answer: StreamedAnswer): AsyncGenerator<Event> {
  for await (const text of readTexts(answer)) yield JSON.parse(text) as Event;
}
