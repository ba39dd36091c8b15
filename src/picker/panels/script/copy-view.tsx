// A copy and its stickers: the text on the left, with the words marked that something was found by; on the right a row for
// each sentence with its six best. A reason lights its word, and a word its reasons.

import { useSignal, useSignalEffect, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Tile, TileReason } from '../../../api/tile.js';
import {
  chooseBest,
  decide,
  lines,
  style,
  takeStyle,
  isFitting,
  isOfRows,
  rowFilters,
  searchLine,
  chooseFor,
  choiceCount,
  choices,
  isMatching,
  matchCopy,
  matched,
  problem,
  type Sentence,
} from '../../copy.js';
import { isSameWord, piecesOf } from '../../copy-marks.js';
import { copyCount, copyText, hasSession } from '../../extras.js';
import { catchFocus } from '../../grid/grid-view.js';
import { labelOf, type Shown } from '../../grid/tile.js';
import { playCell } from '../../player/stills.js';
import { beginAnew, write } from '../../project.js';
import { change, notice, say, styles } from '../../store.js';
import { extraWords } from '../../words/extras.js';
import { detailWords } from '../../words/details.js';
import { credits, nameOfStyle, number, sayRelated, words } from '../../words/words.js';
import { Button, Problem, Select } from '../controls.js';
import { Chips } from '../list-head.js';
import { ProjectMenu } from './project-menu.js';
import { TilePicture } from '../tile-picture.js';

const SIDE = 88;

/** A word of a sentence that is lit, because it or its reason has the pointer or the focus. */
interface Lit {
  readonly sentence: number;
  readonly word: string;
}

/** What was read last; a copy that is pasted again is matched again. */
let matchedCount = 0;

