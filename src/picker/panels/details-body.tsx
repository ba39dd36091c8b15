// All of one sticker: the picture, large; why it was found; facts; the same thing in other styles; the ways out.

import { signal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Tile, TileDetails, TileReason } from '../../api/tile.js';
import { NO_SKETCH } from '../../api/page-terms.js';
import { readTile } from '../api.js';
import { nameOfWay, run, runUsual, usualOf } from '../export/ways.js';
import { toggleIn, want } from '../collections.js';
import { hasSession } from '../extras.js';
import { take } from '../grid/tile-buttons.js';
import { lookOf, otherTitle } from '../grid/tile.js';
import { doesKey } from '../keys.js';
import { onChange } from '../live.js';
import {
  blockOf,
  buying,
  change,
  choose,
  chosen,
  closeDetails,
  focused,
  isThere,
  openList,
  ranges,
  say,
  sayToStay,
  session,
  settings,
  view,
} from '../store.js';
import { detailWords } from '../words/details.js';
import { statusWords } from '../words/status.js';
import { credits, number, words } from '../words/words.js';
import { Button } from './controls.js';
import { LargePlayer } from './large-player.js';
import { TilePicture } from './tile-picture.js';

/** What svcd told last, which may be of another sticker. */
const told = signal<TileDetails | undefined>(undefined);
const scrollsTo = signal<'related' | undefined>(undefined);

/** Brings what is related into view, as soon as it is there. */
export function showRelated(): void {
  scrollsTo.value = 'related';
}

async function read(preset: string): Promise<TileDetails | undefined> {
  const known = await readTile(preset).catch(() => undefined);
  if (known !== undefined && view.peek().preset === preset) told.value = known;
  return known;
}

async function readNew(preset: string): Promise<void> {
  const known = (await read(preset)) ?? ranges.find(preset);
  if (known !== undefined || focused.peek()?.preset === preset || view.peek().preset !== preset) return;
  // A link may name one that is not in the library, or not yet.
  if (isThere.peek()) sayToStay(detailWords.value.notKnown(preset));
}

/** The style that a step led to, and the tile that it is another style of. */
let stepped: { readonly from: string; readonly to: Tile } | undefined;

/** Another style of this tile, if that is what the details show. */
export function styleShown({ preset }: Tile): Tile | undefined {
  if (stepped?.from !== preset || view.peek().preset !== stepped.to.preset) return undefined;
  return told.peek()?.preset === stepped.to.preset ? told.peek() : stepped.to;
}

/** A sticker that the details show or name. */
export function toldTile(preset: string): Tile | undefined {
  const { value } = told;
  return value?.preset === preset
    ? value
    : [...(value?.same ?? []), ...(value?.related ?? [])].find((one) => one.preset === preset);
}

/** Opens the same thing in the next style, or in the one before. */
export async function step(tile: Tile, by: 1 | -1): Promise<void> {
  const preset = view.value.preset === '' ? tile.preset : view.value.preset;
  const known = told.value?.preset === preset ? told.value : await read(preset);
  if (known === undefined) return;
  if (known.same.length === 0) return say(detailWords.value.noOtherStyle);
  const all = [known, ...known.same].toSorted((one, other) => (one.preset < other.preset ? -1 : 1));
  const next = all[(all.indexOf(known) + by + all.length) % all.length] ?? known;
  stepped = { from: tile.preset, to: next };
  change({ preset: next.preset }, view.value.preset === '' ? 'push' : 'replace');
}

onChange((event) => {
  const { preset } = view.peek();
  if (preset !== '' && event !== 'library' && event !== 'summary') void read(preset);
});

