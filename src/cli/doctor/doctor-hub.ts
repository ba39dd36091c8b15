// The hub that a home belongs to, as the doctor finds it: whether it answers, and whether it still knows this machine.

import type { Config } from '../../config/config.js';
import { findBelonging } from '../../config/membership.js';
import { isSvcdError, type ErrorCode } from '../../model/errors.js';
import type { DaemonState } from './doctor-daemon.js';
import { type Finding, findingsOf, svcd } from './doctor-finding.js';
import { endSetting } from './doctor-home.js';
import { openHubClient, type HubClient } from '../hub/hub-client.js';

/** The checks of a home that belongs to a hub; undefined where it belongs to none. */
export async function checkHub(
  { home, offline, project }: Config,
  daemon: DaemonState,
): Promise<Finding[] | undefined> {
  const belonging = findBelonging(home);
  if (belonging.kind === 'alone') return undefined;
  const { ok, warn, bad } = findingsOf('remote');
  const others = [keyAtHub(), findingsOf('keychain').ok('keychain_hub', [])];
  if (belonging.kind === 'broken')
    return [bad('hub_unreadable', [belonging.error.message], svcd('hub leave')), ...others];
  const { addresses, pin, token, project: usual, machine } = belonging.membership;
  const address = addresses[0] ?? '';
  if (offline || daemon.running?.status.remote.forced === true) {
    const end = offline ? await endSetting(home, 'offline') : svcd('offline --off');
    return [warn('hub_offline', [address], end), ...others];
  }
  const hub = openHubClient({ addresses, pin, token });
  try {
    await hub.ask('GET', '/svcd/hub');
    const [, ...rest] = others;
    const answers = ok('hub_ok', [hub.address(), project ?? usual, machine.name]);
    return [answers, (await findKeyProblem(hub)) ?? keyAtHub(), ...rest];
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    const again = `${svcd('hub leave')} && ${svcd('hub join')} CODE`;
    if (error.code === 'hub_certificate_changed') return [bad('hub_certificate', [address], again), ...others];
    const isRefused = error.code === 'machine_revoked' || error.code === 'not_a_machine';
    return [
      isRefused ? bad('hub_refused', [error.message], again) : warn('hub_away', [address, error.message]),
      ...others,
    ];
  } finally {
    hub.close();
  }
}

function keyAtHub(): Finding {
  return findingsOf('Key').ok('key_hub', []);
}

const OF_KEY: readonly ErrorCode[] = ['invalid_key', 'key_disabled', 'key_limit_exceeded'];

/** What is wrong with the hub's Key, which the service is asked by way of the hub, for nothing. */
async function findKeyProblem(hub: HubClient): Promise<Finding | undefined> {
  try {
    await hub.ask('GET', '/api/v1/me');
    return undefined;
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    const { bad } = findingsOf('Key');
    if (error.code === 'hub_without_key') return bad('key_hub_none', []);
    return OF_KEY.includes(error.code) ? bad('key_hub_wrong', [error.message]) : undefined;
  }
}
