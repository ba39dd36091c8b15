// What goes wrong with PostgreSQL, translated once: away, refused, or a mistake of svcd. Texts of the server may repeat
// values, so they stay in `cause`, which no answer shows.

import { isSvcdError, SvcdError, systemCode } from '../../model/errors.js';

/** Cause of an error after which it is not known whether the transaction was committed. */
export class CommitUnknown extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'CommitUnknown';
  }
}

/** Whether what failed may have been committed all the same. */
export function isCommitUnknown(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof CommitUnknown;
}

/** The SQLSTATE (postgresql.org/docs/current/errcodes-appendix.html) of what a server said, also of its translation. */
export function sqlStateOf(error: unknown): string | undefined {
  return saidByServer(error)?.code;
}

/** Whether the server refused a statement, and the connection goes on: what is FATAL ends it. */
export function isStatementError(error: unknown): boolean {
  return saidByServer(error)?.severity === 'ERROR';
}

/** Errors that say: run the whole transaction again. Serialization failure, deadlock. */
export const RUN_AGAIN: readonly string[] = ['40001', '40P01'];

/**
 * States of a server that is not there for writing now: connection exceptions, too many connections, shut down, crashed,
 * starting, a standby, a full disk; a transaction that stood idle or a statement that was too slow and was ended.
 */
const AWAY = /^(08...|53300|53100|57P0[1-5]|57014|25006|25P0[34]|55P03)$/;
const REFUSED_LOGIN = /^(28...|3D000)$/;
export const NO_RIGHTS = '42501';

/** The error as the rest of svcd knows it. `database` is the address without its password. */
export function translateError(error: unknown, database: string): SvcdError {
  if (isSvcdError(error)) return error;
  const state = sqlStateOf(error);
  const cause = error;
  // PgBouncer says so of BEGIN, and each statement would be a transaction of its own.
  if (state !== undefined && error instanceof Error && error.message.includes('statement pooling')) {
    return new SvcdError('database_unsafe', `the pooler at ${database} gives each statement another connection`, {
      cause,
      hint: 'Set pool_mode = transaction (or session) in pgbouncer.ini: a purchase is several statements.',
    });
  }
  if (state === undefined || AWAY.test(state)) return databaseAway(database, reasonOf(error, state), cause);
  if (REFUSED_LOGIN.test(state)) {
    return new SvcdError('database_away', `PostgreSQL (${database}) refuses the login (${state})`, {
      cause,
      hint: 'Check the user, the password and the name of the database, and pg_hba.conf on the server.',
    });
  }
  if (state === NO_RIGHTS) {
    return new SvcdError('database_unsafe', `PostgreSQL (${database}) gives the user of svcd too few rights`, {
      cause,
      hint: 'Start a hub once with the owner of the tables as its user, which also grants what the other role needs.',
    });
  }
  return new SvcdError('internal', `PostgreSQL refused a statement of svcd (${state})`, { cause });
}

export function databaseAway(database: string, why: string, cause?: unknown): SvcdError {
  return new SvcdError('database_away', `PostgreSQL (${database}) cannot be used now: ${why}`, {
    hint: 'Nothing is bought until it is back; what is on the disk of the hub is served.',
    cause,
  });
}

function reasonOf(error: unknown, state: string | undefined): string {
  if (state !== undefined) return `it says ${state}`;
  const code = systemCode(error);
  if (code !== undefined) return code;
  return error instanceof Error ? error.message : String(error);
}

/** Errors of Node carry codes too (`EPIPE` has five letters): the server's come with a severity. */
function saidByServer(error: unknown): { code: string; severity: string } | undefined {
  const said = isSvcdError(error) ? error.cause : error;
  if (typeof said !== 'object' || said === null || !('severity' in said) || !('code' in said)) return undefined;
  return { code: String(said.code), severity: String(said.severity) };
}
