// The ways out for one sticker or the chosen ones, of which the one that Enter does is marked; and what asks how a file is to be
// made, makes it, says how far it is, and can be told to stop.

import { signal as signalOf, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Tile } from '../../api/tile.js';
import { isAborted, listTiles } from '../api.js';
import { nameOfAll, safeName } from '../export/file-name.js';
import { makeFiles, type Progress, reasonOf } from '../export/make-files.js';
import { isMov, rateFor, ratesOf, SIDES } from '../export/make-moving.js';
import type { SheetItem } from '../export/messages.js';
import { type Background, BACKGROUNDS } from '../export/programs.js';
import {
  exporting,
  type ExportId,
  type Exporting,
  isExport,
  keepAsUsual,
  nameOfWay,
  run,
  saveFile,
  usualOf,
  waysFor,
} from '../export/ways.js';
import { fetchFile, drawStill } from '../player/player.js';
import { addressOf } from '../player/stills.js';
import { focused, layer, say } from '../store.js';
import { detailWords } from '../words/details.js';
import { extraWords } from '../words/extras.js';
import { number, words } from '../words/words.js';
import { EditorDialog } from '../export/editor-dialog.js';
import { Button, NamedSelect, Problem, Select } from './controls.js';
import { tileOf } from './figures.js';
import { closeLayer, Modal } from './modal.js';
import { labelOf, lookOf, wordOf } from '../grid/tile.js';
import { withMaker } from '../export/workers.js';

