// Which proxy the settings and the environment name, how a wrong one is told, and that its password is shown nowhere.

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exceptionsFor, isExcepted } from '../../src/config/choose-proxy.js';
import { startFaultyRemote } from '../faults/faulty-remote.js';
import { startConnectProxy } from '../support/connect-proxy.js';
import { eachHome, expectRefusal, startInTest } from '../support/in-test.js';
import { runHere } from '../support/run-here.js';
import { runSvcd } from '../support/run-svcd.js';
import { makeAuthority, startTlsFront } from '../support/tls-front.js';

let home: string;
eachHome((fresh) => (home = fresh));

type Env = Record<string, string>;
const REMOTE = 'https://assets.example.com';
/** In the test's process, but for what starts others, and what listens for signals. */
const svcd = (args: readonly string[], env: Env = {}) =>
  (['doctor', 'start'].includes(args[0] ?? '') ? runSvcd : runHere)(args, { home, env });

async function proxyOf(env: Env, ...flags: string[]): Promise<unknown> {
  const { stdout, stderr } = await svcd(['config', '--json', ...flags], { SVCD_REMOTE: REMOTE, ...env });
  return stdout === ''
    ? (JSON.parse(stderr) as { message: string }).message
    : (JSON.parse(stdout) as { proxy: { value: unknown } }).proxy.value;
}

