// svcd as an agent of launchd (launchd.plist(5)). Its text is tested, the commands are not: no Mac was at hand.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder, replaceFile } from '../../platform/files/files.js';
import { commandOf, type Definition, readRecord, recordOf } from './definition.js';
import { expectDone, withFile } from './failure.js';
import { type ServiceManager, type ServiceState, unknownState } from './service-manager.js';
import { complaintOf, runTool, type ToolEnd } from './run-tool.js';
import { escapeXml, unescapeXml } from './xml.js';

export const launchd: ServiceManager = {
  kind: 'launchd',
  placeOf: fileOf,
  outputCommand: () => undefined,
  assertUsable: async () => void (await command('print', domain())),
  textOf: plistText,
  read: async (name) =>
    withFile(fileOf(name), () => (existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8') : undefined)),
  recordIn: recordInPlist,
  write: async (name, text) => {
    await withFile(fileOf(name), () => {
      makeFolder(dirname(fileOf(name)), 0o755);
      replaceFile(fileOf(name), text);
    });
    await command('enable', `${domain()}/${name}`);
  },
  restart,
  state,
  remove: async (name) => {
    // Fails where it was not loaded, which is what is wanted.
    await launchctl('bootout', `${domain()}/${name}`);
    await withFile(fileOf(name), () => rmSync(fileOf(name), { force: true }));
  },
};

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

function recordInPlist(name: string, text: string): Definition | undefined {
  const [, record = ''] = /<key>SvcdInstalled<\/key>\s*<string>(.*)<\/string>/.exec(text) ?? [];
  return readRecord(name, unescapeXml(record));
}

function fileOf(name: string): string {
  return join(homedir(), 'Library', 'LaunchAgents', `${name}.plist`);
}

function domain(): string {
  return `gui/${process.getuid?.() ?? 0}`;
}

const TRIES = 20;
const AGAIN_AFTER_MS = 500;

/** launchd unloads in the background, and refuses to load until that is done. */
async function restart(name: string): Promise<void> {
  await launchctl('bootout', `${domain()}/${name}`);
  const args = ['bootstrap', domain(), fileOf(name)];
  let end = await launchctl(...args);
  for (let tries = 1; end.code !== 0 && tries < TRIES; tries++) {
    await sleep(AGAIN_AFTER_MS);
    end = await launchctl(...args);
  }
  expectDone(`launchctl ${args.join(' ')}`, end);
}

async function state(name: string): Promise<ServiceState> {
  const end = await launchctl('print', `${domain()}/${name}`);
  if (end.code === undefined) return unknownState(complaintOf(end));
  const pid = /^\s*pid = (\d+)$/m.exec(end.stdout)?.[1];
  const exit = /^\s*last exit code = (\d+)/m.exec(end.stdout)?.[1];
  return {
    // Not loaded is what a login mends, unless it was disabled; both are mended by installing.
    enabled: end.code === 0,
    pid: pid === undefined ? null : Number(pid),
    failed: exit === undefined || exit === '0' ? null : exit,
    outdated: false,
    trouble: null,
  };
}

async function command(...args: readonly string[]): Promise<string> {
  return expectDone(`launchctl ${args.join(' ')}`, await launchctl(...args));
}

function launchctl(...args: readonly string[]): Promise<ToolEnd> {
  return runTool('launchctl', args);
}
