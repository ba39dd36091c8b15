// Keys that are down: a dialog that a key opened must not take the same press, or its repetitions, for a second one. This
// stands apart from the dialog, which is loaded when it is first wanted: the key may come up before.

const held = new Set<string>();

addEventListener('keydown', ({ code }) => void held.add(code), true);
addEventListener(
  'keyup',
  ({ code, key }) => {
    held.delete(code);
    // macOS tells of no other key that comes up while this one is down.
    if (key === 'Meta') held.clear();
  },
  true,
);
addEventListener('blur', () => held.clear());

export const isHeld = (code: string): boolean => held.has(code);
export const heldNow = (): ReadonlySet<string> => new Set(held);
