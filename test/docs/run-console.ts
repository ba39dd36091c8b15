// Runs what a document shows: blocks `console` are typed in order into a shell of a fresh user, `second` beside it means another
// machine; a block with a name (`js render.mjs`) is that file. The output must be what the document shows: `…` in a line stands
// for anything, a line `…` for any lines. With WRITE_DOCS=1 what differs is written into the document, to be read.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startSandbox } from '../sandbox/start-sandbox.js';
import { collect, environmentOf } from '../support/run-svcd.js';

const ROOT = join(import.meta.dirname, '..', '..');
const BLOCK = /^```(\w+)(?: ([\w./-]+))?\n([\s\S]*?)^```$/gm;
/** What documents call the service; a sandbox of its own answers for it. */
const SERVICE = 'https://assets.example.com';
const HOME = '/home/you';

interface Step {
  readonly command: string;
  readonly shown: string;
}

/** What differs, each with its command; empty where the document is right. */
export async function runDocument(file: string, lang: string): Promise<string[]> {
  const user = await openUser(lang);
  const wrong: string[] = [];
  let text = readFileSync(file, 'utf8');
  for (const [block, language, name, content = ''] of text.matchAll(BLOCK)) {
    if (language !== 'console') {
      if (name !== undefined) user.write(name, content);
      continue;
    }
    let renewed = `\`\`\`console${name === undefined ? '' : ` ${name}`}\n`;
    for (const { command, shown } of stepsIn(content)) {
      const said = await user.type(command, name === 'second');
      if (!isShown(said, shown)) wrong.push(`$ ${command}\n${said}`);
      renewed += `$ ${command}\n${isShown(said, shown) ? shown : said}`;
    }
    text = text.replace(block, () => `${renewed}\`\`\``);
  }
  if (process.env['WRITE_DOCS'] === '1') writeFileSync(file, text);
  return wrong;
}

function stepsIn(content: string): Step[] {
  return content
    .split(/^\$ /m)
    .slice(1)
    .map((one) => {
      const end = one.indexOf('\n');
      return { command: one.slice(0, end), shown: one.slice(end + 1) };
    });
}

function isShown(said: string, shown: string): boolean {
  const pattern = shown
    .replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
    .replaceAll(/^…\n/gm, '(?:.*\n)*?')
    .replaceAll('…', '.*');
  return new RegExp(`^${pattern}$`).test(said);
}

/** A user with a folder to work in, `svcd` on the PATH, and a second machine that sees the same folder. */
async function openUser(lang: string) {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [homes, work, bin] = [['you', 'second'].map((name) => join(folder, name)), 'work', 'bin'];
  for (const one of [...homes, join(folder, work), join(folder, bin)]) mkdirSync(one);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, work, 'node_modules'));
  symlinkSync(join(ROOT, 'bin', 'svcd.js'), join(folder, bin, 'svcd'));
  const remote = await startSandbox({ catalogueFolder: join(ROOT, 'data', 'catalogue') });
  const environment = (home: string) => ({
    ...environmentOf(home),
    SVCD_HOME: undefined,
    SVCD_PORT: '0',
    LANG: lang,
    PATH: `${join(folder, bin)}:${dirname(process.execPath)}:${process.env['PATH']}`,
  });
  const run = async (command: string, home: string) => {
    const child = spawn('sh', ['-c', `exec 2>&1; ${command}`], { cwd: join(folder, work), env: environment(home) });
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    child.stdin.on('error', () => undefined).end(command.includes('key set') ? remote.sandbox.key : '');
    await new Promise((resolve) => child.once('close', resolve));
    return stdout() + stderr();
  };
  onTestFinished(async () => void (await Promise.all(homes.map((home) => run('svcd stop', home)))));
  const addressOf = (home: string) => {
    const file = join(home, '.local', 'share', 'svcd', 'runtime.json');
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { url: string }).url : undefined;
  };
  return {
    write: (name: string, content: string) => {
      mkdirSync(dirname(join(folder, work, name)), { recursive: true });
      writeFileSync(join(folder, work, name), content);
    },
    type: async (command: string, isSecond: boolean) => {
      const home = homes[isSecond ? 1 : 0] ?? '';
      const before = addressOf(home) ?? 'http://127.0.0.1:7823';
      const typed = command.replaceAll(SERVICE, remote.url).replaceAll('http://127.0.0.1:7823', before);
      const said = await run(typed, home);
      const ended = said === '' || said.endsWith('\n') ? said : `${said}\n`;
      return ended
        .replaceAll(remote.url, SERVICE)
        .replaceAll(addressOf(home) ?? before, 'http://127.0.0.1:7823')
        .replaceAll(home, HOME)
        .replaceAll(join(folder, work), `${HOME}/card`);
    },
  };
}
