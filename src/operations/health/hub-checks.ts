// What a hub finds wrong with itself: its certificate near the end, no Key, a clock that differs from the service's, a backup
// that is old or missing, what its database says, and budgets that are not what the journal comes to.

import { minutesOpen } from '../../purchases/unknown-purchases.js';
import { type Finding, findingsOf } from './finding.js';
import type { HubFacts } from './place.js';
import { SET_CLOCK } from './remote-checks.js';

const DAY_MS = 24 * 60 * 60_000;
const BACKUP_OLD_MS = 7 * DAY_MS;
/** A Date has seconds, and an answer takes some. */
const CLOCK_OFF_MS = 10_000;

export function checkCertificate({ certificate: { isOwn, expiresAt, isNearEnd }, now }: HubFacts): Finding {
  const { ok, bad } = findingsOf('certificate');
  const days = Math.floor((expiresAt - now) / DAY_MS);
  if (!isNearEnd) return ok('certificate_ok', [days]);
  return bad('certificate_ends', [days, isOwn ? '@hub_restarts' : '@hub_renews'], 'svcd restart');
}

/** Whether the hub has a Key that the service takes. */
export function checkHubKey({ hasKey, keyProblem }: HubFacts): Finding {
  const { ok, bad } = findingsOf('Key');
  if (!hasKey) return bad('key_none', [], 'svcd key set');
  if (keyProblem === undefined) return ok('hub_key_ok');
  const advice = keyProblem === 'key_limit_exceeded' ? '@raise_limit' : '@enable_key';
  return bad('hub_key_refused', [keyProblem, advice], 'svcd key set');
}

/** Whether nobody knows yet of purchases whether they were charged; its journal may be in PostgreSQL. */
export function checkHubUnsettled({ unknown, now }: HubFacts): Finding {
  const { ok, warn } = findingsOf('unsettled');
  if (unknown === undefined) return ok('unsettled_none');
  return warn('unsettled', [unknown.purchases, minutesOpen(unknown, now)], `svcd purchases settle ${unknown.id}`);
}

/** Whether the clock agrees with that of the service, more closely than a home alone needs it. */
export function checkHubClock({ aheadMs = 0, now }: HubFacts): Finding {
  const { ok, warn } = findingsOf('clock');
  const shown = new Date(now).toISOString();
  if (Math.abs(aheadMs) <= CLOCK_OFF_MS) return ok('clock_ok', [shown]);
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return warn('clock_off', [shown, seconds, aheadMs > 0 ? '@behind' : '@ahead', '@the_service'], SET_CLOCK);
}

export function checkBackup({ lastBackup, now }: HubFacts): Finding {
  const { ok, warn } = findingsOf('backup');
  const make = 'svcd owned backup FILE';
  if (lastBackup === undefined) return warn('backup_old', ['@never'], make);
  const isOld = now - lastBackup > BACKUP_OLD_MS;
  if (isOld) return warn('backup_old', [new Date(lastBackup).toISOString()], make);
  return ok('backup_ok', [Math.floor((now - lastBackup) / DAY_MS)]);
}

/** What makes its PostgreSQL forget, or keeps it away. */
export function checkHubDatabase({ database }: HubFacts): Finding[] {
  const { ok, bad } = findingsOf('database');
  if (database === undefined) return [];
  if (database.length === 0) return [ok('database_ok')];
  return database.map(({ why, hint = '' }) => bad('database_unsafe', [why, hint]));
}

export function checkAudit({ isAuditRight }: HubFacts): Finding[] {
  const { ok, bad } = findingsOf('audit');
  if (isAuditRight === undefined) return [];
  return [isAuditRight ? ok('audit_ok') : bad('audit_wrong', [], 'svcd hub audit')];
}
