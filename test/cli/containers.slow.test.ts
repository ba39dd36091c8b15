// The recipe of src/cli/CONTAINERS.md, its lines taken from the file: in what a container is to a program (the engine's own
// command lines stand for the namespaces that they make), and as the steps of a CI job.

import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../src/platform/files/runtime-file.js';
import { makeImage, makeVolume, runContainer, startContainer, USER } from '../support/container.js';
import { homeInTest } from '../support/in-test.js';
import { CONTAINERS, describeIf } from '../support/requires.js';
import { runCommand } from '../support/run-command.js';

const ROOT = join(import.meta.dirname, '..', '..');
const RECIPE = readFileSync(join(ROOT, 'src', 'cli', 'CONTAINERS.md'), 'utf8');
const blocks = (kind: string) =>
  [...RECIPE.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);

const [dockerfile = ''] = blocks('dockerfile');
const [compose = '', workflow = ''] = blocks('yaml');
const words = (name: string, text = dockerfile) =>
  JSON.parse(new RegExp(`${name}:? (\\[.*\\])$`, 'm').exec(text)?.[1]?.replaceAll("'", '"') ?? '[]') as string[];

/** Inside there is no network, and the sandbox stands for the service. */
const SANDBOX = { SVCD_SANDBOX: 'true', SVCD_BACKGROUND_SYNC: 'false' };

/** Asks svcd for stickers by its two variables, and says what it got. */
const RENDER = `
  const { SERVICE_BASE_URL: url, SERVICE_API_KEY: key } = process.env;
  const headers = { authorization: 'Bearer ' + key };
  const { results } = await (await fetch(url + '/api/v1/stickers/search?q=%E7%94%9F%E6%97%A5&limit=2', { headers })).json();
  for (const { preset } of results) {
    const answer = await fetch(url + '/api/v1/stickers/' + encodeURIComponent(preset), { headers });
    console.log(answer.status, answer.headers.get('x-svcd-source'));
  }
  console.log('uid', process.getuid(), 'pid', process.ppid, key.slice(0, 5));
`;
const image = () =>
  makeImage({
    'render.mjs': RENDER,
    'render.js': "import('./render.mjs');",
    'wait.js': "console.log('up'); setInterval(() => {}, 1000);",
    'package.json': '{}',
  });

describe('the recipe', () => {
  it('says what the test runs', () => {
    expect(words('ENTRYPOINT')).toEqual(['svcd', 'run', '--own', '--']);
    expect(words('CMD')).toEqual(['node', 'render.js']);
    expect(dockerfile).toMatch(/^ENV SVCD_HOME=\/svcd$/m);
    expect(dockerfile).not.toContain('EXPOSE');
    expect(compose).not.toContain('ports:');
    expect(RECIPE).not.toMatch(/--publish| -p /);
  });
});

describeIf(CONTAINERS, 'in a container', () => {
  const command = [...words('ENTRYPOINT'), ...words('CMD')];

  it('renders, keeps what was bought in the volume, and owns it the next time', async () => {
    const [from, volume] = [image(), makeVolume()];
    const first = await runContainer(from, { command, volume, env: SANDBOX });
    expect(first.code, first.stderr).toBe(0);
    expect(first.stdout).toContain(`200 remote\n200 remote\nuid ${USER} pid 1 svcd_`);
    expect(first.stderr).toContain('and stops when this command ends.');
    const second = await runContainer(from, { command, volume, env: SANDBOX });
    expect(second.stdout, second.stderr).toContain('200 owned\n200 owned\n');
    expect(statSync(join(volume, 'owned.db')).uid).toBe(USER);
    expect((JSON.parse(readFileSync(join(volume, 'runtime.json'), 'utf8')) as Runtime).pid).toBeNull();
  });

  it('passes on the exit code of the command', async () => {
    const failing = [...words('ENTRYPOINT'), 'sh', '-c', 'exit 7'];
    expect((await runContainer(image(), { command: failing, volume: makeVolume(), env: SANDBOX })).code).toBe(7);
  });

  it('ends with 143 at SIGTERM, and the next container finds the volume free', async () => {
    const [from, volume] = [image(), makeVolume()];
    const waiting = startContainer(from, {
      command: [...words('ENTRYPOINT'), 'node', 'wait.js'],
      volume,
      env: SANDBOX,
    });
    while (!waiting.stdout().includes('up')) await sleep(50);
    waiting.kill('SIGTERM');
    expect(await waiting.ended, waiting.stderr()).toBe(143);
    const next = await runContainer(from, { command, volume, env: SANDBOX });
    expect(next.code, next.stderr).toBe(0);
  });

  it('leaves a volume that the next container can use when it is killed', async () => {
    const [from, volume] = [image(), makeVolume()];
    const waiting = startContainer(from, {
      command: [...words('ENTRYPOINT'), 'node', 'wait.js'],
      volume,
      env: SANDBOX,
    });
    while (!waiting.stdout().includes('up')) await sleep(50);
    waiting.kill('SIGKILL');
    await waiting.ended;
    const next = await runContainer(from, { command, volume, env: SANDBOX });
    expect(next.code, next.stderr).toBe(0);
  });

  it('says whose the volume is when it is not that of the user', async () => {
    const { code, stderr } = await runContainer(image(), { command, volume: makeVolume(0), env: SANDBOX });
    expect([code, stderr]).toEqual([
      7,
      expect.stringMatching(/the home folder \/svcd belongs to user 0, and you are user 1000/),
    ]);
    expect(stderr).toContain('chown -R 1000 /svcd');
  });

  it('says so when there is no volume', async () => {
    const { code, stderr } = await runContainer(image(), { command, env: SANDBOX });
    expect(code, stderr).not.toBe(0);
    expect(stderr).toMatch(/home folder \/svcd/);
  });

  it('takes the Key from the environment where there is no keychain', async () => {
    const status = [...words('ENTRYPOINT'), 'sh', '-c', 'svcd status --json; svcd status'];
    const env = { SERVICE_API_KEY: 'sk-of-the-user', SVCD_BACKGROUND_SYNC: 'false' };
    const { stdout, stderr } = await runContainer(image(), { command: status, volume: makeVolume(), env });
    expect(stdout, stderr).toContain('"key_source":"environment"');
    expect(stdout + stderr).not.toContain('sk-of-the-user');
  });

  it('serves a second container that shares its network, by a token with a budget', async () => {
    const [from, volume] = [image(), makeVolume()];
    const service = startContainer(from, { command: words('entrypoint', compose), volume, env: SANDBOX });
    const [health = '', ...healthArgs] = words('test', compose.replace(/, interval.*/, '')).slice(1);
    const [, exec = '', file = ''] = /exec -T svcd (svcd .+) > (\S+)$/m.exec(RECIPE) ?? [];
    // What the engine runs inside the first one has its volume and its network.
    const inService = (line: readonly string[]) =>
      runContainer(from, { command: line, volume, env: SANDBOX, network: service });
    await expect
      .poll(async () => (await inService([health, ...healthArgs])).code, { interval: 200, timeout: 60_000 })
      .toBe(0);
    const made = await inService(exec.split(' '));
    expect(file).toBe('card.env');
    const variables = Object.fromEntries(
      made.stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    );
    expect(variables, made.stderr).toMatchObject({ SERVICE_BASE_URL: 'http://127.0.0.1:7823' });
    const second = await runContainer(from, { command: ['node', 'render.js'], env: variables, network: service });
    expect(second.stdout, second.stderr + service.stderr()).toContain('200 remote\n200 remote\n');
    const alone = await runContainer(from, { command: ['node', 'render.js'], env: variables });
    expect(alone.code).not.toBe(0);
    service.kill('SIGTERM');
    expect(await service.ended, service.stderr()).toBe(0);
  });
});

