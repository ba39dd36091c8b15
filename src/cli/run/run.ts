// svcd run and svcd token env: a template gets the address and a local token, and never sees the Key.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { DaemonStatus, TokenView } from '../../api/answers.js';
import type { Report } from '../../api/report.js';
import { exceptionsFor } from '../../config/choose-proxy.js';
import type { Flags } from '../../config/config.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import type { DeclaredOnly, Permission } from '../../model/spender.js';
import { declaredWords } from '../../video/template/declaration.js';
import { openPackage, type TemplatePackage } from '../../video/template/open-package.js';
import { type Bodies, choiceOption, type CommandBody, switchOption, textOption } from '../command.js';
import { withClient } from '../connection/client.js';
import type { KeepDaemon } from '../connection/detach.js';
import { findOrStart, type FoundDaemon } from '../connection/find-or-start.js';
import { assertReachable, getHomeToken } from '../connection/home-token.js';
import { askDaemon, findRunningDaemon } from '../connection/running-daemon.js';
import { describeReason, describeRefusal } from '../get/describe-reason.js';
import { formatForeign, sanitize } from '../terminal/format.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { ONLY_OPTION, readCredits, readOnly } from '../terminal/options.js';
import { markOf, printJson, printLines, printNote } from '../terminal/output.js';
import { openTargetFile } from '../terminal/target-file.js';
import { catchSignals, type ChildEnd, endLike, runChild } from './run-child.js';
import { requireStrictLock } from '../video/strict-lock.js';
import {
  describeAway,
  describeRefused,
  describeReport,
  fileOf,
  refusedSince,
  requireWhole,
  type RefusedAt,
} from './run-report.js';
import { holdLease } from './token-lease.js';
import { runWords } from './words.js';

const FORMATS = ['sh', 'fish', 'powershell', 'dotenv', 'json'] as const;
type Format = (typeof FORMATS)[number];

const PORT_MAX = 65_535;

const words = runWords();

const runCommand: CommandBody = {
  options: {
    ...templateOptions(),
    ...ONLY_OPTION,
    budget: textOption(words.options.budget),
    report: textOption(words.options.report),
    strict: switchOption(words.options.strict),
    'allow-shipped': switchOption(words.options.allowShipped),
    lock: textOption(words.options.lock),
    origin: textOption(words.options.origin),
    port: textOption(words.options.port),
    own: switchOption(words.options.own),
    offline: switchOption(words.options.offline),
  },
  examples: words.runExamples,
  run: async (input) => {
    const { end, problem } = input.flag('own') === true ? await runOwn(input) : await runWith(input);
    endLike(end);
    if (problem === undefined) return;
    // The code of a command that failed says more than ours.
    if (process.exitCode === 0) throw problem;
    printNote(sanitize(problem.message));
  },
};

interface Ended {
  readonly end: ChildEnd;
  /** What is wrong with a command that ended well. */
  readonly problem: Error | undefined;
}

interface Owning {
  /** Told of a daemon that is started; it ends with this process. */
  readonly keep: KeepDaemon;
  /** The signal that came before there was a command to get it. */
  readonly caught: () => NodeJS.Signals | undefined;
}

/** Runs the command with a daemon that ends with it, where none runs. */
async function runOwn(input: Input): Promise<Ended> {
  const own = createOwnDaemons();
  let caught: NodeJS.Signals | undefined;
  let hear = (signal: NodeJS.Signals): void => void (caught ??= signal);
  // From the beginning: the first process of a container gets no signal that it does not listen for.
  const letGo = catchSignals((signal) => hear(signal));
  try {
    return await runWith(input, { keep: own.keep, caught: () => caught });
  } finally {
    const hurry = new AbortController();
    hear = () => hurry.abort();
    await own.stop(await input.home(), hurry.signal);
    letGo();
  }
}

