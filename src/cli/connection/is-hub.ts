// Whether a home is that of a hub.

import { loadConfig } from '../../config/config.js';
import { isSvcdError } from '../../model/errors.js';
import { askDaemon, findRunningDaemon } from './running-daemon.js';

/** Whether the home is set to be a hub, or one runs on it that was started so by its options alone. */
export async function isHub(home: string): Promise<boolean> {
  if ((await loadConfig({ home })).hubListen !== undefined) return true;
  const running = await findRunningDaemon(home);
  if (running === undefined) return false;
  try {
    await askDaemon(running, 'GET', '/svcd/hub/status');
    return true;
  } catch (error) {
    if (isSvcdError(error)) return false;
    throw error;
  }
}
