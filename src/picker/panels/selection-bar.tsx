// The plan of what is chosen: how many, what is free already, what the rest costs and leaves, and what may be done with it.

import { catchFocus } from '../grid/grid-view.js';
import { mostAtOnce, sumOf, whyNot } from '../spending.js';
import { choose, chosen, isThere, onlyChosen, openList, say, session, showChosen, summary } from '../store.js';
import { want } from '../want.js';
import { statusWords } from '../words/status.js';
import { number } from '../words/words.js';

export function SelectionBar() {
  const tiles = [...chosen.value.values()];
  if (tiles.length === 0) return null;
  const words = statusWords.value;
  const { value } = summary;
  const { count, free, cost } = sumOf(tiles);
  const price = words.credits(cost, number(cost));
  const costing = tiles.filter((tile) => tile.price > 0).map(({ preset }) => preset);
  const block = whyNot(cost, { isThere: isThere.value, session: session.value, summary: value });
  // Some of it could be bought: which, the dialog asks.
  const isPartly = (block?.kind === 'credits' || block?.kind === 'budget') && value && mostAtOnce(value) > 0;
  // What it would leave says nothing while it cannot be bought.
  const isOpen = block === undefined || isPartly === true;
  const balance = value?.balance?.credits;
  const day = value?.budgets.find(({ period, limit }) => period === 'day' && limit !== null);
  return (
    <section class="selection" aria-label={words.plan}>
      <p role="status">
        <button
          type="button"
          class="quiet"
          aria-pressed={onlyChosen.value}
          title={words.showChosen}
          onClick={() => showChosen(!onlyChosen.value)}
        >
          {words.chosen(number(count))}
        </button>
        {[
          '',
          ...(free > 0 ? [words.owned(number(free))] : []),
          ...(cost > 0 ? [price] : []),
          ...(isOpen && cost > 0 && balance !== undefined && balance >= cost
            ? [words.afterwards(number(balance), number(balance - cost))]
            : []),
          ...(isOpen && cost > 0 && day ? [words.today(number(day.spent ?? 0), number(day.limit ?? 0))] : []),
        ].join(' · ')}
      </p>
      {costing.length > 0 &&
        (isOpen ? (
          <button type="button" class="main" onClick={() => openList('buy', costing)}>
            {words.buy(price)}
          </button>
        ) : (
          session.value === 'live' &&
          isThere.value && (
            <button type="button" class="main" onClick={() => void want(costing)}>
              {words.want(costing.length, number(costing.length))}
            </button>
          )
        ))}
      <button
        type="button"
        class={costing.length === 0 ? 'main' : undefined}
        onClick={() => openList('take', [...chosen.value.keys()])}
      >
        {words.export}
      </button>
      <button type="button" aria-label={words.clear} onClick={clear}>
        ✕
      </button>
    </section>
  );
}

function clear(): void {
  const tiles = [...chosen.value.values()];
  choose(tiles, false);
  say(statusWords.value.cleared, { label: statusWords.value.undo, run: () => choose(tiles, true) });
  catchFocus();
}
