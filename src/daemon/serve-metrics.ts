// What a program that watches svcd asks, on a listener of its own: figures as OpenMetrics text, whether it lives, and whether
// it can do its work. Beyond this machine the figures need a token. Loaded late: no other start pays for it.

import { statfs } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Registry, type OpenMetricsContentType } from 'prom-client';
import { splitListen } from '../config/parse-setting.js';
import { bearerOf, sameBytes } from '../auth/authorization.js';
import { createGate, type Gate } from '../http/gate.js';
import { closeAll, type Listener, open, serverMaker } from '../http/listen.js';
import type { LateHubStores } from '../hub/books/hub-stores.js';
import type { OpenHub } from '../hub/app/open-hub.js';
import { isLoopback } from '../model/web-origin.js';
import { isSvcdError, SvcdError } from '../model/errors.js';
import type { Rooms } from '../operations/rooms.js';
import { openSecret } from './open-secret.js';

const LOOP_RESOLUTION_MS = 20;
const MS = 1000;
const NS = 1e9;

/** Answers at this `HOST:PORT`; `home` has the token, and its disk is told of. Throws `port_in_use`, `invalid_config` for a bad token. */
export async function serveMetrics(
  at: string,
  home: string,
  rooms: Rooms,
  hub: OpenHub | undefined,
  hubStores: LateHubStores,
): Promise<Listener> {
  const { host, port } = splitListen(at);
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  const figures = openFigures(home, rooms, hub, hubStores, loop);
  const isLocal = isLoopback(host.includes(':') ? `[${host}]` : host);
  const token = isLocal ? undefined : Buffer.from(openSecret(home, 'metrics-token'));
  const knows = ({ headers }: Request) =>
    token === undefined || sameBytes(Buffer.from(bearerOf(headers.get('authorization') ?? '') ?? ''), token);
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === '/healthz') return new Response('ok\n');
    if (pathname === '/readyz') {
      const why = await whyNotReady(rooms, hub);
      if (why === undefined) return new Response('ready\n');
      return new Response(knows(request) ? `not ready: ${why}\n` : 'not ready\n', { status: 503 });
    }
    if (pathname !== '/metrics') return new Response('ask /metrics, /healthz or /readyz\n', { status: 404 });
    if (!knows(request)) {
      const what = 'send "Authorization: Bearer ..." with what the file metrics-token in the home of svcd holds\n';
      return new Response(what, { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } });
    }
    return new Response(await figures(), { headers: { 'Content-Type': Registry.OPENMETRICS_CONTENT_TYPE } });
  };
  const gate = createWatchGate(isLocal, () => listening);
  const server = serverMaker(fetch, { gate })();
  let listening = port;
  try {
    await open(server, host, port);
  } catch (error) {
    if (!isSvcdError(error, 'port_in_use')) throw error;
    const hint = 'Let metrics be read elsewhere: --metrics 127.0.0.1:PORT.';
    throw new SvcdError('port_in_use', error.message, { cause: error.cause, hint });
  }
  listening = (server.address() as AddressInfo).port;
  loop.enable();
  rooms.log.info('metrics are served', { at: `http://${host}:${listening}/metrics` });
  return {
    port: listening,
    close: async (graceMs) => {
      loop.disable();
      await closeAll([server], graceMs);
    },
  };
}

/** No page reads it, nor one that another program serves at this port of [::1], which `createGate` calls ours. */
function createWatchGate(isLocal: boolean, port: () => number): Gate {
  const own = createGate({ port, isListed: () => false });
  return {
    admits: () => false,
    findRefusal: (request) => {
      const { origin, 'sec-fetch-site': site = 'none' } = request.headers;
      if (origin === undefined && site === 'none') return isLocal ? own.findRefusal(request) : undefined;
      return new SvcdError('forbidden_origin', 'this port is for programs that watch svcd, not for web pages');
    },
  };
}

