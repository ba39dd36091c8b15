// What the documents say is compared with the code, and the commands of the front door are run.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi, type TestContext } from 'vitest';
import { runCommandLine } from '../src/cli/command-line.js';
import { EXIT_CODE_OF, EXIT_MEANINGS } from '../src/cli/terminal/exit-codes.js';
import { nameOf, type Entry } from '../src/cli/command.js';
import { COMMANDS } from '../src/cli/main.js';
import { OLD_NAMES } from '../src/cli/other-names.js';
import { DEFAULT_PORT, SETTINGS } from '../src/config/settings.js';
import { STATUS_OF } from '../src/api/refusal.js';
import { PLAYER_WARNINGS } from '../src/lottie/feature-table.js';
import { FALLBACK_REASONS, SOURCES } from '../src/model/asset.js';
import { DOCUMENTED_CODES, ERROR_CODES } from '../src/model/errors.js';
import { cellsOf, expectDocTable, ROOT, withoutTables } from './support/doc-table.js';
import { allowedRooms, GROUPS } from './support/read-house.js';
import { runCommand } from './support/run-command.js';
import { startSvcd, type StartedSvcd } from './support/start-svcd.js';

const FRONT_DOOR_LINES = 150;
const OVERVIEW_LINES = 150;
const ROOM_LINES = 80;

const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
  // Documents for users are no room.
  .filter((entry) => entry.isDirectory() && entry.name !== 'docs')
  .map(({ name }) => name);
const commandTree = await readCommands();
const frontDoor = read('README.md');
const documents = ['README.md', ...['src', 'bin', 'test', 'data'].flatMap(markdownIn)];

