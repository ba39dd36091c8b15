// What a hub knows of its machines and invites, wherever it is written down.

import { createHash, randomBytes } from 'node:crypto';
import { SvcdError } from '../../model/errors.js';
import type { Clock } from '../../platform/clock.js';
import { MACHINE_TOKEN_PREFIX } from '../../model/spender.js';

/** What a machine may have: all, or only what is owned already. */
export type Only = 'owned' | null;

/** A machine that joined and may ask. */
export interface JoinedMachine {
  readonly id: number;
  readonly name: string;
  /** What it may buy for; the first where a request does not say. */
  readonly projects: readonly string[];
  readonly user: string | null;
  readonly only: Only;
  /** When its token ends by itself, in milliseconds since the epoch. */
  readonly expiresAt: number | null;
}

export interface MachineState extends JoinedMachine {
  readonly joinedAt: number;
  /** To the nearest ten seconds; null when never. */
  readonly lastSeenAt: number | null;
  readonly revokedAt: number | null;
  /** When two of its processes that run at once were seen last. */
  readonly clonedAt: number | null;
  /** When a process followed one that was not seen to end. */
  readonly replacedAt: number | null;
}

export interface NewInvite {
  readonly projects: readonly string[];
  readonly only: Only;
  /** Whose machines they are; else each names its own. */
  readonly user: string | null;
  /** How many machines may join by it; null for any number. */
  readonly uses: number | null;
  readonly expiresInS: number | null;
  /** How long the token of a machine lives; null for until it is revoked. */
  readonly machineLivesS: number | null;
}

