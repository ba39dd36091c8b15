// "To my editor": which program, which format, and where the files go. They are made while the person goes on searching; what
// was chosen the last time is one click the next time.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Tile } from '../../api/tile.js';
import { ApiError, askJson, isAborted, sendJson } from '../api.js';
import { safeName } from './file-name.js';
import { canPut, type FilesMade, folderOf, makeFiles, numbersOf, type Progress, reasonOf } from './make-files.js';
import { ENDINGS, rateFor, ratesOf, SIDES } from './make-moving.js';
import { BACKGROUNDS, keepSending, KINDS, type Program, PROGRAMS, type Sending, sending } from './programs.js';
import { type Exporting, keepAsUsual } from './ways.js';
import { say, sayToStay, summary } from '../store.js';
import { detailWords } from '../words/details.js';
import { extraWords } from '../words/extras.js';
import { number, words } from '../words/words.js';
import { Button, Problem, Select } from '../panels/controls.js';
import { closeLayer, Modal } from '../panels/modal.js';

// Of the files that are being made, whether the dialog is open or not.
const progress = signal<(Progress & { readonly all: number; readonly begun: number }) | undefined>(undefined);
const made = signal<(FilesMade & { readonly within: string | undefined }) | undefined>(undefined);
const problem = signal('');
let stop = new AbortController();

async function make(tiles: readonly Tile[], isFolder: boolean): Promise<void> {
  if (progress.peek() !== undefined) return;
  const text = extraWords.value;
  const [all, begun] = [tiles.length, performance.now()];
  stop = new AbortController();
  [problem.value, made.value] = ['', undefined];
  progress.value = { part: 0, done: 0, bytes: 0, all, begun };
  addEventListener('beforeunload', keepTab);
  try {
    if (isFolder && summary.value?.folder === false) await sendJson('POST', '/svcd/folder/default');
    const { kind, side, rate, background } = sending.value;
    const options = { kind, side, rate, background: BACKGROUNDS[background] };
    const within = folderOf(tiles);
    const tell = (now: Progress) => (progress.value = { ...now, all, begun });
    const files = await makeFiles(tiles, options, { isFolder, isNumbered: true }, stop.signal, tell);
    keepSending();
    keepAsUsual('send');
    if (!isFolder) return say(text.made(files.name));
    made.value = { ...files, within };
    sayToStay(filesIn(files), { label: text.showFolder, run: () => void reveal(within) });
  } catch (error) {
    if (isAborted(error)) return say(isFolder ? text.stopped : text.cancelled);
    const hint = error instanceof ApiError ? ` ${error.hint ?? ''}` : '';
    problem.value = text.notMade(reasonOf(error)) + hint;
    sayToStay(problem.value);
  } finally {
    progress.value = undefined;
    removeEventListener('beforeunload', keepTab);
  }
}

/** The browser asks before a tab goes whose files are not done. */
const keepTab = (event: Event): void => event.preventDefault();

const filesIn = ({ count, bytes, name }: FilesMade): string =>
  extraWords.value.filesIn(number(count), megabytes(bytes), name);
const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

async function reveal(project: string | undefined): Promise<void> {
  const query = project === undefined ? '' : `?${new URLSearchParams({ project })}`;
  await askJson(`/svcd/folder/reveal${query}`, { method: 'POST' }).catch((error: unknown) =>
    sayToStay(reasonOf(error)),
  );
}

async function copyPath(path: string): Promise<void> {
  await navigator.clipboard.writeText(path).then(
    () => say(words.value.copied(path)),
    () => sayToStay(words.value.notCopied),
  );
}

export function EditorDialog({ tiles, begins = false }: Exporting) {
  const text = extraWords.value;
  const { program, kind, side, rate, background } = sending.value;
  const isThere = canPut();
  const now = progress.value;
  useEffect(() => {
    if (now === undefined) [problem.value, made.value] = ['', undefined];
    if (begins) void make(tiles, isThere);
  }, []);
  const pick = (part: Partial<Sending>) => {
    const next = { ...sending.value, ...part };
    sending.value = { ...next, rate: rateFor(next.kind, next.rate) };
  };
  const name = `${numbersOf(tiles)[0]}${safeName(tiles[0]?.title ?? '')}`;
  const within = folderOf(tiles);
  const isNew = isThere && summary.value?.folder === false;
  return (
    <Modal title={text.ways.editor}>
      <p>{detailWords.value.several(number(tiles.length))}</p>
      <fieldset class="fields" disabled={now !== undefined}>
        <Select
          label={text.program}
          value={program}
          options={Object.entries(text.programs) as [Program, string][]}
          onPick={(value) => pick({ program: value, kind: PROGRAMS[value] })}
        />
        <Select
          label={text.format}
          value={kind}
          options={KINDS.map((one) => [one, text.formats[one]])}
          onPick={(value) => pick({ kind: value })}
        />
        <Select
          label={text.size}
          value={side}
          options={SIDES.map((one) => [one, text.pixels(number(one))])}
          onPick={(value) => pick({ side: value })}
        />
        <Select
          label={text.timelineRate}
          value={rate}
          options={ratesOf(kind).map((one) => [one, String(Math.round(one * 1000) / 1000)])}
          onPick={(value) => pick({ rate: value })}
        />
        <Select
          label={text.background}
          value={background}
          options={Object.keys(BACKGROUNDS).map((one) => [one, text.backgrounds[one as keyof typeof BACKGROUNDS]])}
          onPick={(value) => pick({ background: value as keyof typeof BACKGROUNDS })}
        />
      </fieldset>
      <p class="quiet-text">{text.exportNotes[kind]}</p>
      <p class="quiet-text">
        {text.names(
          [within, ...(kind === 'png' ? [name, `${name}_0001.png`] : [`${name}.${ENDINGS[kind]}`])]
            .filter((one) => one !== undefined)
            .join(' / '),
        )}{' '}
        {isThere && text.otherFolder}
      </p>
      <Problem>{problem.value}</Problem>
      {now !== undefined && (
        <label class="progress">
          <span>
            {text.makingMany(number(now.done), number(now.all), megabytes(now.bytes))}
            {now.part > 0.05 && ` · ${text.left(number(secondsLeft(now)))}`}
          </span>
          <progress max={1} value={now.part} />
        </label>
      )}
      {made.value !== undefined && <p role="status">{filesIn(made.value)}</p>}
      <div class="acts">
        {now === undefined ? (
          <>
            {made.value === undefined ? (
              <Button onClick={closeLayer}>{words.value.cancel}</Button>
            ) : (
              <>
                <Button onClick={() => void copyPath(made.value?.name ?? '')}>{text.copyPath}</Button>
                <Button onClick={() => void reveal(made.value?.within)}>{text.showFolder}</Button>
                <Button onClick={closeLayer}>{words.value.close}</Button>
              </>
            )}
            {isThere && <Button onClick={() => void make(tiles, false)}>{text.download}</Button>}
            <Button class="main-act" autofocus onClick={() => void make(tiles, isThere)}>
              {isNew ? text.putInVideos : text.make}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={() => stop.abort()}>{text.stop}</Button>
            <Button class="main-act" autofocus onClick={closeLayer}>
              {text.meanwhile}
            </Button>
          </>
        )}
      </div>
    </Modal>
  );
}

const secondsLeft = ({ part, begun }: { readonly part: number; readonly begun: number }): number =>
  Math.ceil((((performance.now() - begun) / part) * (1 - part)) / 1000);