describe('the front door', () => {
  it(`has at most ${FRONT_DOOR_LINES} lines`, () => {
    expect(linesOf(frontDoor)).toBeLessThanOrEqual(FRONT_DOOR_LINES);
  });

  it('begins with the two commands a newcomer needs, and names scripts that exist', () => {
    const [first = ''] = codeIn(frontDoor, 'sh');
    expect(first.split('\n').map((line) => line.replace(/ *#.*/, ''))).toEqual([
      'npm ci && npm start',
      'npm ci && npm test',
    ]);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
    const named = [...frontDoor.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script);
    expect(named).toEqual(expect.arrayContaining(['test:all', 'test:long', 'check']));
    for (const script of named) expect(scripts).toHaveProperty([script]);
  });

  it('gives the port that is the default', () => {
    expect(frontDoor).toContain(`http://127.0.0.1:${DEFAULT_PORT}`);
  });
});

describe('the first download, as the front door has it', () => {
  let svcd: StartedSvcd;
  const folder = mkdtempSync(join(tmpdir(), 'svcd-first-download-'));
  beforeAll(async () => {
    svcd = await startSvcd(['--sandbox']);
  });
  afterAll(async () => {
    await svcd.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('works line by line, and the second time the file is owned', async (context) => {
    await requireCurl(context);
    const section = frontDoor.slice(frontDoor.indexOf('## First download'));
    const [terminal = '', http = ''] = codeIn(section, 'sh');
    const first = await runLines(terminal);
    expect(first.stdout).toContain('生日蛋糕');
    const second = await runLines(http);
    expect(second.stdout).toContain('"preset":"fluent-emoji-flat/birthday-cake"');
    expect(second.stdout).toMatch(/X-Svcd-Source: owned/i);
    expect(JSON.parse(readFileSync(join(folder, 'cake.json'), 'utf8'))).toHaveProperty('layers');
  });

  it('is followed by a template, and by commands, that work too', async () => {
    await runLines('node bin/svcd.js get fluent-emoji-flat/birthday-cake -o cake.json');
    const [script = ''] = codeIn(frontDoor, 'js');
    // It asks for the file, and warns of a default.
    writeFileSync(join(folder, 'render.mjs'), `${script}\nconsole.log('layers' in lottie);\n`);
    for (const name of ['intro.json', 'logo.json']) copyFileSync(join(folder, 'cake.json'), join(folder, name));
    const rows = tableAfter(frontDoor, '## Commands').map(([command = '']) => command.replaceAll('`', ''));
    const rendered: object[] = [];
    // Other tests start svcd; here it runs.
    for (const row of rows.filter((one) => one !== 'svcd start --sandbox')) {
      const { stdout, stderr } = await runLines(row.replace('PRESET', 'fluent-emoji-flat/birthday-cake'));
      if (row.includes('render.js')) rendered.push({ stdout, stderr });
    }
    expect(rendered).toEqual([{ stdout: 'true\n', stderr: '1 asset: 1 owned (the sandbox: play money)\n' }]);
  });

  async function runLines(lines: string) {
    const script = lines
      .replaceAll('node bin/svcd.js', 'svcd')
      .replaceAll(/^svcd|(?<=\()svcd/gm, `"${process.execPath}" "${join(ROOT, 'bin', 'svcd.js')}"`)
      .replaceAll('render.js', 'render.mjs')
      .replaceAll(`http://127.0.0.1:${DEFAULT_PORT}`, svcd.info.url);
    const env = { PATH: process.env['PATH'], HOME: svcd.home, SVCD_HOME: svcd.home };
    const done = await runCommand('sh', ['-ec', `cd "${folder}"\n${script}`], env);
    expect(done.code, done.stderr).toBe(0);
    return done;
  }
});

describe('the documents of the rooms', () => {
  it.each(rooms)(`src/%s has a README of at most ${ROOM_LINES} lines, tables made from the code aside`, (room) => {
    const text = read(`src/${room}/README.md`);
    expect(text.startsWith(`# ${room}\n`)).toBe(true);
    expect(linesOf(withoutTables(text))).toBeLessThanOrEqual(ROOM_LINES);
  });

  it('have an overview that names each room once, with what it may import', () => {
    const text = read('src/README.md');
    expect(linesOf(text)).toBeLessThanOrEqual(OVERVIEW_LINES);
    const rows = tableAfter(text, '## Rooms').map(([group = '', room = '', , rule = '']) => ({
      group: Number(group),
      room: room.replaceAll('`', ''),
      rule,
    }));
    expect(rows.map(({ room }) => room).toSorted()).toEqual(rooms.toSorted());
    for (const { group, room, rule } of rows) {
      expect(GROUPS[group - 1], room).toContain(room);
      const later = rows.filter((other) => other.group > group).map((other) => other.room);
      const named = spansIn(rule);
      const told = rule.startsWith('only') ? named : [...later, ...named];
      const allowed = allowedRooms(room).filter((other) => rooms.includes(other));
      expect(told.filter((other) => rooms.includes(other)).toSorted(), room).toEqual(allowed.toSorted());
    }
  });
});

describe('the references', () => {
  it('list every command with the words of its help', async () => {
    const own = COMMANDS.map(({ usage, what }) => [`\`svcd ${usage.split(' ')[0]}\``, what]);
    await expectDocTable('src/cli/REFERENCE.md', 'commands', [['command', 'what'], ...own]);
  });

  it('list the names that commands had, and what they are called now', async () => {
    const rows = Object.entries(OLD_NAMES).map(([old, now]) => [`\`${old}\``, `\`svcd ${now}\``]);
    await expectDocTable('src/cli/REFERENCE.md', 'old-names', [['old name', 'now'], ...rows]);
  });

  it('list every exit code', async () => {
    const rows = Object.entries(EXIT_MEANINGS).map(([code, meaning]) => [code, meaning]);
    await expectDocTable('src/cli/REFERENCE.md', 'exit-codes', [['code', 'meaning'], ...rows]);
    const used = new Set([0, ...Object.values(EXIT_CODE_OF)]);
    expect(Object.keys(EXIT_MEANINGS).map(Number)).toEqual([...used].toSorted((a, b) => a - b));
  });

  it('list every setting with flag, variable, name in the file, default and meaning', async () => {
    const head = ['flag', 'environment', 'config.json', 'default', 'what'];
    const code = (text: string) => (text === '' ? '' : `\`${text}\``);
    const rows = SETTINGS.map(({ flag, env, file, fallback, what }) => [
      code(`--${flag}`),
      code(env),
      code(file ?? ''),
      fallback,
      what,
    ]);
    await expectDocTable('src/config/REFERENCE.md', 'settings', [head, ...rows]);
  });

  it('list every error with its status and exit code, and mark those of the service', () => {
    const documented: readonly string[] = DOCUMENTED_CODES;
    const rows = tableAfter(read('src/http/REFERENCE.md'), '## Errors');
    for (const [, , , meaning] of rows) expect(meaning).not.toBe('');
    const own = ERROR_CODES.map((code) => {
      const mark = documented.includes(code) ? ' \\*' : '';
      return [`\`${code}\`${mark}`, String(STATUS_OF[code]), String(EXIT_CODE_OF[code])].join(' ');
    });
    expect(rows.map((cells) => cells.slice(0, 3).join(' ')).toSorted()).toEqual(own.toSorted());
  });

  it('name every source and reason of an answer', () => {
    const text = read('src/http/REFERENCE.md');
    for (const word of [...SOURCES, ...FALLBACK_REASONS, ...PLAYER_WARNINGS]) expect(text).toContain(`\`${word}\``);
  });
});

describe('all documents', () => {
  it('name only commands, and options of them, that the program has', async () => {
    const typed = documents.flatMap((file) => {
      const text = read(file);
      const lines = codeIn(text, 'sh').flatMap((code) => code.split('\n'));
      return [...lines, ...spansIn(text)].flatMap(svcdCommandIn);
    });
    const wrong: string[] = [];
    for (const [path, options] of optionsByCommand(typed)) {
      const help = path === '' ? '' : await helpOf(path);
      wrong.push(...options.filter((option) => !help.includes(option)).map((option) => `${path}: ${option}`));
    }
    expect(wrong).toEqual([]);
  });

  it('are in the package with everything that they link to', () => {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const { stdout } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8', shell: process.platform === 'win32' });
    const [packed] = JSON.parse(stdout) as { files: { path: string }[] }[];
    const shipped = new Set(packed?.files.map(({ path }) => path));
    const links = documents.filter((file) => shipped.has(file)).flatMap((file) => linksIn(file));
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((path) => !shipped.has(path))).toEqual([]);
  });

  it.each(documents)('%s holds no mark of a merge, and names files and scripts that exist', (file) => {
    const text = read(file);
    // What a merge leaves behind, also after the formatter has taken it for quotes.
    expect(text).not.toMatch(/^(<{7}|={7}$|>{7}|> > > >)/m);
    const paths = spansIn(text).filter((span) => /^(src|data|bin|test)\/[\w./-]+$/.test(span));
    const room = /^src\/\w+\//.exec(file)?.[0];
    const own = spansIn(text).filter((span) => room !== undefined && /^[\w-]+\.ts$/.test(span));
    expect([...linksIn(file), ...paths].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const inRoom = room === undefined ? [] : readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' });
    expect(own.filter((name) => !inRoom.some((path) => basename(path) === name))).toEqual([]);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
    for (const [, script = ''] of text.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toHaveProperty([script]);
  });
});

async function requireCurl(context: TestContext): Promise<void> {
  const there = await runCommand('curl', ['--version']).catch(() => undefined);
  if (there === undefined) context.skip('curl is not installed (Debian: apt-get install curl)');
}

/** What `svcd PATH --help` prints; the parser prints it by itself. */
async function helpOf(path: string): Promise<string> {
  const printed = vi.spyOn(console, 'log').mockReturnValue();
  try {
    await runCommandLine(COMMANDS, [...path.split(' '), '--help']);
    return printed.mock.calls.flat().join('\n');
  } finally {
    printed.mockRestore();
  }
}

/** Options of what is typed, by the names of its command; under '' what is no command. */
function optionsByCommand(typed: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of typed) {
    const words = line
      .replace(/ -- .*/, '')
      .split(' ')
      .slice(1);
    const path = commandPath(words).join(' ');
    const options = path === '' ? [line] : words.filter((word) => /^--?[a-z]/.test(word));
    found.set(path, [...new Set([...(found.get(path) ?? []), ...options])]);
  }
  return found;
}

/** The commands by name; a group holds those below it. */
interface CommandTree extends ReadonlyMap<string, CommandTree> {}

async function readCommands(entries: readonly Entry[] = COMMANDS): Promise<CommandTree> {
  const rows = entries.map(async (row) => {
    const body = 'load' in row ? (await row.load()).bodies[nameOf(row)] : row;
    const below = body !== undefined && 'commands' in body ? await readCommands(body.commands) : new Map();
    return [nameOf(row), below] as const;
  });
  return new Map(await Promise.all(rows));
}

/** The names of the commands that the words begin with, the deepest there is. */
function commandPath(words: readonly string[], commands: CommandTree = commandTree): string[] {
  const [word = ''] = words;
  const below = commands.get(word);
  return below === undefined ? [] : [word, ...commandPath(words.slice(1), below)];
}

/** `svcd …` of a line, without a comment; nothing where a word in capitals stands for a command. */
function svcdCommandIn(line: string): string[] {
  const [, command] = /^(?:.*&& )?(?:node bin\/)?svcd(?:\.js)? ([a-z][^#]*)/.exec(line.trim()) ?? [];
  return command === undefined ? [] : [`svcd ${command.trim()}`];
}

/** What a document links to, as paths from the top. */
function linksIn(file: string): string[] {
  return [...read(file).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) =>
    relative(ROOT, join(ROOT, dirname(file), target)),
  );
}

function codeIn(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)\n\`\`\`$`, 'gm'))].map(([, code = '']) => code);
}

function spansIn(text: string): string[] {
  return [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
}

/** Cells of the first table after a heading, without its head. */
function tableAfter(text: string, heading: string): string[][] {
  const lines = text.slice(text.indexOf(`${heading}\n`)).split('\n');
  const start = lines.findIndex((line) => line.startsWith('|'));
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  const rows = lines.slice(start + 2, start + length);
  expect(rows.length, heading).toBeGreaterThan(0);
  return rows.map(cellsOf);
}

function markdownIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md') && !/\/(licences|node_modules)\//.test(file));
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}
