// The remote, the Key, the keychain and the clock. Asks anew, by requests that cost nothing: what the daemon knows of the
// remote may be old. Changes nothing in the home.

import { join } from 'node:path';
import type { KeychainReply } from '../../auth/answer-question.js';
import { createKeychain } from '../../auth/keychain.js';
import { createUserKey, type KeyReport } from '../../auth/user-key.js';
import { type Config, loadConfig } from '../../config/config.js';
import { keyFromEnvironment } from '../../config/environment.js';
import { hidePassword } from '../../config/parse-setting.js';
import { isLoopback } from '../../model/web-origin.js';
import { systemCode } from '../../model/errors.js';
import { systemClock } from '../../platform/clock.js';
import { userFolder } from '../../platform/files/user-folder.js';
import { parseJsonRecord } from '../../platform/json.js';
import { createExchanger, type Exchange, type RemoteAnswer } from '../../upstream/exchange.js';
import { createConnector } from '../../upstream/open-connection.js';
import { isRedirect, remoteError } from '../../upstream/remote-error.js';
import { wayOf } from '../../upstream/trusted-certificates.js';
import { endSetting } from './file-checks.js';
import { bad, ok, type Told, warn } from './finding.js';
import { shellWord } from '../../platform/files/shell-word.js';
import type { KnownRemote, RemotePlace } from './place.js';

const PATIENCE_MS = 3000;
const MAX_BYTES = 1024 * 1024;
/** A Date header has seconds, and the answer takes some. */
const CLOCK_OFF_S = 120;

/** The checks of all that has to do with the remote. */
export async function checkRemote(place: RemotePlace): Promise<readonly Told[]> {
  const { config, remote, known, findHub } = place;
  const ofHub = await findHub();
  if (ofHub !== undefined) return ofHub;
  const isOffline = config.offline || known?.forced === true;
  const goOnline = async () =>
    known?.forced === true || !config.offline ? ONLINE : endSetting(config.home, 'offline');
  if (known?.sandbox ?? remote === 'sandbox') {
    const found = isOffline
      ? warn('remote_offline', [known?.address ?? remote], await goOnline())
      : ok('remote_sandbox');
    return [found, ...notNeeded('@of_sandbox')];
  }
  if (remote === 'none') return [warn('remote_none', [], setRemote(place)), ...notNeeded('@no_remote')];
  const heldUntil = known?.held_until ?? null;
  // What is to be left alone is not asked.
  const mayAsk = !isOffline && heldUntil === null;
  const [{ key, report, keychain, keyFile }, first] = await Promise.all([
    findKey(config, remote),
    mayAsk ? ask(config, remote, '/api/v1/capabilities') : undefined,
  ]);
  const me = first?.kind !== 'answer' || key === undefined ? undefined : await ask(config, remote, '/api/v1/me', key);
  const judgeReach = async () => {
    if (first !== undefined) return judge(place, first);
    if (heldUntil !== null && !isOffline) return warn('remote_held', [remote, heldUntil], ONLINE);
    return warn('remote_offline', [remote], await goOnline());
  };
  const clock = first?.kind === 'answer' ? compareClock(remote, first) : undefined;
  return [
    await judgeReach(),
    { name: 'Key', ...judgeKey(report, me, known, keychain, keyFile) },
    { name: 'keychain', ...judgeKeychain(report, keychain) },
    ...(clock === undefined ? [] : [{ name: 'clock', ...clock }]),
  ];
}

const ONLINE = 'svcd offline --off';

/** Of the Key and the keychain, where svcd does without them. */
export function notNeeded(why: string): Told[] {
  return ['Key', 'keychain'].map((name) => ({ name, ...ok('not_needed', [why]) }));
}

function setRemote({ known }: RemotePlace): string {
  return `svcd config set remote ADDRESS${restartOf(known)}`;
}

/** What makes a daemon that runs read its settings anew. */
function restartOf(known: KnownRemote | undefined): string {
  return known === undefined ? '' : ' && svcd restart';
}

