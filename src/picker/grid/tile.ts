// One tile as elements: five of them, made once and filled again. What is a picture and what stands in for one differ at a
// glance: a stand-in has one hue, a dashed frame, a tinted ground and a label, and never moves.

import type { Tile } from '../../api/tile.js';
import { settings } from '../store.js';
import { credits, lang, number, words } from '../words/words.js';

/** A cell of the grid, and what is shown in it. */
export interface Cell {
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  /** The dashes round a stand-in, of the sticker's own ratio. */
  readonly frame: SVGElement;
  readonly mark: HTMLElement;
  readonly title: HTMLElement;
  readonly facts: HTMLElement;
  index: number;
  tile: Tile | undefined;
}

/** What plays and is drawn of it, which other lists have too. */
export type Shown = Pick<Cell, 'element' | 'canvas' | 'mark' | 'tile'>;

const SVG = 'http://www.w3.org/2000/svg';

function makeCell(): Cell {
  const element = part('tile', 'div');
  element.setAttribute('role', 'gridcell');
  element.tabIndex = -1;
  const canvas = document.createElement('canvas');
  const frame = document.createElementNS(SVG, 'svg');
  frame.setAttribute('class', 'frame');
  frame.setAttribute('aria-hidden', 'true');
  const dashes = document.createElementNS(SVG, 'rect');
  // However long they are, the dashes are as many.
  dashes.setAttribute('pathLength', '120');
  frame.append(dashes);
  const mark = part('mark');
  const title = part('name');
  title.lang = 'zh';
  // Its direction is its own: a title that runs from the right turns nothing beside it.
  title.dir = 'auto';
  const facts = part('facts');
  // What is read of it are words: a title that ends in a digit, and a length.
  element.append(canvas, frame, title, ' ', facts, ' ', mark);
  return { element, canvas, frame, mark, title, facts, index: -1, tile: undefined };
}

/** Cells beside each other, with the number of their row in the list. */
export interface Row {
  readonly element: HTMLElement;
  readonly cells: readonly Cell[];
  row: number;
}

export function makeRow(columns: number): Omit<Row, 'row'> {
  const element = part('row', 'div');
  element.setAttribute('role', 'row');
  const cells = Array.from({ length: columns }, (_, column) => {
    const cell = makeCell();
    cell.element.setAttribute('aria-colindex', `${column + 1}`);
    element.append(cell.element);
    return cell;
  });
  return { element, cells };
}

/** Shows nothing of any list, so that nothing is done or fetched for it. */
export function emptyRow(row: Row): void {
  row.row = -1;
  for (const cell of row.cells) [cell.tile, cell.index] = [undefined, -1];
}

function part(name: string, kind = 'span'): HTMLElement {
  const element = document.createElement(kind);
  element.className = name;
  return element;
}

/** Fills a cell; without a tile it is a still gray place of the final size. */
export function fillCell(
  cell: Cell,
  index: number,
  tile: Tile | undefined,
  isChosen: boolean,
  buying?: 'new' | 'slow',
): void {
  const { element, mark, title, facts } = cell;
  const isOther = cell.tile?.preset !== tile?.preset || cell.index !== index;
  // What stood in for it stays until the picture is drawn over it.
  const hasCome = !isOther && tile?.picture === 'owned' && cell.tile?.picture !== 'owned';
  cell.index = index;
  cell.tile = tile;
  element.id = `tile-${index}`;
  element.setAttribute('aria-selected', `${isChosen}`);
  // To empty the canvas would take as long as to draw.
  if (isOther) element.classList.add('blank');
  if (isOther || hasCome) element.classList.toggle('came', hasCome);
  if (tile === undefined) {
    element.dataset['look'] = 'waiting';
    element.removeAttribute('aria-label');
    mark.textContent = title.textContent = facts.textContent = '';
    return;
  }
  const look = lookOf(tile);
  element.dataset['look'] = look;
  element.dataset['seen'] = seenOf(tile) ?? '';
  const state = stateOf(tile, buying);
  element.dataset['purchase'] = state ?? '';
  if (look !== 'picture') {
    // Text and dashes mix it with ink, so that every color can be read (picker.css).
    element.style.setProperty('--hue', tile.color ?? '#808080');
    const { width, height } = frameOf(tile);
    cell.frame.style.setProperty('--wide', `${width}`);
    cell.frame.style.setProperty('--high', `${height}`);
    cell.frame.style.setProperty('--run', `${tile.duration ?? 0}s`);
  }
  element.classList.toggle(DARK_ART, isDarkArt(tile));
  // Only the file of what is owned may be dragged out.
  element.draggable = tile.price === 0;
  write(mark, state === undefined ? words.value.label[labelOf(tile)] : words.value.purchase[state]);
  write(title, tile.title);
  title.dataset['other'] = otherTitle(tile);
  if (title.title !== tile.title) title.title = tile.title;
  write(facts, factsOf(tile));
  element.setAttribute('aria-label', nameOf(tile, state));
}

