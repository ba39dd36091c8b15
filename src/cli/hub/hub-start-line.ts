// The command line that starts a hub again which was stopped: a plain "svcd start" would make no hub of its home.

import type { HubStatus } from '../../api/hub.js';
import { findRuntime, type Launch } from '../../platform/files/home-folder.js';
import { askDaemon, type RunningDaemon } from '../connection/running-daemon.js';

const OF_HUB = /^hub-(?=listen|public-url|identity|tls-|receipt-key|database)/;
const USUAL_LISTEN = '0.0.0.0:7825';
const DATABASE = 'SVCD_HUB_DATABASE';
/** A hub whose database is away takes its time to say so, and who stops it should not wait for that. */
const ASK_MS = 3000;

/** Undefined of a daemon that is no hub, and of one that a service starts. To be asked while it runs. */
export async function findHubStartLine(home: string, running: RunningDaemon): Promise<string | undefined> {
  const launch = findRuntime(home)?.launch;
  if (launch === undefined || launch.by === 'service' || launch.flags['hub-listen'] === undefined) return undefined;
  const place = launch.inherits?.includes(DATABASE) === true ? await askPlace(running) : undefined;
  const database = place?.replace('://', '://USER:PASSWORD@');
  return [
    'svcd hub start',
    ...wordsOf(launch),
    ...(database === undefined ? [] : [`--database ${quote(database)}`]),
  ].join(' ');
}

/** The remote is remembered by the home. */
function wordsOf({ flags }: Launch): string[] {
  const isAnyPort = String(flags['hub-listen']).endsWith(':0');
  return Object.entries(flags).flatMap(([flag, value]) => {
    if (value === false || (flag === 'hub-listen' && value === USUAL_LISTEN)) return [];
    if (!flag.startsWith('hub-') && (flag !== 'port' || (isAnyPort && value === '0'))) return [];
    const name = `--${flag.replace(OF_HUB, '')}`;
    return [value === true ? name : `${name} ${quote(value)}`];
  });
}

/** Where its database is, without user and password; undefined where it does not say. */
async function askPlace(running: RunningDaemon): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ASK_MS);
  });
  const asked = askDaemon<HubStatus>(running, 'GET', '/svcd/hub/status').then(
    ({ database }) => database,
    () => undefined,
  );
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

function quote(value: string): string {
  return /^[\w@%+=:,./~[\]-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
