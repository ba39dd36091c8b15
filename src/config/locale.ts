// The language that a person wants to read, as the system names it.

import type { Environment } from './config.js';

/**
 * Locales such as `zh_CN.UTF-8` or `zh`, the most wanted first, as gettext reads them. None in the locale C, and none for
 * a charset other than UTF-8, which is all that svcd writes: English is readable there.
 */
export function wantedLocales(env: Environment = process.env, system = systemLocale): readonly string[] {
  const locale = firstSet(env['LC_ALL'], env['LC_MESSAGES'], env['LANG']) ?? system();
  // LANGUAGE means nothing there, as for gettext.
  if (locale === undefined || /^(?:C|POSIX)(?:\.|$)/.test(locale)) return [];
  // A locale without a charset, such as zh_CN, is nearly always UTF-8 nowadays.
  const [, charset = 'UTF-8'] = /\.([^@]+)/.exec(firstSet(env['LC_ALL'], env['LC_CTYPE'], env['LANG']) ?? '') ?? [];
  if (!/^utf-?8$/i.test(charset)) return [];
  return firstSet(env['LANGUAGE'])?.split(':') ?? [locale];
}

function firstSet(...values: readonly (string | undefined)[]): string | undefined {
  return values.find((one) => one !== undefined && one !== '');
}

/** Windows has no such variables; elsewhere this would be made of them. */
function systemLocale(): string | undefined {
  return process.platform === 'win32' ? new Intl.DateTimeFormat().resolvedOptions().locale : undefined;
}