export interface Invite extends Omit<NewInvite, 'uses' | 'expiresInS'> {
  readonly id: number;
  readonly usesLeft: number | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export interface Joining {
  readonly name: string;
  readonly user: string | null;
}

/** Machines and invites of a hub, or of all hubs that share a database. */
export interface MachineRegister {
  /** A new invite; its secret is told this once. */
  invite(invite: NewInvite): Promise<{ readonly secret: string; readonly invite: Invite }>;
  /** Those that still let machines in, oldest first. */
  listInvites(): Promise<readonly Invite[]>;
  /** Lets a machine in; its token is told this once. Throws `invalid_invite`, `invite_used_up`, `invite_expired`. */
  join(secret: string, joining: Joining): Promise<{ readonly token: string; readonly machine: JoinedMachine }>;
  /** The machine that shows this token. Throws `not_a_machine`, `machine_revoked`. */
  find(token: string): Promise<JoinedMachine>;
  /**
   * Whether this process is the one of its machine: false while another is, which was seen of late and did not end. `last` is the
   * process before it on its home. Never rejects: what cannot be written down now is not known.
   */
  claim(machineId: number, process: string, last: string | undefined): Promise<boolean>;
  /** Machines, oldest first; those whose token has ended only if `all`. */
  list(all: boolean): Promise<readonly MachineState[]>;
  /** Ends the token of a machine, by its number or name, for whoever `actor` is. Throws `not_found`, and `invalid_request` for a name of several. */
  revoke(machine: string, actor: string): Promise<JoinedMachine>;
  /** Ends the tokens of machines that were not seen for so long, or never since they joined. */
  revokeUnseen(unseenMs: number, actor: string): Promise<readonly JoinedMachine[]>;
  close(): Promise<void>;
}

/** Uses of an invite without an end; more machines than anybody has. */
export const ANY_NUMBER = 1_000_000_000;

/** A secret or token has 192 random bits, so a plain digest cannot be turned back into one. */
export function newSecret(prefix = ''): string {
  return prefix + randomBytes(24).toString('base64url');
}

export function newMachineToken(): string {
  return newSecret(MACHINE_TOKEN_PREFIX);
}

export function digestOfSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Why an invite lets nobody in. */
export function refuseInvite(
  found:
    { readonly usesLeft: number; readonly expiresAt: number | null; readonly revokedAt: number | null } | undefined,
  now: number,
): SvcdError {
  const hint = 'Ask for a new one: on the hub, "svcd hub invite --project NAME".';
  if (found === undefined) {
    return new SvcdError('invalid_invite', 'this hub knows no invite of this code', { hint });
  }
  if (found.revokedAt !== null || (found.expiresAt !== null && found.expiresAt <= now)) {
    return new SvcdError('invite_expired', 'the time of this invite is over', { hint });
  }
  return new SvcdError('invite_used_up', 'as many machines have joined by this invite as it allows', { hint });
}

export function notAMachine(): SvcdError {
  return new SvcdError('not_a_machine', 'this hub knows no machine of this token, or the request carries none', {
    hint: 'Join the hub: on the hub, "svcd hub invite --project NAME"; here, "svcd hub join CODE".',
  });
}

export function machineEnded(machine: Pick<JoinedMachine, 'name'>, why: 'revoked' | 'expired'): SvcdError {
  const what = why === 'revoked' ? 'was revoked' : 'has ended, as its invite said';
  return new SvcdError('machine_revoked', `the token of the machine ${JSON.stringify(machine.name)} ${what}`, {
    hint: 'Join again: on the hub, "svcd hub invite --project NAME"; here, "svcd hub join CODE".',
  });
}

/** The machine that is meant by its number, or by a name that only one that lives has. Throws `not_found`, `invalid_request`. */
export function chooseMachine<M extends Pick<JoinedMachine, 'id' | 'name'>>(
  machines: readonly M[],
  named: string,
  isLive: (machine: M) => boolean,
): M {
  const called = machines.filter((one) => one.name === named && isLive(one));
  const chosen = machines.find(({ id }) => String(id) === named) ?? called[0];
  if (chosen === undefined) throw noSuchMachine(named);
  if (String(chosen.id) === named || called.length === 1) return chosen;
  throw severalOfName(
    named,
    called.map(({ id }) => id),
  );
}

function noSuchMachine(named: string): SvcdError {
  return new SvcdError('not_found', `no machine ${JSON.stringify(named)} has joined`, {
    hint: '"svcd hub machines" lists them.',
  });
}

function severalOfName(named: string, ids: readonly number[]): SvcdError {
  return new SvcdError('invalid_request', `${ids.length} machines are called ${JSON.stringify(named)}`, {
    hint: `Name one by its number: ${ids.join(', ')}. "svcd hub machines" shows when each was last seen.`,
  });
}

/** When a machine was seen last is written down so often. */
export const WRITE_EVERY_MS = 10_000;

/** A machine that only waits asks every minute, and what it asked is written down after twenty seconds at most. */
const SEEN_TOGETHER_MS = 90_000;
const CLAIM_EVERY_MS = 20_000;
const CLAIMS_KEPT = 5000;

/** Writes down who asks, by placeholders of either database; its row tells whether `process` is the one of its machine. */
export function claimProcess(id: string, process: string, last: string, now: string): string {
  const isGone = `process_at <= ${now} - ${SEEN_TOGETHER_MS}`;
  const isHeld = `coalesce(process IN (${process}, ${last}) OR ${isGone}, true)`;
  return `UPDATE machine SET
    cloned_at = CASE WHEN process = ${process} AND other_at > ${now} - ${SEEN_TOGETHER_MS} THEN ${now} ELSE cloned_at END,
    replaced_at = CASE WHEN process NOT IN (${process}, ${last}) AND ${isGone} THEN ${now} ELSE replaced_at END,
    other_at = CASE WHEN NOT ${isHeld} THEN ${now} WHEN process <> ${process} THEN NULL ELSE other_at END,
    process_at = CASE WHEN ${isHeld} THEN ${now} ELSE process_at END,
    process = CASE WHEN ${isHeld} THEN ${process} ELSE process END
    WHERE id = ${id} RETURNING process = ${process} AS "isHeld"`;
}

/** Believes for a moment what was written down of a process. */
export function createClaims(
  { monotonic }: Pick<Clock, 'monotonic'>,
  write: (id: number, process: string, last: string) => Promise<boolean>,
): MachineRegister['claim'] {
  const known = new Map<string, { readonly at: number; readonly isHeld: Promise<boolean> }>();
  return async (id, process, last = '') => {
    const key = `${id} ${process}`;
    const found = known.get(key);
    if (found !== undefined && monotonic() - found.at < CLAIM_EVERY_MS) return found.isHeld;
    const isHeld = write(id, process, last).catch(() => {
      known.delete(key);
      return true;
    });
    if (known.size >= CLAIMS_KEPT) known.clear();
    known.set(key, { at: monotonic(), isHeld });
    return isHeld;
  };
}

// Rows as either database gives them, and what is told of them.

/** The columns of an invite; quoted as both databases want it. */
export const INVITE = `id, projects, "user", only_for AS "onlyFor", uses_left AS "usesLeft", machine_lives_s AS "machineLivesS",
  created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"`;
/** Those of a machine. */
export const MACHINE = `id, name, projects, "user", only_for AS "onlyFor", joined_at AS "joinedAt", last_used_at AS "lastUsedAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt", cloned_at AS "clonedAt", replaced_at AS "replacedAt"`;

/** What is text or a number in a column of its own. */
interface Columns {
  readonly projects: string;
  readonly onlyFor: string;
  readonly revokedAt: number | null;
}

export interface InviteRow extends Omit<Invite, 'only' | keyof Columns>, Columns {
  readonly usesLeft: number;
}

export interface MachineRow extends Omit<MachineState, 'only' | 'lastSeenAt' | keyof Columns>, Columns {
  readonly lastUsedAt: number | null;
}

export function inviteOf({ projects, onlyFor, usesLeft, revokedAt: _revoked, ...row }: InviteRow): Invite {
  return {
    ...row,
    projects: JSON.parse(projects) as string[],
    only: onlyOf(onlyFor),
    // Of one without an end some were used, never most.
    usesLeft: usesLeft > ANY_NUMBER / 2 ? null : usesLeft,
  };
}

export function machineOf({ id, name, projects, user, onlyFor, expiresAt }: MachineRow): JoinedMachine {
  return { id, name, projects: JSON.parse(projects) as string[], user, only: onlyOf(onlyFor), expiresAt };
}

export function stateOf(row: MachineRow): MachineState {
  const { joinedAt, lastUsedAt, revokedAt, clonedAt, replacedAt } = row;
  return { ...machineOf(row), joinedAt, lastSeenAt: lastUsedAt, revokedAt, clonedAt, replacedAt };
}

function onlyOf(text: string): Only {
  return text === 'owned' ? 'owned' : null;
}
