// A lock as a strict person takes it: every file as locked, and every slot what was asked for.

import { dirname } from 'node:path';
import { filesOf } from '../../api/lock.js';
import { SvcdError } from '../../model/errors.js';
import { readLock } from '../../video/lock/read-lock.js';
import { standInsOf, type StandIn } from '../../video/lock/stand-ins.js';
import { verifyFiles } from '../../video/lock/verify-files.js';
import { describeReason } from '../get/describe-reason.js';
import { formatCount, sanitize } from '../terminal/format.js';
import { videoWords } from './words.js';

/** How many slots a lock has that holds nothing else. Throws `lock_mismatch` first, and `defaults_served`. */
export function requireStrictLock(file: string): number {
  const { lock } = readLock(file);
  const problems = verifyFiles(lock, dirname(file));
  if (problems.length > 0) throw differing(problems, Object.values(lock.assets).flatMap(filesOf), file);
  const count = Object.keys(lock.assets).length;
  requireNoStandIns(standInsOf(lock), file, count);
  return count;
}

/** The refusal of files that are not as locked. */
export function differing(
  problems: readonly { readonly file: string }[],
  assets: readonly { readonly file: string }[],
  lock: string,
): SvcdError {
  const count = (files: readonly { readonly file: string }[]) => new Set(files.map((one) => one.file)).size;
  const { differ, differHint } = videoWords().verify;
  return new SvcdError('lock_mismatch', differ(count(problems), formatCount(count(assets), 'file'), lock), {
    hint: differHint,
  });
}

/** Throws `defaults_served` for a lock that a strict person does not render. */
export function requireNoStandIns(standIns: readonly StandIn[], lock: string, slots: number): void {
  const { nothingThere, standsIn, standsInHint } = videoWords().verify;
  if (slots === 0) throw new SvcdError('defaults_served', nothingThere(lock));
  if (standIns.length === 0) return;
  throw new SvcdError('defaults_served', standsIn(lock, standIns.map(describeStandIn)), { hint: standsInHint });
}

export function describeStandIn({ slot, why, reason = '' }: StandIn): string {
  const words = videoWords();
  const told = why === 'default' ? words.standIn.default(describeReason(reason, undefined)) : words.standIn[why];
  return sanitize(`${slot}${words.colon}${told}`);
}
