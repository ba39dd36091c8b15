// What a daemon is started with besides its settings: its log, clock and Key, and what tests replace.

import type { UserKey } from '../auth/user-key.js';
import type { ConnectionLimits } from '../http/listen.js';
import type { Clock } from '../platform/clock.js';
import type { Launch } from '../platform/files/runtime-file.js';
import type { Log } from '../platform/log.js';
import type { OpenOutside } from '../platform/open-outside.js';
import type { Sleep } from '../platform/sleep.js';
import type { RateLimiterRules } from '../upstream/rate-limiter.js';
import type { SandboxStartOptions } from './host-sandbox.js';
import type { AlertPace } from './send-alerts.js';
import type { PreparedFiles } from './prepared-files.js';

export interface ReadOnlyHome {
  /** The one that is meant. */
  readonly home: string;
  readonly by: 'read_only' | 'disk_full';
  readonly why: string;
}

/** Who writes in a home only while this process holds it. */
export interface HomeWatcher {
  /** The home is held, and nothing else is opened yet. What it returns is called just before the home is let go. */
  hold(home: string): () => void;
  /** The start has failed; the home is still held, if it was. */
  failed(error: unknown): void;
}
/** What a start may take longer for. */
export type StartStep = 'migrating' | 'filling' | 'indexing' | 'restoring';

/** Is told what a start is doing, and how much of it is done, from 0 to 1, where that is known. */
export type WatchStart = (step: StartStep, part?: number) => void;

export interface DaemonOptions {
  readonly log: Log;
  /** Told when the home is held and let go. */
  readonly watcher?: HomeWatcher | undefined;
  /** How this daemon was started, as runtime.json tells a later "svcd restart". */
  readonly launch?: (() => Launch) | undefined;
  readonly clock?: Clock;
  /** Where the user's Key comes from. The sandbox has one of its own. */
  readonly keys?: UserKey;
  /** A Key that is known already, in place of `keys`. */
  readonly userKey?: string | undefined;
  /** Why the home that is meant cannot be written, when a copy of it is served. */
  readonly readOnly?: ReadOnlyHome | undefined;
  /** How often a home whose disk is full is asked whether it has room. */
  readonly roomEveryMs?: number;
  /** False for the same app in process, without a port. */
  readonly listens: boolean;
  /** How long to wait for a home that another process is just leaving. */
  readonly lockWaitMs?: number;
  /** Where somebody waits for the start. */
  readonly watch?: WatchStart | undefined;
  /** What was begun to be unpacked for the home before the daemon's code was loaded. */
  readonly prepared?: PreparedFiles | undefined;
  /** What the embedded sandbox is begun with. */
  readonly sandbox?: SandboxStartOptions | undefined;
  /** How often a hub asks whether a Key that was refused is taken again. */
  readonly keyLookMs?: number;
  readonly alertPace?: AlertPace;
  /** How long a lost paid call may still be at work at the remote. */
  readonly settleGraceMs?: number;
  /** How long a search may wait for the remote while the library is not complete. */
  readonly askWaitMs?: number;
  /** How often the copy of the library is written, if something changed. */
  readonly copyEveryMs?: number;
  /** The synonym table, in place of the shipped one. */
  readonly synonyms?: () => string;
  /** What shows a folder in a window of the system. */
  readonly openOutside?: OpenOutside;
  /** How what waits for the remote sleeps. */
  readonly sleep?: Sleep;
  /** The pace of requests, in place of the service's own. */
  readonly pace?: Partial<RateLimiterRules>;
  /** How long a daemon that has just started leaves the remote alone. */
  readonly syncAfterMs?: number;
  /** What one client may take of the port's time and memory. */
  readonly connectionLimits?: Partial<ConnectionLimits>;
}
