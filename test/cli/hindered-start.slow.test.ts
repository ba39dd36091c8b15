// A start that the machine or the settings hinder: each refusal says what was wrong and what to do.

import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceFileBeside } from '../../src/platform/files/files.js';
import { eachHome } from '../support/in-test.js';
import { runSvcd } from '../support/run-svcd.js';

let home: string;
eachHome((fresh) => (home = fresh));

const svcd = (args: readonly string[], env: Record<string, string> = {}) => runSvcd(args, { home, env });

interface Told {
  readonly checks: readonly { readonly check: string; readonly code: string; readonly command: string | null }[];
}
const doctor = async (env: Record<string, string> = {}) =>
  JSON.stringify(JSON.parse((await svcd(['doctor', '--json'], env)).stdout) as Told);

describe('a start', () => {
  it('says that a file is where the home should be', async () => {
    const file = join(home, 'file');
    writeFileSync(file, '');
    for (const where of [file, join(file, 'below')]) {
      const { code, stderr } = await runSvcd(['start', '--sandbox', '--detach'], { home: where });
      expect({ code, stderr }).toMatchObject({ stderr: expect.stringContaining('--home DIR') as string });
      expect(stderr).not.toContain('spawn');
    }
  });

  it.runIf(process.platform !== 'win32')('names the limit of open files', async () => {
    const program = join(import.meta.dirname, '..', '..', 'bin', 'svcd.js');
    const stderr = await new Promise<string>((resolve) => {
      const command = `ulimit -n 35; exec "${process.execPath}" "${program}" start --sandbox --detach --port 0 --home "${home}"`;
      execFile('bash', ['-c', command], { env: { PATH: process.env['PATH'], LANG: 'C' } }, (_, __, said) =>
        resolve(said),
      );
    });
    expect(stderr).toContain('open files limit');
    expect(stderr).toContain('svcd doctor');
  });

  it.each([['start'], ['start', '--detach'], ['config'], ['restart']])(
    'names the doctor for a config.json that is damaged: %s %s',
    async (...args) => {
      writeFileSync(join(home, 'config.json'), '{garb');
      expect((await svcd(args)).stderr).toContain('svcd doctor');
    },
  );

  it('leaves no unfinished file where one cannot be put in place', async () => {
    const place = join(home, 'sandbox.db');
    mkdirSync(place);
    await expect(replaceFileBeside(place, Buffer.from('x'))).rejects.toThrow(/EISDIR|EPERM|EEXIST/);
    expect(existsSync(`${place}.new`)).toBe(false);
  });
});

describe('the doctor', () => {
  it('names the key file that is configured and gone', async () => {
    const file = join(home, 'gone.key');
    writeFileSync(join(home, 'config.json'), JSON.stringify({ remote: 'https://127.0.0.1:9', keyFile: file }), {
      mode: 0o600,
    });
    expect(await doctor()).toContain(`key set --key-file ${file}`);
  });

  it.each(['https://127.0.0.1:9', 'https://assets.example.com'])(
    'shows what ends a proxy that is no address, with %s',
    async (remote) => {
      writeFileSync(join(home, 'config.json'), JSON.stringify({ remote }), { mode: 0o600 });
      expect(await doctor({ https_proxy: '::::' })).toContain('unset https_proxy');
    },
  );

  it('says that svcd was set to offline, and a default says it too', async () => {
    await svcd(['offline']);
    await svcd(['start', '--sandbox', '--detach', '--port', '0']);
    try {
      expect(await doctor()).toContain('remote_offline');
      expect((await svcd(['get', 'fluent-emoji-flat/birthday-cake', '-o', join(home, 'a.json')])).stdout).toContain(
        '"svcd offline --off',
      );
    } finally {
      await svcd(['stop']);
    }
  });

  it('forgets an error of a daemon when a later one came up', async () => {
    writeFileSync(join(home, 'svcd.err.1'), 'Error: it broke');
    expect(await doctor()).toContain('log_crash');
    utimesSync(join(home, 'svcd.err.1'), 1000, 1000);
    writeFileSync(
      join(home, 'runtime.json'),
      JSON.stringify({ pid: null, url: 'http://127.0.0.1:1', token: 'svcd_x' }),
    );
    expect(await doctor()).not.toContain('log_crash');
  });
});
