// The ways out for one sticker or the chosen ones, of which the one that Enter does is marked; and what asks how a file is to be
// made, makes it, says how far it is, and can be told to stop.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Tile } from '../../api/tile.js';
import { isAborted, messageOf } from '../api.js';
import { drawSheets, MOST_ON_SHEET, tilesOf } from '../export/contact-sheet.js';
import { nameOfAll, safeName } from '../export/file-name.js';
import {
  ExportLimit,
  type MadeFile,
  makeMoving,
  MOST_FILE_BYTES,
  MOST_FRAMES,
  ratesOf,
  SIDES,
  zipFiles,
} from '../export/make-moving.js';
import type { MovingKind } from '../export/messages.js';
import {
  exporting,
  type Exporting,
  isExport,
  keepAsUsual,
  nameOfWay,
  noteExport,
  run,
  saveFile,
  usualOf,
  waysFor,
} from '../export/ways.js';
import { fetchFile } from '../player/player.js';
import { addressOf } from '../player/stills.js';
import { focused, layer, say } from '../store.js';
import { detailWords } from '../words/details.js';
import { extraWords } from '../words/extras.js';
import { number, words } from '../words/words.js';
import { Button, Problem, Select } from './controls.js';
import { tileOf } from './figures.js';
import { Modal } from './modal.js';

/** Names by which programs get a sticker. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set(['preset', 'command']);

export function ExportMenu() {
  const text = detailWords.value;
  const tiles = tilesNamed(layer.value?.presets ?? []);
  const usual = usualOf(tiles);
  const close = () => (layer.value = undefined);
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
            close();
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
    <Modal title={text.exportTitle} onClose={close}>
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

const BACKGROUNDS = { none: '', white: '#ffffff', black: '#000000', green: '#00b140' } as const;
type Background = keyof typeof BACKGROUNDS | 'own';

/** What was chosen last, for as long as the page is open. */
const last = { side: 480, rate: 25, background: 'none' as Background, color: '#5b4bd6' };

export function ExportDialog() {
  const { value } = exporting;
  return value === undefined ? null : <Asked key={value.id} {...value} />;
}

function Asked(what: Exporting) {
  const text = extraWords.value;
  const { id, tiles } = what;
  const isMoving = id === 'gif' || id === 'apng' || id === 'png';
  const [side, rate] = [useSignal(last.side), useSignal(last.rate)];
  const [background, color] = [useSignal<Background>(last.background), useSignal(last.color)];
  const part = useSignal<number | undefined>(undefined);
  const problem = useSignal('');
  const stop = useSignal<AbortController | undefined>(undefined);
  useEffect(() => () => stop.peek()?.abort(), []);
  const close = () => (layer.value = undefined);
  const make = async () => {
    const controller = (stop.value = new AbortController());
    problem.value = '';
    part.value = 0;
    Object.assign(last, { side: side.value, rate: rate.value, background: background.value, color: color.value });
    const progress = (done: number) => (part.value = done);
    try {
      const under = background.value === 'own' ? color.value : BACKGROUNDS[background.value];
      const options = { side: side.value, rate: rate.value, background: under };
      const told = isMoving
        ? await moving(id, tiles, options, controller.signal, progress)
        : await sheets(what, controller.signal, progress);
      keepAsUsual(id);
      say(told);
      close();
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
    <Modal title={text.ways[id]} onClose={close}>
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
            value={rate.value}
            options={ratesOf(id).map((one) => [one, number(one)])}
            onPick={(value) => (rate.value = value)}
          />
          <Select
            label={text.background}
            value={background.value}
            options={(['none', 'white', 'black', 'green', 'own'] as const).map((one) => [one, text.backgrounds[one]])}
            onPick={(value) => (background.value = value)}
          />
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
        <button ref={cancel} type="button" onClick={close}>
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

function reasonOf(error: unknown): string {
  const text = extraWords.value;
  if (!(error instanceof ExportLimit)) return messageOf(error);
  return error.limit === 'bytes' ? text.tooManyBytes : text.tooManyFrames(number(error.count), number(MOST_FRAMES));
}

/** Makes a file that moves and saves it; answers with what to say. */
async function moving(
  kind: MovingKind,
  tiles: readonly Tile[],
  options: { readonly side: number; readonly rate: number; readonly background: string },
  signal: AbortSignal,
  progress: (part: number) => void,
): Promise<string> {
  const files: MadeFile[] = [];
  let bytes = 0;
  for (const [index, tile] of tiles.entries()) {
    const file = await fetchFile(addressOf(tile));
    const part = (done: number) => progress((index + done) / tiles.length);
    const made = await makeMoving(file, tile.title, { kind, ...options }, signal, part);
    bytes += made.blob.size;
    if (bytes > MOST_FILE_BYTES) throw new ExportLimit('bytes', bytes);
    files.push(made);
  }
  const [one] = files;
  if (one === undefined) throw new Error(extraWords.value.nothingChosen);
  const { blob, name } = files.length === 1 ? one : await zipFiles(files, `${nameOfAll(tiles)} ${kind}.zip`, signal);
  saveFile(blob, name);
  noteExport(tiles.map(({ preset }) => preset));
  return extraWords.value.made(name);
}

/** Makes sheets, and saves or prints them; answers with what to say. */
async function sheets(
  { id, tiles, collection }: Exporting,
  signal: AbortSignal,
  progress: (part: number) => void,
): Promise<string> {
  const text = extraWords.value;
  const shown = collection === undefined ? tiles : await tilesOf(collection, signal);
  if (shown.length === 0) throw new Error(text.nothingToExport);
  const isPrinted = id === 'print';
  const made = await drawSheets(shown, { title: collection ?? '', isPrinted }, signal, progress);
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
