// What a person sees when svcd has started: where it is, what it has, what to try next.

import type { KeySource } from '../auth/user-key.js';
import type { DaemonInfo } from '../daemon/daemon.js';
import { stickerPath } from '../model/sticker.js';
import { describeKeySource } from './describe-key.js';
import { grouped, plain } from './output.js';
import type { Paint } from './colors.js';
import { layOut } from './table.js';

export interface BannerFacts {
  readonly info: DaemonInfo;
  /** Address of the remote; undefined when there is none. */
  readonly remote: string | undefined;
  readonly offline: boolean;
  readonly key: KeySource;
  /** A preset to try a download with. */
  readonly preset: string | undefined;
  /** How this user calls svcd. */
  readonly svcd: string;
  /** Whether to show the token itself: on a terminal, not in a log. */
  readonly showToken: boolean;
}

/** Lines of the banner. */
export function bannerOf(facts: BannerFacts, paint: Paint): string[] {
  const { info } = facts;
  const rows = [
    ['library', `${grouped(info.library.stickers)} stickers, searched on this machine`],
    ['remote', remoteOf(facts)],
    ['Key', keyOf(facts)],
    ['home', info.home],
  ];
  return [
    `svcd runs at ${paint.strong(info.url)}`,
    '',
    ...layOut(rows.map(([name = '', value = '']) => [`  ${paint.faint(name)}`, plain(value)])),
    '',
    'Try, in another terminal:',
    ...trialsOf(facts).map((line) => `  ${line}`),
    '',
  ];
}

function remoteOf({ info, remote, offline, svcd }: BannerFacts): string {
  if (info.sandbox !== undefined)
    return `the sandbox at ${info.sandbox.url}, credits of its own${cutOff(offline)}`;
  if (remote !== undefined) return `${remote}${cutOff(offline)}`;
  return `none. Add one with "${svcd} config set remote https://…", or try "${svcd} start --sandbox"`;
}

function cutOff(offline: boolean): string {
  return offline ? ' (offline: it is not contacted)' : '';
}

function keyOf({ remote, key, svcd }: BannerFacts): string {
  if (key !== 'none') return describeKeySource(key);
  return remote === undefined
    ? 'none, and none is needed without a remote'
    : `none yet: "${svcd} key status" tells why, "${svcd} key set" stores one`;
}

function trialsOf({ info, preset, svcd, showToken }: BannerFacts): string[] {
  const { url, token, home } = info;
  const json = `-H 'Content-Type: application/json'`;
  const search = `${url}/api/v1/stickers/search?q=${encodeURIComponent('生日')}&limit=3`;
  const lines = [
    `${svcd} search 生日`,
    `curl '${search}'`,
    `curl ${json} -d '{"text":"祝你生日快乐"}' ${url}/api/v1/stickers/match`,
  ];
  if (preset === undefined) return lines;
  const told = `TOKEN=$(${svcd} token show --home "${home}")`;
  return [
    ...lines,
    ...(showToken ? [] : [told]),
    `curl -H "Authorization: Bearer ${showToken ? token : '$TOKEN'}" -o sticker.json ${url}${stickerPath(preset)}`,
  ];
}