export function DetailsBody() {
  const { preset } = view.value;
  const panel = useRef<HTMLElement>(null);
  useEffect(() => void readNew(preset), [preset]);
  useSignalEffect(() => {
    if (scrollsTo.value === undefined || told.value === undefined) return;
    panel.current?.querySelector('.related')?.scrollIntoView({ block: 'nearest' });
    scrollsTo.value = undefined;
  });
  useEffect(() => {
    // As a sheet it covers what had the focus.
    const { current } = panel;
    if (current !== null && getComputedStyle(current).position === 'fixed') current.focus();
  }, []);
  const known = told.value?.preset === preset ? told.value : undefined;
  const tile = known ?? ranges.find(preset) ?? (focused.value?.preset === preset ? focused.value : undefined);
  if (tile === undefined) return null;
  const text = detailWords.value;
  // Why it was found is known of the list, not of the sticker by itself.
  const because = ranges.find(preset)?.because ?? tile.because;
  const look = lookOf(tile);
  return (
    <aside
      ref={panel}
      class="details"
      tabIndex={-1}
      aria-label={words.value.details}
      onKeyDown={(event) => {
        const does = doesKey(event, 'grid', settings.letters.value);
        if (does === 'nextVariant') void step(tile, 1);
        if (does === 'previousVariant') void step(tile, -1);
      }}
    >
      <Button class="close" aria-label={words.value.close} onClick={closeDetails}>
        ✕
      </Button>
      <LargePlayer key={`${preset} ${look}`} tile={tile} />
      <h2 lang="zh">{marked(tile.title, because)}</h2>
      {otherTitle(tile) !== '' && (
        <p class="quiet-text other-title">
          {otherTitle(tile)} {tile.translated && text.translated}
        </p>
      )}
      {look === 'sketch' && tile.sketch !== null && (
        <p class="quiet-text">
          {text.drawnAfter(tile.sketch.of)} {hasSession() && <SketchAct tile={tile}>{text.notThis}</SketchAct>}
        </p>
      )}
      {look === 'word' && (
        <p class="quiet-text">
          {text.wordOnly}{' '}
          {hasSession() && tile.collections.includes(NO_SKETCH) && (
            <SketchAct tile={tile}>{text.sketchAgain}</SketchAct>
          )}
        </p>
      )}
      <Ways tile={tile} />
      <Marks tile={tile} />
      <Keywords tile={tile} because={because} />
      {because.length > 0 && (
        <p class="because">
          {text.foundBy}{' '}
          {because.map(({ word, asked, field, source }) => (
            <span key={word + field} class="reason">
              <mark lang="zh">{word}</mark> {source === 'synonym' ? `≈ ${asked}` : text.fields[field]}
            </span>
          ))}
        </p>
      )}
      <Facts tile={tile} known={known} />
      {known?.attribution !== undefined && known.attribution !== null && <p class="quiet-text">{known.attribution}</p>}
      <Row title={text.same} tiles={known?.same ?? []} note={ownsAnother(tile, known) ? text.ownsOne : undefined} />
      <Row title={text.related} tiles={known?.related ?? []} class="related" />
    </aside>
  );
}

/** Takes the drawing away for good, or shows it again. */
function SketchAct({ tile, children }: { readonly tile: Tile; readonly children: string }) {
  const turn = async () => {
    await toggleIn(NO_SKETCH, [tile]);
    await Promise.all([read(tile.preset), ranges.renew()]);
  };
  return <Button onClick={() => void turn()}>{children}</Button>;
}

function ownsAnother({ picture }: Tile, known: TileDetails | undefined): boolean {
  return (picture === null || picture === 'sandbox') && (known?.same.some((one) => one.picture === 'owned') ?? false);
}

/** The title with what was searched marked in it. */
function marked(title: string, because: readonly TileReason[]) {
  const places = because
    .flatMap(({ at }) => (at === undefined ? [] : [at]))
    .toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  const parts = [];
  let done = 0;
  for (const [from = 0, to = 0] of places) {
    if (from < done || to > title.length) continue;
    parts.push(title.slice(done, from), <mark key={from}>{title.slice(from, to)}</mark>);
    done = to;
  }
  return [...parts, title.slice(done)];
}

function Keywords({ tile, because }: { readonly tile: Tile; readonly because: readonly TileReason[] }) {
  const found = new Set(because.map(({ word }) => word));
  return (
    <p class="keywords" lang="zh">
      {tile.keywords.map((one) => (
        <Button key={one} class="chip" onClick={() => change({ q: one }, 'push')}>
          {found.has(one) ? <mark>{one}</mark> : one}
        </Button>
      ))}
    </p>
  );
}

/** What is done with it: what it waits for, buying it or wanting it, taking it; and all other ways. */
function Ways({ tile }: { readonly tile: Tile }) {
  return (
    <p class="acts-row">
      <MainWay tile={tile} />
      <Button aria-label={detailWords.value.otherWays} onClick={() => openList('take', [tile.preset])}>
        ▾
      </Button>
    </p>
  );
}

