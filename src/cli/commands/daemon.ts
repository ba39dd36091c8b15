// svcd start, stop, status, offline, online and open: the daemon itself.

import { setTimeout as sleep } from 'node:timers/promises';
import type { DaemonStatus, RemoteStatus } from '../../api/answers.js';
import { type Flags, settleSettings, writeSetting } from '../../config/config.js';
import { SANDBOX } from '../../config/last-used.js';
import { chooseRemote } from '../../config/remote-choice.js';
import { SvcdError } from '../../model/errors.js';
import { systemClock } from '../../platform/clock.js';
import { prepareHome } from '../../platform/home-folder.js';
import { isAlive } from '../../platform/process-alive.js';
import { type Bodies, type CommandBody, switchOption } from '../command.js';
import { formatCount, formatDuration, formatFields, formatNumber, sanitize } from '../format.js';
import type { Input } from '../input.js';
import { invalidArgument } from '../invalid-argument.js';
import { readSandboxOptions, readSettingFlags, SANDBOX_OPTIONS, SETTING_OPTIONS } from '../options.js';
import { printAnswer } from '../output.js';
import { askDaemon, findRunningDaemon, getRunningDaemon, type RunningDaemon } from '../running-daemon.js';
import { describeKeychain, describeKeySource } from '../user-key.js';

const STOP_TIMEOUT_MS = 15_000;
const STOP_POLL_MS = 50;

const startCommand: CommandBody = {
  options: {
    ...SETTING_OPTIONS,
    ...SANDBOX_OPTIONS,
    detach: switchOption('Run in the background and return when it is ready.'),
    'until-input-ends': switchOption('Stop when standard input ends: for a program that starts svcd for itself.'),
  },
  examples: [
    'svcd start --sandbox # try everything without an account',
    'svcd start --sandbox --fresh --seed 1 --with music,tasks # the same sandbox every time, with all parts',
    'svcd start --remote https://assets.example.com # use the real service',
    'svcd start --detach --json # start it from a script',
  ],
  run: async (input) => {
    const flags = readSettingFlags(input);
    refuseBoth(flags);
    const sandbox = readSandboxOptions(input);
    if (input.flag('detach') === true) {
      const { startDetached } = await import('../detach.js');
      return startDetached(flags, sandbox, input.json);
    }
    const { serve } = await import('../serve.js');
    return serve(flags, sandbox, { json: input.json, untilInputEnds: input.flag('until-input-ends') });
  },
};

const STAYS =
  'This home stays with the sandbox: "svcd start" starts it again, and commands answer from it. ' +
  '"svcd config set remote https://…" ends that.';

/** That nothing runs is a success: the daemon is stopped. */
const stopCommand: CommandBody = {
  examples: ['svcd stop # succeeds when nothing runs, too'],
  run: async (input) => {
    const home = await input.home();
    const running = await findRunningDaemon(home);
    if (running !== undefined) await stopDaemon(running);
    const next = await chooseRemote({ home }).catch(() => undefined);
    return printAnswer(input, { stopped: running !== undefined, pid: running?.pid, home }, () =>
      running === undefined
        ? `svcd does not run on ${home}; there is nothing to stop.`
        : [
            `svcd at ${running.url} (process ${running.pid}) has stopped.`,
            ...(running.status.remote.sandbox && next?.remote === SANDBOX ? [STAYS] : []),
          ],
    );
  },
};

const statusCommand: CommandBody = {
  examples: ['svcd status # for a person', 'svcd status --json # for a script; exit code 4 when nothing runs'],
  run: async (input) => {
    const home = await input.home();
    const { status } = await getRunningDaemon(home);
    return printAnswer(input, { ...status, home }, () => describeStatus(status, home));
  },
};

const offlineCommand: CommandBody = {
  examples: ['svcd offline # search, match and owned files still work; nothing can be bought'],
  run: (input) =>
    switchOffline(
      input,
      true,
      'Search, match and owned files still work; what would have to be bought gets a default.',
    ),
};

const onlineCommand: CommandBody = {
  examples: ['svcd online # after "svcd offline"'],
  run: (input) => switchOffline(input, false, '"svcd status" shows whether the remote can be reached.'),
};

