// The budgets of one purchase, the day and the month: what is spent of them, and how they are set.

import { useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { sendJson } from '../api.js';
import type { Budget } from '../spending.js';
import { moneyWords } from '../words/money.js';
import { number } from '../words/words.js';
import type { Attempt } from './figures.js';

const MOST = 1_000_000_000;

export function Budgets({ budgets, attempt }: { readonly budgets: readonly Budget[]; readonly attempt: Attempt }) {
  const form = useRef<HTMLFormElement>(null);
  const trouble = useSignal('');
  const words = moneyWords.value;
  const save = () => {
    const given = new FormData(form.current ?? undefined);
    const limits = budgets.map(({ period }) => [period, readLimit(given.get(period))] as const);
    if (limits.some(([, limit]) => limit === undefined)) {
      trouble.value = words.budgetBad;
      return;
    }
    trouble.value = '';
    void attempt(() => sendJson('PUT', '/svcd/budget', Object.fromEntries(limits)), words.savedBudgets);
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
        <legend>{words.budgets}</legend>
        {budgets.map(({ period, limit, spent }) => (
          <label key={period}>
            <span>{words.periods[period]}</span>
            <input
              name={period}
              inputMode="numeric"
              autocomplete="off"
              size={10}
              defaultValue={limit === null ? '' : `${limit}`}
              placeholder={words.noLimit}
            />
            <small>
              {spent === null
                ? ''
                : words.spentSoFar(limit === null ? number(spent) : words.spent(number(spent), number(limit)))}
            </small>
          </label>
        ))}
      </fieldset>
      <p class="said" role="alert">
        {trouble.value}
      </p>
      <button type="submit">{words.save}</button> <small>{words.budgetEmpty}</small>
    </form>
  );
}

/** Null for no limit; undefined for what is no number of credits. */
function readLimit(given: FormDataEntryValue | null): number | null | undefined {
  const text = typeof given === 'string' ? given.trim() : '';
  if (text === '') return null;
  return /^\d{1,10}$/.test(text) && Number(text) <= MOST ? Number(text) : undefined;
}
