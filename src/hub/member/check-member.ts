// The hub that a home belongs to, as the checks of its health find it: whether it answers, and whether it still knows this
// machine.

import type { Config } from '../../config/config.js';
import { findBelonging } from '../../config/membership.js';
import { type ErrorCode, isSvcdError } from '../../model/errors.js';
import { endSetting } from '../../operations/health/file-checks.js';
import { bad, ok, type Told, warn } from '../../operations/health/finding.js';
import { notNeeded } from '../../operations/health/remote-checks.js';
import { type HubClient, openHubClient } from './hub-client.js';

/** The findings of a home that belongs to a hub; undefined where it belongs to none. `isForced`: a daemon was told to be offline. */
export async function checkMember(
  { home, offline, project }: Pick<Config, 'home' | 'offline' | 'project'>,
  isForced: boolean,
): Promise<Told[] | undefined> {
  const belonging = findBelonging(home);
  if (belonging.kind === 'alone') return undefined;
  const others = notNeeded('@at_hub');
  if (belonging.kind === 'broken')
    return [bad('hub_unreadable', [belonging.error.message], 'svcd hub leave'), ...others];
  const { addresses, pin, token, project: usual, machine } = belonging.membership;
  const address = addresses[0] ?? '';
  if (offline || isForced) {
    return [
      warn('remote_offline', [address], offline ? await endSetting(home, 'offline') : 'svcd offline --off'),
      ...others,
    ];
  }
  const hub = openHubClient({ addresses, pin, token });
  try {
    await hub.ask('GET', '/svcd/hub');
    const answers = ok('hub_ok', [hub.address(), project ?? usual, machine.name]);
    const problem = await findKeyProblem(hub);
    return [
      answers,
      ...others.filter(({ name }) => problem === undefined || name !== 'Key'),
      ...(problem === undefined ? [] : [{ name: 'Key', ...problem }]),
    ];
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    const again = 'svcd hub leave && svcd hub join CODE';
    if (error.code === 'hub_certificate_changed') return [bad('hub_certificate', [address], again), ...others];
    const isRefused = error.code === 'machine_revoked' || error.code === 'not_a_machine';
    const away = warn('hub_away', [address, error.message]);
    return [isRefused ? bad('hub_refused', [error.message], again) : away, ...others];
  } finally {
    hub.close();
  }
}

const OF_KEY: readonly ErrorCode[] = ['invalid_key', 'key_disabled', 'key_limit_exceeded'];

/** What is wrong with the hub's Key, which the service is asked by way of the hub, for nothing. */
async function findKeyProblem(hub: HubClient): Promise<Told | undefined> {
  try {
    await hub.ask('GET', '/api/v1/me');
    return undefined;
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    if (error.code === 'hub_without_key') return bad('key_hub_none');
    return OF_KEY.includes(error.code) ? bad('key_hub_wrong', [error.message]) : undefined;
  }
}
