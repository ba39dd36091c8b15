// Which remote a home uses, who says so, and whether that is another one than it was last used with.

import { type Environment, type Flags, settleSettings, type SettledSetting } from './config.js';
import { findBelonging } from './membership.js';
import { readLastUsed, SANDBOX, writeLastUsed } from './last-used.js';

export interface RemoteChoice {
  /** `sandbox`, an address, or `none`. */
  readonly remote: string;
  readonly from: SettledSetting['from'];
  /** Where that stands, for a person: `--sandbox`, `SVCD_REMOTE`, `remote in config.json`. */
  readonly source: string;
  /** What the home was last used with, where that is another one. */
  readonly last: string | undefined;
  /** What config.json names, where that is another one: what the next command without this flag or variable uses. */
  readonly file: string | undefined;
}

/** Settles the remote alone. Throws `invalid_config`. */
export async function chooseRemote(flags: Flags = {}, env: Environment = process.env): Promise<RemoteChoice> {
  const settled = await settleSettings(flags, env);
  const home = String(settled.find(({ setting }) => setting.name === 'home')?.value);
  const belonging = findBelonging(home);
  if (belonging.kind === 'hub') {
    const [address = 'none'] = belonging.membership.addresses;
    // The note of before stays: after "svcd hub leave" it holds again.
    return { remote: address, from: 'last_used', source: 'hub.json', last: undefined, file: undefined };
  }
  const { remote, said } = remoteIn(settled);
  const last = readLastUsed(home);
  const isTyped = said.from === 'flag' || said.from === 'environment';
  // What stands in the file alone: the same question with nothing above it.
  const below = isTyped ? remoteIn(await settleSettings({ home }, {})) : undefined;
  return {
    remote,
    from: said.from,
    source: sourceOf(said),
    last: last === remote ? undefined : last,
    file: below?.said.from === 'file' && below.remote !== remote ? below.remote : undefined,
  };
}

/**
 * Notes what a daemon that has just started uses. What config.json says needs no note; an older one ends, so that
 * it does not come back when the file changes. Throws the system's error.
 */
export function rememberRemote(home: string, { remote, from, last }: RemoteChoice): void {
  if (from === 'flag' || from === 'environment') writeLastUsed(home, remote === 'none' ? undefined : remote);
  else if (from === 'file' && (last ?? readLastUsed(home)) !== undefined) writeLastUsed(home, undefined);
}

/** `the sandbox`, `no remote`, or the address. */
export function nameRemote(remote: string): string {
  if (remote === SANDBOX) return 'the sandbox';
  return remote === 'none' ? 'no remote' : remote;
}

/** What a person must know of a choice that is not what the home was last used with; nothing otherwise. */
export function describeChange({ remote, source, last, file }: RemoteChoice): string[] {
  const now = nameRemote(remote);
  const back = last === SANDBOX ? '--sandbox' : `--remote ${last}`;
  return [
    ...(last === undefined
      ? []
      : [`This home was last used with ${nameRemote(last)}; now it uses ${now} (${source}).`]),
    ...(last === undefined || last === file ? [] : [`"svcd start ${back}" switches back.`]),
    ...(file === undefined
      ? []
      : [`config.json names ${nameRemote(file)}: commands without a daemon, and a start without ${source}, use that.`]),
  ];
}

function remoteIn(settled: readonly SettledSetting[]): { readonly remote: string; readonly said: SettledSetting } {
  const [sandbox, remote] = (['sandbox', 'remote'] as const).map((name) => {
    const found = settled.find(({ setting }) => setting.name === name);
    if (found === undefined) throw new Error(`there is no setting ${name}`);
    return found;
  }) as [SettledSetting, SettledSetting];
  if (sandbox.value === true) return { remote: SANDBOX, said: sandbox };
  return remote.value === undefined
    ? { remote: 'none', said: sandbox }
    : { remote: String(remote.value), said: remote };
}

function sourceOf({ setting, from }: SettledSetting): string {
  if (from === 'flag') return `--${setting.flag}`;
  if (from === 'environment') return setting.env;
  if (from === 'file') return `${setting.name} in config.json`;
  return from === 'last_used' ? 'as last time' : 'none is named';
}