describe('the proxy for the remote', () => {
  const PROXY = 'http://proxy.test:3128';
  it.each<[string, Env, string[], string | null]>([
    ['is none where nothing names one', {}, [], null],
    ['is that of HTTPS_PROXY', { HTTPS_PROXY: PROXY }, [], PROXY],
    ['is that of https_proxy first', { HTTPS_PROXY: 'http://other.test', https_proxy: PROXY }, [], PROXY],
    ['is http without a scheme, as curl reads it', { HTTPS_PROXY: 'proxy.test:3128' }, [], PROXY],
    ['is that of ALL_PROXY without the other', { ALL_PROXY: PROXY }, [], PROXY],
    ['is not that of HTTP_PROXY, for the remote is https', { HTTP_PROXY: PROXY, http_proxy: PROXY }, [], null],
    ['is none where the variable is empty', { HTTPS_PROXY: '' }, [], null],
    ['is not what NO_PROXY excepts', { HTTPS_PROXY: PROXY, NO_PROXY: 'example.com' }, [], null],
    ['is not what no_proxy excepts first', { HTTPS_PROXY: PROXY, NO_PROXY: 'other.test', no_proxy: '*' }, [], null],
    [
      "is that of svcd's own variable before the environment's",
      { HTTPS_PROXY: 'http://other.test', SVCD_PROXY: PROXY },
      [],
      PROXY,
    ],
    ['is that of the flag before both', { SVCD_PROXY: 'http://other.test' }, ['--proxy', PROXY], PROXY],
    ['is none by the word direct', { HTTPS_PROXY: PROXY }, ['--proxy', 'direct'], null],
    ['is none for a remote on this machine', { HTTPS_PROXY: PROXY, SVCD_REMOTE: 'https://localhost:8443' }, [], null],
    [
      'is the one that was typed for https on this machine',
      { SVCD_REMOTE: 'https://localhost:8443' },
      ['--proxy', PROXY],
      PROXY,
    ],
    [
      'is never one for http, where it would read the Key',
      { SVCD_REMOTE: 'http://127.0.0.1:8000' },
      ['--proxy', PROXY],
      null,
    ],
    ['is shown without user and password', { HTTPS_PROXY: 'http://me:hush@proxy.test:3128' }, [], PROXY],
  ])('%s', async (_what, env, flags, proxy) => {
    expect(await proxyOf(env, ...flags)).toBe(proxy);
  });

  it.each<[string, Env, RegExp]>([
    ['no address', { HTTPS_PROXY: 'http://' }, /^HTTPS_PROXY must be a proxy's address such as http.+got "http:\/\/"/],
    [
      'another kind',
      { ALL_PROXY: 'socks5://proxy.test:1080' },
      /ALL_PROXY must be an http or https proxy.+got one of socks5/,
    ],
    ['a path', { SVCD_PROXY: 'http://proxy.test/path' }, /SVCD_PROXY must be .+got "http:\/\/proxy.test\/path"/],
    [
      'a port that is none',
      { HTTPS_PROXY: 'http://me:hush@proxy.test:port' },
      /HTTPS_PROXY must be a proxy's address such as http/,
    ],
    ['a broken password', { HTTPS_PROXY: 'http://me:100%hush@proxy.test' }, /HTTPS_PROXY has a "%".+%25/],
  ])('is told when it is %s, without its password', async (_what, env, words) => {
    const said = String(await proxyOf(env));
    expect(said).toMatch(words);
    expect(said).not.toContain('hush');
  });

  it('does not matter to the sandbox', async () => {
    const { code } = await svcd(['search', 'cake', '--json'], {
      SVCD_SANDBOX: 'true',
      HTTPS_PROXY: 'socks5://nowhere',
    });
    expect(code).toBe(0);
  });

  it('has no password on a command line, which others can read', async () => {
    for (const args of [
      ['start', '--proxy', 'http://me:hush@p.test'],
      ['config', 'set', 'proxy', 'http://me:hush@p.test'],
    ]) {
      const { code, stderr } = await svcd(args);
      expect(code).toBe(2);
      expect(stderr).toMatch(/must not hold the proxy's user and password on the command line/);
      expect(stderr).not.toContain('hush');
    }
  });
});

describe('NO_PROXY', () => {
  it.each<[string, string, boolean]>([
    ['https://a.example.com', '*', true],
    ['https://a.example.com', 'example.com', true],
    ['https://a.example.com', '.example.com', true],
    ['https://example.com', '.example.com', true],
    ['https://a.example.com', '*.example.com', true],
    ['https://a.example.com', 'EXAMPLE.com', true],
    ['https://a.example.com.', 'example.com', true],
    ['https://badexample.com', 'example.com', false],
    ['https://example.com.evil.test', 'example.com', false],
    ['https://a.example.com', 'b.test, example.com', true],
    ['https://a.example.com', 'b.test example.com', true],
    ['https://a.example.com:8443', 'example.com:8443', true],
    ['https://a.example.com:8443', 'example.com:443', false],
    ['https://a.example.com', 'example.com:443', true],
    ['https://10.1.2.3', '10.0.0.0/8', true],
    ['https://11.1.2.3', '10.0.0.0/8', false],
    ['https://10.1.2.3', '10.1.2.3', true],
    ['https://10.1.2.3', '10.1.2', false],
    ['https://[fd00::1]', 'fd00::/8', true],
    ['https://[fd00::1]:8443', '[fd00::1]:8443', true],
    ['https://[fd00::1]', 'fd00::1', true],
    ['https://[fe80::1]', 'fd00::/8', false],
    ['https://10.1.2.3', '10.0.0.0/99', false],
    ['https://a.example.com', '', false],
    ['https://a.example.com', ' , ,', false],
  ])('for %s says by "%s": %s', (remote, list, expected) => {
    expect(isExcepted(new URL(remote), list)).toBe(expected);
  });
});

describe('the environment of a command that asks svcd', () => {
  const HTTP = 'http://proxy.test:3128';
  it.each<[string, Env, string | undefined]>([
    ['nothing without a proxy', {}, undefined],
    ['nothing with one for https alone', { HTTPS_PROXY: HTTP }, undefined],
    ['this machine, where there is a proxy for http', { http_proxy: HTTP }, '127.0.0.1'],
    ['this machine, where there is one for all', { ALL_PROXY: HTTP }, '127.0.0.1'],
    ['it besides what was there', { HTTP_PROXY: HTTP, NO_PROXY: 'a.test' }, 'a.test,127.0.0.1'],
    ['nothing more where that holds it', { HTTP_PROXY: HTTP, no_proxy: '*' }, undefined],
    ['nothing more where that names it', { HTTP_PROXY: HTTP, no_proxy: 'localhost,127.0.0.0/8' }, undefined],
  ])('excepts from the proxy %s', (_what, env, expected) => {
    const variables = expected === undefined ? {} : { NO_PROXY: expected, no_proxy: expected };
    expect(exceptionsFor('http://127.0.0.1:7823', env)).toEqual(variables);
  });
});

describe('svcd behind a proxy', () => {
  async function setStage() {
    const proxy = await startConnectProxy();
    proxy.password = 'me:hu sh';
    const remote = await startFaultyRemote();
    const front = await startTlsFront(remote.url);
    return { proxy, remote, front, address: proxy.url.replace('//', '//me:hu%20sh@') };
  }

  it.each<[string, (address: string) => { env: Env; file: Record<string, string> }]>([
    [
      'of the environment',
      (address) => ({ env: { HTTPS_PROXY: address, NODE_EXTRA_CA_CERTS: makeAuthority().file }, file: {} }),
    ],
    ['of config.json', (address) => ({ env: {}, file: { proxy: address, caFile: makeAuthority().file } })],
    [
      'of both, with certificates of both',
      (address) => ({
        env: { HTTPS_PROXY: 'http://127.0.0.1:1', NODE_EXTRA_CA_CERTS: makeAuthority().file },
        file: { proxy: address, caFile: makeAuthority().file },
      }),
    ],
  ])('%s buys, answers doctor, and shows its password nowhere', async (_what, settingsFor) => {
    const { remote, front, address, proxy } = await setStage();
    const { env, file } = settingsFor(address);
    writeFileSync(join(home, 'config.json'), JSON.stringify({ remote: front.url, ...file }), { mode: 0o600 });
    const daemon = await startInTest([], { home, env: { ...env, SERVICE_API_KEY: remote.key } });
    expect(readFileSync(`/proc/${daemon.info.pid}/cmdline`, 'utf8')).not.toContain('hu%20sh');
    const got = await svcd(['get', 'food/cake', '-o', join(home, 'cake.json')], env);
    expect(got.code, got.stderr).toBe(0);
    expect(remote.account.timesCharged('sticker:food/cake')).toBe(1);
    const said = [got, await svcd(['doctor'], env), await svcd(['status'], env), await svcd(['status', '--json'], env)];
    said.push(await svcd(['config'], env), await svcd(['config', '--json'], env));
    expect(said[1]?.stdout).toContain(`${front.url} through the proxy ${proxy.url}`);
    await daemon.end();
    const all = [...said.flatMap(({ stdout, stderr }) => [stdout, stderr]), daemon.stdout(), daemon.stderr()];
    for (const name of readdirSync(home).filter((one) => one !== 'config.json')) {
      if (statSync(join(home, name)).isFile()) all.push(readFileSync(join(home, name), 'latin1'));
    }
    expect(all.filter((text) => /hu%20sh|hu sh|bWU6aHUgc2g/.test(text))).toEqual([]);
  });

  it.each<[string, string | undefined, RegExp]>([
    ['is not there', undefined, /the file of certificates \S+ cannot be read \(ENOENT\)/],
    ['holds none', 'hello', /holds no certificate in PEM form/],
    ['holds a broken one', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', /cannot be read, number 1/],
  ])('says so when its file of certificates %s', async (_what, text, words) => {
    const file = join(home, 'ca.pem');
    if (text !== undefined) writeFileSync(file, text);
    expectRefusal(await svcd(['start', '--port', '0', '--remote', REMOTE, '--ca-file', file]), words);
  });
});
