// Purchases that want a word of a person: one whose end nobody saw, and one that was charged and whose file never came. What
// may be gone, what can be said of it, and buying it again, which asks.

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { PurchaseView } from '../../api/answers.js';
import { ApiError } from '../api.js';
import { retryPurchase } from '../buy.js';
import { blockOf } from '../store.js';
import { moneyWords } from '../words/money.js';
import { credits, time, words } from '../words/words.js';
import { Button } from './controls.js';
import { type Attempt, titleOf } from './figures.js';
import { ConfirmPress } from './confirm-press.js';
import { sendWithCode } from './modal.js';

interface OpenProps {
  readonly purchase: PurchaseView;
  readonly attempt: Attempt;
}

export function UnknownPurchase({ purchase, attempt }: OpenProps) {
  const { id, price, reason, created_at: at } = purchase;
  const text = moneyWords.value;
  const settle = (as?: 'charged' | 'free') => {
    const settled = as === undefined ? text.balanceSays : text.settled;
    void attempt(
      () =>
        sendWithCode('POST', `/svcd/purchases/${id}/settle`, as === undefined ? {} : { as }).catch((error: unknown) => {
          throw error instanceof ApiError && error.code === 'unsettled' ? new ApiError('', text.notYet) : error;
        }),
      (answer) => settled[(answer as PurchaseView).state === 'paid' ? 'paid' : 'refused'],
    );
  };
  return (
    <Open
      {...{ purchase, attempt }}
      name={text.unknownTitle}
      note={`${text.since(credits(price), time(at))} ${reason === 'late' ? text.lateNote : ''}`}
      asked={text.retryAsks}
      means={`${text.chargedMeans} ${text.notChargedMeans}`}
    >
      <Button onClick={() => settle()}>{text.askBalance}</Button>
      <Button aria-describedby={`means-${id}`} onClick={() => settle('charged')}>
        {text.charged}
      </Button>
      <Button aria-describedby={`means-${id}`} onClick={() => settle('free')}>
        {text.notCharged}
      </Button>
    </Open>
  );
}

export function LostPurchase({ purchase, attempt }: OpenProps) {
  const text = moneyWords.value;
  const note = text.lostNote(time(purchase.created_at));
  return <Open {...{ purchase, attempt, note }} name={text.lost} asked={text.lostAsks} />;
}

interface OpenShape extends OpenProps {
  readonly name: string;
  readonly note: string;
  readonly means?: string;
  readonly children?: ComponentChildren;
  asked(this: void, price: string): string;
}

/** What is wrong with one, what can be said of it, and buying it again. */
function Open({ purchase, attempt, name, note, means, children, asked }: OpenShape) {
  const { id, preset } = purchase;
  const asks = useSignal(false);
  const title = preset === undefined ? moneyWords.value.image : titleOf(preset);
  return (
    <section class="unknown" aria-label={`${name}: ${title}`}>
      <p>
        <strong lang="zh">{title}</strong> · {note}
      </p>
      <div class="acts">
        {children}
        {!asks.value && <AskAgain purchase={purchase} onAsk={() => (asks.value = true)} />}
      </div>
      {means !== undefined && <small id={`means-${id}`}>{means}</small>}
      {asks.value && <BuyAgain {...{ purchase, attempt, asked }} onEnd={() => (asks.value = false)} />}
    </section>
  );
}

/** Only a sticker can be bought again here, and only while something can be bought. */
function AskAgain({ purchase: { preset, price }, onAsk }: Pick<OpenProps, 'purchase'> & { onAsk(this: void): void }) {
  if (preset === undefined || blockOf(price) !== undefined) return null;
  return <Button onClick={onAsk}>{moneyWords.value.retry}</Button>;
}

interface BuyAgainProps extends OpenProps {
  asked(this: void, price: string): string;
  onEnd(this: void): void;
}

function BuyAgain({ purchase: { id, price }, attempt, asked, onEnd }: BuyAgainProps) {
  const text = moneyWords.value;
  const isBusy = useSignal(false);
  const act = useMemo(() => new ConfirmPress(), []);
  const main = useRef<HTMLButtonElement>(null);
  const cost = credits(price);
  const retry = async () => {
    if (isBusy.value) return;
    isBusy.value = true;
    await attempt(() => retryPurchase(id), text.retried);
    isBusy.value = false;
    onEnd();
  };
  useEffect(() => main.current?.focus(), []);
  return (
    <div class="acts again">
      <p>{asked(cost)}</p>
      <button ref={main} type="button" class="main" aria-disabled={isBusy.value} {...act.handlers(retry)}>
        {isBusy.value ? text.buying : words.value.buy(cost)}
      </button>
      <Button onClick={onEnd}>{words.value.cancel}</Button>
    </div>
  );
}
