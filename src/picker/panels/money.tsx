// Purchases, those of unknown end first; budgets; and the switch that stops all spending.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { PurchaseView, SettledPurchases, Spending } from '../../api/answers.js';
import { askJson, sendJson } from '../api.js';
import { onChange, readSummary } from '../live.js';
import type { Budget } from '../spending.js';
import { changeTile, say } from '../store.js';
import { moneyWords } from '../words/money.js';
import { statusWords } from '../words/status.js';
import { credits, number, time, words, lang } from '../words/words.js';
import { Button } from './controls.js';
import { type Attempt, isLost, learnTiles, listPurchases, sayError, tileOf, titleOf } from './figures.js';
import { closeLayer, Modal, sendWithCode } from './modal.js';
import { TilePicture } from './tile-picture.js';
import { LostPurchase, UnknownPurchase } from './open-purchase.js';
import { sayLooked } from './state-line.js';
import type { Health as Answer, HealthRow } from '../../api/health.js';

const AT_FIRST = 50;
const MOST = 10_000;
const LIFT_AFTER_MS = 700;

interface Known {
  readonly spending: Spending;
  readonly unknown: readonly PurchaseView[];
  readonly purchases: readonly PurchaseView[];
}

export function Money() {
  const limit = useSignal(AT_FIRST);
  const known = useSignal<Known | undefined>(undefined);
  const trouble = useSignal('');
  /** Whether something is done here, which is told by itself. */
  const isActing = useRef(false);
  const text = moneyWords.value;
  const read = async () => {
    try {
      const [spending, unknown, listed] = await Promise.all([
        askJson<Spending>('/svcd/spending'),
        listPurchases(`state=unknown&limit=${MOST}`),
        listPurchases(`limit=${limit.value}`),
      ]);
      if (!isActing.current) saySettled(known.peek()?.unknown ?? [], listed);
      known.value = { spending, unknown, purchases: listed };
      trouble.value = '';
      void learnTiles([...unknown, ...listed].flatMap(({ preset }) => preset ?? []));
    } catch (error) {
      trouble.value = sayError(error);
    }
  };
  useEffect(() => {
    void read();
    return onChange((event) => {
      if (event === 'purchase' || event === 'summary') void read();
    });
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
    <Modal asks class="wide" title={text.money} beside={<Button onClick={closeLayer}>{words.value.close}</Button>}>
      <p class="said" role="alert">
        {trouble.value}
      </p>
      {known.value === undefined ? (
        <p>{trouble.value === '' && text.buying}</p>
      ) : (
        <>
          {known.value.unknown.map((purchase) => (
            <UnknownPurchase key={purchase.id} purchase={purchase} attempt={attemptOn(purchase)} />
          ))}
          {known.value.unknown.length > 1 && (
            <Button
              onClick={() =>
                void attempt(
                  () => sendJson('POST', '/svcd/purchases/settle'),
                  (answer) => sayLooked(answer as SettledPurchases),
                )
              }
            >
              {text.askBalanceForAll}
            </Button>
          )}
          {known.value.purchases.filter(isLost).map((purchase) => (
            <LostPurchase key={purchase.id} purchase={purchase} attempt={attemptOn(purchase)} />
          ))}
          <Totals spending={known.value.spending} attempt={attempt} />
          <Budgets budgets={known.value.spending.budgets} attempt={attempt} />
          <List purchases={known.value.purchases} />
          {known.value.purchases.length === limit.value && (
            <Button
              onClick={() => {
                limit.value = MOST;
                void read();
              }}
            >
              {text.more}
            </Button>
          )}
          <Health />
        </>
      )}
    </Modal>
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
  const text = moneyWords.value;
  const { spent, saved, stopped } = spending;
  const isStopped = stopped?.by === 'user';
  const shown = useRef({ isStopped, at: -Infinity });
  if (shown.current.isStopped !== isStopped) shown.current = { isStopped, at: performance.now() };
  const turn = (on: boolean) =>
    void attempt(() => sendWithCode('POST', '/svcd/spending', { stopped: on }), on ? text.stopped : text.lifted);
  /** It takes the place of what stops: the second half of a double click, or a held key, must not allow spending again. */
  const lift = () => {
    const before = shown.current.at;
    shown.current.at = performance.now();
    if (shown.current.at - before > LIFT_AFTER_MS) turn(false);
  };
  return (
    <>
      <dl class="sums">
        <dt>{text.spentAll}</dt>
        <dd>{credits(spent)}</dd>
        <dt>{text.saved}</dt>
        <dd>{text.savedText(credits(saved))}</dd>
      </dl>
      <div class="stop">
        {!isStopped ? (
          <Button onClick={() => turn(true)}>{text.stop}</Button>
        ) : (
          <Button class="main" onClick={lift}>
            {statusWords.value.lift}
          </Button>
        )}
        <small>
          {stopped === null ? text.stopMeans : stopped.by === 'user' ? text.stopped : statusWords.value.stopped}
        </small>
      </div>
    </>
  );
}

function List({ purchases }: { readonly purchases: readonly PurchaseView[] }) {
  const text = moneyWords.value;
  if (purchases.length === 0) return <p>{text.none}</p>;
  return (
    <ul class="rows purchases" aria-label={text.money}>
      {purchases.map((purchase) => {
        const { id, preset, state, price, cost, created_at: at } = purchase;
        return (
          <li key={id} data-state={state}>
            <Still preset={preset} />
            <time dateTime={at}>{time(at)}</time>
            <span lang="zh">{preset === undefined ? text.image : titleOf(preset)}</span>
            <span>{isLost(purchase) ? text.lost : text.states[state]}</span>
            <span>{credits(cost ?? price, state === 'unknown' ? `≤ ${number(price)}` : number(cost ?? 0))}</span>
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

const MOST_BUDGET = 1_000_000_000;

function Budgets({ budgets, attempt }: { readonly budgets: readonly Budget[]; readonly attempt: Attempt }) {
  const form = useRef<HTMLFormElement>(null);
  const trouble = useSignal('');
  const text = moneyWords.value;
  const save = () => {
    const given = new FormData(form.current ?? undefined);
    const limits = budgets.map(({ period }) => [period, readLimit(given.get(period))] as const);
    if (limits.some(([, limit]) => limit === undefined)) {
      trouble.value = text.budgetBad;
      return;
    }
    trouble.value = '';
    void attempt(() => sendWithCode('PUT', '/svcd/budget', Object.fromEntries(limits)), text.savedBudgets);
  };
  return (
    <form
      ref={form}
      class="budgets"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <fieldset>
        <legend>{text.budgets}</legend>
        {budgets.map(({ period, limit, spent }) => (
          <label key={period}>
            <span>{text.periods[period]}</span>
            <input
              name={period}
              inputMode="numeric"
              autocomplete="off"
              size={10}
              defaultValue={limit === null ? '' : `${limit}`}
              placeholder={text.noLimit}
            />
            <small>
              {spent === null
                ? ''
                : text.spentSoFar(limit === null ? number(spent) : text.spent(number(spent), number(limit)))}
            </small>
          </label>
        ))}
      </fieldset>
      <p class="said" role="alert">
        {trouble.value}
      </p>
      <button type="submit">{text.save}</button> <small>{text.budgetEmpty}</small>
    </form>
  );
}

/** Null for no limit; undefined for what is no number of credits. */
function readLimit(given: FormDataEntryValue | null): number | null | undefined {
  const text = typeof given === 'string' ? given.trim() : '';
  if (text === '') return null;
  return /^\d{1,10}$/.test(text) && Number(text) <= MOST_BUDGET ? Number(text) : undefined;
}

/** What svcd finds wrong with itself, each with the command that mends it. Asked when it is opened: it takes svcd a moment. */
function Health() {
  const bad = useSignal<readonly HealthRow[] | undefined>(undefined);
  const trouble = useSignal('');
  const text = moneyWords.value.health;
  const read = async () => {
    try {
      const { checks } = await askJson<Answer>(`/svcd/health?lang=${lang.value}`);
      bad.value = checks.filter(({ status }) => status !== 'ok');
      trouble.value = '';
    } catch (error) {
      trouble.value = sayError(error);
    }
  };
  return (
    <details onToggle={(event) => event.currentTarget.open && void read()}>
      <summary>{text.title}</summary>
      <p role="status">
        {trouble.value || (bad.value === undefined ? text.looking : bad.value.length === 0 && text.good)}
      </p>
      <ul class="rows">
        {bad.value?.map(({ name, code, status, words: said, hint, command }) => (
          <li key={`${name} ${code} ${said}`} data-state={status}>
            <span>
              {name}: {said} {command !== null && <code>{command}</code>} {hint !== null && <small>{hint}</small>}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
