// What svcd says of itself: a bar with remote, balance, budget and purchases, for those who are signed in; a line on what stands
// in the way now and what to do about it, and one on the library that fills. Nothing is hidden by them, and nothing is red that
// is no fault.

import type { ComponentChildren } from 'preact';
import type { SettledPurchases } from '../../api/answers.js';
import type { Summary } from '../../api/page-operations.js';
import { messageOf, sendJson } from '../api.js';
import { askBalance, isOld, lookNow, readSummary } from '../live.js';
import { quoteShell } from '../export/ways.js';
import type { Block, Budget } from '../spending.js';
import {
  blockOf,
  change,
  drawsNothing,
  failure,
  isThere,
  openList,
  say,
  sayToStay,
  settings,
  summary,
} from '../store.js';
import { statusWords } from '../words/status.js';
import { credits, now, number, time, words } from '../words/words.js';
import { Button } from './controls.js';
import { sendWithCode } from './modal.js';

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
      {value !== undefined && value.purchases.unknown > 0 && <Unsettled count={value.purchases.unknown} />}
      {value !== undefined && <Filling library={value.library} />}
      {drawsNothing.value && <Line kind="blank">{statusWords.value.drawsNothing}</Line>}
      {block === undefined && value?.remote.sandbox === true && <Sandbox />}
    </div>
  );
}

/** What a line says, the commands of a terminal that change it, and what can be done here. */
interface Told {
  readonly said: ComponentChildren;
  readonly commands?: readonly string[];
  readonly acts?: readonly (readonly [label: string, run: () => void])[];
  readonly isLoud?: boolean;
}

function BlockLine({ block, forced }: { readonly block: Block; readonly forced: boolean }) {
  const { said, commands = [], acts = [], isLoud } = toldOf(block, forced);
  return (
    <Line kind={block.kind} isLoud={isLoud}>
      {said}{' '}
      {commands.map((one) => (
        <Command key={one}>{one}</Command>
      ))}
      {acts.map(([label, run]) => (
        <Button key={label} onClick={run}>
          {label}
        </Button>
      ))}
    </Line>
  );
}

function toldOf(block: Block, forced: boolean): Told {
  const text = statusWords.value;
  switch (block.kind) {
    case 'away':
      return { said: text.away, commands: ['svcd start'], acts: [[text.tryNow, lookNow]], isLoud: true };
    case 'lost':
      return { said: text.lost, commands: ['svcd open'], isLoud: true };
    case 'signed_out':
      return { said: text.signedOut, commands: ['svcd open'] };
    case 'no_key':
      return { said: text.noKey, commands: ['svcd key set'] };
    case 'hub': {
      const said = block.code === 'hub_certificate_changed' ? text.otherHub : text.hubRefuses;
      return { said, commands: ['svcd hub join CODE', 'svcd hub leave'] };
    }
    case 'key':
      return { said: keyProblem(block.problem, block.lastFour), commands: ['svcd key set'] };
    case 'stopped': {
      const { by, since, why, hint } = block.stop;
      const lift = () => post('/svcd/spending', { stopped: false });
      if (by === 'user')
        return { said: text.stoppedByYou(since === null ? '' : time(since)), acts: [[text.lift, lift]] };
      const said = [text.stopped, ' ', <span lang="en">{`${why}. ${hint}`}</span>];
      return { said, isLoud: true };
    }
    case 'offline': {
      const goOnline = () => post('/svcd/offline', { offline: false });
      return { said: text.offlineBar, acts: forced ? [[text.goOnline, goOnline]] : [] };
    }
    case 'credits':
      return {
        said: `${text.noCredits} ${sayTopUp()}`,
        commands: isSandbox() ? [TOP_UP] : [],
        acts: [
          [text.checkAgain, () => void askBalance()],
          [text.showOwned, () => change({ owned: true }, 'push')],
        ],
      };
    case 'budget':
      return { said: sayBudget(block.budget, block.limit), acts: [[text.changeBudget, () => openList('money')]] };
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

/** Purchases whose end nobody saw: svcd looks by itself, and a person may have it look at once. */
function Unsettled({ count }: { readonly count: number }) {
  const text = statusWords.value;
  const ask = () =>
    sendJson<SettledPurchases>('POST', '/svcd/purchases/settle').then(
      (answer) => {
        say(sayLooked(answer));
        return readSummary();
      },
      (error: unknown) => sayToStay(words.value.failed(messageOf(error))),
    );
  return (
    <Line kind="unsettled">
      {text.unsettled(count)} <Button onClick={() => void ask()}>{text.askNow}</Button>
    </Line>
  );
}

export function sayLooked({ settled, left }: SettledPurchases): string {
  return statusWords.value.looked(number(settled.length), number(left.length));
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

/** What a budget has left, and when it begins anew; that of a request never does. */
export function sayBudget({ period, spent }: Budget, limit: number): string {
  const text = statusWords.value;
  const said = text.budget[period](number(spent ?? 0), number(limit));
  if (period === 'request') return said;
  const [year, month, day] = [now().getFullYear(), now().getMonth(), now().getDate()];
  const at = period === 'day' ? new Date(year, month, day + 1) : new Date(year, month + 1, 1);
  return said + text.freeAgain(time(at), Intl.DateTimeFormat().resolvedOptions().timeZone);
}

function keyProblem(problem: string, lastFour: string | null): string {
  const { key, endsIn } = statusWords.value;
  const sentence = key[problem as keyof typeof key] ?? key.other;
  return sentence(lastFour === null ? '' : endsIn(lastFour));
}

interface LineProps {
  readonly kind: string;
  readonly isLoud?: boolean | undefined;
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

function post(path: string, body: object = {}): void {
  sendWithCode('POST', path, body).then(
    () => readSummary(),
    (error: unknown) => sayToStay(words.value.failed(messageOf(error))),
  );
}
