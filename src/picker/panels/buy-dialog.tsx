// The only place where something is bought: what it costs, what is left, and the second of two deliberate acts.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { ApiError } from '../api.js';
import { buy } from '../buying.js';
import { type Block, mostAtOnce, whyNot } from '../spending.js';
import { isThere, layer, openList, session, summary } from '../store.js';
import { want } from '../want.js';
import { moneyWords, sayFailure } from '../words/money.js';
import { statusWords } from '../words/status.js';
import { number, time } from '../words/words.js';
import { areSame, askBalance, type Figures, MOST, readFigures, type Row, tileOf, titleOf } from './figures.js';
import { SecondAct } from './second-act.js';
import { sayBudget, sayHowToTopUp } from './state-line.js';
import { TilePicture } from './tile-picture.js';

/** What stands where the question was: nothing, something to be read first, or an end. */
type Word = { readonly text: string; readonly isChange: boolean } | undefined;

export function BuyDialog({ presets }: { readonly presets: readonly string[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const main = useRef<HTMLButtonElement>(null);
  const figures = useSignal<Figures | undefined>(undefined);
  const off = useSignal<ReadonlySet<string>>(new Set());
  const isBusy = useSignal(false);
  const word = useSignal<Word>(undefined);
  const act = useMemo(() => new SecondAct(), []);
  const words = moneyWords.value;

  const show = (next: Figures | undefined) => {
    if (next === undefined) return;
    if (figures.value !== undefined && areSame(figures.value, next)) return;
    figures.value = next;
    act.again();
  };
  const read = () =>
    readFigures(presets).catch((error: unknown) => {
      word.value = { text: sayError(error), isChange: false };
      return undefined;
    });
  const readAll = async () => {
    show(await read());
    await askBalance();
    if (!isBusy.value) show(await read());
  };
  useEffect(() => {
    const { current } = dialog;
    current?.showModal();
    main.current?.focus();
    void readAll();
    // Focus goes back to where it was.
    return () => current?.close();
  }, []);
  useEffect(() => {
    // The button that buys may be gone: what can be done instead has the focus then.
    const { current } = dialog;
    const at = document.activeElement;
    const hasGone =
      at === main.current ? main.current?.hidden === true : current?.contains(at) !== true || at === current;
    if (hasGone) current?.querySelector<HTMLElement>('.acts button:not([hidden])')?.focus();
  });

  const { value: known } = figures;
  const rows = known?.rows ?? [];
  const picked = rows.filter((row) => isToBuy(row) && !off.value.has(row.preset));
  const open = rows.filter(isToBuy);
  const cost = picked.length * (known?.price ?? 0);
  const block = whyNot(cost, { isThere: isThere.value, session: session.value, summary: summary.value });
  const canBuy = known !== undefined && picked.length > 0 && block === undefined && !isBusy.value;

  const close = () => dialog.current?.close();
  const acted = async () => {
    if (known === undefined || isBusy.value) return;
    if (word.value?.isChange === true) {
      // The first act again; the second is another press.
      word.value = undefined;
      act.again();
      return;
    }
    if (!canBuy) return;
    isBusy.value = true;
    word.value = undefined;
    let isSent = false;
    try {
      const now = await readFigures(presets);
      if (now === undefined || !areSame(known, now)) {
        const isPrice = now !== undefined && now.price !== known.price;
        show(now);
        word.value = { text: isPrice ? sayPrices(known.price, now.price) : words.changed, isChange: true };
        return;
      }
      isSent = true;
      await buy({ presets: picked.map(({ preset }) => preset), price: known.price, cost }, titleOf);
      close();
    } catch (error) {
      const isPrice = error instanceof ApiError && error.code === 'price_changed';
      const now = await read();
      show(now);
      word.value = isPrice
        ? { text: sayPrices(known.price, now?.price ?? known.price), isChange: true }
        : {
            text: `${sayError(error)} ${isSent && isLost(error) ? words.brokeOff : words.nothingGone}`,
            isChange: false,
          };
    } finally {
      isBusy.value = false;
      act.again();
    }
  };
  const keep = (count: number) => {
    off.value = new Set(open.slice(count).map(({ preset }) => preset));
    act.again();
  };
  const most = known && summary.value ? Math.floor(mostAtOnce(summary.value) / Math.max(1, known.price)) : 0;
  const credits = (count: number) => words.credits(count, number(count));
  const isTooMuch = block?.kind === 'credits' || block?.kind === 'budget';

  return (
    <dialog
      ref={dialog}
      class="ask"
      aria-labelledby="buy-title"
      onClose={() => {
        if (layer.value?.presets === presets) layer.value = undefined;
      }}
    >
      <h2 id="buy-title">{words.title(presets.length, number(presets.length))}</h2>
      {presets.length > MOST && <p>{words.tooMany(number(MOST))}</p>}
      <Rows
        rows={rows}
        off={off.value}
        price={known?.price ?? 0}
        onTurn={(preset) => (off.value = turned(off.value, preset))}
      />
      {known === undefined ? (
        word.value === undefined && <p>{words.asking}</p>
      ) : (
        <Sums figures={known} count={picked.length} cost={cost} />
      )}
      <p class="said" data-kind={word.value === undefined ? block?.kind : undefined} role="alert">
        {word.value?.text ?? (block !== undefined && picked.length > 0 ? sayBlock(block, cost) : '')}
      </p>
      <div class="acts">
        <button
          ref={main}
          type="button"
          class="main"
          aria-disabled={!canBuy && word.value?.isChange !== true}
          hidden={known !== undefined && (open.length === 0 || (block !== undefined && !isTooMuch))}
          {...act.handlers(acted)}
        >
          {isBusy.value ? words.buying : word.value?.isChange === true ? words.lookAgain : words.buy(credits(cost))}
        </button>
        {block?.kind === 'credits' && (
          <button type="button" onClick={() => void readAll()}>
            {statusWords.value.checkAgain}
          </button>
        )}
        {isTooMuch && most > 0 && most < picked.length && (
          <button type="button" onClick={() => keep(most)}>
            {words.keep(number(most))}
          </button>
        )}
        {block !== undefined && block.kind !== 'signed_out' && block.kind !== 'lost' && picked.length > 0 && (
          <button
            type="button"
            onClick={() => {
              close();
              void want(picked.map(({ preset }) => preset));
            }}
          >
            {statusWords.value.want(picked.length, number(picked.length))}
          </button>
        )}
        {rows.some((row) => !row.isFree && !isToBuy(row)) && (
          <button type="button" onClick={() => openList('money')}>
            {words.showPurchases}
          </button>
        )}
        <button type="button" onClick={close}>
          {open.length === 0 && known !== undefined ? words.close : words.cancel}
        </button>
      </div>
      {canBuy && <small class="hint">{words.hint}</small>}
    </dialog>
  );
}

/** What was paid, or may have been, is bought again from the list of purchases alone. */
function isToBuy({ isFree, unknownSince, lostSince }: Row): boolean {
  return !isFree && unknownSince === undefined && lostSince === undefined;
}

function turned(off: ReadonlySet<string>, preset: string): ReadonlySet<string> {
  const next = new Set(off);
  if (!next.delete(preset)) next.add(preset);
  return next;
}

/** What is known of its looks: titles are alike. */
function RowPicture({ preset }: { readonly preset: string }) {
  const tile = tileOf(preset);
  return tile === undefined ? null : <TilePicture tile={tile} side={40} />;
}

interface RowsProps {
  readonly rows: readonly Row[];
  readonly off: ReadonlySet<string>;
  readonly price: number;
  onTurn(this: void, preset: string): void;
}

function Rows({ rows, off, price, onTurn }: RowsProps) {
  const words = moneyWords.value;
  const isAlone = rows.length === 1;
  return (
    <ul class="rows">
      {rows.map((row) => (
        <li key={row.preset}>
          <label>
            {!isAlone && (
              <input
                type="checkbox"
                checked={isToBuy(row) && !off.has(row.preset)}
                disabled={!isToBuy(row)}
                onChange={() => onTurn(row.preset)}
              />
            )}
            <RowPicture preset={row.preset} />
            <span lang="zh">{row.title}</span>
            <small>{row.isFree ? words.isFree : words.credits(price, number(price))}</small>
          </label>
          {row.lostSince !== undefined && !row.isFree && (
            <p class="warn">
              {words.lostNote(time(row.lostSince))} {words.lostWhere}
            </p>
          )}
          {row.unknownSince !== undefined && (
            <p class="warn">
              {words.unsure(time(row.unknownSince))} {words.unsureNote}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function Sums({ figures, count, cost }: { readonly figures: Figures; readonly count: number; readonly cost: number }) {
  const { rows, price, balance, budgets } = figures;
  const words = moneyWords.value;
  const credits = (some: number) => words.credits(some, number(some));
  const free = rows.filter(({ isFree }) => isFree).length;
  if (free === rows.length) return <p>{words.allFree}</p>;
  // What may have been bought already says so; there is nothing to add up.
  if (!rows.some(isToBuy)) return null;
  const left = balance === null ? undefined : balance.credits - cost;
  return (
    <dl class="sums">
      <dt>{words.price}</dt>
      <dd>{count === 1 ? credits(cost) : words.each(number(count), number(price), credits(cost))}</dd>
      {free > 0 && (
        <>
          <dt>{words.free}</dt>
          <dd>{words.freeOnes(number(free))}</dd>
        </>
      )}
      <dt>{words.balance}</dt>
      <dd>
        {balance === null || left === undefined
          ? words.notKnown
          : left < 0
            ? credits(balance.credits)
            : words.fromTo(number(balance.credits), number(left))}
        {balance?.stale === true && balance.as_of !== null && <small> {words.asOf(time(balance.as_of))}</small>}
      </dd>
      {budgets.map(({ period, limit, spent }) =>
        limit === null ? null : (
          <>
            <dt>{words.periods[period]}</dt>
            <dd>
              {period === 'request'
                ? words.spent(number(cost), number(limit))
                : words.ofLimit(number(spent ?? 0), number((spent ?? 0) + cost), number(limit))}
            </dd>
          </>
        ),
      )}
    </dl>
  );
}

function sayBlock(block: Block, cost: number): string {
  const words = moneyWords.value;
  const credits = (some: number) => words.credits(some, number(some));
  switch (block.kind) {
    case 'away':
      return words.reasons['away'] ?? '';
    case 'credits':
      return `${words.tooFew(credits(block.credits), credits(cost))} ${sayHowToTopUp()}`;
    case 'budget':
      return `${words.tooMuch(words.periods[block.budget.period])} ${sayBudget(block.budget, block.limit)}`;
    case 'stopped':
      return words.reasons['spending_stopped'] ?? '';
    case 'offline':
      return summary.value?.remote.forced === true ? words.offlineByYou : (words.reasons['offline'] ?? '');
    case 'hub':
      return block.code === 'hub_certificate_changed' ? statusWords.value.otherHub : statusWords.value.hubRefuses;
    case 'key':
      return sayFailure(block.problem, block.problem);
    case 'no_key':
      return words.noKey;
    case 'signed_out':
    case 'lost':
      return words.reasons['invalid_token'] ?? '';
  }
}

function sayPrices(before: number, after: number): string {
  const words = moneyWords.value;
  if (before === after) return words.changed;
  return words.priceChanged(words.credits(before, number(before)), words.credits(after, number(after)));
}

/** Whether the order may have come to svcd, which did not say so. */
function isLost(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'away';
}

function sayError(error: unknown): string {
  if (!(error instanceof ApiError)) return String(error);
  return sayFailure(error.code, error.message);
}
