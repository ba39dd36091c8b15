// The value of a setting as it may be shown: a proxy without user and password, a database without its password.

import { type Flags, SETTINGS } from './config.js';
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

/** Typed settings without those that hold a password; these as variables, which no other user can read. */
export function passwordsApart(flags: Flags): {
  readonly open: Flags;
  readonly secret: Readonly<Record<string, string>>;
} {
  const hidden = SETTINGS.filter((setting) => {
    const value = flags[setting.flag];
    return typeof value === 'string' && shownValue({ setting, value }) !== value;
  });
  const names = new Set(hidden.map(({ flag }) => flag));
  return {
    open: Object.fromEntries(Object.entries(flags).filter(([name]) => !names.has(name))),
    secret: Object.fromEntries(hidden.map(({ flag, env }) => [env, String(flags[flag])])),
  };
}
