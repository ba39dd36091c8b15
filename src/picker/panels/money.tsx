// Purchases, those of unknown end first; budgets; and the switch that stops all spending.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { PurchaseView, Spending } from '../../api/answers.js';
import { ApiError, askJson, sendJson } from '../api.js';
import { onChange, readSummary } from '../live.js';
import { changeTile, layer, say } from '../store.js';
import { moneyWords, sayFailure } from '../words/money.js';
import { statusWords } from '../words/status.js';
import { number, time } from '../words/words.js';
import { Budgets } from './budgets.js';
import { type Attempt, isLost, learnTiles, tileOf, titleOf } from './figures.js';
import { TilePicture } from './tile-picture.js';
import { LostPurchase, UnknownPurchase } from './open-purchase.js';

const AT_FIRST = 50;
const MOST = 10_000;
const LIFT_AFTER_MS = 700;

interface Known {
  readonly spending: Spending;
  readonly unknown: readonly PurchaseView[];
  readonly purchases: readonly PurchaseView[];
}

export function Money({ presets }: { readonly presets: readonly string[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const limit = useSignal(AT_FIRST);
  const known = useSignal<Known | undefined>(undefined);
  const trouble = useSignal('');
  /** Whether something is done here, which is told by itself. */
  const isActing = useRef(false);
  const words = moneyWords.value;
  const read = async () => {
    try {
      const [spending, unknown, listed] = await Promise.all([
        askJson<Spending>('/svcd/spending'),
        askJson<{ purchases: PurchaseView[] }>(`/svcd/purchases?state=unknown&limit=${MOST}`),
        askJson<{ purchases: PurchaseView[] }>(`/svcd/purchases?limit=${limit.value}`),
      ]);
      if (!isActing.current) saySettled(known.peek()?.unknown ?? [], listed.purchases);
      known.value = { spending, unknown: unknown.purchases, purchases: listed.purchases };
      trouble.value = '';
      void learnTiles([...unknown.purchases, ...listed.purchases].flatMap(({ preset }) => preset ?? []));
    } catch (error) {
      trouble.value = sayError(error);
    }
  };
  useEffect(() => {
    const { current } = dialog;
    current?.showModal();
    void read();
    const stop = onChange((event) => {
      if (event === 'purchase' || event === 'summary') void read();
    });
    return () => {
      stop();
      current?.close();
    };
  }, []);
  /** Does something, says what came of it, and reads anew; whether it went well. */
  const attempt: Attempt = async (work, done) => {
    isActing.current = true;
    try {
      const answer = await work();
      say(typeof done === 'string' ? done : done(answer));
      trouble.value = '';
      await Promise.all([read(), readSummary()]);
      return true;
    } catch (error) {
      await read();
      trouble.value = sayError(error);
      return false;
    } finally {
      isActing.current = false;
    }
  };
  /** The same about one purchase, which then is settled. */
  const attemptOn =
    ({ preset }: PurchaseView): Attempt =>
    async (work, done) => {
      const went = await attempt(work, done);
      if (went && preset !== undefined) changeTile(preset, { purchase: null });
      return went;
    };
  return (
    <dialog
      ref={dialog}
      class="ask wide"
      aria-labelledby="money-title"
      onClose={() => {
        if (layer.value?.presets === presets) layer.value = undefined;
      }}
    >
      <div class="acts">
        <h2 id="money-title">{words.money}</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          {words.close}
        </button>
      </div>
      <p class="said" role="alert">
        {trouble.value}
      </p>
      {known.value === undefined ? (
        <p>{trouble.value === '' && words.loading}</p>
      ) : (
        <>
          {known.value.unknown.map((purchase) => (
            <UnknownPurchase key={purchase.id} purchase={purchase} attempt={attemptOn(purchase)} />
          ))}
          {known.value.purchases.filter(isLost).map((purchase) => (
            <LostPurchase key={purchase.id} purchase={purchase} attempt={attemptOn(purchase)} />
          ))}
          <Totals spending={known.value.spending} attempt={attempt} />
          <Budgets budgets={known.value.spending.budgets} attempt={attempt} />
          <List purchases={known.value.purchases} />
          {known.value.purchases.length === limit.value && (
            <button
              type="button"
              onClick={() => {
                limit.value = MOST;
                void read();
              }}
            >
              {words.more}
            </button>
          )}
        </>
      )}
    </dialog>
  );
}

/** What was unknown here and is no more, though nobody did anything about it here. */
function saySettled(before: readonly PurchaseView[], now: readonly PurchaseView[]): void {
  for (const { id, preset } of before) {
    const state = now.find((one) => one.id === id)?.state;
    if (state !== 'paid' && state !== 'refused') continue;
    const title = preset === undefined ? moneyWords.value.image : titleOf(preset);
    say(`${title}: ${moneyWords.value.balanceSays[state]}`);
  }
}

function Totals({ spending, attempt }: { readonly spending: Spending; readonly attempt: Attempt }) {
  const words = moneyWords.value;
  const { spent, saved, stopped } = spending;
  const credits = (some: number) => words.credits(some, number(some));
  const isStopped = stopped?.by === 'user';
  const shown = useRef({ isStopped, at: -Infinity });
  if (shown.current.isStopped !== isStopped) shown.current = { isStopped, at: performance.now() };
  const turn = (on: boolean) =>
    void attempt(() => sendJson('POST', '/svcd/spending', { stopped: on }), on ? words.stopped : words.lifted);
  /** It takes the place of what stops: the second half of a double click, or a held key, must not allow spending again. */
  const lift = () => {
    const before = shown.current.at;
    shown.current.at = performance.now();
    if (shown.current.at - before > LIFT_AFTER_MS) turn(false);
  };
  return (
    <>
      <dl class="sums">
        <dt>{words.spentAll}</dt>
        <dd>{credits(spent)}</dd>
        <dt>{words.saved}</dt>
        <dd>{words.savedText(credits(saved))}</dd>
      </dl>
      <div class="stop">
        {!isStopped ? (
          <button type="button" onClick={() => turn(true)}>
            {words.stop}
          </button>
        ) : (
          <button type="button" class="main" onClick={lift}>
            {words.lift}
          </button>
        )}
        <small>
          {stopped === null ? words.stopMeans : stopped.by === 'user' ? words.stopped : statusWords.value.stopped}
        </small>
      </div>
    </>
  );
}

function List({ purchases }: { readonly purchases: readonly PurchaseView[] }) {
  const words = moneyWords.value;
  if (purchases.length === 0) return <p>{words.none}</p>;
  return (
    <ul class="rows purchases" aria-label={words.money}>
      {purchases.map((purchase) => {
        const { id, preset, state, price, cost, created_at: at } = purchase;
        return (
          <li key={id} data-state={state}>
            <Still preset={preset} />
            <time dateTime={at}>{time(at)}</time>
            <span lang="zh">{preset === undefined ? words.image : titleOf(preset)}</span>
            <span>{isLost(purchase) ? words.lost : words.states[state]}</span>
            <span>{words.credits(cost ?? price, state === 'unknown' ? `≤ ${number(price)}` : number(cost ?? 0))}</span>
          </li>
        );
      })}
    </ul>
  );
}

const STILL = 32;

/** What was bought, drawn when its row is first seen; a list may have thousands. */
function Still({ preset }: { readonly preset: string | undefined }) {
  const place = useRef<HTMLSpanElement>(null);
  const isSeen = useSignal(false);
  useEffect(() => {
    if (place.current === null) return undefined;
    const watch = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) isSeen.value = true;
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  const tile = preset === undefined || !isSeen.value ? undefined : tileOf(preset);
  return (
    <span ref={place} class="still">
      {tile !== undefined && <TilePicture tile={tile} side={STILL} />}
    </span>
  );
}

function sayError(error: unknown): string {
  return error instanceof ApiError ? sayFailure(error.code, error.message) : String(error);
}
