// What a picture never asked for before is called.

import { expect, it } from 'vitest';
import { imageItem } from '../../src/purchases/image-item.js';

it('has the next number whose bytes are not here, also where they came before their cost is known', async () => {
  const here = new Set<string>();
  const names = {
    journal: { countPaid: async () => 0 },
    owned: { findNewestOf: () => undefined, has: (name: string) => here.has(name) },
    coordinator: { isBuying: () => false },
  };
  const fresh = { prompt: 'a cat', size: '1024x1024', variant: undefined, fresh: true } as const;
  const { name } = await imageItem(names, fresh);
  expect(name).toMatch(/:fresh-0$/);
  here.add(name);
  expect((await imageItem(names, fresh)).name).toMatch(/:fresh-1$/);
});
