// A PostgreSQL, hubs and machines without daemons, with a line that can break between each two of them.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { startPostgres, type PostgresServer } from '../../support/postgres.js';
import { makeHome, runSvcd } from '../../support/run-svcd.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import { startHub, type Hub, type HubOptions } from './hub.js';
import { isTrue, joinMachine, machineWith, type Given, type Machine } from './machine.js';
import { findBroken, sumsOf, type Sums } from './oracle.js';
import { startService, type Service } from './service.js';
import { readPostgresTill } from './tills.js';

export interface PartitionStage {
  readonly service: Service;
  readonly postgres: PostgresServer;
  readonly hubs: readonly Hub[];
  /** One a hub, each by way of its line. */
  readonly machines: readonly Machine[];
  readonly lines: {
    /** Between each hub and its machine. */
    readonly machine: readonly TcpProxy[];
    /** Between each hub and the database. */
    readonly database: readonly TcpProxy[];
    /** Between all hubs and the service. */
    readonly service: TcpProxy;
  };
  /** Where the rows are; of a standby once it is promoted. */
  primary: PostgresServer;
  readonly acknowledged: Set<string>;
  /** Asks once; undefined when the line broke. What was given as the true thing is noted. */
  ask(
    nth: number,
    preset: string,
    options?: { requestId?: string; deadlineMs?: number; timeoutMs?: number },
  ): Promise<Given | undefined>;
  /** Asks the hubs in turn by one request number until it is given the true thing, or is told that it may have been paid. */
  want(preset: string, patienceMs?: number): Promise<Given | undefined>;
  /** `consents`: how often a thing may have been charged once more. */
  judge(consents?: ReadonlyMap<string, number>): Promise<{ broken: string[]; sums: Sums }>;
}

export interface PartitionOptions {
  readonly hubs?: number;
  readonly stickers?: number;
  /** Whether the service lets a connection wait as long as it likes for its request; Node.js closes it after a minute. */
  readonly isPatient?: boolean;
  /** Prepares the server before hubs come, and says where they find it, by the ports of their lines. */
  readonly database?: (postgres: PostgresServer) => Promise<readonly PostgresServer[]>;
  readonly hub?: (nth: number) => Partial<HubOptions>;
}

const REAPED_MS = 60_000;
const ASK_PATIENCE_MS = 15_000;

/** Starts it; all ends with the test. */
export async function startPartitionStage(options: PartitionOptions = {}): Promise<PartitionStage> {
  const { hubs: many = 1, stickers = 400, isPatient = false } = options;
  const service = await startService({ stickers, isPatient });
  onTestFinished(() => service.close());
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const servers = (await options.database?.(postgres)) ?? [postgres];
  const open = async (port: number) => {
    const line = await startTcpProxy(port);
    onTestFinished(() => line.close());
    return line;
  };
  const serviceLine = await open(service.port);
  const identity = makeHome();
  onTestFinished(identity.remove);
  const lines = { machine: [] as TcpProxy[], database: [] as TcpProxy[], service: serviceLine };
  const hubs: Hub[] = [];
  const machines: Machine[] = [];
  let code = '';
  for (let nth = 0; nth < many; nth++) {
    const line = await open(postgres.port);
    lines.database.push(line);
    // What stands behind the first server is reached by itself.
    const ports = servers.map((server, place) => (place === 0 ? line.port : server.port));
    const database = postgres
      .urlAt(ports[0] ?? 0)
      .replace(/@[^/]+/, `@${ports.map((port) => `127.0.0.1:${port}`).join(',')}`);
    const hub = await startHub({
      remote: `http://127.0.0.1:${serviceLine.port}`,
      key: service.key,
      database,
      identity: identity.home,
      ...options.hub?.(nth),
    });
    onTestFinished(() => hub.remove());
    hubs.push(hub);
    code ||= await hub.invite('promo');
    const way = await open(hub.port);
    lines.machine.push(way);
    const address = `https://127.0.0.1:${way.port}`;
    const [first] = machines;
    const machine =
      first === undefined ? await joinMachine(code, 'stub', [address]) : machineWith(code, address, first);
    onTestFinished(() => machine.close());
    machines.push(machine);
  }
  const acknowledged = new Set<string>();
  const ask: PartitionStage['ask'] = async (nth, preset, asking = {}) => {
    try {
      const given = await machines[nth % machines.length]?.ask(preset, {
        deadlineMs: 5000,
        timeoutMs: ASK_PATIENCE_MS,
        ...asking,
      });
      if (given !== undefined && isTrue(given) && !String(given.headers['x-svcd-warning']).includes('not_kept'))
        acknowledged.add(`sticker:${preset}`);
      return given;
    } catch {
      return undefined;
    }
  };
  const stage: PartitionStage = {
    service,
    postgres,
    primary: postgres,
    hubs,
    machines,
    lines,
    acknowledged,
    ask,
    want: async (preset, patienceMs = 30_000) => {
      const requestId = randomUUID();
      let given: Given | undefined;
      const until = performance.now() + patienceMs;
      for (let nth = 0; performance.now() < until; nth++) {
        given = await ask(nth, preset, { requestId });
        if (given !== undefined && (isTrue(given) || codeOf(given) === 'unsettled')) return given;
        await sleep(200);
      }
      return given;
    },
    judge: async (consents = new Map()) => {
      for (const line of [...lines.database, ...lines.machine, lines.service]) line.mend();
      const sql = <R extends object>(text: string) => stage.primary.sql<R>(text);
      const openRows = () => sql(`SELECT id FROM purchase WHERE state IN ('intent', 'sent')`);
      for (let waitedMs = 0; (await openRows()).length > 0 && waitedMs < REAPED_MS; waitedMs += 500) await sleep(500);
      const broken: string[] = [];
      for (const { home } of hubs) {
        const { code: ended, stdout, stderr } = await runSvcd(['hub', 'audit', '--home', home, '--json'], { home });
        if (ended !== 0) broken.push(`svcd hub audit ended with ${ended}: ${stderr}${stdout.slice(0, 500)}`);
      }
      for (const hub of hubs) await hub.end();
      const evidence = { charges: service.charges(), acknowledged, consents, ...(await readPostgresTill(sql)) };
      return { broken: [...broken, ...findBroken(evidence)], sums: sumsOf(evidence) };
    },
  };
  return stage;
}

/** What the ledger and the journal say, printed and judged. */
export async function expectKept(
  stage: PartitionStage,
  name: string,
  wanted: { charges?: number; consents?: ReadonlyMap<string, number> },
): Promise<void> {
  const { broken, sums } = await stage.judge(wanted.consents);
  process.stdout.write(`partition (${name}): ${JSON.stringify(sums)}\n`);
  expect(broken).toEqual([]);
  if (wanted.charges !== undefined) expect(sums.charges).toBe(wanted.charges);
}

/** The code of a refusal. */
export function codeOf({ status, bytes }: Given): string | undefined {
  return status < 400 ? undefined : (JSON.parse(bytes.toString()) as { code?: string }).code;
}
