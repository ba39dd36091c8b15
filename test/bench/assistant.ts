// What an assistant waits for: `npm run bench:assistant`. The first answer of `svcd mcp` after its start, beside an empty program;
// a call beside the same request over HTTP, in turns; a sheet of 24 once the engine is warm; what a host loads.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const ROUNDS = 15;
const CALLS = 200;
const SVCD = join(import.meta.dirname, '..', '..', 'bin', 'svcd.js');
const QUERY = { q: '生日', limit: 8 };

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const least = (values: readonly number[]) => Math.min(...values);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

function openHost(home: string) {
  const env = { ...process.env, SVCD_HOME: home } as Record<string, string>;
  const transport = new StdioClientTransport({ command: process.execPath, args: [SVCD, 'mcp'], env });
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  return { client, transport };
}

const search = (client: Client) => client.callTool({ name: 'search_stickers', arguments: QUERY });

const home = mkdtempSync(join(tmpdir(), 'svcd-bench-'));
const command = (...args: string[]) => execFileSync(process.execPath, [SVCD, ...args, '--home', home]);
try {
  command('start', '--detach', '--sandbox', '--port', '0');
  const svcd = JSON.parse(readFileSync(join(home, 'runtime.json'), 'utf8')) as { url: string; token: string };
  const first: number[] = [];
  const nothing: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { client, transport } = openHost(home);
    first.push(await timed(async () => (await client.connect(transport), await search(client))));
    await client.close();
    nothing.push(await timed(() => once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')));
  }
  const { client, transport } = openHost(home);
  await client.connect(transport);
  const overHttp = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { authorization: `Bearer ${svcd.token}` } };
  await overHttp.connect(new StreamableHTTPClientTransport(new URL(`${svcd.url}/mcp`), { requestInit }));
  const plain = `${svcd.url}/svcd/search?${new URLSearchParams({ ...QUERY, limit: '8' }).toString()}`;
  const ways = {
    request: async () => (await fetch(plain, requestInit)).json(),
    stdio: () => search(client),
    http: () => search(overHttp),
  };
  const took: Record<string, number[]> = { request: [], stdio: [], http: [] };
  for (let nth = 0; nth < CALLS; nth++)
    for (const [name, ask] of Object.entries(ways)) took[name]?.push(await timed(ask));
  const { results } = (await (await fetch(`${svcd.url}/svcd/search?q=cake&shipped=true&limit=24`)).json()) as {
    results: { preset: string }[];
  };
  const presets = results.map(({ preset }) => preset);
  const look = () => client.callTool({ name: 'look_at_stickers', arguments: { presets } });
  await look();
  const sheets = [];
  for (let round = 0; round < ROUNDS; round++) sheets.push(await timed(look));
  const { tools } = await client.listTools();
  const bytes = Buffer.byteLength(JSON.stringify(tools) + (client.getInstructions() ?? ''));
  const ms = (values: readonly number[] = []) => `${median(values).toFixed(1)} (least ${least(values).toFixed(1)}) ms`;
  const beside = (name: string) => (median(took[name] ?? []) / median(took['request'] ?? [])).toFixed(2);
  process.stdout.write(
    [
      `first answer of svcd mcp      ${ms(first)}; node -e 0 ${ms(nothing)}`,
      `a request over HTTP           ${ms(took['request'])}`,
      `a call over stdio, beside it  ${ms(took['stdio'])}; ${beside('stdio')}`,
      `a call over /mcp, beside it   ${ms(took['http'])}; ${beside('http')}`,
      `a sheet of ${presets.length}, warm          ${ms(sheets)}`,
      `tools and instructions        ${bytes} bytes`,
      '',
    ].join('\n'),
  );
  await Promise.all([client.close(), overHttp.close()]);
} finally {
  command('stop');
  rmSync(home, { recursive: true, force: true });
}
