// The remote of a home with its policies: the service, the sandbox inside, or the hub that the home belongs to.

import { REQUESTS_PER_MINUTE } from '../contract/limits.js';
import type { Config } from '../config/config.js';
import type { SvcdError } from '../model/errors.js';
import type { Cleanup } from '../platform/cleanup.js';
import { systemClock } from '../platform/clock.js';
import { createExchanger, type Exchange, type Exchanger, type RemoteRequest, unreached } from '../upstream/exchange.js';
import { createHubExchanger } from '../hub/member/hub-exchanger.js';
import { HUB_POLICIES } from '../hub/member/hub-policies.js';
import { createConnector } from '../upstream/open-connection.js';
import { createRemote, PACE_WINDOW_MS, type Remote } from '../upstream/remote.js';
import { wayOf } from '../upstream/trusted-certificates.js';
import type { DaemonOptions } from './daemon-options.js';
import { followHubs } from '../hub/member/follow-hubs.js';
import { nameProcess, PROCESS } from '../hub/member/name-process.js';
import type { OpenHome } from './open-home.js';

/** A service that takes ten seconds is slow, and not away: told that it is, all machines would have defaults. */
const HUB_SILENT_AFTER_MS = 20_000;

/** What looks at each exchange. */
export interface Watch {
  /** Told how it ended. */
  readonly note: (request: RemoteRequest, result: Exchange) => void;
  /** Why it must not begin; undefined where it may. */
  readonly findRefusal: (request: RemoteRequest) => SvcdError | undefined;
}

export function connectRemote(
  config: Config,
  { belonging, sandbox, stores, hub: own }: OpenHome,
  options: DaemonOptions,
  { note, findRefusal }: Watch,
  cleanup: Cleanup,
): Remote | undefined {
  const { clock = systemClock, log, sleep } = options;
  const noting =
    (exchange: Exchanger): Exchanger =>
    async (request) => {
      const refusal = findRefusal(request);
      if (refusal !== undefined) return unreached(refusal);
      const result = await exchange(request);
      note(request, result);
      return result;
    };
  const common = {
    forcedOffline: config.offline,
    clock,
    log,
    ...(sleep !== undefined && { sleep }),
  };
  if (belonging.kind === 'hub') {
    const { addresses, pin, token } = belonging.membership;
    const project = config.project === undefined ? {} : { 'X-Svcd-Project': config.project };
    const named = options.readOnly === undefined ? { [PROCESS]: nameProcess(config.home, cleanup) } : {};
    const headers = { ...project, ...named };
    const hub = createHubExchanger({ addresses, pin, token, headers });
    const follow = options.listens && options.readOnly === undefined && !config.offline;
    const following = follow ? followHubs(config.home, belonging.membership, hub, log) : undefined;
    cleanup.push(async () => {
      hub.close();
      await following?.stop();
    });
    return createRemote({
      ...common,
      policies: HUB_POLICIES,
      baseUrl: addresses[0] ?? '',
      exchanger: noting(hub.exchange),
      // It is shown; what a purchase became the hub tells.
      watchBalance: (keyId) => (credits) => stores.accounts.noteBalance(keyId, credits),
    });
  }
  const baseUrl = sandbox?.url ?? config.remote;
  // With a broken hub.json nobody knows who pays.
  if (baseUrl === undefined || belonging.kind === 'broken') return undefined;
  const exchanger = createExchanger(baseUrl, createConnector(sandbox === undefined ? wayOf(config) : {}));
  return createRemote({
    ...common,
    baseUrl,
    // The machines of a hub decide by themselves how long their clients wait.
    silentAfterMs: own === undefined ? config.deadlineMs : Math.max(config.deadlineMs, HUB_SILENT_AFTER_MS),
    exchanger: noting(exchanger),
    watchBalance: (keyId, cost) => stores.watchBalance(keyId, cost),
    turns: stores.turns,
    pace: {
      windowMs: PACE_WINDOW_MS,
      backgroundShare: harvestShare(config) / REQUESTS_PER_MINUTE,
      ...own?.pace,
      ...options.pace,
    },
  });
}

/** Requests a minute that filling the library may take. */
export function harvestShare({ syncShare }: Config): number {
  return Math.max(1, Math.floor((REQUESTS_PER_MINUTE * syncShare) / 100));
}