/** Names by which programs get a sticker. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set(['preset', 'command']);

export function ExportMenu() {
  const text = detailWords.value;
  const tiles = tilesNamed(layer.value?.presets ?? []);
  const usual = usualOf(tiles);
  const [first] = tiles;
  const ways = waysFor(tiles);
  const row = (id: (typeof ways)[number]) => {
    const isUsual = id === usual && tiles.every(({ price }) => price === 0);
    return (
      <li key={id}>
        <Button
          autofocus={isUsual}
          onClick={() => {
            // One that asks how it is to be made may yet be cancelled.
            if (!isExport(id)) keepAsUsual(id);
            closeLayer();
            void run(id, tiles);
          }}
        >
          {nameOfWay(id)}
          {isUsual && <small>{text.usual}</small>}
        </Button>
      </li>
    );
  };
  return (
    <Modal title={text.exportTitle}>
      <p lang={tiles.length === 1 ? 'zh' : undefined}>
        {tiles.length === 1 ? first?.title : text.several(number(tiles.length))}
      </p>
      {tiles.some(({ picture }) => picture === null || picture === 'sandbox') && (
        <p class="quiet-text">{text.notHeld}</p>
      )}
      <ul class="ways">{ways.filter((id) => !FOR_PROGRAMS.has(id)).map(row)}</ul>
      <h3>{text.forPrograms}</h3>
      <ul class="ways">{ways.filter((id) => FOR_PROGRAMS.has(id)).map(row)}</ul>
    </Modal>
  );
}

function tilesNamed(presets: readonly string[]): readonly Tile[] {
  const known = (preset: string) => tileOf(preset) ?? (focused.value?.preset === preset ? focused.value : undefined);
  return presets.map(known).filter((tile) => tile !== undefined);
}

// What was chosen last, for as long as the page is open.
const [side, rate] = [signalOf(480), signalOf(25)];
const [background, color] = [signalOf<Background>('none'), signalOf('#5b4bd6')];

export function ExportDialog() {
  const { value } = exporting;
  if (value === undefined) return null;
  const { id } = value;
  return id === 'editor' ? <EditorDialog {...value} /> : <Asked key={id} {...value} id={id} />;
}

function Asked(what: Exporting & { readonly id: Exclude<ExportId, 'editor'> }) {
  const text = extraWords.value;
  const { id, tiles } = what;
  const isMoving = id !== 'sheet' && id !== 'print';
  const part = useSignal<number | undefined>(undefined);
  const problem = useSignal('');
  const stop = useSignal<AbortController | undefined>(undefined);
  useEffect(() => () => stop.peek()?.abort(), []);
  const make = async () => {
    const controller = (stop.value = new AbortController());
    problem.value = '';
    part.value = 0;
    const progress = (done: number) => (part.value = done);
    const tell = (now: Progress) => progress(now.part);
    // On a timeline they stand as they were chosen.
    const to = { isFolder: false, isNumbered: isMov(id) || id === 'png' };
    try {
      const under = background.value === 'own' ? color.value : BACKGROUNDS[background.value];
      const options = { side: side.value, rate: isMoving ? rateFor(id, rate.value) : 0, background: under };
      const told = isMoving
        ? text.made((await makeFiles(tiles, { kind: id, ...options }, to, controller.signal, tell)).name)
        : await sheets(what, controller.signal, progress);
      keepAsUsual(id);
      say(told);
      closeLayer();
    } catch (error) {
      part.value = undefined;
      if (isAborted(error)) say(text.cancelled);
      else problem.value = reasonOf(error);
    }
  };
  const isBusy = part.value !== undefined;
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The button that began it can be pressed no more.
    if (isBusy) cancel.current?.focus();
  }, [isBusy]);
  return (
    <Modal title={text.ways[id]}>
      {tiles.length > 1 ? (
        <p>{detailWords.value.several(number(tiles.length))}</p>
      ) : (
        <p lang="zh">{tiles[0]?.title ?? what.collection}</p>
      )}
      <p class="quiet-text">{text.exportNotes[id]}</p>
      {isMoving && (
        <fieldset class="fields" disabled={isBusy}>
          <Select
            label={text.size}
            value={side.value}
            options={SIDES.map((one) => [one, text.pixels(number(one))])}
            onPick={(value) => (side.value = value)}
          />
          <Select
            label={text.rate}
            value={rateFor(id, rate.value)}
            options={ratesOf(id).map((one) => [one, String(Math.round(one * 1000) / 1000)])}
            onPick={(value) => (rate.value = value)}
          />
          <NamedSelect of={background} label={text.background} names={text.backgrounds} />
          {background.value === 'own' && (
            <label class="pick">
              <span>{text.backgroundColor}</span>
              <input type="color" value={color.value} onInput={(event) => (color.value = event.currentTarget.value)} />
            </label>
          )}
        </fieldset>
      )}
      <Problem>{problem.value === '' ? '' : text.notMade(problem.value)}</Problem>
      {isBusy && (
        <label class="progress">
          <span>{text.making(percent(part.value ?? 0))}</span>
          <progress max={1} value={part.value} />
        </label>
      )}
      <div class="acts">
        <button ref={cancel} type="button" onClick={closeLayer}>
          {words.value.cancel}
        </button>
        <Button class="main-act" autofocus disabled={isBusy} onClick={() => void make()}>
          {id === 'print' ? text.print : text.make}
        </Button>
      </div>
    </Modal>
  );
}

const percent = (part: number) => number(Math.round(part * 100)) + ' %';

/** Makes sheets, and saves or prints them; answers with what to say. */
async function sheets(
  { id, tiles, collection }: Exporting,
  abort: AbortSignal,
  progress: (part: number) => void,
): Promise<string> {
  const text = extraWords.value;
  const shown = collection === undefined ? tiles : await tilesOf(collection, abort);
  if (shown.length === 0) throw new Error(text.nothingToExport);
  const isPrinted = id === 'print';
  const made = await drawSheets(shown, { title: collection ?? '', isPrinted }, abort, progress);
  const most = shown.length > MOST_ON_SHEET ? [text.firstOf(number(MOST_ON_SHEET), number(shown.length))] : [];
  if (isPrinted) {
    await printSheets(made);
    return [text.printed, ...most].join(' ');
  }
  const [sheet] = made;
  const name = `${collection === undefined ? nameOfAll(shown) : safeName(collection)}.png`;
  if (sheet !== undefined) saveFile(sheet, name);
  return [text.made(name), ...most].join(' ');
}

