// One line on what stands in the way now and what to do about it, and one on the library that fills. Nothing is hidden by
// them, and nothing is red that is no fault.

import type { ComponentChildren } from 'preact';
import type { Summary } from '../../api/page-operations.js';
import { ApiError, ask, sendJson } from '../api.js';
import { lookNow, readSummary } from '../live.js';
import { shellWord } from '../shell-word.js';
import { type Block, type Budget, renewalOf, whyNot } from '../spending.js';
import { change, failure, isThere, openList, say, sayToStay, session, settings, summary } from '../store.js';
import { statusWords } from '../words/status.js';
import { now, number, time } from '../words/words.js';

/** What commands need to find the home, while svcd says so: what is told of svcd that is away is about that home too. */
let home = '';

export function StateLine() {
  const { value } = summary;
  if (value !== undefined) home = value.home === null ? '' : ` --home ${shellWord(value.home)}`;
  const block = whyNot(value?.price.sticker ?? 1, { isThere: isThere.value, session: session.value, summary: value });
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
  const words = statusWords.value;
  switch (block.kind) {
    case 'away':
      return (
        <Line kind="away" isLoud>
          {words.away} <Command>svcd start</Command>
          <Act onAct={lookNow}>{words.tryNow}</Act>
        </Line>
      );
    case 'lost':
    case 'signed_out':
      return (
        <Line kind={block.kind} isLoud={block.kind === 'lost'}>
          {block.kind === 'lost' ? words.lost : words.signedOut} <Command>svcd open</Command>
        </Line>
      );
    case 'no_key':
      return (
        <Line kind="no_key">
          {words.noKey} <Command>svcd key set</Command>
        </Line>
      );
    case 'hub':
      return (
        <Line kind="hub">
          {block.code === 'hub_certificate_changed' ? words.otherHub : words.hubRefuses}{' '}
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
          {words.offlineBar}
          {forced && <Act onAct={() => post('/svcd/offline', { offline: false })}>{words.goOnline}</Act>}
        </Line>
      );
    case 'credits':
      return (
        <Line kind="credits">
          {words.noCredits} {sayTopUp()} {isSandbox() && <Command>{TOP_UP}</Command>}
          <Act onAct={() => void checkBalance()}>{words.checkAgain}</Act>
          <Act onAct={() => change({ owned: true }, 'push')}>{words.showOwned}</Act>
        </Line>
      );
    case 'budget':
      return (
        <Line kind="budget">
          {sayBudget(block.budget, block.limit)}
          <Act onAct={() => openList('money')}>{words.changeBudget}</Act>
        </Line>
      );
  }
}

/** Puts play money into the sandbox. */
const TOP_UP = 'svcd sandbox topup 10';

const isSandbox = (): boolean => summary.value?.remote.sandbox === true;

/** Who can put credits into the account, and where: the service tells no address of that. */
function sayTopUp(): string {
  const words = statusWords.value;
  if (isSandbox()) return words.topUpSandbox;
  return (summary.value?.hub ?? null) === null ? words.topUp : words.topUpHub;
}

/** The same in a sentence, with the command. */
export const sayHowToTopUp = (): string => (isSandbox() ? `${sayTopUp()} ${TOP_UP}${home}` : sayTopUp());

/** Has svcd ask the service for the balance, which costs nothing. */
async function checkBalance(): Promise<void> {
  await ask('/api/v1/usage').catch(() => undefined);
  await readSummary();
}

function Stopped({ stop }: { readonly stop: NonNullable<Summary['spending_stopped']> }) {
  const words = statusWords.value;
  if (stop.by === 'user') {
    return (
      <Line kind="stopped">
        {words.stoppedByYou(stop.since === null ? '' : time(stop.since))}
        <Act onAct={() => post('/svcd/spending', { stopped: false })}>{words.lift}</Act>
      </Line>
    );
  }
  return (
    <Line kind="stopped" isLoud>
      {words.stopped} <span lang="en">{`${stop.why}. ${stop.hint}`}</span>
    </Line>
  );
}

function Filling({ library }: { readonly library: Summary['library'] }) {
  const { known, complete, estimate, seconds_left: left, paused } = library;
  const words = statusWords.value;
  // Without an estimate and a pause nothing is being filled.
  if (complete || (estimate === null && !paused)) return null;
  const about =
    estimate === null
      ? words.filling(number(known))
      : words.fillingOf(number(known), number(estimate.total), number(estimate.low), number(estimate.high));
  const minutes = Math.ceil((left ?? 0) / 60);
  const rest = paused ? words.paused : left === null ? undefined : words.minutesLeft(minutes, number(minutes));
  return (
    <Line kind="filling">
      {rest === undefined ? about : `${about}, ${rest}`}
      <Act onAct={() => post(`/svcd/library/${paused ? 'resume' : 'pause'}`)}>
        {paused ? words.resume : words.pause}
      </Act>
    </Line>
  );
}

function Sandbox() {
  const { asReal } = settings;
  const words = statusWords.value;
  return (
    <Line kind="sandbox">
      {asReal.value ? words.sandboxAsReal : words.sandboxBar}
      <button type="button" aria-pressed={asReal.value} onClick={() => (asReal.value = !asReal.value)}>
        {words.asReal}
      </button>
    </Line>
  );
}

/** What a budget has left, and when it begins anew. */
export function sayBudget({ period, spent }: Budget, limit: number): string {
  const words = statusWords.value;
  const at = renewalOf(period, now());
  const said = words.budget[period](number(spent ?? 0), number(limit));
  return at === undefined ? said : said + words.freeAgain(time(at), Intl.DateTimeFormat().resolvedOptions().timeZone);
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

function Act({ onAct, children }: { readonly children: ComponentChildren; onAct(this: void): void }) {
  return (
    <button type="button" onClick={onAct}>
      {children}
    </button>
  );
}

/** A command of svcd for the terminal, which a press copies. */
function Command({ children }: { readonly children: string }) {
  const words = statusWords.value;
  const command = children + home;
  const copy = () =>
    navigator.clipboard.writeText(command).then(
      () => say(words.copied),
      () => sayToStay(words.notCopied),
    );
  return (
    <>
      <code lang="en">{command}</code>
      <button type="button" aria-label={words.copyThis(command)} onClick={() => void copy()}>
        {words.copy}
      </button>
    </>
  );
}

function post(path: string, body?: object): void {
  sendJson('POST', path, body).then(
    () => readSummary(),
    (error: unknown) => sayToStay(statusWords.value.failed(error instanceof ApiError ? error.message : String(error))),
  );
}
