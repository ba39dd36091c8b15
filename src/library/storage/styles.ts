// The styles of a library: first parts of presets that many stickers share. Found by a look at each style, not at each sticker.

import { SvcdError } from '../../model/errors.js';
import { isOwnName, SHIPPED_PREFIX, styleOf } from '../../model/sticker.js';
import { openReadOnly } from '../../platform/open-database.js';
import { guard, type StickerStore } from './sticker-store.js';

/** So many stickers make a style. */
const LEAST = 20;
/** Of presets that have no styles every one is a new first part. */
const MOST_LOOKS = 200;

/** Those with many stickers, in the order of their names; neither the user's own nor svcd's. */
export function listStyles({ db, scope }: StickerStore): string[] {
  const next = db.prepare<[string, string], { preset: string }>(
    'SELECT preset FROM sticker WHERE scope = ? AND preset >= ? ORDER BY preset LIMIT 1',
  );
  const isStyle = db.prepare<[string, string, string, number]>(
    'SELECT 1 FROM sticker WHERE scope = ? AND preset >= ? AND preset < ? LIMIT 1 OFFSET ?',
  );
  const styles: string[] = [];
  let from = '';
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const preset = guard(() => next.get(scope, from))?.preset;
    if (preset === undefined) break;
    const style = styleOf(preset);
    // Behind all that begin with it: "0" comes next to "/".
    from = style === '' ? `${preset}\0` : `${style}0`;
    if (style === '' || isOwnName(preset) || preset.startsWith(SHIPPED_PREFIX)) continue;
    if (guard(() => isStyle.get(scope, `${style}/`, from, LEAST - 1)) !== undefined) styles.push(style);
  }
  return styles;
}

/** Presets of a library.db that begin so, whichever remote they belong to; their first parts alone, until a slash is typed. */
export function completePresets(file: string, begun: string): string[] {
  const db = openReadOnly(file);
  try {
    const part = begun.includes('/') ? 'preset' : "substr(preset, 1, instr(preset, '/'))";
    const found = db.prepare<[string, string], string>(
      `SELECT DISTINCT ${part} FROM sticker WHERE substr(preset, 1, length(?)) = ? AND gone_at IS NULL ORDER BY 1`,
    );
    return found.pluck().all(begun, begun);
  } finally {
    db.close();
  }
}

/** Throws `invalid_request` for a style that no sticker has. */
export function requireStyle(store: StickerStore, style: string): void {
  const one = store.db.prepare<[string, string, string]>(
    'SELECT 1 FROM sticker WHERE scope = ? AND preset >= ? AND preset < ? LIMIT 1',
  );
  if (guard(() => one.get(store.scope, `${style}/`, `${style}0`)) !== undefined) return;
  const known = listStyles(store).join(', ');
  throw new SvcdError('invalid_request', `style: the library has no sticker of the style ${JSON.stringify(style)}`, {
    hint: known === '' ? 'It knows no styles yet.' : `Styles are ${known}.`,
  });
}
