// Transactions whose end is judged. What a server says of a COMMIT is easily misread: of an aborted transaction it
// answers `ROLLBACK` and no error; one that no longer waits for its standby answers `COMMIT` with a warning, visible but
// not replicated (Patroni #1412); and an answer that does not come says nothing. Only this file knows.

import { SvcdError } from '../../model/errors.js';
import type { Clock } from '../clock.js';
import { sleep } from '../sleep.js';
import type { DatabaseAddress } from './address.js';
import { startAge, type Age } from '../age.js';
import { CommitUnknown, databaseAway, isStatementError, RUN_AGAIN, sqlStateOf } from './errors.js';
import { createPool, type Answer, type Connection, type Row } from './pool.js';

/** What a transaction may ask. */
export interface Transaction {
  /** The rows of a statement. */
  all<R = Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** The first row, if there is one. */
  one<R = Row>(text: string, values?: readonly unknown[]): Promise<R | undefined>;
  /** How many rows a statement changed. */
  run(text: string, values?: readonly unknown[]): Promise<number>;
}

/** A statement and its values. */
export type Statement = readonly [text: string, values?: readonly unknown[] | undefined];

export interface Committed<T> {
  readonly value: T;
  /** Since before its COMMIT was sent: a process that was stopped in between does not count from the answer. */
  readonly age: Age;
}

export interface Postgres extends Transaction {
  /** The address without its password. */
  readonly label: string;
  /**
   * Runs `work` in one transaction (READ COMMITTED) and commits it; again, as a whole, when another one was in its way.
   * Throws `database_away`, after which `isCommitUnknown` tells whether it may have been committed; whatever `work` throws
   * rolls back. What is asked `first` leaves together with BEGIN.
   */
  transaction<T>(work: Work<T>, limitMs?: number, first?: readonly Statement[]): Promise<Committed<T>>;
  /** How often something was asked so far. */
  roundTrips(): number;
  close(): Promise<void>;
}

export type Work<T> = (tx: Transaction, first: readonly Answer[]) => Promise<T>;

/** Longer than the age at which a commit no longer counts, shorter than the lease of a holder. */
const LIMIT_MS = 3000;
/** The server ends what it is at before svcd gives up on it, so that no lock stays behind. */
const SERVER_LIMIT_SHARE = 5 / 6;
const TRIES = 8;
const TRY_AGAIN_MS = 5;
const CONNECTIONS = 2;
/** Of notices: a warning. */
const WARNING = '01000';

/** Opens a database; connects with the first question. */
export function openPostgres(address: DatabaseAddress, clock: Clock): Postgres {
  const { label } = address;
  const pool = createPool(address, clock);

  /**
   * A connection that has answered the first of these; one out of the pool may have been cut while it lay there. What comes
   * after that may have failed.
   */
  async function begin(limitMs: number, [one, ...more]: readonly [Statement, ...Statement[]]): Promise<Begun> {
    for (let tried = 1; ; tried += 1) {
      const connection = await pool.connect(limitMs);
      const asked = connection.ask(...one);
      const others = Promise.allSettled(more.map((statement) => connection.ask(...statement)));
      try {
        // The first one left first.
        const [answer, rest] = [await asked, await others];
        return { connection, answer, rest };
      } catch (error) {
        leave(connection, error);
        if (tried === CONNECTIONS || isStatementError(error)) throw error;
      }
    }
  }

  async function runOnce<T>(work: Work<T>, limitMs: number, first: readonly Statement[]): Promise<Committed<T>> {
    const { connection, rest } = await begin(limitMs, [[beginOf(limitMs)], ...first]);
    let value: T;
    try {
      const answers = rest.map((one) => {
        if (one.status === 'rejected') throw one.reason;
        return one.value;
      });
      value = await work(
        transactionOf((text, values) => connection.ask(text, values)),
        answers,
      );
    } catch (error) {
      await rollBack(connection);
      throw error;
    }
    connection.takeNotices();
    const age = startAge(clock);
    const answer = await connection.ask('COMMIT').catch((error: unknown) => {
      leave(connection, error);
      throw isStatementError(error) ? error : unknownEnd(label, error);
    });
    const warned = connection.takeNotices().includes(WARNING);
    connection.release();
    if (answer.tag !== 'COMMIT') {
      throw new SvcdError('internal', `PostgreSQL answered ${answer.tag} to COMMIT: a statement before it had failed`);
    }
    if (warned) throw unknownEnd(label, 'no standby confirmed it');
    return { value, age };
  }

  async function transaction<T>(
    work: Work<T>,
    limitMs = LIMIT_MS,
    first: readonly Statement[] = [],
  ): Promise<Committed<T>> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await runOnce(work, limitMs, first);
      } catch (error) {
        if (tried === TRIES || !RUN_AGAIN.includes(sqlStateOf(error) ?? '')) throw error;
        await sleep(TRY_AGAIN_MS * tried);
      }
    }
  }

  /** Reads, or writes what may be written twice. */
  const ask: Ask = async (text, values) => {
    const { connection, answer } = await begin(LIMIT_MS, [[text, values]]);
    connection.release();
    return answer;
  };

  return { label, ...transactionOf(ask), transaction, roundTrips: () => pool.roundTrips(), close: () => pool.close() };
}

interface Begun {
  readonly connection: Connection;
  readonly answer: Answer;
  readonly rest: readonly PromiseSettledResult<Answer>[];
}

type Ask = (text: string, values?: readonly unknown[]) => Promise<Answer>;

function transactionOf(ask: Ask): Transaction {
  return {
    all: async <R>(text: string, values?: readonly unknown[]) => (await ask(text, values)).rows as R[],
    one: async <R>(text: string, values?: readonly unknown[]) => (await ask(text, values)).rows[0] as R | undefined,
    run: async (text, values) => (await ask(text, values)).count,
  };
}

/**
 * One message, and nothing that outlives the transaction: a pooler may give the connection to somebody else. A process
 * that is stopped while it holds locks loses them.
 */
function beginOf(limitMs: number): string {
  const serverMs = Math.floor(limitMs * SERVER_LIMIT_SHARE);
  return (
    `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = on; ` +
    `SET LOCAL statement_timeout = ${serverMs}; SET LOCAL idle_in_transaction_session_timeout = ${serverMs}`
  );
}

async function rollBack(connection: Connection): Promise<void> {
  try {
    await connection.ask('ROLLBACK');
    connection.release();
  } catch {
    connection.discard();
  }
}

/** After an error: a connection on which a statement was refused goes on. */
function leave(connection: Connection, error: unknown): void {
  if (isStatementError(error)) connection.release();
  else connection.discard();
}

function unknownEnd(label: string, error: unknown): SvcdError {
  const why = error instanceof Error ? error.message : String(error);
  return databaseAway(label, `it did not confirm a commit (${why})`, new CommitUnknown(why));
}
