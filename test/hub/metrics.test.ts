// What a program that watches svcd is told, at a listener of its own.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/platform/log.js';
import { CAKE, RAIN } from '../sandbox/tiny-catalogue.js';
import { startHub } from '../support/machine.js';
import { temporaryHome } from '../support/start-daemon.js';
import { startPair } from '../support/start-pair.js';
import { portOf } from '../support/in-test.js';

const DASHBOARD = join(import.meta.dirname, '..', '..', 'src', 'hub', 'grafana-dashboard.json');

/** Starts with `--metrics`, by which the log tells where. */
function watched(metrics = '127.0.0.1:0') {
  let at = '';
  const info = (event: string, fields?: object) => {
    if (event === 'metrics are served') ({ at } = fields as { at: string });
  };
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(new URL(path, at), { headers });
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };
  return { options: { log: { ...silentLog, info }, flags: { metrics } }, ask, at: () => new URL(at) };
}

describe('svcd start --metrics', () => {
  it('tells what was bought, for whom, what was owned, and why there were defaults', async () => {
    const { options, ask } = watched();
    const hub = await startHub(options);
    expect(await ask('/readyz')).toMatchObject({ status: 200, text: 'ready\n' });
    const machine = await hub.machine({ projects: ['promo'] });
    for (const _ of [1, 2, 3]) await machine.get(CAKE);
    await fetch(`${hub.url}/api/v1/stickers/${encodeURIComponent(RAIN)}`);
    // What a machine would give a default for.
    expect((await machine.get('no/such')).status).toBe(404);
    const { type, text: told } = await ask('/metrics');
    expect(type).toContain('application/openmetrics-text');
    const lines = told.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        '# TYPE svcd_charges counter',
        'svcd_charges_total 1',
        'svcd_credits_total 1',
        'svcd_project_credits_total{project="promo"} 1',
        'svcd_deliveries_total{source="remote"} 1',
        'svcd_deliveries_total{source="owned"} 2',
        'svcd_defaults_total{reason="no_key"} 1',
        'svcd_refusals_total{reason="unknown_preset"} 1',
        'svcd_unknown_purchases 0',
        'svcd_queue_length 0',
        'svcd_database_up 1',
      ]),
    );
    expect(lines.filter((line) => /^[^#]/.test(line) && !/^svcd_[a-z_]+(\{[^}]*\})? [\d.e+-]+$/.test(line))).toEqual(
      [],
    );
    expect(told).toMatch(/^svcd_key_requests_left \d+$/m);
    expect(told).toMatch(/^svcd_disk_free_bytes [1-9]/m);

    const drawn = [...readFileSync(DASHBOARD, 'utf8').matchAll(/\bsvcd_[a-z_]+/g)].map(([name]) => name);
    expect(drawn.filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(told))).toEqual([]);
  });

  it('says whether it lives and can buy, and nothing to a page of another name', async () => {
    const { options, ask, at } = watched();
    const { svcd } = await startPair(options);
    expect(await ask('/healthz')).toMatchObject({ status: 200, text: 'ok\n' });
    expect((await ask('/else')).status).toBe(404);
    await svcd.post('/svcd/spending', { stopped: true });
    expect((await ask('/readyz')).status).toBe(200);
    const pages = [
      { Host: 'evil.example:80' },
      // Served at this port of ::1 by another program.
      { Origin: `http://[::1]:${at().port}`, 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-origin' },
    ];
    for (const headers of pages) {
      const asked = request(new URL('/metrics', at()), { headers }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      expect([answer.statusCode, await text(answer)]).toEqual([403, expect.not.stringContaining('svcd_')]);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('shows figures beyond loopback to who has the token of the home alone', async () => {
    const { options, ask, at } = watched('0.0.0.0:0');
    const home = temporaryHome();
    const readOnly = { home, by: 'read_only', why: 'of the test' } as const;
    await startPair({ ...options, home, readOnly });
    const token = readFileSync(join(home, 'metrics-token'), 'utf8').trim();
    expect(await ask('/metrics')).toMatchObject({
      status: 401,
      text: expect.stringContaining('metrics-token') as string,
    });
    expect(await ask('/metrics', { Authorization: `Bearer ${token}x` })).toMatchObject({ status: 401 });
    expect(await ask('/metrics', { Authorization: `Bearer ${token}` })).toMatchObject({ status: 200 });
    expect(await ask('/metrics', { Authorization: `Bearer ${token}`, Origin: at().origin })).toMatchObject({
      status: 403,
    });
    expect(await ask('/readyz')).toMatchObject({ status: 503, text: 'not ready\n' });
  });

  it('refuses a port that is taken in a sentence', async () => {
    const port = await portOf(createServer());
    await expect(startPair({ flags: { metrics: String(port) } })).rejects.toMatchObject({
      code: 'port_in_use',
      message: `port ${port} on 127.0.0.1 is used by another program`,
      hint: expect.stringContaining('--metrics') as string,
    });
  });
});