export function CopyView() {
  const text = extraWords.value;
  const isEditing = useSignal(false);
  const lit = useSignal<Lit | undefined>(undefined);
  const field = useRef<HTMLTextAreaElement>(null);
  const rows = useRef<HTMLOListElement>(null);
  const match = async () => {
    const isSame = await matchCopy();
    if (problem.value !== '') return true;
    isEditing.value = false;
    // Where the person goes on: the best of the first sentence.
    requestAnimationFrame(() => rows.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus());
    return isSame;
  };
  /** What was decided for the one before is kept first; a text that has none of its sentences is a script of its own. */
  const read = async () => {
    await write();
    if (!(await match())) beginAnew();
  };
  useEffect(() => {
    if (copyCount.value === matchedCount) {
      if (matched.value === undefined) field.current?.focus();
      return;
    }
    matchedCount = copyCount.value;
    void read();
  }, [copyCount.value]);
  useEffect(
    () => () => {
      catchFocus();
      // It offers another way to read the text, which is no longer seen.
      if (notice.peek()?.text === words.peek().readAsCopy) notice.value = undefined;
    },
    [],
  );
  useSignalEffect(() => {
    const { value } = matched;
    if (value !== undefined && !isEditing.value && value.filters !== JSON.stringify(rowFilters())) void matchCopy();
  });
  const known = matched.value;
  return (
    <section
      class="copy"
      aria-label={text.copyTitle}
      onKeyDown={(event) => {
        if (event.isComposing || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void read();
      }}
    >
      <header class="copy-head">
        <h1>{text.copyTitle}</h1>
        {known !== undefined && (
          <span role="status">{text.of(number(choiceCount.value), number(known.sentences.length))}</span>
        )}
        {known !== undefined && known.sentences.length > 0 && (
          <>
            <Select
              label={text.oneStyle}
              value={style.value}
              options={[
                ['any', text.anyStyle],
                ['auto', text.autoStyle],
                ...styles.value.map((one) => [one, nameOfStyle(one)] as const),
              ]}
              onPick={(asked) => void takeStyle(asked)}
            />
            <Chips of={isOfRows} />
            <Button onClick={() => chooseBest()}>{text.takeBest}</Button>
            <Button onClick={() => chooseBest(true)}>{text.again}</Button>
          </>
        )}
        <Button onClick={() => change({ mode: 'grid' }, 'push')}>{text.copyClose}</Button>
      </header>
      <div class="copy-text">
        <ProjectMenu />
        {isEditing.value || known === undefined ? (
          <>
            <label class="pick">
              <span>{text.copyText}</span>
              <textarea
                ref={field}
                lang="zh"
                autocomplete="off"
                spellcheck={false}
                placeholder={hasSession() ? text.copyHint : text.copyHintOnly}
                value={copyText.value}
                onInput={(event) => (copyText.value = event.currentTarget.value)}
              />
            </label>
            <Button class="main-act" disabled={isMatching.value} onClick={() => void read()}>
              {text.copyMatch}
            </Button>
          </>
        ) : (
          <>
            <p class="copy-marked" lang="zh">
              <Marked {...known} lit={lit} />
            </p>
            <Button
              onClick={() => {
                isEditing.value = true;
                requestAnimationFrame(() => field.current?.focus());
              }}
            >
              {text.copyEdit}
            </Button>
          </>
        )}
        <Problem>{problem.value}</Problem>
        <p class="quiet-text">{text.copyKeys}</p>
      </div>
      {known !== undefined && (
        <ol ref={rows} class="copy-rows plain" onKeyDown={(event) => move(event)}>
          {known.sentences.map((sentence, index) => (
            <Row key={index} index={index} text={known.text} sentence={sentence} lit={lit} />
          ))}
        </ol>
      )}
    </section>
  );
}

type LitSignal = Signal<Lit | undefined>;

const lights = (lit: LitSignal, sentence: number, word: string) => {
  const on = () => (lit.value = { sentence, word });
  const off = () => (lit.value = undefined);
  return { onPointerEnter: on, onPointerLeave: off, onFocus: on, onBlur: off };
};

const isLit = ({ value }: LitSignal, sentence: number, word: string): boolean =>
  value?.sentence === sentence && isSameWord(value.word, word);

function Marked(props: { readonly text: string; readonly sentences: readonly Sentence[]; readonly lit: LitSignal }) {
  const { text, sentences, lit } = props;
  return (
    <>
      {piecesOf(text, sentences).map(({ text: piece, sentence, word }, index) =>
        sentence === undefined || word === undefined ? (
          piece
        ) : (
          <Button
            key={index}
            class="copy-word"
            data-lit={isLit(lit, sentence, word)}
            {...lights(lit, sentence, word)}
            onClick={() => document.getElementById(`sentence-${sentence}`)?.scrollIntoView({ block: 'nearest' })}
          >
            {piece}
          </Button>
        ),
      )}
    </>
  );
}

interface RowProps {
  readonly index: number;
  readonly text: string;
  readonly sentence: Sentence;
  readonly lit: LitSignal;
}

function Row({ index, text: copy, sentence, lit }: RowProps) {
  const text = extraWords.value;
  const at = useSignal(0);
  const choice = choices.value.get(index);
  const locked = lines.value.get(index)?.locked === true;
  const isShown = choice === undefined || sentence.tiles.some(({ preset }) => preset === choice.preset);
  const tiles = isShown ? sentence.tiles : [...sentence.tiles, choice];
  const usedBy = ({ preset }: Tile) =>
    [...choices.value].find(([other, one]) => other !== index && one.preset === preset)?.[0];
  const none = Object.keys(rowFilters()).length > 0 ? text.noneFiltered : text.noneFound;
  const noneFits = tiles.length === 0 ? none : isFitting(sentence, 0) ? text.noChoice : words.value.noneFits;
  const said = choice === undefined ? noneFits : text.chosenIs(choice.title);
  const [from, to] = sentence.at;
  return (
    <li id={`sentence-${index}`} class="copy-row" aria-label={text.sentence(number(index + 1))}>
      <p lang="zh" class="copy-sentence">
        {copy.slice(from, to)}
      </p>
      <div class="copy-line">
        <p class="copy-choice" data-chosen={choice !== undefined}>
          {choice === undefined ? '○ ' : '✓ '}
          {said}
        </p>
        <LineSearch index={index} />
      </div>
      {choice !== undefined && (
        <Button class="copy-lock" aria-pressed={locked} onClick={() => decide(index, { locked: !locked })}>
          {locked ? text.locked : text.lock}
        </Button>
      )}
      <div class="copy-tiles" role="group" aria-label={copy.slice(from, to)}>
        {tiles.map((tile, place) => [
          place > 0 && place === sentence.related_from && (
            <span key="related" class="copy-related">
              {sayRelated(place, tiles.length)}
            </span>
          ),
          <Button
            key={tile.preset}
            class="copy-tile"
            aria-pressed={choice?.preset === tile.preset}
            // One stop of Tab for each row.
            tabIndex={place === Math.min(at.value, tiles.length - 1) ? 0 : -1}
            data-reaches={tile.because.some(({ asked }) => isLit(lit, index, asked))}
            onFocus={({ currentTarget }) => {
              at.value = place;
              playCell(shown(currentTarget, tile));
            }}
            onPointerEnter={({ currentTarget }) => playCell(shown(currentTarget, tile))}
            onBlur={rest}
            onPointerLeave={rest}
            onClick={() => chooseAnother(index, choice, tile)}
          >
            <TilePicture tile={tile} side={SIDE} />
            <span lang="zh">{tile.title}</span>{' '}
            <small>
              {usedBy(tile) === undefined
                ? tile.price > 0 && credits(tile.price)
                : text.used(number(usedBy(tile)! + 1))}
              <span class={tile.price > 0 ? 'unseen' : ''}> {words.value.label[labelOf(tile)]}</span>
            </small>
          </Button>,
        ])}
      </div>
      {tiles[at.value] !== undefined && <Reasons tile={tiles[at.value] as Tile} sentence={index} lit={lit} />}
    </li>
  );
}

/** A tile of a row as what plays. */
const shown = (element: HTMLElement, tile: Tile): Shown => ({
  element,
  canvas: element.querySelector('canvas')!,
  mark: document.createElement('span'),
  tile,
});
const rest = () => playCell(undefined);

/** What is searched for a line in place of its own words: once Enter is pressed, or it is left. */
function LineSearch({ index }: { readonly index: number }) {
  const text = extraWords.value;
  const q = lines.value.get(index)?.q ?? '';
  const typed = useSignal(q);
  useEffect(() => {
    typed.value = q;
  }, [q]);
  const search = () => {
    if (typed.value.trim() !== q) void searchLine(index, typed.value.trim());
  };
  return (
    <input
      type="search"
      lang="zh"
      class="copy-search"
      aria-label={text.lineSearch}
      placeholder={text.lineSearch}
      maxLength={500}
      autocomplete="off"
      spellcheck={false}
      value={typed.value}
      onInput={(event) => {
        typed.value = event.currentTarget.value;
        // Its ✕ was pressed, or all was deleted.
        if (typed.value === '') search();
      }}
      onChange={search}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || typed.value === '') return;
        event.preventDefault();
        typed.value = '';
        search();
      }}
    />
  );
}

