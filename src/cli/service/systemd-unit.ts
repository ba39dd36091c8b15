// The text of a systemd user unit. Sources: systemd.service(5), systemd.syntax(7), systemd.exec(5).

import { invalidArgument } from '../terminal/invalid-argument.js';
import { serviceWords } from './words.js';
import { commandOf, CREDENTIALS, type Definition, readRecord, recordOf } from './definition.js';

const MARK = '# Written by "svcd service install"; "svcd service remove" removes it.';

/**
 * Exit codes that another start would not mend: a wrong setting (2), a home that is held (5), cannot be written (7) or is
 * damaged (8, 9), a platform (13), a newer file (16); and a second signal (130), which is a person's wish.
 */
const FINAL_CODES = '2 5 7 8 9 13 16 130';

/** Throws `invalid_argument` for a path that systemd cannot quote. */
export function unitText(definition: Definition): string {
  const [program = '', ...args] = commandOf(definition);
  const command = [quoteProgram(program), ...args.map((arg) => quote(arg, escapeAll))].join(' ');
  return `${MARK}
# To change it, run that again, or write a drop-in: "systemctl --user edit ${definition.name}.service".

[Unit]
Description=svcd (${escapePercent(definition.home)})
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${command}
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=${FINAL_CODES}
KillMode=mixed
UMask=0077
# What follows needs no administrator: no mount namespaces, which some systems keep from users.
NoNewPrivileges=yes
LockPersonality=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native

[Install]
WantedBy=default.target

[X-Svcd]
Installed=${recordOf(definition)}
`;
}

/** What the unit was written from; undefined for one that svcd did not write. */
export function recordInUnit(name: string, text: string): Definition | undefined {
  if (!text.startsWith(MARK)) return undefined;
  return readRecord(name, /^\[X-Svcd\]\nInstalled=(.*)$/m.exec(text)?.[1]);
}

/** systemd takes no quotes and backslashes in the program's own path, however they are written (string_is_safe). */
function quoteProgram(path: string): string {
  if (/["'\\]/.test(path))
    throw invalidArgument(serviceWords().programQuote(JSON.stringify(path)), serviceWords().quoteHint);
  return quote(path, escapePercent);
}

/** A word between quotes, with C escapes. Throws `invalid_argument` for what has none, or breaks the line. */
function quote(word: string, escape: (text: string) => string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for. U+FFFD stands for bytes that are no UTF-8.
  if (/[\u0000-\u001f\u007f\ufffd]/.test(word)) {
    throw invalidArgument(serviceWords().unquotable(JSON.stringify(word)), serviceWords().quoteHint);
  }
  return `"${escape(word.replaceAll(/["\\]/g, String.raw`\$&`))}"`;
}

/** `%` begins a specifier everywhere. */
function escapePercent(text: string): string {
  return text.replaceAll('%', '%%');
}

/** `$` begins a variable in arguments, and in them only: the program's own path is taken as it is. */
function escapeAll(text: string): string {
  const credentials = `--key-file=${CREDENTIALS}/`;
  if (text.startsWith(credentials)) return credentials + escapeAll(text.slice(credentials.length));
  return escapePercent(text).replaceAll('$', '$$$$');
}