/** Why nothing could be bought though nobody said so; what is owned is served all the same. */
async function whyNotReady({ guard }: Rooms, hub: OpenHub | undefined): Promise<string | undefined> {
  const stop = guard.findStop();
  if (stop !== undefined && stop.by !== 'user') return stop.why;
  return hub?.database?.hub?.db.one('SELECT 1').then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

type Labelled = readonly [string, number];
type Values = number | readonly Labelled[];

/** Everything that is told, asked anew each time; of a database that is away nothing but that. */
function openFigures(
  home: string,
  { journal, remote, savings, deliveries }: Rooms,
  hub: OpenHub | undefined,
  { get }: LateHubStores,
  loop: ReturnType<typeof monitorEventLoopDelay>,
): () => Promise<string> {
  return async () => {
    const registry = new Registry<OpenMetricsContentType>();
    registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
    const told =
      (Kind: typeof Gauge | typeof Counter) =>
      (name: string, help: string, values: Values, label = '') => {
        const some = typeof values === 'number' ? [['', values] as const] : values;
        const labelNames = label === '' ? [] : [label];
        const one = new Kind({ name: `svcd_${name}`, help, labelNames, registers: [registry] });
        for (const [of, value] of some) one.inc(label === '' ? {} : { [label]: of }, value);
      };
    const [gauge, counter] = [told(Gauge), told(Counter)];

    const asked = await Promise.all([journal.sums(), hub && get().books.sumsOf('project')]).catch(() => undefined);
    gauge('database_up', 'Whether the database of the purchases can be asked.', asked === undefined ? 0 : 1);
    if (asked !== undefined) {
      const [sums, projects = []] = asked;
      const { paid, intent, sent, unknown } = Object.fromEntries(sums.map(({ state, ...sum }) => [state, sum]));
      const spent = [...projects].map(([payer, sum]) => [payer.slice('project:'.length), sum.spent] as const);
      counter('charges_total', 'Purchases that the service charged.', paid?.purchases ?? 0);
      counter('credits_total', 'Credits that the service charged.', paid?.credits ?? 0);
      counter('project_credits_total', 'Credits that a project of the hub spent.', spent, 'project');
      gauge('open_purchases', 'Purchases under way.', (intent?.purchases ?? 0) + (sent?.purchases ?? 0));
      gauge('unknown_purchases', 'Purchases that may have been charged or not.', unknown?.purchases ?? 0);
    }
    counter('saved_credits_total', 'Credits not spent because something was owned.', savings.total());
    const { delivered, defaults, refused } = countsOf(deliveries);
    counter('deliveries_total', 'Files delivered since the start, by where from.', delivered, 'source');
    counter('defaults_total', 'Defaults delivered since the start, by why.', defaults, 'reason');
    // A hub gives no defaults: its machines do, when it refuses.
    counter('refusals_total', 'Files refused since the start, by why.', refused, 'reason');
    const rate = remote?.rate();
    if (rate !== undefined) {
      gauge('queue_length', 'Requests that wait for a turn at the service.', rate.waiting);
      counter('queue_turns_total', 'Requests that were given or refused a turn since the start.', rate.waits);
      counter('queue_wait_seconds_total', 'How long these waited for it.', rate.waitedMs / MS);
      gauge('key_requests_left', 'Requests that the Key may still send in this minute.', rate.left);
    }
    if (hub !== undefined) {
      gauge('waiting_machines', 'Requests of machines that were let in and not answered.', hub.admission.waiting());
      const { hub: database } = hub.database ?? {};
      counter('postgres_round_trips_total', 'Messages to PostgreSQL since the start.', database?.db.roundTrips() ?? 0);
    }
    // Node counts its own wait between two looks as delay.
    const delays = [50, 99, 100].map(
      (percent) =>
        [String(percent / 100), Math.max(0, loop.percentile(percent) / NS - LOOP_RESOLUTION_MS / MS)] as const,
    );
    loop.reset();
    gauge('loop_delay_seconds', 'Delay of the event loop since the last look.', delays, 'quantile');
    const { bavail, bsize } = await statfs(home);
    gauge('disk_free_bytes', 'Room on the disk of the home.', bavail * bsize);
    gauge('memory_bytes', 'Memory of the process.', process.memoryUsage.rss());
    return registry.metrics();
  };
}

/** Counts by source, and by reason those of defaults and of what was refused. */
function countsOf(
  deliveries: Rooms['deliveries'] = new Map(),
): Record<'delivered' | 'defaults' | 'refused', Labelled[]> {
  const delivered = new Map<string, number>();
  const reasons = { default: [] as Labelled[], refused: [] as Labelled[] };
  for (const [from, count] of deliveries) {
    const [source = '', reason = ''] = from.split(' ');
    if (source !== 'refused') delivered.set(source, (delivered.get(source) ?? 0) + count);
    if (source === 'default' || source === 'refused') reasons[source].push([reason, count]);
  }
  return { delivered: [...delivered], defaults: reasons.default, refused: reasons.refused };
}