/** A sentence has one sticker: that another took its place is said, and can be undone. */
function chooseAnother(sentence: number, before: Tile | undefined, tile: Tile): void {
  if (before?.preset === tile.preset) return chooseFor(sentence, undefined);
  chooseFor(sentence, tile);
  if (before === undefined) return;
  const run = () => {
    chooseFor(sentence, before);
    // When it shows what is chosen; the button that was pressed is gone.
    setTimeout(() => document.querySelector<HTMLElement>(`#sentence-${sentence} [aria-pressed="true"]`)?.focus());
  };
  say(extraWords.value.replaced(tile.title, before.title), { label: words.value.undo, run });
}

function Reasons({ tile, sentence, lit }: { readonly tile: Tile; readonly sentence: number; readonly lit: LitSignal }) {
  const text = extraWords.value;
  if (tile.because.length === 0) return null;
  return (
    <p class="copy-reasons">
      <span class="quiet-text">
        {text.because} <span lang="zh">{tile.title}</span>:
      </span>{' '}
      {tile.because.map((reason) => (
        <Button
          key={`${reason.asked} ${reason.word} ${reason.field}`}
          class="copy-reason"
          data-lit={isLit(lit, sentence, reason.asked)}
          {...lights(lit, sentence, reason.asked)}
        >
          {sayReason(reason)}
        </Button>
      ))}
    </p>
  );
}

function sayReason({ word, asked, field, source }: TileReason): string {
  const text = extraWords.value;
  return source === 'synonym' ? text.synonym(word, asked) : text.direct(word, detailWords.value.fields[field]);
}

/** ← and → go to another sticker of the sentence, ↑ and ↓ to another sentence. */
function move(event: KeyboardEvent): void {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
  const { target } = event;
  if (step === undefined || event.isComposing || !(target instanceof HTMLElement)) return;
  const row = target.closest('.copy-row');
  if (row === null) return;
  if (target.matches('input')) {
    // ↓ goes to what was found; the others belong to the field.
    if (event.key === 'ArrowDown') row.querySelector<HTMLElement>('.copy-tile[tabindex="0"]')?.focus();
    return;
  }
  event.preventDefault();
  if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    const tiles = [...row.querySelectorAll<HTMLElement>('.copy-tile')];
    tiles[tiles.indexOf(target) + step]?.focus();
    return;
  }
  const rows = [...(row.parentElement?.children ?? [])];
  for (let at = rows.indexOf(row) + step; at >= 0 && at < rows.length; at += step) {
    const stop = rows[at]?.querySelector<HTMLElement>('.copy-tile[tabindex="0"]');
    if (stop === null || stop === undefined) continue;
    stop.focus();
    stop.scrollIntoView({ block: 'nearest' });
    return;
  }
}
