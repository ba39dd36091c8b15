// The plan of what is chosen: how many, what is free already, what the rest costs and leaves, and what may be done with it.

import type { Tile } from '../../api/tile.js';
import { catchFocus } from '../grid/grid-view.js';
import {
  blockOf,
  buying,
  choose,
  chosen,
  isThere,
  onlyChosen,
  openList,
  say,
  session,
  showChosen,
  summary,
} from '../store.js';
import { want } from '../collections.js';
import { statusWords } from '../words/status.js';
import { credits, number, words } from '../words/words.js';
import { Button } from './controls.js';
import { mostAtOnce } from './figures.js';

export function SelectionBar() {
  const tiles = [...chosen.value.values()];
  if (tiles.length === 0) return null;
  const text = statusWords.value;
  const { value } = summary;
  const open = tiles.filter((tile) => tile.price > 0 && !isUnderWay(tile) && tile.purchase !== 'unknown');
  const underWay = tiles.filter(isUnderWay).length;
  const cost = open.reduce((sum, tile) => sum + tile.price, 0);
  const price = credits(cost);
  const costing = open.map(({ preset }) => preset);
  const free = tiles.filter((tile) => tile.price === 0).length;
  const block = blockOf(cost);
  // Some of it could be bought: which, the dialog asks.
  const isPartly = (block?.kind === 'credits' || block?.kind === 'budget') && value && mostAtOnce(value) > 0;
  // What it would leave says nothing while it cannot be bought.
  const isOpen = block === undefined || isPartly === true;
  const balance = value?.balance?.credits;
  const day = value?.budgets.find(({ period, limit }) => period === 'day' && limit !== null);
  return (
    <section class="selection" aria-label={text.plan}>
      <p role="status">
        <Button
          class="quiet"
          aria-pressed={onlyChosen.value}
          title={text.showChosen}
          onClick={() => showChosen(!onlyChosen.value)}
        >
          {words.value.chosenMany(number(tiles.length))}
        </Button>
        {[
          '',
          ...(free > 0 ? [text.owned(number(free))] : []),
          ...(underWay > 0 ? [text.underWay(number(underWay))] : []),
          ...(cost > 0 ? [price] : []),
          ...(isOpen && cost > 0 && balance !== undefined && balance >= cost
            ? [`${number(balance)} → ${number(balance - cost)}`]
            : []),
          ...(isOpen && cost > 0 && day ? [text.today(number(day.spent ?? 0), number(day.limit ?? 0))] : []),
        ].join(' · ')}
      </p>
      {costing.length > 0 &&
        (isOpen ? (
          <Button class="main" onClick={() => openList('buy', costing)}>
            {words.value.buy(price)}
          </Button>
        ) : (
          session.value === 'live' &&
          isThere.value && (
            <Button class="main" onClick={() => void want(costing)}>
              {text.want(costing.length, number(costing.length))}
            </Button>
          )
        ))}
      <Button
        class={costing.length === 0 ? 'main' : undefined}
        onClick={() => openList('take', [...chosen.value.keys()])}
      >
        {text.export}
      </Button>
      <Button aria-label={text.clear} onClick={clear}>
        ✕
      </Button>
    </section>
  );
}

/** What is being bought, here or elsewhere, is not counted again. */
function isUnderWay({ preset, purchase }: Tile): boolean {
  return buying.value.has(preset) || purchase === 'under_way';
}

function clear(): void {
  const tiles = [...chosen.value.values()];
  choose(tiles, false);
  say(statusWords.value.cleared, { label: words.value.undo, run: () => choose(tiles, true) });
  catchFocus();
}
