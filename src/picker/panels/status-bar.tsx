// Remote, balance, budget, filling: what the daemon says of itself, for those who are signed in.

import { isOld } from '../live.js';
import { isThere, openList, summary } from '../store.js';
import { statusWords } from '../words/status.js';
import { number, time } from '../words/words.js';

export function StatusBar() {
  const { value } = summary;
  if (value === undefined) return null;
  const { balance, budgets, hub, purchases, remote } = value;
  const words = statusWords.value;
  const day = budgets.find(({ period, limit }) => period === 'day' && limit !== null);
  const credits = balance === null ? undefined : words.credits(balance.credits, number(balance.credits));
  const asOf = balance?.as_of ?? null;
  const age = asOf !== null && (balance?.stale === true || isOld(asOf)) ? ` ${words.asOf(time(asOf))}` : '';
  const isAway = !isThere.value;
  const reach = isAway
    ? words.noAnswer
    : remote.offline
      ? remote.since === null
        ? words.offline
        : words.offlineSince(time(remote.since))
      : words.online;
  return (
    <div class="status" role="group" aria-label={words.status}>
      <span
        class="reach"
        data-offline={isAway || remote.offline ? '' : undefined}
        title={remote.sandbox ? words.playMoney : undefined}
      >
        <span class="dot" aria-hidden="true" /> {remote.sandbox && !isAway ? `${words.sandbox} · ${reach}` : reach}
      </span>
      {hub !== null && (
        <span class="hub" title={words.hubTitle(remote.address ?? '', hub.machine ?? '')}>
          {words.hub(hub.project ?? '?')}
        </span>
      )}
      <button
        type="button"
        class="balance"
        aria-label={credits === undefined ? undefined : words.openMoney(credits + age)}
        onClick={() => openList('money')}
      >
        {credits ?? words.money}
        {age !== '' && <small class="age">{age}</small>}
      </button>
      {day !== undefined && (
        <span class="day" title={words.budget.day(number(day.spent ?? 0), number(day.limit ?? 0))}>
          {words.today(number(day.spent ?? 0), number(day.limit ?? 0))}
        </span>
      )}
      {purchases.under_way > 0 && <span>{words.underWay(number(purchases.under_way))}</span>}
      {purchases.unknown > 0 && (
        <button type="button" class="warn" onClick={() => openList('money')}>
          {words.unknown(purchases.unknown)}
        </button>
      )}
    </div>
  );
}
