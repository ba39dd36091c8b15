// A studio on one machine: a service, one or more hubs, sidecars; each a process that can be killed. What clients were given
// is noted, and the oracle judges it in the end.

import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { runSvcd } from '../../support/run-svcd.js';
import { readHome } from '../read-home.js';
import { startHub, type Hub, type HubOptions } from './hub.js';
import { findBroken, sumsOf, type Evidence, type Sums } from './oracle.js';
import type { Service } from './service.js';
import { isTrue, startSidecar, type Sidecar } from './sidecar.js';
import { readPostgresTill, readSqliteTill, type Sql, type Till } from './tills.js';

export interface Farm {
  readonly service: Service;
  readonly hubs: readonly Hub[];
  readonly sidecars: readonly Sidecar[];
  /** What somebody was given as the true thing. */
  readonly acknowledged: Set<string>;
  /** Asks once more and once more, as a render does, until it is given the true thing, `until` says enough, or tries are up. */
  ask(sidecar: Sidecar, preset: string, until?: AbortSignal): Promise<boolean>;
  /** All that is up and was killed is started again. */
  restart(): Promise<void>;
  /** Ends everything in order and judges. */
  judge(options?: JudgeOptions): Promise<{ broken: string[]; sums: Sums }>;
}

export interface FarmOptions {
  readonly service: Service;
  readonly hubs: number;
  readonly sidecars: number;
  /** The database of all hubs, with a way to read it past them. */
  readonly postgres?: { readonly urls: readonly string[]; readonly sql: Sql };
  /** Where each hub finds the service, if not at its own address. */
  readonly remotes?: readonly string[];
  readonly hub?: Partial<HubOptions>;
  /** Hubs beside the first share its certificate and receipt key, which lie in this folder. */
  readonly identity?: string;
  readonly sidecarFlags?: readonly string[];
}

export interface JudgeOptions {
  /** Whether what is of unknown end has been settled. */
  readonly isSettled?: boolean;
  /** How often somebody consented to pay for a thing again. */
  readonly consents?: ReadonlyMap<string, number>;
}

const TRIES = 20;
const REAPED_MS = 60_000;
const JOINING_AT_ONCE = 4;

/** Starts one that ends with the test. */
export async function startFarm(options: FarmOptions): Promise<Farm> {
  const { service, postgres } = options;
  const hubs: Hub[] = [];
  for (let nth = 0; nth < options.hubs; nth++) {
    const database = postgres?.urls[nth] ?? postgres?.urls[0];
    const hub = await startHub({
      remote: options.remotes?.[nth] ?? service.url,
      key: service.key,
      ...(database !== undefined && { database }),
      ...(options.identity !== undefined && { identity: options.identity }),
      ...options.hub,
    });
    onTestFinished(() => hub.remove());
    hubs.push(hub);
  }
  const [first] = hubs;
  if (first === undefined) throw new Error('a farm has at least one hub');
  for (const hub of hubs) await hub.knows(hubs.length);
  const code = await first.invite('promo');
  const sidecars: Sidecar[] = [];
  const names = Array.from({ length: options.sidecars }, (_, nth) => `machine-${nth}`);
  while (names.length > 0) {
    const some = names.splice(0, JOINING_AT_ONCE);
    sidecars.push(...(await Promise.all(some.map((name) => startSidecar(name, code, options.sidecarFlags)))));
  }
  for (const sidecar of sidecars) onTestFinished(() => sidecar.remove());

  const acknowledged = new Set<string>();
  const ask: Farm['ask'] = async (sidecar, preset, until) => {
    for (let tries = 0; tries < TRIES; tries++) {
      if (until?.aborted === true) return false;
      try {
        // One of its own: fetch listens to a signal until its request is collected, and hundreds of tries share this one.
        const answer = await sidecar.ask(preset, until && AbortSignal.any([until]));
        await answer.arrayBuffer();
        if (isTrue(answer)) {
          acknowledged.add(`sticker:${preset}`);
          return true;
        }
        // A default, or a refusal: whoever wants the true thing asks again.
        await sleep(200);
      } catch (error) {
        if (!sidecar.isUp()) return false;
        if (until?.aborted) return false;
        if (!(error instanceof TypeError)) throw error;
        await sleep(100);
      }
    }
    return false;
  };
  const restart = async () => {
    for (const one of [...hubs, ...sidecars]) if (!one.isUp()) await one.start();
  };
  return {
    service,
    hubs,
    sidecars,
    acknowledged,
    ask,
    restart,
    judge: async ({ isSettled = false, consents } = {}) => {
      const broken: string[] = [];
      if (postgres !== undefined) await untilNoneIsOpen(postgres.sql);
      for (const { home } of hubs) broken.push(...(await audit(home)));
      for (const one of [...sidecars, ...hubs]) await one.end();
      const till = postgres === undefined ? readSqliteTill(first.home) : await readPostgresTill(postgres.sql);
      const evidence: Evidence = {
        charges: service.charges(),
        acknowledged,
        isSettled,
        ...(consents !== undefined && { consents }),
        ...till,
      };
      broken.push(...findBroken(evidence), ...findDearSidecars(sidecars, evidence.charges, till));
      return { broken, sums: sumsOf(evidence) };
    },
  };
}

/** What a dead hub left open is ended by another half a minute later; the oracle tells what never is. */
async function untilNoneIsOpen(sql: Sql): Promise<void> {
  const open = () => sql(`SELECT id FROM purchase WHERE state IN ('intent', 'sent')`);
  for (let waitedMs = 0; (await open()).length > 0 && waitedMs < REAPED_MS; waitedMs += 500) await sleep(500);
}

/** What the hub itself finds wrong in its budgets. */
async function audit(home: string): Promise<string[]> {
  const { code, stdout, stderr } = await runSvcd(['hub', 'audit', '--home', home, '--json'], { home });
  if (code !== 0) return [`svcd hub audit ended with ${code}: ${stderr}${stdout.slice(0, 1000)}`];
  const told = JSON.parse(stdout) as { right: boolean; lines: readonly { right: boolean }[] };
  return told.right ? [] : [`svcd hub audit: ${JSON.stringify(told.lines.filter(({ right }) => !right))}`];
}

/** Whoever caused a purchase is told its cost, who joined 0: sidecars together cannot have paid more than was charged. */
function findDearSidecars(
  sidecars: readonly Sidecar[],
  charges: ReadonlyMap<string, number>,
  { owned }: Till,
): string[] {
  const costs = new Map<string, number>();
  const rows = new Map<string, string[]>();
  const broken: string[] = [];
  for (const { home, name } of sidecars) {
    const { journal, owned: kept, integrity } = readHome(home);
    for (const [file, found] of Object.entries(integrity))
      if (found !== 'ok') broken.push(`${name}, ${file}: ${found}`);
    for (const { item, cost, ...row } of journal) {
      costs.set(item, (costs.get(item) ?? 0) + (cost ?? 0));
      rows.set(item, [...(rows.get(item) ?? []), `${name}: ${JSON.stringify({ cost, ...row })}`]);
    }
    for (const item of kept.keys())
      if (!item.startsWith('file:') && !owned.has(item))
        broken.push(`${name} has ${item}, and the hub does not own it`);
  }
  for (const [item, cost] of costs)
    if (cost > (charges.get(item) ?? 0))
      broken.push(
        `${item} cost the sidecars ${cost}, and was charged ${charges.get(item)} (${rows.get(item)?.join(', ')})`,
      );
  return broken;
}
