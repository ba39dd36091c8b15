// A purchase whose end nobody saw: what may be gone, what can be said of it, and buying it again, which asks.

import { useMemo, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { PurchaseView } from '../../api/answers.js';
import { ApiError, sendJson } from '../api.js';
import { retryPurchase } from '../buy.js';
import { whyNot } from '../spending.js';
import { isThere, session, summary } from '../store.js';
import { moneyWords } from '../words/money.js';
import { number, time } from '../words/words.js';
import type { Attempt } from './figures.js';
import { SecondAct } from './second-act.js';

interface UnknownProps {
  readonly purchase: PurchaseView;
  readonly title: string;
  readonly attempt: Attempt;
}

export function UnknownPurchase({ purchase, title, attempt }: UnknownProps) {
  const { id, price, preset, created_at: at } = purchase;
  const words = moneyWords.value;
  const asks = useSignal(false);
  const isBusy = useSignal(false);
  const act = useMemo(() => new SecondAct(), []);
  const main = useRef<HTMLButtonElement>(null);
  const credits = words.credits(price, number(price));
  const settle = (as?: 'charged' | 'free') => {
    const settled = as === undefined ? words.balanceSays : words.settled;
    void attempt(
      () =>
        sendJson('POST', `/svcd/purchases/${id}/settle`, as === undefined ? {} : { as }).catch((error: unknown) => {
          throw error instanceof ApiError && error.code === 'unsettled' ? new ApiError('', words.notYet) : error;
        }),
      (answer) => settled[(answer as PurchaseView).state === 'paid' ? 'paid' : 'refused'],
    );
  };
  const retry = async () => {
    if (isBusy.value) return;
    isBusy.value = true;
    await attempt(() => retryPurchase(id), words.retried);
    isBusy.value = false;
    asks.value = false;
  };
  const block = whyNot(price, { isThere: isThere.value, session: session.value, summary: summary.value });
  return (
    <section class="unknown" aria-label={`${words.unknownTitle}: ${title}`}>
      <p>
        <strong lang="zh">{title}</strong> · {words.since(credits, time(at))}
      </p>
      <div class="acts">
        <button type="button" onClick={() => settle()}>
          {words.askBalance}
        </button>
        <button type="button" aria-describedby={`means-${id}`} onClick={() => settle('charged')}>
          {words.charged}
        </button>
        <button type="button" aria-describedby={`means-${id}`} onClick={() => settle('free')}>
          {words.notCharged}
        </button>
        {preset !== undefined && block === undefined && !asks.value && (
          <button
            type="button"
            onClick={() => {
              asks.value = true;
              act.again();
              requestAnimationFrame(() => main.current?.focus());
            }}
          >
            {words.retry}
          </button>
        )}
      </div>
      <small id={`means-${id}`}>
        {words.chargedMeans} {words.notChargedMeans}
      </small>
      {asks.value && (
        <div class="acts again">
          <p>{words.retryAsks(credits)}</p>
          <button
            ref={main}
            type="button"
            class="main"
            aria-disabled={isBusy.value}
            onKeyDown={(event) => {
              if (act.isByKey(event)) void retry();
            }}
            onKeyUp={(event) => act.keyUp(event)}
            onPointerDown={(event) => act.pointerDown(event)}
            onClick={(event) => {
              if (act.isByClick(event)) void retry();
            }}
          >
            {isBusy.value ? words.buying : words.buy(credits)}
          </button>
          <button type="button" onClick={() => (asks.value = false)}>
            {words.cancel}
          </button>
        </div>
      )}
    </section>
  );
}
