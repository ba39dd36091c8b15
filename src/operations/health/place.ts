// What the checks look at: handed in, for the daemon knows some of it, and the doctor finds the rest out.

import type { Config } from '../../config/config.js';
import type { ErrorCode } from '../../model/errors.js';
import type { Told } from './finding.js';
import type { UnknownPurchases } from '../../purchases/journal.js';
import type { SpendingStop } from '../../purchases/spending-guard.js';

/** What the user wants mended. */
export interface Mends {
  readonly mendDates: boolean;
  readonly acceptLoss: boolean;
}

/** The files of a home. `remote` is `sandbox`, an address, or `none`; undefined where the settings cannot be read. */
export interface HomePlace {
  readonly home: string;
  readonly remote: string | undefined;
  /** Whether a daemon uses them. */
  readonly isRunning: boolean;
  /** Why that daemon buys nothing, by no will of the user; undefined where it may, or none runs. */
  readonly stop?: Pick<SpendingStop, 'by' | 'why' | 'hint'> | undefined;
  readonly mends: Mends;
}

/** What a running daemon says of its remote. */
export interface KnownRemote {
  readonly address: string | null;
  readonly sandbox: boolean;
  readonly offline: boolean;
  readonly forced: boolean;
  readonly why: string | null;
  readonly held_until: string | null;
}

/** The way to the remote, the Key and the clock. */
export interface RemotePlace {
  readonly config: Config;
  readonly remote: string;
  readonly known: KnownRemote | undefined;
  /** What is found of the hub that the home belongs to; undefined where it belongs to none. */
  readonly findHub: () => Promise<readonly Told[] | undefined>;
}

/** What runs on a home. */
export interface DaemonState {
  readonly running: { readonly url: string; readonly pid: number; readonly version: string } | undefined;
  /** One that lives and does not answer. */
  readonly silent: { readonly pid: number; readonly url: string } | undefined;
  /** The process that holds the home, whoever it is; undefined where the system does not tell. */
  readonly holder: number | undefined;
}

/** What svcd stands on, as a shell of its user sees it. */
export interface SystemPlace {
  readonly home: string;
  /** Undefined where the settings cannot be read. */
  readonly config: Config | undefined;
  readonly remote: string | undefined;
  readonly daemon: DaemonState;
  /** What starts svcd at login: where it is written down, and what about it has drifted. Undefined for nothing. */
  readonly findService: () => Promise<{ readonly place: string; readonly drift: readonly Drift[] } | undefined>;
  /** The process of another svcd at an address. */
  readonly findSvcdAt: (url: string) => Promise<number | undefined>;
  /** The lock that `svcd verify` would take in the current folder. */
  readonly lockFile: string | undefined;
}

interface Drift {
  readonly what: string;
  readonly mend: string;
}

/** What a hub knows of itself. */
export interface HubFacts {
  /** The home that is meant, also where a copy of it is served. */
  readonly home: string;
  /** `isOwn`: svcd made it. */
  readonly certificate: { readonly isOwn: boolean; readonly expiresAt: number; readonly isNearEnd: boolean };
  readonly hasKey: boolean;
  /** What the service says is wrong with the Key. */
  readonly keyProblem: ErrorCode | undefined;
  /** Purchases of unknown end; undefined where there are none. */
  readonly unknown: UnknownPurchases | undefined;
  /** How far the service's clock was ahead of ours; undefined before its first answer. */
  readonly aheadMs: number | undefined;
  /** The last copy of its money, or the last log that its PostgreSQL has archived. */
  readonly lastBackup: number | undefined;
  /** What is wrong with its database, each with what to do; undefined where that is a file of the home. */
  readonly database: readonly { readonly why: string; readonly hint?: string | undefined }[] | undefined;
  /** Whether the budgets are what the journal comes to; null while the database is away, undefined where nobody looked. */
  readonly isAuditRight: boolean | null | undefined;
  /** Machines whose home runs in two places. */
  readonly clones: readonly string[];
  readonly now: number;
}
