// What a started daemon prints: one line for programs; for people where it is, what it has, and what to try next.

import { basename, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DaemonStatus, Spending } from '../../api/answers.js';
import type { Config } from '../../config/config.js';
import { describeChange, type RemoteChoice } from '../../config/remote-choice.js';
import type { DaemonInfo } from '../../daemon/daemon.js';
import { SvcdError, systemCode } from '../../model/errors.js';
import { formatCount, formatFields, formatNumber, homeOption, openPaint, sanitize } from '../terminal/format.js';
import { printJson, printLines } from '../terminal/output.js';
import { askDaemon } from '../connection/running-daemon.js';
import { describeKeySource } from '../access/user-key.js';
import { daemonWords } from './words.js';
import { terminalWords } from '../terminal/words.js';
import { describeFilling, progressWords } from '../terminal/progress.js';
import { errorWords } from '../terminal/error-words.js';

/** What a service that does not answer at once keeps a start waiting. */
const KEY_PATIENCE_MS = 1500;

/** Prints on stdout where a daemon is and what it has; `isBehind` where it leaves the terminal free. */
export async function announce(
  config: Config,
  choice: RemoteChoice,
  info: DaemonInfo,
  { json, asHub, isBehind = false }: { readonly json: boolean; readonly asHub: boolean; readonly isBehind?: boolean },
): Promise<void> {
  if (json) return printJson(asHub ? describeHub(info) : info);
  const ask = async () => {
    const spending = await askDaemon<Spending>(info, 'GET', '/svcd/spending');
    if (spends(config)) await Promise.race([askAboutKey(info), sleep(KEY_PATIENCE_MS, undefined, { ref: false })]);
    return [await askDaemon<DaemonStatus>(info, 'GET', '/svcd/status'), spending] as const;
  };
  const [status, spending] = await ask().catch((cause: unknown) => {
    const words = daemonWords();
    const why = systemCode(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    // It is there and takes no connection: what it may have open is used up.
    throw new SvcdError('busy', words.runsUnanswered(info.url, why), { cause, hint: words.runsUnansweredHint });
  });
  const svcd = howToCall() + homeOption();
  const words = daemonWords();
  const { fields } = words;
  return printLines(
    words.runsAt(openPaint().strong(info.url)),
    ...(info.hub === undefined ? [] : [words.comesIn(openPaint().strong(info.hub.url)), words.inviteThem]),
    '',
    ...formatFields({
      [fields.library]: describeLibrary(info, status),
      [fields.remote]: describeRemote(config, info, status, svcd),
      [fields.key]: describeKey(config, status, svcd),
      ...describeBudget(config, status, spending, svcd),
      ...describeStop(status),
      [fields.home]: info.home,
      ...(info.updated && { [fields.updated]: words.migrated(info.updated.join(', ')) }),
    }),
    '',
    ...paragraph(describeChange(choice).map(errorWords().translated)),
    terminalWords()[isBehind ? 'tryHere' : 'tryThis'],
    // None shows the token: what a terminal shows is photographed and sent.
    ...['open', 'search 生日', 'token show'].map((command) => `  ${svcd} ${command}`),
    '',
  );
}

function describeLibrary({ library }: DaemonInfo, { library: now }: DaemonStatus): string {
  const words = daemonWords();
  const own = now.shipped ? words.ofThemShipped(formatNumber(now.shipped)) : '';
  const known = words.library(formatNumber(library.stickers - (now.shipped ?? 0))) + own;
  const going = now.building === null ? describeFilling(now) : progressWords().building(now.building);
  return going === undefined ? known : `${known}${words.semicolon}${going}`;
}

function paragraph(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [...lines.map(sanitize), ''];
}

function describeRemote(
  { remote, offline }: Config,
  { sandbox }: DaemonInfo,
  { hub }: DaemonStatus,
  svcd: string,
): string {
  const words = daemonWords();
  const suffix = offline ? words.notContacted : '';
  if (hub !== null) return words.hubRemote(sanitize(hub.addresses[0] ?? '?')) + suffix;
  if (sandbox !== undefined) return words.sandboxRemote(sandbox.url) + suffix;
  return remote === undefined ? words.noRemote(svcd) : remote + suffix;
}

/** Whether real credits may be spent. */
function spends({ remote, sandbox, offline }: Config): boolean {
  return !sandbox && !offline && remote !== undefined;
}

/** Free; its answer is of no interest, but a refusal is known by then. */
async function askAboutKey(info: DaemonInfo): Promise<void> {
  await askDaemon(info, 'GET', '/api/v1/me').catch(() => undefined);
}

function describeKey({ remote }: Config, status: DaemonStatus, svcd: string): string {
  if (status.key_source !== 'none') return describeKeyInUse(status);
  return remote === undefined ? daemonWords().noKeyNeeded : daemonWords().noKeyYet(svcd);
}

/** Where it comes from, and that the service refuses it. */
export function describeKeyInUse({ key_source: source, key_problem: problem }: DaemonStatus): string {
  const isRefused = problem === 'invalid_key' || problem === 'key_disabled';
  return isRefused ? daemonWords().keyRefused(describeKeySource(source)) : describeKeySource(source);
}

/** The limits on real money; nothing for the sandbox, and where there is no Key to spend with. */
function describeBudget(
  { remote, sandbox }: Config,
  { key_source: key }: DaemonStatus,
  { budgets }: Spending,
  svcd: string,
): Record<string, string> {
  if (sandbox || remote === undefined || key === 'none') return {};
  const words = daemonWords();
  const limits = budgets.flatMap(({ period, limit }) =>
    limit === null ? [] : [words.limit(formatCount(limit, 'credit'), period)],
  );
  const change = `"${svcd} budget set --day N"`;
  const told = limits.length === 0 ? words.noLimit(change) : words.limits(limits.join(words.limitJoint), change);
  return { [words.fields.budget]: told };
}

/** Said at each start: spending that is stopped is easily forgotten. */
function describeStop({ spending_stopped: stop }: DaemonStatus): Record<string, string> {
  const words = daemonWords();
  const { translated } = errorWords();
  return stop === null
    ? {}
    : { [words.fields.spending]: sanitize(words.stopped(translated(stop.why), translated(stop.hint))) };
}

/** `svcd`, or `node` with the path of the script when it was started from a checkout. */
export function howToCall(): string {
  const script = process.argv[1] ?? 'svcd';
  if (basename(script) === 'svcd') return 'svcd';
  const path = relative(process.cwd(), script);
  return `node ${path.includes(' ') ? JSON.stringify(path) : path}`;
}

/** What a started hub tells programs: where machines come in, and where its own clients do. */
function describeHub({ url, pid, home, token, hub, sandbox }: DaemonInfo): object {
  return { url: hub?.url ?? url, pid, home, ...(sandbox !== undefined && { sandbox }), local: { url, token } };
}
