// Presses of keys: a dialog that a key opened must not take the same press, or its repetitions, for a second one. This
// stands apart from the dialog, which is loaded when it is first wanted: the key may come up before.

/** A remote desktop tells of a held key as of many that come up and go down again at once. */
const SAME_PRESS_MS = 50;

const presses = new Map<string, { id: number; upAt: number }>();
let lastId = 0;
let lastAt = -Infinity;

addEventListener(
  'keydown',
  ({ code, timeStamp }) => {
    const press = presses.get(code);
    if (press !== undefined && timeStamp - press.upAt < SAME_PRESS_MS) press.upAt = Infinity;
    else presses.set(code, { id: (lastId += 1), upAt: Infinity });
    lastAt = timeStamp;
  },
  true,
);
addEventListener(
  'keyup',
  ({ code, key, timeStamp }) => {
    // macOS tells of no other key that comes up while this one is down.
    const up = key === 'Meta' ? [...presses.values()] : [presses.get(code)];
    for (const press of up) if (press !== undefined) press.upAt = timeStamp;
  },
  true,
);
addEventListener('blur', () => presses.clear());

/** The number of the last press of any key. */
export const lastPress = (): number => lastId;
/** When a key went down last, or was repeated. */
export const lastPressAt = (): number => lastAt;
/** The number of the press by which a key is down; each is greater than those before. */
export const pressOf = (code: string): number => presses.get(code)?.id ?? 0;
