// Telling that a daemon has started: one line for programs, the banner for people.

import type { Config } from '../config/config.js';
import type { KeySource } from '../auth/user-key.js';
import type { DaemonInfo } from '../daemon/daemon.js';
import type { SearchAnswer } from '../contract/candidate.js';
import { bannerOf } from './banner.js';
import { exchangeOverHttp } from './http-exchange.js';
import { howToCall } from './invocation.js';
import type { Status } from './running-daemon.js';
import { printJson, printLines } from './output.js';
import { openPaint } from './colors.js';

const SEARCH_TIMEOUT_MS = 10_000;

/** Tells on stdout where a daemon is and what it has. */
export async function announce({ remote, offline }: Config, info: DaemonInfo, json: boolean): Promise<void> {
  if (json) return printJson(info);
  const [preset, key] = await Promise.all([findPreset(info.url), findKeySource(info.url)]);
  const showToken = process.stdout.isTTY;
  const facts = { info, remote, offline, key, preset, svcd: howToCall(), showToken };
  return printLines(...bannerOf(facts, openPaint()));
}

/** Something to try a download with. */
async function findPreset(url: string): Promise<string | undefined> {
  const path = `/api/v1/stickers/search?q=${encodeURIComponent('生日')}&limit=1`;
  const answer = await exchangeOverHttp(url, { method: 'GET', path, timeoutMs: SEARCH_TIMEOUT_MS });
  return answer.status === 200 ? (answer.json() as SearchAnswer).results[0]?.preset : undefined;
}

async function findKeySource(url: string): Promise<KeySource> {
  const answer = await exchangeOverHttp(url, {
    method: 'GET',
    path: '/svcd/status',
    timeoutMs: SEARCH_TIMEOUT_MS,
  });
  return (answer.json() as Status).key_source;
}
