// svcd as a task of Windows that each logon starts. Its text is tested, the commands are not: no Windows was at hand.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { invalidArgument } from '../terminal/invalid-argument.js';
import { serviceWords } from './words.js';
import { commandOf, type Definition, readRecord, recordOf } from './definition.js';
import { expectDone } from './failure.js';
import { type ServiceManager, type ServiceState, unknownState } from './service-manager.js';
import { complaintOf, runTool, type ToolEnd } from './run-tool.js';
import { escapeXml, unescapeXml } from './xml.js';

export const task: ServiceManager = {
  kind: 'task',
  placeOf: (name) => `\\${name}`,
  outputCommand: () => undefined,
  assertUsable: async () => void (await command('/Query')),
  textOf: (definition) => taskText(definition, userInfo().username),
  read,
  recordIn: recordInTask,
  write,
  restart: async (name) => {
    await schtasks('/End', '/TN', name);
    await command('/Run', '/TN', name);
  },
  state,
  remove: async (name) => {
    await schtasks('/End', '/TN', name);
    await command('/Delete', '/TN', name, '/F');
  },
};

/** Through conhost.exe --headless: everything else that starts Node shows a window. */
export function taskText(definition: Definition, user: string): string {
  const args = ['--headless', ...commandOf(definition).map(quote)].join(' ');
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
function quote(word: string): string {
  if (/["%]/.test(word)) throw invalidArgument(serviceWords().taskQuote(word), serviceWords().quoteHint);
  return `"${word.replace(/(\\+)$/, '$1$1')}"`;
}

function recordInTask(name: string, text: string): Definition | undefined {
  const [, record = ''] = /<Documentation>(.*)<\/Documentation>/.exec(text) ?? [];
  return readRecord(name, unescapeXml(record));
}

/** The scheduler keeps a text of its own making, so that what was changed in it is not seen: ours is made from its record. */
async function read(name: string): Promise<string | undefined> {
  const end = await schtasks('/Query', '/TN', name, '/XML');
  if (end.code !== 0) return undefined;
  const definition = recordInTask(name, end.stdout);
  return definition === undefined ? end.stdout : task.textOf(definition);
}

/** The tool takes the text from a file, as UTF-16. */
async function write(name: string, text: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-task-'));
  try {
    const file = join(folder, 'task.xml');
    writeFileSync(file, `\ufeff${text}`, 'utf16le');
    await command('/Create', '/TN', name, '/XML', file, '/F');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The scheduler does not tell the process: the home's own runtime.json does. */
async function state(name: string): Promise<ServiceState> {
  const end = await schtasks('/Query', '/TN', name, '/XML');
  if (end.code !== 0) return unknownState(complaintOf(end));
  const enabled = !/<Settings>[^]*<Enabled>false<\/Enabled>[^]*<\/Settings>/.test(end.stdout);
  return { enabled, pid: null, failed: null, outdated: false, trouble: null };
}

async function command(...args: readonly string[]): Promise<string> {
  return expectDone(`schtasks ${args.join(' ')}`, await schtasks(...args));
}

function schtasks(...args: readonly string[]): Promise<ToolEnd> {
  return runTool('schtasks', args);
}