/** Texts are laid out anew when they are written, also where they are the same. */
function write(into: HTMLElement, text: string): void {
  if (into.textContent !== text) into.textContent = text;
}

/** Marks the tile whose details stand beside the grid. */
export function markOpen({ element, tile }: Cell, isOpen: (preset: string) => boolean): void {
  if (tile !== undefined && isOpen(tile.preset)) element.setAttribute('aria-current', 'true');
  else element.removeAttribute('aria-current');
}

/** Says of a picture that cannot be shown why not; taking it may well work. */
export function sayTrouble({ element, mark, tile }: Shown, trouble: 'damaged' | 'undrawable'): void {
  if (tile === undefined) return;
  element.dataset['purchase'] = trouble;
  mark.textContent = words.value.purchase[trouble];
  element.setAttribute('aria-label', nameOf(tile, trouble));
}

/** What goes on with it, or is wrong with it, which is said in place of what it shows. */
function stateOf({ purchase, price }: Tile, buying: 'new' | 'slow' | undefined) {
  if (buying !== undefined) return buying === 'slow' ? 'slow' : 'under_way';
  return purchase === 'gone' && price > 0 ? 'unsold' : (purchase ?? undefined);
}

export type Look = 'picture' | 'sketch' | 'word';

/** Of a square's side, what the frame of a stand-in takes: it has the sticker's own ratio. */
export function frameOf({ aspect }: Pick<Tile, 'aspect'>): { readonly width: number; readonly height: number } {
  const ratio = aspect ?? 1;
  return { width: FRAME * Math.min(1, ratio), height: FRAME * Math.min(1, 1 / ratio) };
}

const FRAME = 0.78;
const NEAR_BLACK = 0.06;

/** The class of what stands on a lighter ground where it is dark. */
export const DARK_ART = 'dark-art';

/** Whether its drawing could hardly be seen on a dark ground. */
export function isDarkArt(tile: Tile): boolean {
  const parts = /^#?(..)(..)(..)$/.exec(tile.color ?? '')?.slice(1) ?? [];
  const [red = 1, green = 1, blue = 1] = parts.map((one) => (Number.parseInt(one, 16) / 255) ** 2);
  return 0.21 * red + 0.72 * green + 0.07 * blue < NEAR_BLACK && lookOf(tile) === 'picture';
}

/** What is shown of the file; the sandbox's art is not, where it is to be as with the real service. */
export function seenOf({ picture }: Pick<Tile, 'picture'>): Tile['picture'] {
  return picture === 'sandbox' && settings.asReal.value ? null : picture;
}

/** What a tile shows: its picture, a free drawing of the same thing, or a word of its title. */
export function lookOf({ picture, sketch }: Tile): Look {
  if (seenOf({ picture }) !== null) return 'picture';
  return sketch === null ? 'word' : 'sketch';
}

/** What a tile says of what it shows, as a key of `words.label`. */
export function labelOf(tile: Tile): keyof typeof words.value.label {
  return seenOf(tile) ?? (tile.sketch === null ? 'none' : 'sketch');
}

function factsOf({ duration, price }: Tile): string {
  const length = duration === null ? [] : [words.value.seconds(number(duration, 1))];
  return [...length, ...(price === 0 ? [] : [credits(price)])].join(' · ');
}

/** The reader's title, beside the one as sold; nothing for who reads that. */
export function otherTitle({ titles, translated }: Pick<Tile, 'titles' | 'translated'>): string {
  const told = lang.value === 'zh' ? undefined : titles?.en;
  return told === undefined ? '' : `${translated === true ? '≈ ' : ''}${told}`;
}

/** They turn the text behind them. */
const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** What a screen reader says of it: first what is written on it, in the same order, so that speech can name it (WCAG 2.5.3). */
function nameOf(tile: Tile, state?: keyof typeof words.value.purchase): string {
  const said = state === undefined ? [] : [words.value.purchase[state]];
  return [
    tile.title.replace(DIRECTION_MARKS, ''),
    factsOf(tile),
    ...said,
    words.value.label[labelOf(tile)],
    otherTitle(tile),
  ]
    .filter((one) => one !== '')
    .join(', ');
}

/** The word that is set in type where there is nothing to see: the first of the title. */
export function wordOf({ title }: Pick<Tile, 'title'>): string {
  const [first = ''] = title.split(/[\s，,、·（(]/u, 1);
  return Array.from(first).slice(0, 4).join('');
}