async function runWith(input: Input, own?: Owning): Promise<Ended> {
  const total = readCredits(input, 'budget');
  const port = input.whole('port', 0, PORT_MAX);
  const file = input.text('report');
  const offline = input.flag('offline') === true;
  const strict = input.flag('strict') === true;
  for (const name of ['lock', 'allow-shipped']) {
    if (!strict && input.list(name).length > 0) throw invalidArgument(words.forStrict(name));
  }
  const lock = input.text('lock');
  const locked = lock === undefined ? undefined : requireStrictLock(lock);
  // Before the command: a report that cannot be written must not be found out about after an hour of rendering.
  const target = file === undefined ? undefined : openTargetFile(file, { overwrite: /^\{\s*"report":/ });
  try {
    const options = { ...(await readFence(input)), total, origins: input.list('origin'), keep: own?.keep };
    const home = await input.home();
    const flags = { ...(port !== undefined && { port: String(port) }), ...(offline && { offline }) };
    const found = await findDaemon(home, flags, own?.keep);
    if (offline && found.daemon.status.remote.address !== null && !found.daemon.status.remote.forced)
      throw invalidArgument(words.isOnline(found.daemon.url), words.goOffline);
    const { sandbox } = found.daemon.status.remote;
    const before = await refusedAt(home);
    const lease = await holdLease(home, found, options);
    const early = own?.caught();
    if (early !== undefined) printNote(words.stoppedEarly(early));
    // SVCD_HOME is for svcd commands in it.
    const variables = () => ({ ...templateVariables(lease.url, lease.token), SVCD_HOME: home });
    const child = early === undefined ? runChild(input.words('command'), variables()) : undefined;
    const [ended] = await Promise.allSettled([child?.ended ?? { signal: early ?? 'SIGTERM' }]);
    const end = ended.status === 'fulfilled' ? ended.value : undefined;
    const { report, away } = await lease.end();
    const refused = refusedSince(before, await refusedAt(home));
    const hindrances = await findHindrances(home, report);
    const problem = findProblem(() => {
      const isTold =
        report !== undefined &&
        (report.assets.length + away.length > 0 || target !== undefined || locked !== undefined);
      const told = [isTold ? describeReport(report, sandbox, locked) : undefined, describeAway(away)].filter(
        (one) => one !== undefined,
      );
      if (told.length > 0) printNote(told.join(words.semicolon));
      describeRefused(refused).forEach(printNote);
      hindrances.forEach(printNote);
      if (target !== undefined) target.commit(fileOf(required(report, lease.name), { end, away, sandbox, refused }));
      if (strict) requireWhole(report, { away, refused, locked, allowShipped: input.flag('allow-shipped') === true });
    });
    child?.stopForwarding();
    if (ended.status === 'rejected') throw ended.reason;
    return { end: ended.value, problem };
  } finally {
    target?.abandon();
  }
}

/** Requests of pages that this daemon has refused; none where it cannot be asked. */
async function refusedAt(home: string): Promise<RefusedAt> {
  const running = await findRunningDaemon(home).catch(() => undefined);
  const status = running && (await askDaemon<DaemonStatus>(running, 'GET', '/svcd/status').catch(() => undefined));
  return { pid: status?.pid, requests: status?.refused ?? [] };
}

/** Why something was not asked for, and why nothing is bought with this home now; a line each. */
async function findHindrances(home: string, report: Report | undefined): Promise<string[]> {
  const running = await findRunningDaemon(home).catch(() => undefined);
  if (running === undefined) return [];
  const { spending_stopped: stop, hub, remote } = running.status;
  const isOffline = report?.assets.some(({ reason }) => reason === 'offline') === true;
  const ofHub = hub?.refusal ? describeRefusal(hub.refusal) : undefined;
  return [
    ...(isOffline ? [words.offlineWhy(ofHub ?? describeReason('offline', remote))] : []),
    ...(stop === null ? [] : [sanitize(words.stopped(stop.why, stop.hint))]),
  ];
}

/** What a work throws; undefined when it succeeds. */
function findProblem(work: () => void): Error | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function required(report: Report | undefined, name: string): Report {
  if (report !== undefined) return report;
  throw new SvcdError('not_running', words.noReport(name));
}

const envCommand: CommandBody = {
  options: {
    format: choiceOption(words.options.format, FORMATS),
    run: textOption(words.options.run),
    ...ONLY_OPTION,
    budget: textOption(words.options.runBudget),
  },
  examples: words.envExamples,
  run: async (input) => {
    const format =
      input.choice('format', FORMATS) ?? (input.json ? 'json' : process.platform === 'win32' ? 'powershell' : 'sh');
    const found = await getHomeToken(await input.home());
    assertReachable(found);
    const token = await beginRun(input);
    if (!found.running) printNote(words.notRunning);
    markOf({ answeredBy: found }).forEach(printNote);
    const values = templateVariables(found.url, token ?? found.token);
    if (format === 'json') return printJson(values);
    return printLines(...Object.entries(values).map(([name, value]) => LINE[format](name, value)));
  },
};

/** The token of a new run, in place of an earlier one of the name; undefined where none is asked for. */
async function beginRun(input: Input): Promise<string | undefined> {
  const name = input.text('run');
  const options = { name, only: readOnly(input), total: readCredits(input, 'budget') };
  if (name !== undefined) {
    const begin = () => withClient(input, (client) => client.ask<{ token: string }>('POST', '/svcd/runs', options));
    return (await begin()).token;
  }
  if (options.only === undefined && options.total === undefined) return undefined;
  throw invalidArgument(words.onlyForRun, words.nameRun);
}

export const bodies: Bodies = { run: runCommand, env: envCommand };

/** The variables as the service's document and its templates name them. */
function templateVariables(url: string, token: string): Record<string, string> {
  // With a proxy in the environment, a token on its way to this machine would go to that.
  return { SERVICE_BASE_URL: url, SERVICE_API_KEY: token, ...exceptionsFor(url) };
}

/** One that is started stays running, unless it is kept: the next command will use it, and a purchase may still be in flight. */
async function findDaemon(home: string, flags: Flags, keep?: KeepDaemon): Promise<FoundDaemon> {
  try {
    const found = await findOrStart(home, flags, { keep });
    const { url, status } = found.daemon;
    const tell = keep === undefined ? words.started : words.startedOwn;
    if (found.started) printNote(tell(url, status.remote.sandbox));
    else if (keep !== undefined) printNote(words.foundOwn(url));
    return found;
  } catch (error) {
    throw isSvcdError(error, 'port_in_use') ? error.with({ hint: words.anyPort }) : error;
  }
}

const LINE: Readonly<Record<Exclude<Format, 'json'>, (name: string, value: string) => string>> = {
  sh: (name, value) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`,
  fish: (name, value) => `set -gx ${name} '${value.replace(/['\\]/g, String.raw`\$&`)}'`,
  powershell: (name, value) => `$env:${name} = '${value.replaceAll("'", "''")}'`,
  // Without quotes: some readers of such files take them as part of the value.
  dotenv: (name, value) => `${name}=${value}`,
};

