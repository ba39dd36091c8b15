// What svcd says of itself: a bar with remote, balance, budget and purchases, for those who are signed in; a line on what stands
// in the way now and what to do about it, and one on the library that fills. Nothing is hidden by them, and nothing is red that
// is no fault.

import type { ComponentChildren } from 'preact';
import type { Summary } from '../../api/page-operations.js';
import { messageOf, sendJson } from '../api.js';
import { askBalance, isOld, lookNow, readSummary } from '../live.js';
import { quoteShell } from '../quote-shell.js';
import { type Block, type Budget, renewalOf } from '../spending.js';
import { blockOf, change, failure, isThere, openList, say, sayToStay, settings, summary } from '../store.js';
import { statusWords } from '../words/status.js';
import { credits, now, number, time, words } from '../words/words.js';
import { Button } from './controls.js';

export function StatusBar() {
  const { value } = summary;
  if (value === undefined) return null;
  const { balance, budgets, hub, purchases, remote } = value;
  const text = statusWords.value;
  const day = budgets.find(({ period, limit }) => period === 'day' && limit !== null);
  const left = balance === null ? undefined : credits(balance.credits);
  const asOf = balance?.as_of ?? null;
  const age = asOf !== null && (balance?.stale === true || isOld(asOf)) ? ` ${words.value.asOf(time(asOf))}` : '';
  const isAway = !isThere.value;
  const reach = isAway
    ? text.noAnswer
    : remote.offline
      ? remote.since === null
        ? text.offline
        : text.offlineSince(time(remote.since))
      : text.online;
  return (
    <div class="status" role="group" aria-label={text.status}>
      <span
        class="reach"
        data-offline={isAway || remote.offline ? '' : undefined}
        title={remote.sandbox ? text.playMoney : undefined}
      >
        <span class="dot" aria-hidden="true" /> {remote.sandbox && !isAway ? `${text.sandbox} · ${reach}` : reach}
      </span>
      {hub !== null && (
        <span class="hub" title={text.hubTitle(remote.address ?? '', hub.machine ?? '')}>
          {text.hub(hub.project ?? '?')}
        </span>
      )}
      <Button
        class="balance"
        aria-label={left === undefined ? undefined : text.openMoney(left + age)}
        onClick={() => openList('money')}
      >
        {left ?? text.money}
        {age !== '' && <small class="age">{age}</small>}
      </Button>
      {day !== undefined && (
        <span class="day" title={text.budget.day(number(day.spent ?? 0), number(day.limit ?? 0))}>
          {text.today(number(day.spent ?? 0), number(day.limit ?? 0))}
        </span>
      )}
      {purchases.under_way > 0 && <span>{text.underWay(number(purchases.under_way))}</span>}
      {purchases.unknown > 0 && (
        <Button class="warn" onClick={() => openList('money')}>
          {text.unknown(purchases.unknown)}
        </Button>
      )}
    </div>
  );
}

/** What commands need to find the home, while svcd says so: what is told of svcd that is away is about that home too. */
let home = '';

export function StateLine() {
  const { value } = summary;
  if (value !== undefined) home = value.home === null ? '' : ` --home ${quoteShell(value.home)}`;
  const block = blockOf(value?.price.sticker ?? 1);
  return (
    <div class="states">
      {block !== undefined && <BlockLine block={block} forced={value?.remote.forced ?? false} />}
      {failure.value?.code === 'library_damaged' ? (
        <Line kind="damaged">{statusWords.value.libraryDamaged}</Line>
      ) : (
        value?.library.set_aside === true &&
        !value.library.complete && <Line kind="damaged">{statusWords.value.librarySetAside}</Line>
      )}
      {value !== undefined && <Filling library={value.library} />}
      {block === undefined && value?.remote.sandbox === true && <Sandbox />}
    </div>
  );
}

function BlockLine({ block, forced }: { readonly block: Block; readonly forced: boolean }) {
  const text = statusWords.value;
  switch (block.kind) {
    case 'away':
      return (
        <Line kind="away" isLoud>
          {text.away} <Command>svcd start</Command>
          <Button onClick={lookNow}>{text.tryNow}</Button>
        </Line>
      );
    case 'lost':
    case 'signed_out':
      return (
        <Line kind={block.kind} isLoud={block.kind === 'lost'}>
          {block.kind === 'lost' ? text.lost : text.signedOut} <Command>svcd open</Command>
        </Line>
      );
    case 'no_key':
      return (
        <Line kind="no_key">
          {text.noKey} <Command>svcd key set</Command>
        </Line>
      );
    case 'hub':
      return (
        <Line kind="hub">
          {block.code === 'hub_certificate_changed' ? text.otherHub : text.hubRefuses}{' '}
          <Command>svcd hub join CODE</Command> <Command>svcd hub leave</Command>
        </Line>
      );
    case 'key':
      return (
        <Line kind="key">
          {keyProblem(block.problem, block.lastFour)} <Command>svcd key set</Command>
        </Line>
      );
    case 'stopped':
      return <Stopped stop={block.stop} />;
    case 'offline':
      return (
        <Line kind="offline">
          {text.offlineBar}
          {forced && <Button onClick={() => post('/svcd/offline', { offline: false })}>{text.goOnline}</Button>}
        </Line>
      );
    case 'credits':
      return (
        <Line kind="credits">
          {text.noCredits} {sayTopUp()} {isSandbox() && <Command>{TOP_UP}</Command>}
          <Button onClick={() => void askBalance()}>{text.checkAgain}</Button>
          <Button onClick={() => change({ owned: true }, 'push')}>{text.showOwned}</Button>
        </Line>
      );
    case 'budget':
      return (
        <Line kind="budget">
          {sayBudget(block.budget, block.limit)}
          <Button onClick={() => openList('money')}>{text.changeBudget}</Button>
        </Line>
      );
  }
}

