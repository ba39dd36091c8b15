// The stop of a hub whose Key is refused: only an answer for that Key, or another Key, lifts it.

import { expect, it, onTestFinished } from 'vitest';
import { watchKey } from '../../src/hub/app/watch-key.js';
import { silentLog } from '../../src/platform/log.js';
import type { Exchange } from '../../src/upstream/exchange.js';
import { createKeyTrouble } from '../../src/upstream/key-trouble.js';

const OWN = 'sk-own';
const answer = (status: number, code = 'INVALID_API_KEY') =>
  ({
    kind: 'answer',
    status,
    headers: {},
    bytes: Buffer.from(JSON.stringify({ code, message: code })),
  }) as never as Exchange;

it('is not lifted by what the service says of the Key of a template, but by its own or another', () => {
  const keys = { current: OWN };
  const keyTrouble = createKeyTrouble({ monotonic: () => 0 });
  const watch = watchKey({ currentKey: () => keys.current, keyTrouble, look: async () => undefined, log: silentLog });
  onTestFinished(() => watch.stop());
  const hubItem = {} as never;
  const tell = (key: string, result: Exchange) => {
    const request = { key, hubItem, cost: 'paid' } as const;
    keyTrouble.note(request, result);
    watch.note(request, result);
    return watch.findRefusal({ key: OWN, hubItem })?.code;
  };
  expect(tell(OWN, answer(401))).toBe('invalid_key');
  expect(tell('sk-of-template', answer(401))).toBe('invalid_key');
  expect(tell('sk-of-template', answer(200))).toBe('invalid_key');
  expect(tell(OWN, answer(500, 'INTERNAL'))).toBe('invalid_key');
  expect(tell(OWN, answer(200))).toBeUndefined();
  expect(tell(OWN, answer(401))).toBe('invalid_key');
  keys.current = 'sk-new';
  expect(tell('sk-of-template', answer(401))).toBeUndefined();
});
