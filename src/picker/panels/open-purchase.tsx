// Purchases that want a word of a person: one whose end nobody saw, and one that was charged and whose file never came. What
// may be gone, what can be said of it, and buying it again, which asks.

import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { PurchaseView } from '../../api/answers.js';
import { ApiError, sendJson } from '../api.js';
import { retryPurchase } from '../buy.js';
import { whyNot } from '../spending.js';
import { isThere, session, summary } from '../store.js';
import { moneyWords } from '../words/money.js';
import { number, time } from '../words/words.js';
import { type Attempt, titleOf } from './figures.js';
import { SecondAct } from './second-act.js';

interface OpenProps {
  readonly purchase: PurchaseView;
  readonly attempt: Attempt;
}

const nameOf = (preset: string | undefined): string =>
  preset === undefined ? moneyWords.value.image : titleOf(preset);

export function UnknownPurchase({ purchase, attempt }: OpenProps) {
  const { id, price, preset, created_at: at } = purchase;
  const words = moneyWords.value;
  const asks = useSignal(false);
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
  const title = nameOf(preset);
  return (
    <section class="unknown" aria-label={`${words.unknownTitle}: ${title}`}>
      <p>
        <strong lang="zh">{title}</strong> · {words.since(words.credits(price, number(price)), time(at))}
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
        {!asks.value && <AskAgain purchase={purchase} onAsk={() => (asks.value = true)} />}
      </div>
      <small id={`means-${id}`}>
        {words.chargedMeans} {words.notChargedMeans}
      </small>
      {asks.value && (
        <BuyAgain purchase={purchase} attempt={attempt} asked={words.retryAsks} onEnd={() => (asks.value = false)} />
      )}
    </section>
  );
}

export function LostPurchase({ purchase, attempt }: OpenProps) {
  const { preset, created_at: at } = purchase;
  const words = moneyWords.value;
  const asks = useSignal(false);
  const title = nameOf(preset);
  return (
    <section class="unknown" aria-label={`${words.lost}: ${title}`}>
      <p>
        <strong lang="zh">{title}</strong> · {words.lostNote(time(at))}
      </p>
      {!asks.value && (
        <div class="acts">
          <AskAgain purchase={purchase} onAsk={() => (asks.value = true)} />
        </div>
      )}
      {asks.value && (
        <BuyAgain purchase={purchase} attempt={attempt} asked={words.lostAsks} onEnd={() => (asks.value = false)} />
      )}
    </section>
  );
}

/** Only a sticker can be bought again here, and only while something can be bought. */
function AskAgain({
  purchase: { preset, price },
  onAsk,
}: {
  readonly purchase: PurchaseView;
  onAsk(this: void): void;
}) {
  const block = whyNot(price, { isThere: isThere.value, session: session.value, summary: summary.value });
  if (preset === undefined || block !== undefined) return null;
  return (
    <button type="button" onClick={onAsk}>
      {moneyWords.value.retry}
    </button>
  );
}

interface BuyAgainProps extends OpenProps {
  asked(this: void, price: string): string;
  onEnd(this: void): void;
}

function BuyAgain({ purchase: { id, price }, attempt, asked, onEnd }: BuyAgainProps) {
  const words = moneyWords.value;
  const isBusy = useSignal(false);
  const act = useMemo(() => new SecondAct(), []);
  const main = useRef<HTMLButtonElement>(null);
  const credits = words.credits(price, number(price));
  const retry = async () => {
    if (isBusy.value) return;
    isBusy.value = true;
    await attempt(() => retryPurchase(id), words.retried);
    isBusy.value = false;
    onEnd();
  };
  useEffect(() => main.current?.focus(), []);
  return (
    <div class="acts again">
      <p>{asked(credits)}</p>
      <button ref={main} type="button" class="main" aria-disabled={isBusy.value} {...act.handlers(retry)}>
        {isBusy.value ? words.buying : words.buy(credits)}
      </button>
      <button type="button" onClick={onEnd}>
        {words.cancel}
      </button>
    </div>
  );
}
