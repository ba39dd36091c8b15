// The shape of every refusal, checked in one place.

import { expect } from 'vitest';
import { CREDITS_HEADER } from '../../src/sandbox/gate.js';

/** Status and code of a refusal, as in `404 not_found`, once its form is found right: a message, no stack, the credits header. */
export async function refusalIn(answer: Response): Promise<string> {
  const body = (await answer.json()) as { code: string; message: string };
  expect(body.message).toMatch(/\S/);
  expect(JSON.stringify(body)).not.toMatch(/\bat .*:\d+:\d+/);
  expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
  expect(answer.headers.get(CREDITS_HEADER)).toMatch(/^\d+$/);
  return `${answer.status} ${body.code}`;
}