describe('the lines for GitHub Actions', () => {
  it('buy what the copy needs, then check, price and render it without a secret', async () => {
    const home = homeInTest();
    const project = join(home, 'project');
    mkdirSync(join(project, 'node_modules', '.bin'), { recursive: true });
    symlinkSync(join(ROOT, 'bin', 'svcd.js'), join(project, 'node_modules', '.bin', 'svcd'));
    writeFileSync(join(project, 'package.json'), '{}');
    writeFileSync(join(project, 'render.js'), "console.log('rendered by', process.env.SERVICE_API_KEY.slice(0, 5))");
    const copy = {
      slots: [
        { id: 'opening', text: '小明生日快乐' },
        { id: 'flower', text: '送你一束花' },
      ],
    };
    writeFileSync(join(project, 'copy.json'), JSON.stringify(copy));
    const step = async (line: string, svcdHome: string, sandbox = true) => {
      const env = {
        PATH: process.env['PATH'],
        HOME: home,
        SVCD_HOME: svcdHome,
        SVCD_PORT: '0',
        ...(sandbox && SANDBOX),
      };
      return runCommand('sh', ['-ec', `cd '${project}'\n${line}`], env);
    };
    const jobs = jobsOf(workflow);
    const spending = join(home, 'kept');
    const [buy = ''] = jobs['buy'] ?? [];
    const bought = await step(buy, spending);
    expect([bought.code, bought.stderr]).toEqual([0, expect.stringContaining('It costs 2 credits')]);
    const again = await step(buy, spending);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('It costs 0 credits')]);
    const [price = ''] = jobs['price'] ?? [];
    const free = await step(price, spending);
    expect(free.code, free.stdout + free.stderr).toBe(0);
    writeFileSync(
      join(project, 'copy.json'),
      JSON.stringify({ slots: [...copy.slots, { id: 'more', text: '火箭起飞' }] }),
    );
    expect((await step(price, spending)).code).toBe(11);
    const [verify = '', render = ''] = jobs['render'] ?? [];
    const fresh = join(home, 'fresh');
    expect((await step(verify, fresh, false)).code).toBe(0);
    const rendered = await step(render, fresh, false);
    expect(rendered.stdout, rendered.stderr).toContain('rendered by svcd_');
    const picture = readFileSync(join(project, 'svcd-assets', 'assets.lock.json'), 'utf8');
    writeFileSync(join(project, 'svcd-assets', 'assets.lock.json'), picture.replace(/"sha256": "./, '"sha256": "g'));
    expect((await step(verify, fresh, false)).code).not.toBe(0);
  });
});

/** The lines of each job that run svcd, in their order. */
function jobsOf(text: string): Record<string, string[]> {
  const jobs: Record<string, string[]> = {};
  let job = '';
  for (const line of text.split('\n')) {
    job = /^ {2}(\w+):$/.exec(line)?.[1] ?? job;
    const [, run] = /^ +- run: (npx svcd .+)$/.exec(line) ?? [];
    if (run !== undefined) (jobs[job] ??= []).push(run);
  }
  return jobs;
}
