// Machines and invites of all hubs that share a PostgreSQL: who joined at one is known at each. A token that was found is believed
// for a moment, and for as long as the database is away: then nothing is bought, and what is owned is served.

import { isSvcdError } from '../../model/errors.js';
import type { Clock } from '../../platform/clock.js';
import type { Postgres, Transaction } from '../../platform/postgres/transaction.js';
import type { MachineMemory } from '../../purchases/postgres/hub-notes.js';
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

/** A token is revoked everywhere within two seconds. */
const BELIEVED_MS = 1500;
const REMEMBERED = 5000;
const LIVE = `revoked_at IS NULL AND uses_left > 0 AND coalesce(expires_at > svcd_ms(), true)`;

interface Remembered {
  readonly row: MachineRow;
  readonly isLive: boolean;
  readonly at: number;
}

/** Opens the register of one database; `memory` has the machines that this hub has served. */
export function openPostgresRegister(db: Postgres, clock: Clock, memory: MachineMemory): MachineRegister {
  const known = new Map<string, Remembered>();
  const seen = new Set<number>();

  const event = (tx: Transaction, actor: string, verb: string, subject: string, detail: object) =>
    tx.run('INSERT INTO hub_event (actor, verb, subject, detail) VALUES ($1, $2, $3, $4)', [
      actor,
      verb,
      subject,
      JSON.stringify(detail),
    ]);
  const write = async () => {
    const ids = [...seen];
    seen.clear();
    if (ids.length === 0) return;
    // When a machine was seen last is not worth a failure.
    await db
      .transaction((tx) => tx.run('UPDATE machine SET last_used_at = svcd_ms() WHERE id = ANY($1::bigint[])', [ids]))
      .catch(() => ids.forEach((id) => seen.add(id)));
  };
  const timer = setInterval(() => void write(), WRITE_EVERY_MS);
  timer.unref();

  const remembered = (digest: Buffer): MachineRow | undefined => {
    const text = memory.find(digest);
    return text === undefined ? undefined : (JSON.parse(text) as MachineRow);
  };

  async function lookUp(digest: Buffer): Promise<Remembered | undefined> {
    const key = digest.toString('base64');
    const last = known.get(key);
    if (last !== undefined && clock.monotonic() - last.at < BELIEVED_MS) return last;
    try {
      const row = await db.one<MachineRow & { isLive: boolean }>(
        `SELECT ${MACHINE}, revoked_at IS NULL AND coalesce(expires_at > svcd_ms(), true) AS "isLive" FROM machine WHERE digest = $1`,
        [digest],
      );
      if (row === undefined) return undefined;
      const { isLive, ...plain } = row;
      const found = { row: plain, isLive, at: clock.monotonic() };
      if (last === undefined || last.isLive !== isLive)
        memory.keep(digest, JSON.stringify({ ...plain, lastUsedAt: null }));
      // In the order of their last look; the one that was looked for longest ago goes.
      known.delete(key);
      known.set(key, found);
      const [oldest] = known.keys();
      if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
      return found;
    } catch (error) {
      const row = isSvcdError(error, 'database_away') ? (last?.row ?? remembered(digest)) : undefined;
      if (row === undefined) throw error;
      const isLive = row.revokedAt === null && (row.expiresAt ?? Infinity) > clock.now();
      return { row, isLive, at: clock.monotonic() };
    }
  }

  return {
    invite: async ({ projects, only, user, uses, expiresInS, machineLivesS }) => {
      const secret = newSecret();
      const { value } = await db.transaction(async (tx) => {
        const rows = await tx.all<InviteRow>(
          `INSERT INTO join_code (digest, projects, "user", only_for, uses_left, machine_lives_s, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, svcd_ms() + $7::bigint * 1000) RETURNING ${INVITE}`,
          [
            digestOfSecret(secret),
            JSON.stringify(projects),
            user,
            only ?? '',
            uses ?? ANY_NUMBER,
            machineLivesS,
            expiresInS,
          ],
        );
        for (const { id } of rows) await event(tx, 'owner', 'invite', `invite:${id}`, { projects });
        return rows.map(inviteOf);
      });
      const [invite] = value;
      if (invite === undefined) throw new Error('an invite was made, and no row came back');
      return { secret, invite };
    },
    listInvites: async () =>
      (await db.all<InviteRow>(`SELECT ${INVITE} FROM join_code WHERE ${LIVE} ORDER BY id`)).map(inviteOf),
    join: async (secret, { name, user }) => {
      const token = newMachineToken();
      const digest = digestOfSecret(secret);
      const { value } = await db.transaction(async (tx) => {
        const invite = await tx.one<InviteRow>(
          `UPDATE join_code SET uses_left = uses_left - 1 WHERE digest = $1 AND ${LIVE} RETURNING ${INVITE}`,
          [digest],
        );
        if (invite === undefined) {
          const [found, now] = [
            await tx.one<InviteRow>(`SELECT ${INVITE} FROM join_code WHERE digest = $1`, [digest]),
            await tx.one<{ ms: number }>('SELECT svcd_ms() AS ms'),
          ];
          throw refuseInvite(found, now?.ms ?? 0);
        }
        const machine = await tx.one<MachineRow>(
          `INSERT INTO machine (join_code_id, name, digest, projects, "user", only_for, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, svcd_ms() + $7::bigint * 1000) RETURNING ${MACHINE}`,
          // An invite for a user is for nobody else.
          [
            invite.id,
            name,
            digestOfSecret(token),
            invite.projects,
            invite.user ?? user,
            invite.onlyFor,
            invite.machineLivesS,
          ],
        );
        if (machine === undefined) throw new Error('a machine joined, and no row came back');
        await event(tx, `invite:${invite.id}`, 'join', `machine:${machine.id}`, { name });
        return machineOf(machine);
      });
      return { token, machine: value };
    },
    find: async (token) => {
      const found = await lookUp(digestOfSecret(token));
      if (found === undefined) throw notAMachine();
      const { row, isLive } = found;
      if (!isLive) throw machineEnded(row, row.revokedAt === null ? 'expired' : 'revoked');
      seen.add(row.id);
      return machineOf(row);
    },
    claim: createClaims(clock, async (id, process, last) => {
      // What is lost of it is written down again.
      const row = await db.one<{ isHeld: boolean }>(claimProcess('$1', '$2', '$3', 'svcd_ms()'), [id, process, last]);
      return row?.isHeld === true;
    }),
    list: async (all) => {
      await write();
      const rows = await db.all<MachineRow>(
        `SELECT ${MACHINE} FROM machine
         WHERE $1 OR (revoked_at IS NULL AND coalesce(expires_at > svcd_ms(), true)) ORDER BY id`,
        [all],
      );
      return rows.map(stateOf);
    },
    revoke: async (named, actor) => {
      const { value } = await db.transaction(async (tx) => {
        const rows = await tx.all<MachineRow & { isLive: boolean }>(
          `SELECT ${MACHINE}, revoked_at IS NULL AND coalesce(expires_at > svcd_ms(), true) AS "isLive" FROM machine
           WHERE id::text = $1 OR name = $1 ORDER BY id FOR UPDATE`,
          [named],
        );
        const row = chooseMachine(rows, named, ({ isLive }) => isLive);
        if (row.revokedAt === null) {
          await tx.run('UPDATE machine SET revoked_at = svcd_ms() WHERE id = $1', [row.id]);
          await event(tx, actor, 'revoke', `machine:${row.id}`, { name: row.name });
        }
        return machineOf(row);
      });
      for (const [key, { row }] of known) if (row.id === value.id) known.delete(key);
      return value;
    },
    revokeUnseen: async (unseenMs, actor) => {
      await write();
      const { value } = await db.transaction(async (tx) => {
        const rows = await tx.all<MachineRow>(
          `UPDATE machine SET revoked_at = svcd_ms() WHERE revoked_at IS NULL AND coalesce(expires_at > svcd_ms(), true)
             AND coalesce(last_used_at, joined_at) < svcd_ms() - $1::bigint RETURNING ${MACHINE}`,
          [unseenMs],
        );
        for (const { id, name } of rows) await event(tx, actor, 'revoke', `machine:${id}`, { name });
        return rows.map(machineOf);
      });
      known.clear();
      return value;
    },
    close: async () => {
      clearInterval(timer);
      await write();
    },
  };
}
