// Machines and invites of a hub over SQLite. They lie in owned.db: whether a machine still may is asked in the transaction
// that reserves its purchase. Only digests are kept.

import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/open-database.js';
import {
  ANY_NUMBER,
  chooseMachine,
  claimProcess,
  createClaims,
  digestOfSecret,
  INVITE,
  inviteOf,
  type InviteRow,
  MACHINE,
  machineEnded,
  machineOf,
  type MachineRegister,
  type MachineRow,
  newMachineToken,
  newSecret,
  notAMachine,
  refuseInvite,
  stateOf,
  WRITE_EVERY_MS,
} from './machines.js';

/** Opens the register of one owned.db. */
export function openMachineRegister(db: Database, clock: Clock): MachineRegister {
  const insertInvite = db.prepare<object, InviteRow>(
    `INSERT INTO join_code (digest, projects, user, only_for, uses_left, machine_lives_s, created_at, expires_at)
     VALUES (@digest, @projects, @user, @onlyFor, @usesLeft, @machineLivesS, @now, @expiresAt) RETURNING ${INVITE}`,
  );
  const invites = db.prepare<[number], InviteRow>(
    `SELECT ${INVITE} FROM join_code
     WHERE revoked_at IS NULL AND uses_left > 0 AND coalesce(expires_at > ?, TRUE) ORDER BY id`,
  );
  const findInvite = db.prepare<[Buffer], InviteRow>(`SELECT ${INVITE} FROM join_code WHERE digest = ?`);
  const useInvite = db.prepare<{ digest: Buffer; now: number }, InviteRow>(
    `UPDATE join_code SET uses_left = uses_left - 1
     WHERE digest = @digest AND revoked_at IS NULL AND uses_left > 0 AND coalesce(expires_at > @now, TRUE)
     RETURNING ${INVITE}`,
  );
  const insertMachine = db.prepare<object, MachineRow>(
    `INSERT INTO machine (join_code_id, name, digest, projects, user, only_for, joined_at, expires_at)
     VALUES (@invite, @name, @digest, @projects, @user, @onlyFor, @now, @expiresAt) RETURNING ${MACHINE}`,
  );
  const findMachine = db.prepare<[Buffer], MachineRow>(`SELECT ${MACHINE} FROM machine WHERE digest = ?`);
  const machines = db.prepare<[], MachineRow>(`SELECT ${MACHINE} FROM machine ORDER BY id`);
  const end = db.prepare(`UPDATE machine SET revoked_at = ? WHERE id = ?`);
  const touch = db.prepare(`UPDATE machine SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?`);
  const note = db.prepare(`INSERT INTO hub_event (at, actor, verb, subject, detail) VALUES (?, ?, ?, ?, ?)`);
  const seen = new Map<number, number>();

  const event = (actor: string, verb: string, subject: string, detail: object = {}) =>
    note.run(clock.now(), actor, verb, subject, JSON.stringify(detail));
  const isLive = ({ revokedAt, expiresAt }: MachineRow) =>
    revokedAt === null && (expiresAt === null || expiresAt > clock.now());
  const claim = db.prepare<object, { isHeld: number }>(claimProcess('@id', '@process', '@last', '@now'));
  const touchAll = db.transaction(() => {
    for (const [id, at] of seen) touch.run(at, id);
  });
  const write = () => {
    try {
      touchAll();
      seen.clear();
    } catch {
      // When a machine was seen last is not worth a failure; it stays in memory for the next write.
    }
  };
  const timer = setInterval(write, WRITE_EVERY_MS);
  timer.unref();

  const join = db.transaction((secret: string, token: string, name: string, user: string | null) => {
    const now = clock.now();
    const digest = digestOfSecret(secret);
    const invite = useInvite.get({ digest, now });
    if (invite === undefined) throw refuseInvite(findInvite.get(digest), now);
    const { id, projects, onlyFor, machineLivesS } = invite;
    const machine = insertMachine.get({
      invite: id,
      name,
      digest: digestOfSecret(token),
      projects,
      // An invite for a user is for nobody else.
      user: invite.user ?? user,
      onlyFor,
      now,
      expiresAt: machineLivesS === null ? null : now + machineLivesS * 1000,
    })!;
    event(`invite:${id}`, 'join', `machine:${machine.id}`, { name });
    return machineOf(machine);
  });

  return {
    invite: async ({ projects, only, user, uses, expiresInS, machineLivesS }) => {
      const secret = newSecret();
      const now = clock.now();
      const row = insertInvite.get({
        digest: digestOfSecret(secret),
        projects: JSON.stringify(projects),
        user,
        onlyFor: only ?? '',
        usesLeft: uses ?? ANY_NUMBER,
        machineLivesS,
        now,
        expiresAt: expiresInS === null ? null : now + expiresInS * 1000,
      })!;
      event('owner', 'invite', `invite:${row.id}`, { projects });
      return { secret, invite: inviteOf(row) };
    },
    listInvites: async () => invites.all(clock.now()).map(inviteOf),
    join: async (secret, { name, user }) => {
      const token = newMachineToken();
      return { token, machine: join.immediate(secret, token, name, user) };
    },
    find: async (token) => {
      const row = findMachine.get(digestOfSecret(token));
      if (row === undefined) throw notAMachine();
      if (!isLive(row)) throw machineEnded(row, row.revokedAt === null ? 'expired' : 'revoked');
      seen.set(row.id, clock.now());
      return machineOf(row);
    },
    claim: createClaims(clock, async (id, process, last) => {
      return claim.get({ id, process, last, now: clock.now() })?.isHeld === 1;
    }),
    list: async (all) => {
      write();
      return machines
        .all()
        .filter((row) => all || isLive(row))
        .map(stateOf);
    },
    revoke: async (named, actor) => {
      const row = chooseMachine(machines.all(), named, isLive);
      if (row.revokedAt === null) {
        end.run(clock.now(), row.id);
        event(actor, 'revoke', `machine:${row.id}`, { name: row.name });
      }
      return machineOf(row);
    },
    revokeUnseen: async (unseenMs, actor) => {
      write();
      const since = clock.now() - unseenMs;
      const unseen = machines.all().filter((row) => isLive(row) && (row.lastUsedAt ?? row.joinedAt) < since);
      for (const { id, name } of unseen) {
        end.run(clock.now(), id);
        event(actor, 'revoke', `machine:${id}`, { name });
      }
      return unseen.map(machineOf);
    },
    close: async () => {
      clearInterval(timer);
      write();
    },
  };
}
