// The texts of a service: a user unit of systemd (systemd.service(5), systemd.syntax(7), systemd.exec(5)), an agent of launchd
// (launchd.plist(5)), a logon task of Windows. Each carries the record that it was made from.

import { invalidArgument } from '../terminal/invalid-argument.js';
import { commandOf, CREDENTIALS, type Definition, readRecord, recordOf } from './definition.js';
import { serviceWords } from './words.js';

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

export function recordInPlist(name: string, text: string): Definition | undefined {
  const [, record = ''] = /<key>SvcdInstalled<\/key>\s*<string>(.*)<\/string>/.exec(text) ?? [];
  return readRecord(name, unescapeXml(record));
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

export function recordInTask(name: string, text: string): Definition | undefined {
  const [, record = ''] = /<Documentation>(.*)<\/Documentation>/.exec(text) ?? [];
  return readRecord(name, unescapeXml(record));
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
