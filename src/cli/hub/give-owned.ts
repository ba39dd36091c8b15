// Gives a hub what is owned in a home: the files with their digests, and what the journal says was paid or is in doubt. Sent in
// parts, each of which may be sent again.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GivenReport } from '../../api/hub.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { openReadOnly } from '../../platform/open-database.js';
import { isRecord, parseJsonRecord } from '../../platform/json.js';
import { readLines } from '../../platform/read-lines.js';
import { listGivable } from '../../purchases/given.js';
import { withClient } from '../connection/client.js';
import type { HubClient } from './hub-client.js';
import type { Input } from '../terminal/input.js';
import { expectOk } from '../connection/running-daemon.js';
import { gather } from '../connection/http-exchange.js';

const LINES_TYPE = 'application/x-ndjson';
const PART_BYTES = 4 * 1024 * 1024;
const LONGEST_LINE = 96 * 1024 * 1024;
const TRIES = 3;

/** What the hub said in all. Throws what stops it. */
export async function giveOwned(input: Input, hub: HubClient, scope: string): Promise<GivenReport> {
  let total: GivenReport = { lines: 0, added: 0, unchanged: 0, waiting: 0, bad: 0, bad_lines: [] };
  let part: string[] = [];
  let bytes = 0;
  const send = async (): Promise<void> => {
    if (part.length === 0) return;
    const lines = part.join('');
    [part, bytes] = [[], 0];
    total = added(total, await sendPart(hub, new TextEncoder().encode(lines)));
  };
  const give = async (line: string): Promise<void> => {
    part.push(`${line}\n`);
    bytes += line.length;
    if (bytes >= PART_BYTES) await send();
  };
  await withClient(input, async (client) => {
    const answer = await client.stream('GET', '/svcd/owned/export');
    if (answer.status !== 200) expectOk(await gather(answer));
    for await (const lines of readLines(answer.body, { maxBytes: LONGEST_LINE, batch: 1 })) {
      for (const { text } of lines) if (text !== undefined && isOf(text, scope)) await give(text);
    }
  });
  for (const purchase of listPurchases(await input.home(), scope)) await give(JSON.stringify(purchase));
  await send();
  return total;
}

/** What the journal says of this remote's items. */
function listPurchases(home: string, scope: string): readonly object[] {
  const file = join(home, 'owned.db');
  if (!existsSync(file)) return [];
  const db = openReadOnly(file);
  try {
    return listGivable(db, scope);
  } finally {
    db.close();
  }
}

function isOf(text: string, scope: string): boolean {
  const line = parseJsonRecord(text);
  return isRecord(line) && line['scope'] === scope && typeof line['item'] === 'string';
}

async function sendPart(hub: HubClient, bytes: Uint8Array): Promise<GivenReport> {
  for (let tries = 1; ; tries++) {
    try {
      return await hub.ask<GivenReport>('POST', '/svcd/hub/given', { type: LINES_TYPE, bytes });
    } catch (error) {
      const isBusy = isSvcdError(error, 'busy');
      const mayPass = isBusy || isSvcdError(error, 'upstream_failure') || isSvcdError(error, 'offline');
      if (!mayPass || tries === TRIES) throw error instanceof SvcdError ? error : new Error(String(error));
      // A part whose connection was lost may be worked on still.
      if (isBusy) await sleep((error.retryAfterS ?? 1) * 1000);
    }
  }
}

function added(total: GivenReport, part: GivenReport): GivenReport {
  const sum = (name: 'lines' | 'added' | 'unchanged' | 'waiting' | 'bad') => total[name] + part[name];
  const later = part.bad_lines.map(({ line, why }) => ({ line: line + total.lines, why }));
  return {
    lines: sum('lines'),
    added: sum('added'),
    unchanged: sum('unchanged'),
    waiting: sum('waiting'),
    bad: sum('bad'),
    bad_lines: [...total.bad_lines, ...later],
  };
}
