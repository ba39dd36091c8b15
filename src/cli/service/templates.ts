// The texts of a service: a user unit of systemd (systemd.service(5), systemd.syntax(7), systemd.exec(5)), an agent of launchd
// (launchd.plist(5)), a logon task of Windows. Each carries the record that it was made from.

import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findHome } from '../../config/find-home.js';
import { INSTALLATION, VERSION } from '../../platform/installation.js';
import { parseJson } from '../../platform/json.js';
import { invalidArgument } from '../terminal/input.js';
import { serviceWords } from './words.js';

const MARK = '# Written by "svcd service install"; "svcd service remove" removes it.';

/**
 * Exit codes that another start would not mend: a wrong setting (2), a home that is held (5), cannot be written (7) or is
 * damaged (8, 9), a platform (13); and a second signal (130), which is a person's wish. A newer file (16) an upgrade mends.
 */
const FINAL_CODES = '2 5 7 8 9 13 130';

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

/** `KeepAlive.SuccessfulExit` false: started again after a failure, and not after "svcd stop". */
export function plistText(definition: Definition): string {
  const strings = commandOf(definition).map((word) => `    <string>${escapeXml(word)}</string>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by "svcd service install"; "svcd service remove" removes it. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${escapeXml(definition.name)}</string>
  <key>ProgramArguments</key>
  <array>
${strings.join('\n')}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>30</integer>
  <key>Umask</key>
  <integer>63</integer>
  <key>SvcdInstalled</key>
  <string>${escapeXml(recordOf(definition))}</string>
</dict>
</plist>
`;
}

/** Through conhost.exe --headless: everything else that starts Node shows a window. */
export function taskText(definition: Definition, user: string): string {
  const args = ['--headless', ...commandOf(definition).map(quoteArgument)].join(' ');
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Written by "svcd service install"; "svcd service remove" removes it.</Description>
    <Documentation>${escapeXml(recordOf(definition))}</Documentation>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <UserId>${escapeXml(user)}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${escapeXml(user)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>5</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>conhost.exe</Command>
      <Arguments>${escapeXml(args)}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

/** As the C runtime reads arguments. Throws `invalid_argument` for `%`, which the Task Scheduler expands. */
function quoteArgument(word: string): string {
  if (/["%]/.test(word)) throw invalidArgument(serviceWords().taskQuote(word), serviceWords().quoteHint);
  return `"${word.replace(/(\\+)$/, '$1$1')}"`;
}

/** systemd takes no quotes and backslashes in the program's own path, however they are written (string_is_safe). */
function quoteProgram(path: string): string {
  if (/["'\\]/.test(path))
    throw invalidArgument(serviceWords().programQuote(JSON.stringify(path)), serviceWords().quoteHint);
  return quote(path, escapePercent);
}

/** A word between quotes, with C escapes. Throws `invalid_argument` for what has none, or breaks the line. */
function quote(word: string, escape: (text: string) => string): string {
  refuseControl(word);
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

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Throws `invalid_argument` for characters that XML 1.0 does not have. */
function escapeXml(text: string): string {
  refuseControl(text);
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}

function unescapeXml(text: string): string {
  return Object.entries(ENTITIES).reduceRight((into, [sign, entity]) => into.replaceAll(entity, sign), text);
}

function refuseControl(text: string): void {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for. U+FFFD stands for bytes that are no UTF-8.
  if (!/[\u0000-\u001f\u007f\ufffd]/.test(text)) return;
  throw invalidArgument(serviceWords().unquotable(JSON.stringify(text)), serviceWords().quoteHint);
}

/** Never a Key, a token or a part of the environment: other users may read what the system keeps. */
export interface Definition {
  /** The same on every platform: `svcd`, or `svcd-NAME-HASH` for another home than the usual one. */
  readonly name: string;
  readonly home: string;
  readonly node: string;
  readonly script: string;
  /** Settings as arguments of `svcd start`, such as `--port=7900`. */
  readonly flags: readonly string[];
  /** Of the svcd that wrote it. */
  readonly version: string;
}

/** The path that systemd fills in, when a unit has credentials (systemd.exec, LoadCredential). */
export const CREDENTIALS = '${CREDENTIALS_DIRECTORY}';

/** What this svcd would write for a home. */
export async function define(home: string, flags: readonly string[]): Promise<Definition> {
  return {
    name: await nameFor(home),
    home,
    node: process.execPath,
    script: fileURLToPath(new URL('bin/svcd.js', INSTALLATION)),
    flags,
    version: VERSION,
  };
}

/**
 * A name for each home, so that several can have a service. Its own folder's name is in it, for people; the hash tells
 * apart homes whose folders are named alike.
 */
export async function nameFor(home: string): Promise<string> {
  const [own, usual] = [realOf(home), realOf(await findHome({}, {}).catch(() => ''))];
  if (own === usual) return 'svcd';
  const readable = basename(own)
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 24)
    .toLowerCase();
  const hash = createHash('sha256').update(own).digest('hex').slice(0, 8);
  return ['svcd', readable, hash].filter((part) => part !== '').join('-');
}

/** The program and its arguments. */
function commandOf({ node, script, home, flags }: Definition): string[] {
  return [node, script, 'start', `--home=${home}`, ...flags];
}

/** One line that the file of a service carries, from which it can be written again. */
function recordOf({ home, node, script, flags, version }: Definition): string {
  return JSON.stringify({ home, node, script, flags, version });
}

const RECORD_IN_UNIT = /^\[X-Svcd\]\nInstalled=(.*)$/m;
const RECORD_IN_XML = /<key>SvcdInstalled<\/key>\s*<string>(.*)<\/string>|<Documentation>(.*)<\/Documentation>/;

/** What the text of a service was written from, on any system; undefined for one that svcd did not write. */
export function recordIn(name: string, text: string): Definition | undefined {
  const [, plist, task = ''] = RECORD_IN_XML.exec(text) ?? [];
  const inUnit = text.startsWith(MARK) ? RECORD_IN_UNIT.exec(text)?.[1] : undefined;
  const line = inUnit ?? unescapeXml(plist ?? task);
  const { home, node, script, flags, version } = (parseJson(Buffer.from(line)) ?? {}) as Partial<Definition>;
  if (![home, node, script, version].every((one) => typeof one === 'string') || !Array.isArray(flags)) return undefined;
  return { name, home, node, script, flags, version } as Definition;
}

/** Settings that were typed, over those of before; a flag's last value counts. */
export function mergeFlags(before: readonly string[], typed: readonly string[]): string[] {
  const byName = new Map([...before, ...typed].map((flag) => [flag.split('=', 1)[0], flag]));
  return [...byName.values()];
}

function realOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
