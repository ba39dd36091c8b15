// The only place where something is bought: what it costs, what is left, and the second of two deliberate acts.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { ApiError } from '../api.js';
import { buy } from '../buying.js';
import { askUsage } from '../live.js';
import type { Block } from '../spending.js';
import { blockOf, layer, openList, summary } from '../store.js';
import { want } from '../collections.js';
import { moneyWords, sayFailure } from '../words/money.js';
import { statusWords } from '../words/status.js';
import { credits, number, time, words } from '../words/words.js';
import { Button } from './controls.js';
import {
  areSame,
  type Figures,
  MOST,
  mostAtOnce,
  readFigures,
  type Row,
  sayError,
  tileOf,
  titleOf,
} from './figures.js';
import { ConfirmPress } from './confirm-press.js';
import { closeLayer, Modal } from './modal.js';
import { sayBudget, sayHowToTopUp } from './state-line.js';
import { TilePicture } from './tile-picture.js';

/** What stands where the question was: nothing, something to be read first, or an end. */
type Word = { readonly text: string; readonly isChange: boolean } | undefined;

export function BuyDialog({ presets }: { readonly presets: readonly string[] }) {
  const main = useRef<HTMLButtonElement>(null);
  const figures = useSignal<Figures | undefined>(undefined);
  const off = useSignal<ReadonlySet<string>>(new Set());
  const isBusy = useSignal(false);
  const word = useSignal<Word>(undefined);
  const act = useMemo(() => new ConfirmPress(), []);
  const text = moneyWords.value;

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
    await askUsage();
    if (!isBusy.value) show(await read());
  };
  useEffect(() => {
    main.current?.focus();
    void readAll();
  }, []);
  useEffect(() => {
    // The button that buys may be gone: what can be done instead has the focus then.
    const dialog = main.current?.closest('dialog');
    const at = document.activeElement;
    const hasGone =
      at === main.current ? main.current?.hidden === true : dialog?.contains(at) !== true || at === dialog;
    if (hasGone) dialog?.querySelector<HTMLElement>('.acts button:not([hidden])')?.focus();
  });

  const { value: known } = figures;
  const rows = known?.rows ?? [];
  const picked = rows.filter((row) => isToBuy(row) && !off.value.has(row.preset));
  const open = rows.filter(isToBuy);
  const cost = picked.length * (known?.price ?? 0);
  const block = blockOf(cost);
  const canBuy = known !== undefined && picked.length > 0 && block === undefined && !isBusy.value;

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
        word.value = { text: isPrice ? sayPrices(known.price, now.price) : text.changed, isChange: true };
        return;
      }
      isSent = true;
      await buy({ presets: picked.map(({ preset }) => preset), price: known.price, cost }, titleOf);
      if (layer.peek()?.presets === presets) closeLayer();
    } catch (error) {
      const isPrice = error instanceof ApiError && error.code === 'price_changed';
      const now = await read();
      show(now);
      word.value = isPrice
        ? { text: sayPrices(known.price, now?.price ?? known.price), isChange: true }
        : {
            text: `${sayError(error)} ${isSent && isLost(error) ? text.brokeOff : text.nothingGone}`,
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
  const isTooMuch = block?.kind === 'credits' || block?.kind === 'budget';

  return (
    <Modal asks title={text.title(presets.length, number(presets.length))}>
      {presets.length > MOST && <p>{text.tooMany(number(MOST))}</p>}
      <Rows
        rows={rows}
        off={off.value}
        price={known?.price ?? 0}
        onTurn={(preset) => (off.value = turned(off.value, preset))}
      />
      {known === undefined ? (
        word.value === undefined && <p>{text.asking}</p>
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
          {isBusy.value ? text.buying : word.value?.isChange === true ? text.lookAgain : words.value.buy(credits(cost))}
        </button>
        {block?.kind === 'credits' && <Button onClick={() => void readAll()}>{statusWords.value.checkAgain}</Button>}
        {isTooMuch && most > 0 && most < picked.length && (
          <Button onClick={() => keep(most)}>{text.keep(number(most))}</Button>
        )}
        {block !== undefined && block.kind !== 'signed_out' && block.kind !== 'lost' && picked.length > 0 && (
          <Button
            onClick={() => {
              closeLayer();
              void want(picked.map(({ preset }) => preset));
            }}
          >
            {statusWords.value.want(picked.length, number(picked.length))}
          </Button>
        )}
        {rows.some((row) => !row.isFree && !isToBuy(row)) && (
          <Button onClick={() => openList('money')}>{text.showPurchases}</Button>
        )}
        <Button onClick={closeLayer}>
          {open.length === 0 && known !== undefined ? words.value.close : words.value.cancel}
        </Button>
      </div>
      {canBuy && <small class="hint">{text.hint}</small>}
    </Modal>
  );
}

/** What was paid, or may have been, is bought again from the list of purchases alone. */
function isToBuy({ isFree, isUnderWay, unknownSince, lostSince }: Row): boolean {
  return !isFree && !isUnderWay && unknownSince === undefined && lostSince === undefined;
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
  const text = moneyWords.value;
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
            <small>{row.isFree ? text.isFree : row.isUnderWay ? text.states.sent : credits(price)}</small>
          </label>
          {row.lostSince !== undefined && !row.isFree && (
            <p class="warn">
              {text.lostNote(time(row.lostSince))} {text.lostWhere}
            </p>
          )}
          {row.unknownSince !== undefined && (
            <p class="warn">
              {text.unsure(time(row.unknownSince))} {text.unsureNote}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function Sums({ figures, count, cost }: { readonly figures: Figures; readonly count: number; readonly cost: number }) {
  const { rows, price, balance, budgets } = figures;
  const text = moneyWords.value;
  const free = rows.filter(({ isFree }) => isFree).length;
  if (free === rows.length) return <p>{text.allFree}</p>;
  // What may have been bought already says so; there is nothing to add up.
  if (!rows.some(isToBuy)) return null;
  const left = balance === null ? undefined : balance.credits - cost;
  return (
    <dl class="sums">
      <dt>{text.price}</dt>
      <dd>{count === 1 ? credits(cost) : text.each(number(count), number(price), credits(cost))}</dd>
      {free > 0 && (
        <>
          <dt>{text.free}</dt>
          <dd>{text.freeOnes(number(free))}</dd>
        </>
      )}
      <dt>{text.balance}</dt>
      <dd>
        {balance === null || left === undefined
          ? text.notKnown
          : left < 0
            ? credits(balance.credits)
            : `${number(balance.credits)} → ${number(left)}`}
        {balance?.stale === true && balance.as_of !== null && <small> {words.value.asOf(time(balance.as_of))}</small>}
      </dd>
      {budgets.map(({ period, limit, spent }) =>
        limit === null ? null : (
          <>
            <dt>{text.periods[period]}</dt>
            <dd>
              {period === 'request'
                ? text.spent(number(cost), number(limit))
                : text.ofLimit(number(spent ?? 0), number((spent ?? 0) + cost), number(limit))}
            </dd>
          </>
        ),
      )}
    </dl>
  );
}

function sayBlock(block: Block, cost: number): string {
  const text = moneyWords.value;
  switch (block.kind) {
    case 'away':
      return text.reasons['away'] ?? '';
    case 'credits':
      return `${text.tooFew(credits(block.credits), credits(cost))} ${sayHowToTopUp()}`;
    case 'budget':
      return `${text.tooMuch(text.periods[block.budget.period])} ${sayBudget(block.budget, block.limit)}`;
    case 'stopped':
      return text.reasons['spending_stopped'] ?? '';
    case 'offline':
      return summary.value?.remote.forced === true ? text.offlineByYou : (text.reasons['offline'] ?? '');
    case 'hub':
      return block.code === 'hub_certificate_changed' ? statusWords.value.otherHub : statusWords.value.hubRefuses;
    case 'key':
      return sayFailure(block.problem, block.problem);
    case 'no_key':
      return text.noKey;
    case 'signed_out':
    case 'lost':
      return text.reasons['invalid_token'] ?? '';
  }
}

function sayPrices(before: number, after: number): string {
  const text = moneyWords.value;
  if (before === after) return text.changed;
  return text.priceChanged(credits(before), credits(after));
}

/** Whether the order may have come to svcd, which did not say so. */
function isLost(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'away';
}
