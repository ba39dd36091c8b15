// What a Key may do beside spending: the document names permissions for music only.

import { SvcdError } from '../model/errors.js';
import type { Permission } from './control-requests.js';
import type { Key } from './keyring.js';

/** Throws `permission_missing` unless the Key has all of them. */
export function requirePermissions({ permissions }: Key, needed: readonly Permission[]): void {
  const missing = needed.filter((permission) => !permissions.includes(permission));
  if (missing.length === 0) return;
  throw new SvcdError('permission_missing', `This Key does not have ${missing.join(' and ')}.`, {
    hint: 'The owner of the Key can give it.',
  });
}