/** Prints pages that were drawn: only they are on the paper (picker.css, `@media print`). Resolves once that is over. */
async function printSheets(pages: readonly Blob[]): Promise<void> {
  const paper = document.createElement('div');
  paper.className = 'paper';
  const addresses = pages.map((page) => URL.createObjectURL(page));
  const images = addresses.map((address) => {
    const image = new Image();
    image.alt = '';
    image.src = address;
    paper.append(image);
    return image;
  });
  document.body.append(paper);
  try {
    await Promise.all(images.map((image) => image.decode()));
    print();
  } finally {
    paper.remove();
    for (const address of addresses) URL.revokeObjectURL(address);
  }
}

/** Stickers on one sheet: beyond it a browser's canvas ends. */
const MOST_ON_SHEET = 300;
const ON_PRINTED_PAGE = 20;
const SIDE = 240;
const PRINTED_COLUMNS = 4;
const MOST_COLUMNS = 12;

/** The stickers of a collection, in its order, as many as fit on a sheet. */
async function tilesOf(collection: string, signal: AbortSignal): Promise<readonly Tile[]> {
  const tiles: Tile[] = [];
  for (;;) {
    const limit = Math.min(100, MOST_ON_SHEET - tiles.length);
    if (limit === 0) return tiles;
    const answer = await listTiles({ collection }, tiles.length, limit, signal);
    tiles.push(...answer.tiles);
    if (answer.tiles.length === 0 || tiles.length >= answer.total) return tiles;
  }
}

/** Draws one sheet, or one for each printed page. */
async function drawSheets(
  tiles: readonly Tile[],
  { title, isPrinted }: { readonly title: string; readonly isPrinted: boolean },
  signal: AbortSignal,
  onProgress: (part: number) => void,
): Promise<Blob[]> {
  const shown = tiles.slice(0, MOST_ON_SHEET);
  const perPage = isPrinted ? ON_PRINTED_PAGE : MOST_ON_SHEET;
  const columns = isPrinted
    ? PRINTED_COLUMNS
    : Math.min(MOST_COLUMNS, Math.max(1, Math.ceil(Math.sqrt(shown.length * 1.3))));
  const drawn: Blob[] = [];
  for (let first = 0; first < shown.length; first += perPage) {
    const items: SheetItem[] = [];
    for (const tile of shown.slice(first, first + perPage)) {
      signal.throwIfAborted();
      items.push(await itemOf(tile));
      onProgress((first + items.length) / shown.length);
    }
    const order = { do: 'sheet', items, columns, title: first === 0 ? title : '' } as const;
    const bitmaps = items.flatMap(({ bitmap }) => bitmap ?? []);
    drawn.push(await withMaker(signal, (maker) => maker.make(order, bitmaps)));
  }
  return drawn;
}

/** What a sheet shows of a sticker; a picture that cannot be drawn is a word, and says so. */
async function itemOf(tile: Tile): Promise<SheetItem> {
  const look = lookOf(tile);
  const bitmap = look === 'word' ? undefined : await stillOf(tile);
  const isWord = bitmap === undefined;
  return {
    title: tile.title,
    note: tile.preset,
    look: isWord ? 'word' : look,
    label: words.value.label[isWord ? 'none' : labelOf(tile)],
    word: wordOf(tile),
    color: tile.color ?? '#808080',
    bitmap,
  };
}

async function stillOf(tile: Tile): Promise<ImageBitmap | undefined> {
  try {
    return (await drawStill(await fetchFile(addressOf(tile)), SIDE)).bitmap;
  } catch {
    // A file that cannot be had or drawn: the sheet says "no picture" of it.
    return undefined;
  }
}
