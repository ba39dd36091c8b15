// The table of keys. What acts on a key asks it, and the help is made from it, so that the help cannot lie. Keys of a row
// do the same thing; `Mod` is Ctrl, and ⌘ on a Mac.

export type Where = 'anywhere' | 'search' | 'list' | 'grid' | 'chips';

export interface KeyRow {
  readonly where: Where;
  readonly keys: readonly string[];
  /** What it does: the words are `does` of words/details.ts. */
  readonly does: string;
}

const row = <W extends Where, D extends string>(where: W, does: D, ...keys: readonly string[]) => ({
  where,
  does,
  keys,
});

export const KEYS = [
  row('anywhere', 'search', 'Mod+k'),
  row('anywhere', 'paste', 'Mod+v'),
  row('anywhere', 'back', 'Escape'),
  row('anywhere', 'help', '?'),
  row('search', 'firstTile', 'ArrowDown', 'Enter'),
  row('search', 'takeCompletion', 'ArrowRight'),
  row('search', 'openList', 'Alt+ArrowDown'),
  row('list', 'moveInList', 'ArrowUp', 'ArrowDown'),
  row('list', 'takeFromList', 'Enter'),
  row('list', 'closeList', 'Escape'),
  row('grid', 'move', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'),
  row('grid', 'rowEnds', 'Home', 'End'),
  row('grid', 'ends', 'Mod+Home', 'Mod+End'),
  row('grid', 'page', 'PageUp', 'PageDown'),
  row('grid', 'take', 'Enter'),
  row('grid', 'play', ' '),
  row('grid', 'details', 'Mod+Enter', 'd'),
  row('grid', 'choose', 'x'),
  row('grid', 'extend', 'Shift+ArrowLeft', 'Shift+ArrowRight', 'Shift+ArrowUp', 'Shift+ArrowDown'),
  row('grid', 'chooseAll', 'Mod+a'),
  row('grid', 'favourite', 'f'),
  row('grid', 'want', 'w'),
  row('grid', 'copyPreset', 'c'),
  row('grid', 'save', 's'),
  row('grid', 'folder', 'p'),
  row('grid', 'exports', 'e'),
  row('grid', 'related', 'r'),
  row('grid', 'nextVariant', 'n'),
  row('grid', 'previousVariant', 'b'),
  row('chips', 'moveChip', 'ArrowLeft', 'ArrowRight'),
  row('chips', 'removeChip', 'Backspace', 'Delete'),
  row('chips', 'editChip', 'Enter'),
] as const satisfies readonly KeyRow[];

export type Does = (typeof KEYS)[number]['does'];

/** Of an event of a keyboard. */
type Pressed = Readonly<
  Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing', boolean> & { key: string; keyCode: number }
>;

/** What the keys of a place do. */
export type DoesIn<W extends Where> = Extract<(typeof KEYS)[number], { readonly where: W }>['does'];

/** Whether a key is a single character, which only works where no text is written and can be switched off. */
export const isLetter = (key: string): boolean => key.length === 1 && key !== ' ';

/** What a key does there; nothing while an input method composes. */
export function doesKey<W extends Where>(event: Pressed, where: W, hasLetters = true): DoesIn<W> | undefined {
  if (event.isComposing || event.keyCode === 229) return undefined;
  const name = nameOf(event);
  if (!hasLetters && isLetter(name)) return undefined;
  const found = KEYS.find((one) => one.where === where && one.keys.includes(name));
  return found?.does as DoesIn<W> | undefined;
}

function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): string {
  const plain = key.length === 1 ? key.toLowerCase() : key;
  // Shift makes another character of a key by itself, of an arrow it does not.
  const isShifted = shiftKey && key.length > 1;
  return `${ctrlKey || metaKey ? 'Mod+' : ''}${altKey ? 'Alt+' : ''}${isShifted ? 'Shift+' : ''}${plain}`;
}

const SHOWN: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  ' ': 'Space',
  PageUp: 'Page Up',
  PageDown: 'Page Down',
};

/** A key as it is printed on a keyboard. */
export function shownKey(name: string, isMac: boolean): string {
  return name
    .split('+')
    .map((part) =>
      part === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : (SHOWN[part] ?? (isLetter(part) ? part.toUpperCase() : part)),
    )
    .join(' ');
}
