// Going offline because the user wants it, and coming back: at once, and remembered for the next start.

import type { Log } from '../platform/log.js';

/** As much of the way to the remote as this needs. */
export interface Switchable {
  setForcedOffline(wanted: boolean): void;
}

export interface Switched {
  readonly offline: boolean;
  /** Whether it could be written down for the next start. */
  readonly kept: boolean;
}

export type SwitchOffline = (offline: boolean) => Switched;

/** Switches the way to a remote, if there is one; `keep` writes the wish down and may throw. */
export function createSwitchOffline(
  way: Switchable | undefined,
  keep: (offline: boolean) => void,
  log: Log,
): SwitchOffline {
  return (offline) => {
    // First of all the switch: a full disk must not hold svcd online.
    way?.setForcedOffline(offline);
    log.info(offline ? 'svcd is offline now' : 'svcd is online now');
    try {
      keep(offline);
      return { offline, kept: true };
    } catch (error) {
      log.warn('config.json could not be written, so the next start will not know', { why: String(error) });
      return { offline, kept: false };
    }
  };
}