/**
 * The daemons that a command started for itself alone. Each reads its standard input from this process, so that it stops when
 * this process ends, by kill -9 too.
 */
interface OwnDaemons {
  readonly keep: KeepDaemon;
  /** Stops those that run, and waits until they have ended or `hurry` aborts; not for one that other commands still use. */
  stop(home: string, hurry: AbortSignal): Promise<void>;
}

/** A stop that takes no longer is not worth a line. */
const QUIET_MS = 2000;

function createOwnDaemons(): OwnDaemons {
  const kept: ChildProcess[] = [];
  return {
    keep: (daemon) => {
      kept.push(daemon);
      // It may be gone before us.
      daemon.stdin?.on('error', () => undefined);
    },
    stop: async (home, hurry) => {
      const running = kept.filter(isRunning);
      const others = running.length === 0 ? 0 : await countCommands(home).catch(() => 0);
      for (const daemon of running) daemon.stdin?.end();
      if (others > 0) return printNote(words.stillUsed(others));
      const timer = setTimeout(() => printNote(words.finishing), QUIET_MS);
      await Promise.all(running.map((daemon) => untilEnded(daemon, hurry)));
      clearTimeout(timer);
    },
  };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function untilEnded(daemon: ChildProcess, hurry: AbortSignal): Promise<void> {
  if (!isRunning(daemon)) return;
  daemon.ref();
  await once(daemon, 'exit', { signal: hurry }).catch(() => undefined);
  daemon.unref();
}

/** How many commands have a token of the daemon; this one's has ended. */
async function countCommands(home: string): Promise<number> {
  const daemon = await findRunningDaemon(home);
  if (daemon === undefined) return 0;
  const { tokens } = await askDaemon<{ tokens: TokenView[] }>(daemon, 'GET', '/svcd/tokens');
  return tokens.filter(({ temporary }) => temporary).length;
}

export function templateOptions() {
  const { template, allow, changedOnPurpose } = words.options;
  return {
    template: textOption(template),
    allow: textOption(allow),
    'changed-on-purpose': switchOption(changedOnPurpose),
  };
}

/** What a token is leased with. Throws what opening a package throws, and `invalid_argument`. */
export async function readFence(input: Input): Promise<{ only: Permission[] | undefined; fence?: DeclaredOnly }> {
  const [only, allow = []] = [readOnly(input), readOnly(input, 'allow')];
  const path = input.text('template');
  if (path === undefined) {
    for (const name of ['allow', 'changed-on-purpose']) {
      if (input.list(name).length > 0) throw invalidArgument(words.forTemplate(name), words.nameTemplate);
    }
    return { only };
  }
  const template = await openPackage(path, {
    changedOnPurpose: input.flag('changed-on-purpose') ?? false,
    command: 'svcd run',
  });
  tellPackage(template);
  const declared = template.permissions.filter((one) => only?.includes(one) ?? true);
  return {
    only: [...new Set([...declared, ...allow])],
    fence: { template: template.template, declares: declaredWords(template) },
  };
}

/** Says what of a package a person should know before it is used. */
export function tellPackage({ template, unknown, packageSha256 }: TemplatePackage): void {
  const name = formatForeign(template);
  if (packageSha256 === undefined) printNote(words.changedPackage(name));
  if (unknown.length > 0) printNote(words.unknownWords(name, unknown.map(formatForeign)));
}
