// Goes offline because the user wants it, and back online: at once, and remembered for the next start.

import type { offline as offlineSchema } from '../../api/answers.js';
import type { Told } from '../../api/operation.js';
import type { Log } from '../../platform/log.js';
import type { Remote } from '../../upstream/remote.js';

export type SwitchOffline = (offline: boolean) => Told<typeof offlineSchema>;

/** Switches a remote, if there is one; `keep` writes the setting down and may throw. */
export function createSwitchOffline(
  remote: Pick<Remote, 'setForcedOffline'> | undefined,
  keep: (offline: boolean) => void,
  log: Log,
): SwitchOffline {
  return (offline) => {
    // First of all the switch: a full disk must not hold svcd online.
    remote?.setForcedOffline(offline);
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
