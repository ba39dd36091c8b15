// The value of a setting as it may be shown: a proxy without user and password, a database without its password.

import { hideDatabasePassword, hidePassword } from './parse-setting.js';

const SHOWN: Readonly<Record<string, (value: string) => string>> = {
  proxy: hidePassword,
  hubDatabase: hideDatabasePassword,
  hubDatabaseOwner: hideDatabasePassword,
};

export function shownValue<T>({
  setting,
  value,
}: {
  setting: { readonly name: string };
  readonly value: T;
}): T | string {
  const show = SHOWN[setting.name];
  return value === undefined || show === undefined ? value : show(String(value));
}
