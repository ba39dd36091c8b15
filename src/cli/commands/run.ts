// svcd run and svcd env: a template gets the address and a local token, and never sees the Key.

import { type ChildProcess, spawn } from 'node:child_process';
import type { IncomingMessage } from 'node:http';
import { environmentWith } from '../../config/config.js';
import { chooseRemote, describeChange } from '../../config/remote-choice.js';
import { SvcdError, systemCode } from '../../model/errors.js';
import type { Permission } from '../../model/spender.js';
import { type Bodies, type CommandBody, textOption } from '../command.js';
import { launchDaemon } from '../detach.js';
import { assertReachable, getHomeToken } from '../home-token.js';
import { gather } from '../http-exchange.js';
import { invalidArgument } from '../invalid-argument.js';
import { ONLY_OPTION, readCredits, readOnly } from '../options.js';
import { markOf, printJson, printLines, printNote } from '../output.js';
import { type Access, expectOk, findRunningDaemon, jsonQuestion, send } from '../running-daemon.js';

const FORMATS = ['sh', 'fish', 'powershell', 'dotenv', 'json'] as const;
type Format = (typeof FORMATS)[number];

const runCommand: CommandBody = {
  options: { ...ONLY_OPTION, budget: textOption('Credits it may spend in all.') },
  examples: [
    'svcd run -- node render.js # starts svcd in the background if it does not run',
    'svcd run --budget 5 --only stickers -- npm run render # at most 5 credits, and no images',
  ],
  run: async (input) => {
    const options = { only: readOnly(input), total: readCredits(input, 'budget') };
    const daemon = await findOrStart(await input.home());
    const { token, connection } = await leaseToken(daemon, options);
    let isOver = false;
    connection.once('close', () => {
      // The command itself only sees refusals.
      if (!isOver) printNote('svcd stopped: it no longer serves this command, and its token no longer works.');
    });
    try {
      endLike(await runChild(input.words('command'), templateVariables(daemon.url, token)));
    } finally {
      isOver = true;
      connection.destroy();
    }
  },
};

const envCommand: CommandBody = {
  options: { format: { ...textOption('For which shell or file.'), choices: FORMATS } },
  examples: [
    'eval "$(svcd env)" # sh, bash, zsh',
    'svcd env --format fish | source # fish',
    'svcd env --format powershell | Out-String | Invoke-Expression # PowerShell',
    'svcd env --format dotenv > .env # a file for a template; it holds the token, so keep it private',
  ],
  run: async (input) => {
    const found = await getHomeToken(await input.home());
    assertReachable(found);
    if (!found.running) printNote('svcd does not run now; start it with "svcd start".');
    markOf({ answeredBy: found }).forEach(printNote);
    const values = templateVariables(found.url, found.token);
    const format = (input.text('format') ?? (input.json ? 'json' : defaultFormat())) as Format;
    if (format === 'json') return printJson(values);
    return printLines(...Object.entries(values).map(([name, value]) => LINE[format](name, value)));
  },
};

export const bodies: Bodies = { run: runCommand, env: envCommand };

/** The variables as the service's document and its templates name them. */
function templateVariables(url: string, token: string) {
  return { SERVICE_BASE_URL: url, SERVICE_API_KEY: token };
}

/** It stays running: the next command will use it, and a purchase may still be in flight. */
async function findOrStart(home: string): Promise<Access> {
  const running = await findRunningDaemon(home);
  if (running !== undefined) return running;
  describeChange(await chooseRemote({ home })).forEach(printNote);
  const started = await launchDaemon({ home });
  const what = started.sandbox === undefined ? '' : ', with the sandbox';
  printNote(`svcd runs in the background at ${started.url} now${what}; "svcd stop" stops it.`);
  return started;
}

const LINE: Readonly<Record<Exclude<Format, 'json'>, (name: string, value: string) => string>> = {
  sh: (name, value) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`,
  fish: (name, value) => `set -gx ${name} '${value.replace(/['\\]/g, String.raw`\$&`)}'`,
  powershell: (name, value) => `$env:${name} = '${value.replaceAll("'", "''")}'`,
  // Without quotes: some readers of such files take them as part of the value.
  dotenv: (name, value) => `${name}=${value}`,
};

function defaultFormat(): Format {
  return process.platform === 'win32' ? 'powershell' : 'sh';
}

/**
 * A token that svcd revokes when the connection closes; the system closes that however this process ends, by kill -9
 * too. Throws what svcd refuses, `timeout`, and `not_running` when it goes away.
 */
async function leaseToken(daemon: Access, options: { only: Permission[] | undefined; total: number | undefined }) {
  const answer = await send(daemon, 'POST', '/svcd/tokens/lease', jsonQuestion(options));
  if (answer.status !== 200) expectOk(await gather(answer));
  const connection = answer.body as IncomingMessage;
  connection.setTimeout(0);
  const { token } = JSON.parse(await firstLine(connection)) as { token: string };
  // Later lines only show that svcd still runs.
  connection.resume();
  return { token, connection };
}

function firstLine(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const hear = (part: Buffer) => {
      text += part.toString();
      if (!text.includes('\n')) return;
      answer.off('data', hear);
      resolve(text.split('\n', 1)[0] ?? '');
    };
    answer.on('data', hear);
    // After the line, this is how a lease ends.
    answer.on('error', reject);
    answer.on('close', () => reject(new SvcdError('not_running', 'svcd stopped before it gave a token')));
  });
}

/** How it ended. */
type ChildEnd = { readonly code: number } | { readonly signal: NodeJS.Signals };

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
// A terminal sends these to every process of the group itself.
const FROM_TERMINAL: ReadonlySet<string> = new Set(['SIGINT', 'SIGQUIT']);

/** Runs a command to its end. Throws `invalid_argument` when it cannot be started. */
async function runChild(
  [program = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<ChildEnd> {
  // Before there is a child: a signal in between would end us and leave it behind.
  let child: ChildProcess | undefined;
  const stopForwarding = forwardSignals((signal) => child?.kill(signal));
  try {
    child = spawn(program, args, { stdio: 'inherit', env: environmentWith(variables) });
    return await endOf(child, program);
  } finally {
    stopForwarding();
  }
}

/** Ends this process as the child ended: with its exit code, or by the signal that killed it. */
function endLike(end: ChildEnd): void {
  if ('code' in end) process.exitCode = end.code;
  else process.kill(process.pid, end.signal);
}

function endOf(child: ChildProcess, program: string): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    child.on('error', (cause) => reject(cannotStart(program, cause)));
    child.on('exit', (code, signal) => resolve(signal === null ? { code: code ?? 1 } : { signal }));
  });
}

function forwardSignals(forward: (signal: NodeJS.Signals) => void): () => void {
  const stops = SIGNALS.map((signal) => {
    const hasIt = FROM_TERMINAL.has(signal) && process.stdin.isTTY;
    const hear = () => void (hasIt || forward(signal));
    process.on(signal, hear);
    return () => process.off(signal, hear);
  });
  return () => stops.forEach((stop) => stop());
}

function cannotStart(program: string, cause: Error): SvcdError {
  const code = systemCode(cause) ?? 'unknown';
  const message =
    code === 'ENOENT' ? `there is no program ${JSON.stringify(program)}` : `${program} cannot be started (${code})`;
  return invalidArgument(message, undefined, cause);
}