/** Puts play money into the sandbox. */
const TOP_UP = 'svcd sandbox topup 10';

const isSandbox = (): boolean => summary.value?.remote.sandbox === true;

/** Who can put credits into the account, and where: the service tells no address of that. */
function sayTopUp(): string {
  const text = statusWords.value;
  if (isSandbox()) return text.topUpSandbox;
  return (summary.value?.hub ?? null) === null ? text.topUp : text.topUpHub;
}

/** The same in a sentence, with the command. */
export const sayHowToTopUp = (): string => (isSandbox() ? `${sayTopUp()} ${TOP_UP}${home}` : sayTopUp());

function Stopped({ stop }: { readonly stop: NonNullable<Summary['spending_stopped']> }) {
  const text = statusWords.value;
  if (stop.by === 'user') {
    return (
      <Line kind="stopped">
        {text.stoppedByYou(stop.since === null ? '' : time(stop.since))}
        <Button onClick={() => post('/svcd/spending', { stopped: false })}>{text.lift}</Button>
      </Line>
    );
  }
  return (
    <Line kind="stopped" isLoud>
      {text.stopped} <span lang="en">{`${stop.why}. ${stop.hint}`}</span>
    </Line>
  );
}

function Filling({ library }: { readonly library: Summary['library'] }) {
  const { known, complete, estimate, seconds_left: left, paused } = library;
  const text = statusWords.value;
  // Without an estimate and a pause nothing is being filled.
  if (complete || (estimate === null && !paused)) return null;
  const about =
    estimate === null
      ? text.filling(number(known))
      : text.fillingOf(number(known), number(estimate.total), number(estimate.low), number(estimate.high));
  const minutes = Math.ceil((left ?? 0) / 60);
  const rest = paused ? text.paused : left === null ? undefined : text.minutesLeft(minutes, number(minutes));
  return (
    <Line kind="filling">
      {rest === undefined ? about : `${about}, ${rest}`}
      <Button onClick={() => post(`/svcd/library/${paused ? 'resume' : 'pause'}`)}>
        {paused ? text.resume : text.pause}
      </Button>
    </Line>
  );
}

function Sandbox() {
  const { asReal } = settings;
  const text = statusWords.value;
  return (
    <Line kind="sandbox">
      {asReal.value ? text.sandboxAsReal : text.sandboxBar}
      <Button aria-pressed={asReal.value} onClick={() => (asReal.value = !asReal.value)}>
        {text.asReal}
      </Button>
    </Line>
  );
}

/** What a budget has left, and when it begins anew. */
export function sayBudget({ period, spent }: Budget, limit: number): string {
  const text = statusWords.value;
  const at = renewalOf(period, now());
  const said = text.budget[period](number(spent ?? 0), number(limit));
  return at === undefined ? said : said + text.freeAgain(time(at), Intl.DateTimeFormat().resolvedOptions().timeZone);
}

function keyProblem(problem: string, lastFour: string | null): string {
  const { key, endsIn } = statusWords.value;
  const sentence = key[problem as keyof typeof key] ?? key.other;
  return sentence(lastFour === null ? '' : endsIn(lastFour));
}

interface LineProps {
  readonly kind: string;
  readonly isLoud?: boolean;
  readonly children: ComponentChildren;
}

function Line({ kind, isLoud = false, children }: LineProps) {
  return (
    <div class="state" data-kind={kind} role={isLoud ? 'alert' : undefined}>
      {children}
    </div>
  );
}

/** A command of svcd for the terminal, which a press copies. */
function Command({ children }: { readonly children: string }) {
  const text = statusWords.value;
  const command = children + home;
  const copy = () =>
    navigator.clipboard.writeText(command).then(
      () => say(text.copied),
      () => sayToStay(words.value.notCopied),
    );
  return (
    <>
      <code lang="en">{command}</code>
      <Button aria-label={text.copyThis(command)} onClick={() => void copy()}>
        {text.copy}
      </Button>
    </>
  );
}

function post(path: string, body?: object): void {
  sendJson('POST', path, body).then(
    () => readSummary(),
    (error: unknown) => sayToStay(words.value.failed(messageOf(error))),
  );
}
