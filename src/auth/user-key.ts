// Which Key svcd spends with for callers that show the local token: from the environment, the key file, the keychain
// or the package, in this order. Read at the start and on request of the user; never by a request that spends.

import { isSvcdError, SvcdError } from '../model/errors.js';
import { readKeyFrom, readOwnKeyFile, type KeyInFile, isSandboxKey, lastFourOf } from './key-file.js';
import { isLoopback } from '../model/web-origin.js';
import type { KeychainReply } from './answer-question.js';
import type { Keychain } from './keychain.js';
import { adviceFor, type KeychainState } from './keychain-states.js';

export type KeySource = 'environment' | 'key_file' | 'keychain' | 'package' | 'sandbox' | 'hub' | 'none';

/** Where to look, and where not: what is undefined is left out. */
export interface KeyPlaces {
  readonly environment?: string | undefined;
  readonly keyFile?: string | undefined;
  /** The remote's base address. */
  readonly account?: string | undefined;
  /** Folder or file of a template package. */
  readonly packagePath?: string | undefined;
}

/** What svcd tells about the Key in use: never the Key itself. */
export interface KeyReport {
  readonly source: KeySource;
  /** File it came from. */
  readonly path: string | null;
  readonly last_four: string | null;
  /** Name of the keychain's entry: the remote's base address. */
  readonly account: string | null;
  readonly keychain: KeychainReport;
  /** What the user should change, in words. */
  readonly warnings: readonly string[];
}

export interface KeychainReport {
  /** `not_asked` when it was not needed: something that comes first had the Key, or the sandbox has its own. */
  readonly state: KeychainState | 'not_asked';
  /** The state in words, with what the system itself said. */
  readonly words: string;
  readonly hint: string | null;
}

export interface UserKey {
  current(): string | undefined;
  report(): KeyReport;
  /**
   * Looks again everywhere; `thorough` asks the keychain even when it is not needed. Takes up to 3 s. With `keeps` it throws
   * `not_found`, and the Key stays, where none is found or the key file gives none: it may be half written just then.
   */
  refresh(thorough: boolean, keeps?: boolean): Promise<KeyReport>;
}

// Without a remote there is no entry to look for, and yet a state to tell.
const NO_ACCOUNT = 'no remote';

const NOT_ASKED: KeychainReport = {
  state: 'not_asked',
  words: 'was not asked: it is not needed',
  hint: null,
};

interface Candidate {
  readonly source: KeySource;
  readonly key: string;
  readonly path?: string;
}

/** The user's Key, looked for in the places that `findPlaces` names each time. Not read before the first refresh. */
export function createUserKey(findPlaces: () => Promise<KeyPlaces>, keychain: Keychain): UserKey {
  let key: string | undefined;
  let report: KeyReport = reportOf(undefined, undefined, NOT_ASKED, []);
  let refreshing: Promise<unknown> = Promise.resolve();

  async function look(thorough: boolean, keeps: boolean): Promise<KeyReport> {
    const places = await findPlaces();
    const warnings: string[] = [];
    const first = fromEnvironment(places) ?? (await fromFile(places.keyFile, 'key_file', warnings));
    const { account } = places;
    const asked = thorough || (account !== undefined && first === undefined);
    const found = asked ? await keychain.find(account ?? NO_ACCOUNT) : undefined;
    const second = account === undefined ? undefined : fromKeychain(found);
    const wanted = first ?? second ?? (await fromFile(places.packagePath, 'package', warnings));
    const chosen = wanted !== undefined && isMisplaced(wanted.key, account) ? undefined : wanted;
    if (wanted !== chosen)
      warnings.push(
        `the Key found (${wanted?.source}) belongs to a sandbox, and ${account} is not one: it is not sent there`,
      );
    const isLacking = chosen === undefined || (first === undefined && places.keyFile !== undefined);
    if (keeps && key !== undefined && isLacking) {
      throw new SvcdError('not_found', warnings.join('; ') || 'no Key was found');
    }
    key = chosen?.key;
    report = reportOf(account, chosen, keychainReport(found), warnings);
    return report;
  }

  return {
    current: () => key,
    report: () => report,
    refresh: (thorough, keeps = false) => {
      const looking = refreshing.then(() => look(thorough, keeps));
      refreshing = looking.catch(() => undefined);
      return looking;
    },
  };
}

/** Whether this is a sandbox's Key and the remote is on another machine, so that it must be a real service. */
export function isMisplaced(key: string, account: string | undefined): boolean {
  return isSandboxKey(key) && account !== undefined && URL.canParse(account) && !isLoopback(new URL(account).hostname);
}

/** The state of the keychain as it may be shown. */
function keychainReport(look: KeychainReply | undefined): KeychainReport {
  if (look === undefined) return NOT_ASKED;
  const { words, hint } = adviceFor(look.state);
  return {
    state: look.state,
    words: look.why === undefined ? words : `${words} (${look.why})`,
    hint: look.state === 'found' ? null : hint,
  };
}

function fromEnvironment({ environment }: KeyPlaces): Candidate | undefined {
  return environment === undefined ? undefined : { source: 'environment', key: environment };
}

function fromKeychain(found: KeychainReply | undefined): Candidate | undefined {
  return found?.key === undefined ? undefined : { source: 'keychain', key: found.key };
}

async function fromFile(
  path: string | undefined,
  source: 'key_file' | 'package',
  warnings: string[],
): Promise<Candidate | undefined> {
  if (path === undefined) return undefined;
  try {
    const found = await (source === 'key_file' ? readOwnKeyFile(path) : readKeyFrom(path));
    if (found.exposed) warnings.push(exposedWords(found));
    return { source, key: found.key, path: found.path };
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    warnings.push([error.message, error.hint].filter((line) => line !== undefined).join('. '));
    return undefined;
  }
}

/** What to say of a file with a Key that others can read. */
export function exposedWords({ path }: KeyInFile): string {
  return `${path} holds a Key and can be read by other users: chmod 600 ${path}`;
}

function reportOf(
  account: string | undefined,
  chosen: Candidate | undefined,
  keychain: KeychainReport,
  warnings: readonly string[],
): KeyReport {
  return {
    source: chosen?.source ?? 'none',
    path: chosen?.path ?? null,
    // A machine's token is no Key, and tells nobody anything.
    last_four: chosen === undefined || chosen.source === 'hub' ? null : lastFourOf(chosen.key),
    account: account ?? null,
    keychain,
    warnings,
  };
}

/** A Key that is known from the start, or that there is none: the sandbox's, a test's; or a machine's token for its hub. */
export function createFixedKey(key: string | undefined, source: KeySource): UserKey {
  const chosen = key === undefined ? undefined : { source, key };
  const report = reportOf(undefined, chosen, NOT_ASKED, []);
  return { current: () => key, report: () => report, refresh: async () => report };
}