async function ask(config: Config, remote: string, path: string, key?: string): Promise<Exchange> {
  const exchange = createExchanger(remote, createConnector(wayOf(config)));
  return exchange({ method: 'GET', path, key, cost: 'free', timeoutMs: PATIENCE_MS, maxBytes: MAX_BYTES });
}

/** What the answer to a first question, or that there is none, says of the remote. */
function judge(place: RemotePlace, exchange: Exchange): Told {
  const { config, remote, known } = place;
  const elsewhere = setRemote(place);
  if (exchange.kind !== 'answer') return judgeSilence(remote, exchange.error, elsewhere, restartOf(known));
  if (isRedirect(exchange)) {
    return bad('remote_redirect', [remote, shown(exchange.headers['location'] ?? '?')], elsewhere);
  }
  if (!isOfService(exchange)) {
    if (exchange.status >= 500) return warn('remote_failing', [remote, exchange.status]);
    const type = exchange.headers['content-type']?.split(';', 1)[0] ?? 'no content type';
    return bad('remote_foreign', [remote, `${exchange.status}, ${type}`], elsewhere);
  }
  if (known?.offline === true) return warn('remote_unseen', [remote, known.why ?? '?'], 'svcd restart');
  if (config.proxy === undefined) return ok('remote_ok', [remote]);
  return ok('remote_ok_by_proxy', [remote, hidePassword(config.proxy)]);
}

/** Whether a service of this kind said it: the list of capabilities, or an error with a code. */
function isOfService({ status, bytes }: RemoteAnswer): boolean {
  const body = parseJsonRecord(bytes);
  return status < 300 ? Array.isArray(body?.['capabilities']) : typeof body?.['code'] === 'string';
}

const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE|CERT_CHAIN_TOO_LONG|INVALID_CA|CERT_REVOKED)$/;

/** Which of the ways to fail it was; the system's code is in the cause. */
function judgeSilence(remote: string, error: Error, elsewhere: string, restart: string): Told {
  const { hostname, host, port } = new URL(remote);
  const why = /\((.*)\)$/s.exec(error.message)?.[1] ?? error.message;
  const code = systemCode(error.cause) ?? '';
  const proxy = /^the proxy (\S+) (.*)$/s.exec(why);
  if (proxy !== null) {
    const [, address = '', what = ''] = proxy;
    return warn('remote_proxy', [remote, address, what], `svcd config set proxy PROXY${restart}`);
  }
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) return warn('remote_dns', [remote, hostname, code], elsewhere);
  if (code === 'ECONNREFUSED') return warn('remote_refused', [remote, code], elsewhere);
  if (UNTRUSTED.test(code)) {
    return bad('remote_tls_untrusted', [remote, code], `svcd config set caFile FILE${restart}`);
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return bad('remote_tls_dates', [remote, code, new Date(systemClock.now()).toISOString()], SET_CLOCK);
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return bad('remote_tls_name', [remote, hostname], elsewhere);
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) {
    return bad('remote_tls_none', [`${host}${port === '' ? ':443' : ''}`, code], elsewhere);
  }
  if (code === '') return warn('remote_timeout', [remote, why], elsewhere);
  return warn('remote_unreached', [remote, why], elsewhere);
}

interface FoundKey {
  readonly key: string | undefined;
  readonly report: KeyReport;
  readonly keychain: KeychainReply | undefined;
  /** Where one is, as far as a setting says. */
  readonly keyFile: string | undefined;
}

/** The Key as a start in this shell would find it, and what the keychain said, which is asked in any case. */
async function findKey(config: Config, remote: string): Promise<FoundKey> {
  const keychain = createKeychain();
  let said: KeychainReply | undefined;
  // "svcd key set --key-file" may have named one since svcd started, which looks for it then.
  const keyFile = config.keyFile ?? (await loadConfig({ home: config.home }).catch(() => undefined))?.keyFile;
  const keys = createUserKey(
    async () => ({
      environment: keyFromEnvironment(),
      keyFile,
      account: remote,
      packagePath: config.package,
    }),
    { ...keychain, find: async (account) => (said = await keychain.find(account)) },
  );
  const report = await keys.refresh(true);
  return { key: keys.current(), report, keychain: said, keyFile };
}

