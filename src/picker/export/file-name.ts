// Names of files that every system takes, from titles that other people wrote.

const MOST = 60;
/** Separators and what Windows refuses; controls, and marks that turn the direction of text, which hide an ending. */
const UNSAFE = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Devices of Windows, with any ending. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** The name of one file for all of these, without its ending: the first title, and how many more there are. */
export function nameOfAll(tiles: readonly { readonly title: string }[]): string {
  const name = safeName(tiles[0]?.title ?? '');
  return tiles.length > 1 ? `${name} + ${tiles.length - 1}` : name;
}

/** A name without its ending; `sticker` where nothing of the title can be kept. */
export function safeName(title: string): string {
  const kept = title.normalize('NFC').replace(UNSAFE, ' ').replace(/\s+/gu, ' ').trim();
  const cut = Array.from(kept)
    .slice(0, MOST)
    .join('')
    .replace(/^[.\s]+|[.\s]+$/gu, '');
  if (cut === '') return 'sticker';
  return RESERVED.test(cut.split('.', 1)[0] ?? '') ? `${cut}_` : cut;
}
