// GET /svcd/health: what a running daemon finds of itself, in the language of who asks.

import { Worker } from 'node:worker_threads';
import type { Health, HealthRow, Language } from '../../api/health.js';
import type { Config } from '../../config/config.js';
import { SANDBOX } from '../../config/last-used.js';
import { INSTALLATION, isReplaced } from '../../platform/installation.js';
import { SvcdError } from '../../model/errors.js';
import { findMissing, inOrder, runChecks } from './checks.js';
import type { Finding } from './finding.js';
import type { HomePlace, HubFacts, KnownRemote, RemotePlace } from './place.js';
import { toRow } from './to-row.js';

/** What the room of hubs knows. */
export interface HubHealth {
  readonly findHub: RemotePlace['findHub'];
  /** What a hub knows of itself; undefined in a daemon that is none. */
  readonly hubFacts: (() => Promise<HubFacts>) | undefined;
}

interface HealthParts extends HubHealth {
  readonly config: Config;
  readonly known: KnownRemote;
  readonly stop: HomePlace['stop'];
}

/** Longer than any check by itself. */
const THREAD_MS = 10_000;
// Run from source, as tests do, the thread still needs built code.
const THREAD = new URL('dist/health-thread.js', INSTALLATION);

/** The look under way in each home: a thread each would be one for every reload of the page. */
const underWay = new Map<string, Promise<Finding[]>>();

/** `accepted` is the header, which counts where no language is named. Who asks during a look gets what that one finds. */
export async function showHealth(
  parts: HealthParts,
  language: Language | undefined,
  accepted: string | undefined,
): Promise<Health> {
  const { home } = parts.config;
  const look = underWay.get(home) ?? lookAround(parts).finally(() => underWay.delete(home));
  underWay.set(home, look);
  return { checks: (await look).map((finding) => toRow(finding, language ?? languageOf(accepted))) };
}

async function lookAround({ config, known, stop, findHub, hubFacts }: HealthParts): Promise<Finding[]> {
  const { home } = config;
  const remote = known.sandbox ? SANDBOX : (known.address ?? 'none');
  const found: Finding[] = [];
  const tell = (findings: readonly Finding[]) => void found.push(...findings);
  const [, , ofHub] = await Promise.all([
    runInThread({ home, remote, isRunning: true, stop, mends: { mendDates: false, acceptLoss: false } }, tell),
    runChecks('remote', { config, remote, known, findHub }, tell),
    hubFacts === undefined ? [] : hubFacts().then(checkHub),
  ]);
  return inOrder(ofHub.reduce(putWorse, found));
}

/** What a hub finds wrong with itself. */
async function checkHub(facts: HubFacts): Promise<Finding[]> {
  const found: Finding[] = [];
  await runChecks('daemon', facts, (findings) => void found.push(...findings));
  return found;
}

/** The same as rows. */
export async function checkHubRows(facts: HubFacts, language: Language): Promise<HealthRow[]> {
  return inOrder(await checkHub(facts)).map((finding) => toRow(finding, language));
}

const WEIGHT = { ok: 0, warn: 1, bad: 2 } as const;

/** A finding of the hub beside those of its home: of one name the worse is told. */
function putWorse(found: readonly Finding[], one: Finding): Finding[] {
  const isLess = (other: Finding) => other.name === one.name && WEIGHT[other.status] <= WEIGHT[one.status];
  const isTold = found.some((other) => other.name === one.name && !isLess(other));
  return isTold ? [...found] : [...found.filter((other) => !isLess(other)), one];
}

/** What the thread does not come to is missing. */
async function runInThread(place: HomePlace, tell: (findings: readonly Finding[]) => void): Promise<void> {
  // The thread of another version may look at other things.
  if (isReplaced()) throw new SvcdError('busy', 'svcd was updated while it ran', { hint: 'Run "svcd restart".' });
  const told: Finding[] = [];
  const thread = new Worker(THREAD, { workerData: place });
  const why = await new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(() => resolve('timeout'), THREAD_MS);
    thread.on('message', (findings: readonly Finding[]) => void told.push(...findings));
    thread.once('error', (error: Error) => resolve(error.message));
    thread.once('exit', (code) => resolve(code === 0 ? undefined : `exit ${code}`));
    thread.once('exit', () => clearTimeout(timer));
  });
  void thread.terminate();
  tell([...told, ...(why === undefined ? [] : findMissing(['home'], told, why, THREAD_MS))]);
}

/** The language that a browser names first. */
function languageOf(accepted: string | undefined): Language {
  return accepted?.trim().toLowerCase().startsWith('zh') === true ? 'zh' : 'en';
}