function judgeKey(
  { source, last_four: lastFour, path, warnings }: KeyReport,
  me: Exchange | undefined,
  known: KnownRemote | undefined,
  keychain: KeychainReply | undefined,
  keyFile: string | undefined,
): Told {
  const [warning] = warnings;
  if (warning !== undefined) {
    const exposed = /^(.*) holds a Key and can be read by other users/.exec(warning)?.[1] ?? path;
    if (warning.includes('can be read by other users') && exposed !== null) {
      return warn('key_exposed', [exposed], `chmod 600 ${shellWord(exposed)}`);
    }
    // A file that is configured and gone is asked before the keychain: a Key that is kept there would not be found.
    const isFile = keyFile !== undefined && warning.includes(keyFile);
    return warn('key_warning', [warning], isFile ? `svcd key set --key-file ${shellWord(keyFile)}` : 'svcd key set');
  }
  if (source === 'none') return warn('key_none', [], storeCommand(keychain));
  const four = lastFour ?? '';
  if (me?.kind !== 'answer' || me.status >= 500 || me.status === 404) {
    return ok('key_ok', [four, `@${source}`, '@untried']);
  }
  if (me.status !== 401 && me.status !== 403) return ok('key_ok', [four, `@${source}`, '@taken']);
  const { message } = remoteError(me);
  if (source === 'environment') return bad('key_wrong_variable', [four, message], 'unset SERVICE_API_KEY');
  const set = source === 'key_file' && path !== null ? `svcd key set --key-file ${shellWord(path)}` : 'svcd key set';
  return bad('key_wrong', [four, `@${source}`, message], `${set}${source === 'package' ? restartOf(known) : ''}`);
}

/** What the keychain is good for: nothing is wrong with one that is not needed. */
function judgeKeychain({ source }: KeyReport, reply: KeychainReply | undefined): Told {
  const state = reply?.state ?? 'no_service';
  if (isUsable(reply)) return ok('keychain_ok', [`@${state}`]);
  if (source !== 'none') return ok('not_needed', ['@key_is_there']);
  const open = { locked: '@unlock', no_answer: '@find_dialog' }[state as string] ?? '';
  return warn('keychain_unusable', [`@${state}`, reply?.why ?? '', open], storeCommand(reply));
}

function isUsable(reply: KeychainReply | undefined): boolean {
  return reply?.state === 'found' || reply?.state === 'empty';
}

/** Stores a Key where that works. */
function storeCommand(keychain: KeychainReply | undefined): string {
  if (isUsable(keychain)) return 'svcd key set';
  return `svcd key set --key-file ${keyFilePlace()}`;
}

function keyFilePlace(): string {
  try {
    return shellWord(join(userFolder(), '.config', 'svcd.key'));
  } catch {
    return 'FILE';
  }
}

/** Whether this machine's clock agrees with the one of the remote. */
function compareClock(remote: string, { headers }: RemoteAnswer): Told | undefined {
  const at = Date.parse(headers['date'] ?? '');
  const { hostname, host } = new URL(remote);
  if (Number.isNaN(at)) return undefined;
  const now = systemClock.now();
  const seconds = Math.round((now - at) / 1000);
  const shownNow = new Date(now).toISOString();
  if (Math.abs(seconds) < CLOCK_OFF_S) return ok('clock_ok', [shownNow]);
  // The clock of a service on this machine is this one's, whatever it says.
  const direction = seconds > 0 ? '@ahead' : '@behind';
  const values = [shownNow, Math.abs(seconds), direction, isLoopback(hostname) ? host : hostname];
  return warn('clock_off', values, SET_CLOCK);
}

export const SET_CLOCK =
  process.platform === 'darwin' ? 'sudo sntp -sS time.apple.com' : 'sudo timedatectl set-ntp true';

function shown(address: string): string {
  try {
    return new URL(address).origin;
  } catch {
    return address.slice(0, 60);
  }
}
