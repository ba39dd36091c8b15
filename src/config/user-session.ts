// What the system says of the user's session: where units and agents lie, and who asked for administrator's rights.

import { isAbsolute, join } from 'node:path';
import { userFolder } from '../platform/files/user-folder.js';
import type { Environment } from './config.js';
import { SETTINGS } from './settings.js';

/** The folder of systemd's user units. */
export function unitFolder(env: Environment = process.env): string {
  const { XDG_CONFIG_HOME = '' } = env;
  // A relative path is to be ignored, by the XDG Base Directory Specification.
  return join(isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(userFolder(), '.config'), 'systemd', 'user');
}

/** The folder of the user's sockets, such as that of systemd: where it usually is when a bare `su` has not named it. */
export function runtimeFolder(env: Environment = process.env): string | undefined {
  const { XDG_RUNTIME_DIR = '' } = env;
  if (XDG_RUNTIME_DIR !== '') return XDG_RUNTIME_DIR;
  const uid = process.getuid?.();
  return uid === undefined ? undefined : `/run/user/${uid}`;
}

/** Who called `sudo`, if this is the root it made. */
export function findSudoUser(env: Environment = process.env): string | undefined {
  return process.getuid?.() === 0 && env['SUDO_UID'] !== '0' ? env['SUDO_USER'] : undefined;
}

/** Names of variables that steer svcd in this terminal; a service does not get them. The home is always written down. */
export function steeringVariables(env: Environment = process.env): string[] {
  const names = [
    ...SETTINGS.filter(({ name }) => name !== 'home').map((one) => one.env),
    'SERVICE_API_KEY',
    ...NETWORK,
  ];
  return names.filter((name) => (env[name] ?? '') !== '');
}

const NETWORK = ['HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy', 'NODE_EXTRA_CA_CERTS'];
