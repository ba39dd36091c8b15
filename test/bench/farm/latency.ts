// One thing at a time: a purchase by way of a hub beside one of svcd alone, and what is owned at the hub beside what is owned
// at a sidecar. Taken in turn, so that what else the machine does harms both alike.

import { stickerPath } from '../../../src/model/sticker.js';
import { startHub } from '../../faults/farm/hub.js';
import { startSidecar } from '../../faults/farm/sidecar.js';
import { presetOf } from '../../faults/farm/service.js';
import { startPostgres } from '../../support/postgres.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { startSvcd } from '../../support/start-svcd.js';
import { median, timed, type Stand } from './stand.js';

/** Within the handful of purchases that waits for no turn. */
const PURCHASES = 25;
const READS = 400;
const WARM_UP = 5;

/** Cold: the whole purchase, of a service that takes so long for an answer. */
export async function measureCold(stand: Stand, serviceMs: number): Promise<object> {
  const service = await stand.service({ stickers: 2 * (PURCHASES + WARM_UP) });
  service.trouble = () => (serviceMs === 0 ? undefined : { latencyMs: serviceMs });
  const hub = await stand.hub(service);
  const sidecar = await startSidecar('bench', await hub.invite('promo'));
  stand.last(() => sidecar.remove());
  const alone = await startSvcd(['--remote', service.url], { env: { SERVICE_API_KEY: service.key } });
  stand.last(() => alone.stop());
  const headers = { Authorization: `Bearer ${alone.info.token}` };
  const times = { alone: [] as number[], hub: [] as number[] };
  for (let nth = 0; nth < PURCHASES + WARM_UP; nth++) {
    const one = await timed(async () =>
      expectBought(await fetch(alone.info.url + stickerPath(presetOf(2 * nth)), { headers })),
    );
    const other = await timed(async () => expectBought(await sidecar.ask(presetOf(2 * nth + 1))));
    if (nth < WARM_UP) continue;
    times.alone.push(one);
    times.hub.push(other);
  }
  const [a, b] = [median(times.alone), median(times.hub)];
  return { service_ms: serviceMs, alone_ms: round(a), hub_ms: round(b), ratio: round(b / a) };
}

/** Cold, of a service that takes no time: a hub beside its PostgreSQL, and one that is a round trip of so long away from it. */
export async function measureFar(stand: Stand, roundTripMs: number): Promise<object> {
  const service = await stand.service({ stickers: 2 * (PURCHASES + WARM_UP) });
  const postgres = await startPostgres();
  stand.last(() => postgres.remove());
  const places = [];
  for (const delayMs of [0, roundTripMs / 2]) {
    const line = await startTcpProxy(postgres.port, delayMs);
    stand.last(() => line.close());
    const database = (await postgres.newDatabase()).replace(`:${postgres.port}/`, `:${line.port}/`);
    const hub = await startHub({ remote: service.url, key: service.key, database });
    stand.last(() => hub.remove());
    const sidecar = await startSidecar('bench', await hub.invite('promo'));
    stand.last(() => sidecar.remove());
    places.push({ sidecar, times: [] as number[] });
  }
  for (let nth = 0; nth < PURCHASES + WARM_UP; nth++)
    for (const [at, { sidecar, times }] of places.entries()) {
      const ms = await timed(async () => expectBought(await sidecar.ask(presetOf(2 * nth + at))));
      if (nth >= WARM_UP) times.push(ms);
    }
  const [near = 0, far = 0] = places.map(({ times }) => median(times));
  return { near_ms: round(near), far_ms: round(far), round_trips: round((far - near) / roundTripMs) };
}

/** Owned: kept connections, one request after the other. */
export async function measureOwned(stand: Stand): Promise<object> {
  const service = await stand.service({ stickers: PURCHASES + WARM_UP });
  const hub = await stand.hub(service);
  const code = await hub.invite('promo');
  const sidecar = await startSidecar('bench', code);
  const fresh = await startSidecar('fresh', code);
  stand.last(() => Promise.all([sidecar.remove(), fresh.remove()]));
  const [machine] = await stand.machines(code, 1);
  if (machine === undefined) throw new Error('nobody joined');
  for (let nth = 0; nth < PURCHASES; nth++) await expectBought(await sidecar.ask(presetOf(nth)));
  const times = { sidecar: [] as number[], hub: [] as number[] };
  for (let nth = 0; nth < READS; nth++) {
    const preset = presetOf(nth % PURCHASES);
    times.sidecar.push(await timed(async () => expectBought(await sidecar.ask(preset))));
    times.hub.push(
      await timed(async () => {
        const given = await machine.ask(preset);
        if (given.status !== 200) throw new Error(`the hub answered ${given.status}`);
      }),
    );
  }
  const through: number[] = [];
  for (let nth = 0; nth < PURCHASES; nth++)
    through.push(await timed(async () => expectBought(await fresh.ask(presetOf(nth)))));
  const [a, b] = [median(times.sidecar.slice(WARM_UP)), median(times.hub.slice(WARM_UP))];
  return {
    sidecar_ms: round(a),
    hub_ms: round(b),
    ratio: round(b / a),
    first_at_a_sidecar_ms: round(median(through.slice(WARM_UP))),
  };
}

async function expectBought(answer: Response): Promise<void> {
  await answer.arrayBuffer();
  const source = answer.headers.get('x-svcd-source');
  if (source !== 'remote' && source !== 'owned') throw new Error(`not bought: ${answer.status} ${source}`);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