export const bodies: Bodies = {
  start: startCommand,
  stop: stopCommand,
  status: statusCommand,
  offline: offlineCommand,
  online: onlineCommand,
};

/** Typed both, they contradict each other. */
function refuseBoth(flags: Flags): void {
  if (flags['remote'] === undefined || flags['sandbox'] !== true) return;
  throw invalidArgument('--sandbox and --remote exclude each other: the sandbox is a remote');
}

async function stopDaemon(running: RunningDaemon): Promise<void> {
  await askDaemon(running, 'POST', '/svcd/stop');
  for (let waitedMs = 0; waitedMs < STOP_TIMEOUT_MS; waitedMs += STOP_POLL_MS) {
    if (!isAlive(running.pid)) return;
    await sleep(STOP_POLL_MS);
  }
  const message = `svcd (process ${running.pid}) still runs after ${STOP_TIMEOUT_MS / 1000} s`;
  throw new SvcdError('timeout', message, {
    hint: 'It finishes the requests in flight and ends then; nothing needs to be done.',
  });
}

function describeStatus(status: DaemonStatus, home: string): string[] {
  const { remote } = status;
  return [
    sanitize(`svcd ${status.version} runs at ${status.url} (process ${status.pid})`),
    '',
    ...formatFields({
      up: formatDuration(systemClock.now() - Date.parse(status.started_at)),
      library: formatCount(status.library.stickers, 'sticker'),
      owned: formatNumber(status.owned.items),
      remote: `${remote.sandbox ? 'the sandbox at ' : ''}${remote.address ?? 'none'}`,
      ...(remote.proxy !== null && { proxy: remote.proxy }),
      way: describeConnection(remote),
      ...(status.spending_stopped !== null && {
        spending: sanitize(`stopped: ${status.spending_stopped.why}. ${status.spending_stopped.hint}`),
      }),
      Key: describeKeySource(status.key_source),
      keychain: describeKeychain(status.keychain),
      home,
    }),
  ];
}

/** How long the service still wants to be left alone. */
function describeHold(until: string): string {
  const duration = formatDuration(Date.parse(until) - systemClock.now());
  return `held back for ${duration}: the service asked for that (Retry-After); "svcd online" ends it`;
}

/** Whether the remote is asked; if not, since when and why. */
function describeConnection({ answered, offline, forced, since, why, held_until: heldUntil }: RemoteStatus): string {
  if (!offline && heldUntil !== null) return describeHold(heldUntil);
  if (!offline) return answered ? 'online' : 'not known yet: nothing has been asked since the start';
  const duration = since === null ? '' : ` for ${formatDuration(systemClock.now() - Date.parse(since))}`;
  if (forced) return `offline${duration}, because svcd was told so; "svcd online" ends it`;
  return `offline${duration}: ${why ?? 'the remote is away'}; svcd finds the way back by itself`;
}

/** Tells a running daemon, which writes it to config.json for the next start; without a daemon writes it here. */
async function switchOffline(input: Input, offline: boolean, effect: string): Promise<void> {
  const home = await input.home();
  const running = await findRunningDaemon(home);
  if (running === undefined) {
    prepareHome(home);
    writeSetting(home, 'offline', String(offline));
  }
  const { kept: written } =
    running === undefined
      ? { kept: true }
      : await askDaemon<{ kept: boolean }>(running, 'POST', '/svcd/offline', { offline });
  const kept = written && (await isKept(home, offline));
  input.answeredBy.sandbox = running?.status.remote.sandbox ?? false;
  const answer = { offline, url: running?.url ?? null, kept, home };
  return printAnswer(input, answer, () => {
    const state = offline ? 'offline' : 'online';
    if (running !== undefined) {
      const next = kept ? 'and will be after a restart' : 'but not after a restart: see "svcd config"';
      return [`svcd at ${running.url} is ${state} now, ${next}.`, effect];
    }
    return kept
      ? `svcd does not run; it will be ${state} from the next start on.`
      : `svcd does not run, and its next start will not be ${state}: see "svcd config".`;
  });
}

/** What a start without flags would use: SVCD_OFFLINE in the environment overrides the file. */
async function isKept(home: string, offline: boolean): Promise<boolean> {
  const settled = await settleSettings({ home });
  return settled.find(({ setting }) => setting.name === 'offline')?.value === offline;
}