function MainWay({ tile }: { readonly tile: Tile }) {
  const { under_way: underWay, unknown } = words.value.purchase;
  if (buying.value.has(tile.preset) || tile.purchase === 'under_way') {
    return (
      <Button class="main-act" aria-disabled="true">
        {underWay}
      </Button>
    );
  }
  if (tile.purchase === 'unknown') {
    return (
      <Button class="main-act" onClick={() => openList('money')}>
        {unknown}
      </Button>
    );
  }
  if (tile.price > 0) {
    const block = blockOf(tile.price);
    // Where nobody is signed in there is no list either; the dialog says what to do.
    const isWanted = block !== undefined && session.value === 'live' && block.kind !== 'away';
    return (
      <Button class="main-act" onClick={() => (isWanted ? void want([tile.preset]) : take(tile))}>
        {!isWanted
          ? words.value.buy(credits(tile.price))
          : tile.collections.includes('wanted')
            ? detailWords.value.marked.wanted
            : statusWords.value.want(1, number(1))}
      </Button>
    );
  }
  const usual = usualOf([tile]) ?? 'save';
  return (
    <>
      <Button class="main-act" onClick={() => void runUsual([tile])}>
        {nameOfWay(usual)}
      </Button>
      {usual !== 'gif' && <Button onClick={() => void run('gif', [tile])}>{nameOfWay('gif')}</Button>}
    </>
  );
}

/** What keys of the grid do as well: chosen, and on the lists that everybody has. */
function Marks({ tile }: { readonly tile: Tile }) {
  const text = detailWords.value;
  const isChosen = chosen.value.has(tile.preset);
  return (
    <p class="acts-row">
      <Button class="choice" aria-pressed={isChosen} onClick={() => choose([tile], !isChosen)}>
        {isChosen ? text.chosen : text.choose}
      </Button>
      {session.value === 'live' &&
        (['favourites', 'wanted'] as const).map((name) => (
          <Button
            key={name}
            class="choice"
            aria-pressed={tile.collections.includes(name)}
            onClick={() => void toggleIn(name, [tile])}
          >
            {name === 'favourites' ? '★' : '♡'} {(tile.collections.includes(name) ? text.marked : text.mark)[name]}
          </Button>
        ))}
    </p>
  );
}

function Facts({ tile, known }: { readonly tile: Tile; readonly known: TileDetails | undefined }) {
  const text = detailWords.value;
  const file = known?.file ?? null;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [text.ratio, tile.aspect === null ? undefined : ratioOf(tile.aspect)],
    [words.value.length, tile.duration === null ? undefined : words.value.seconds(number(tile.duration, 2))],
    [text.fps, file?.fps === null || file === null ? undefined : number(file.fps, 2)],
    [text.size, file === null ? undefined : `${number(file.bytes / 1000, 1)} KB`],
    [text.licence, known === undefined ? undefined : known.licence === 'unknown' ? text.unknown : known.licence],
  ];
  return (
    <dl class="facts-list" aria-label={text.facts}>
      {tile.color !== null && (
        <div>
          <dt>{words.value.color}</dt>
          <dd>
            <span class="dot" style={{ '--hue': tile.color }} aria-hidden="true" /> {tile.color}
          </dd>
        </div>
      )}
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
      <div class="preset">
        <dt>{text.preset}</dt>
        <dd>
          <code>{tile.preset}</code>{' '}
          <Button aria-label={text.copyPreset} onClick={() => void run('preset', [tile])}>
            {statusWords.value.copy}
          </Button>
        </dd>
      </div>
    </dl>
  );
}

/** A ratio in small numbers, as people say it, else to 1. */
function ratioOf(aspect: number): string {
  for (let height = 1; height <= 21; height += 1) {
    const width = aspect * height;
    if (Math.abs(width - Math.round(width)) < 0.01 * height) return `${Math.round(width)}:${height}`;
  }
  return `${number(aspect, 2)}:1`;
}

interface RowProps {
  readonly title: string;
  readonly tiles: readonly Tile[];
  readonly note?: string | undefined;
  readonly class?: string;
}

function Row({ title, tiles, note, ...props }: RowProps) {
  if (tiles.length === 0) return null;
  return (
    <section class={`others ${props.class ?? ''}`}>
      <h3>{title}</h3>
      {note !== undefined && <p class="quiet-text">{note}</p>}
      <ul>
        {tiles.slice(0, 12).map((one) => (
          <li key={one.preset}>
            <Button
              aria-label={`${one.title}, ${words.value.label[one.picture ?? (one.sketch === null ? 'none' : 'sketch')]}`}
              title={one.title}
              onClick={() => change({ preset: one.preset })}
            >
              <TilePicture tile={one} side={64} />
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
