// Which style `auto` is: that in which most slots have something that fits, then that of which more is owned, then the first by name.

import { expect, it } from 'vitest';
import type { FitWord } from '../../src/contract/fit.js';
import { commonStyle } from '../../src/video/choose/one-style.js';

/** The style for slots that list these, in which `!` marks what hardly fits. */
function styleFor(slots: readonly string[], owned: readonly string[] = []): string | undefined {
  const ranked = slots.map((listed) =>
    listed.split(' ').map((one) => {
      const fit: FitWord = one.endsWith('!') ? 'weak' : 'fair';
      return { sticker: { preset: one.replace('!', '') }, fit };
    }),
  );
  return commonStyle(ranked, [], (preset) => owned.includes(preset));
}

it('is that in which most slots have something that fits', () => {
  expect(styleFor(['b/cake a/cake', 'b/hat', 'a/hat! b/sun'])).toBe('b');
  expect(styleFor(['b/cake! a/cake', 'b/hat!', 'b/sun!'])).toBe('a');
});

it('is of several the one of which more is owned, then the first by name', () => {
  expect(styleFor(['b/cake a/cake', 'b/hat a/hat'], ['b/hat'])).toBe('b');
  expect(styleFor(['b/cake a/cake', 'b/hat a/hat'])).toBe('a');
});

it("is none that presets do not have, nor the user's own or svcd's", () => {
  expect(styleFor(['cake own/cake default/cake', 'hat own/hat default/hat', 'b/sun'])).toBe('b');
  expect(styleFor(['cake', 'hat'])).toBeUndefined();
});
