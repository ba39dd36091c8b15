// svcd run and svcd env: a template gets the address and a local token, and never sees the Key.

import type { Report } from '../../api/report.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { withClient } from '../client.js';
import { type Bodies, type CommandBody, switchOption, textOption } from '../command.js';
import { findOrStart, type FoundDaemon } from '../find-or-start.js';
import { sanitize } from '../format.js';
import { holdLease } from '../hold-lease.js';
import { assertReachable, getHomeToken } from '../home-token.js';
import type { Input } from '../input.js';
import { invalidArgument } from '../invalid-argument.js';
import { ONLY_OPTION, readCredits, readOnly } from '../options.js';
import { readFence, TEMPLATE_OPTIONS } from '../open-template.js';
import { markOf, printJson, printLines, printNote } from '../output.js';
import { endLike, runChild } from '../run-child.js';
import { describeAway, describeReport, fileOf, requireWhole } from '../run-report.js';
import { findRunningDaemon } from '../running-daemon.js';
import { openTargetFile } from '../target-file.js';

const FORMATS = ['sh', 'fish', 'powershell', 'dotenv', 'json'] as const;
type Format = (typeof FORMATS)[number];

const PORT_MAX = 65_535;

const runCommand: CommandBody = {
  options: {
    ...TEMPLATE_OPTIONS,
    ...ONLY_OPTION,
    budget: textOption('Credits it may spend in all.'),
    report: textOption('File to write what every asset came to, as JSON.'),
    strict: switchOption(
      'Exit with 20 if a default was served, an asset failed, the service was not heard, or svcd was away.',
    ),
    port: textOption('Port to start svcd on if it does not run; 0 for any that is free.'),
  },
  examples: [
    'svcd run -- node render.js # starts svcd in the background if it does not run',
    'svcd run --budget 5 --only stickers -- npm run render # at most 5 credits, and no images',
    'svcd run --template card.motion -- node render.js # only what the template declares, from a package as published',
    'svcd run --report report.json --strict -- node render.js # which assets are defaults, and exit code 20 if any is',
  ],
  run: async (input) => {
    const total = readCredits(input, 'budget');
    const port = input.whole('port', 0, PORT_MAX);
    const file = input.text('report');
    // Before the command: a report that cannot be written must not be found out about after an hour of rendering.
    const target = file === undefined ? undefined : openTargetFile(file);
    try {
      const options = { ...(await readFence(input)), total };
      const home = await input.home();
      const found = await findDaemon(home, port);
      const { sandbox } = found.daemon.status.remote;
      const lease = await holdLease(home, found, options);
      const child = runChild(input.words('command'), {
        ...templateVariables(lease.url, lease.token),
        // For svcd commands in it.
        SVCD_HOME: home,
      });
      const [ended] = await Promise.allSettled([child.ended]);
      const end = ended.status === 'fulfilled' ? ended.value : undefined;
      const { report, away } = await lease.end();
      const stop = await findStop(home);
      const problem = findProblem(() => {
        const isTold = report !== undefined && (report.assets.length + away.length > 0 || target !== undefined);
        const told = [isTold ? describeReport(report, sandbox) : undefined, describeAway(away)].filter(
          (one) => one !== undefined,
        );
        if (told.length > 0) printNote(told.join('; '));
        if (stop !== undefined) printNote(stop);
        if (target !== undefined) target.commit(fileOf(required(report, lease.name), { end, away, sandbox }));
        if (input.flag('strict') === true) requireWhole(report, away);
      });
      child.stopForwarding();
      if (ended.status === 'rejected') throw ended.reason;
      endLike(ended.value);
      if (problem === undefined) return;
      // The code of a command that failed says more than ours.
      if (process.exitCode === 0) throw problem;
      printNote(sanitize(problem.message));
    } finally {
      target?.abandon();
    }
  },
};

/** Why nothing is bought with this home now, in one line; undefined where something may be. */
async function findStop(home: string): Promise<string | undefined> {
  const running = await findRunningDaemon(home).catch(() => undefined);
  const stop = running?.status.spending_stopped ?? undefined;
  return stop === undefined ? undefined : sanitize(`svcd buys nothing: ${stop.why}. ${stop.hint}`);
}

/** What a work throws; undefined when it succeeds. */
function findProblem(work: () => void): Error | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function required(report: Report | undefined, name: string): Report {
  if (report !== undefined) return report;
  throw new SvcdError('not_running', `svcd is away, and left no report of ${name}`);
}

const envCommand: CommandBody = {
  options: {
    format: { ...textOption('For which shell or file.'), choices: FORMATS },
    run: textOption('Begin a run of this name, with a token of its own, and a report at /svcd/report?run=NAME.'),
    ...ONLY_OPTION,
    budget: textOption('Credits the run may spend in all.'),
  },
  examples: [
    'eval "$(svcd env)" # sh, bash, zsh',
    'svcd env --format fish | source # fish',
    'svcd env --format powershell | Out-String | Invoke-Expression # PowerShell',
    'svcd env --format dotenv > .env # a file for a template; it holds the token, so keep it private',
    'eval "$(svcd env --run card --budget 5)" # a token that spends at most 5 credits, and a report of its own',
  ],
  run: async (input) => {
    const found = await getHomeToken(await input.home());
    assertReachable(found);
    const token = await beginRun(input);
    if (!found.running) printNote('svcd does not run now; start it with "svcd start".');
    markOf({ answeredBy: found }).forEach(printNote);
    const values = templateVariables(found.url, token ?? found.token);
    const format = (input.text('format') ?? (input.json ? 'json' : defaultFormat())) as Format;
    if (format === 'json') return printJson(values);
    return printLines(...Object.entries(values).map(([name, value]) => LINE[format](name, value)));
  },
};

/** The token of a new run, in place of an earlier one of the name; undefined where none is asked for. */
async function beginRun(input: Input): Promise<string | undefined> {
  const name = input.text('run');
  const options = { name, only: readOnly(input), total: readCredits(input, 'budget') };
  if (name !== undefined) {
    const begin = () => withClient(input, (client) => client.ask<{ token: string }>('POST', '/svcd/runs', options));
    return (await begin()).token;
  }
  if (options.only === undefined && options.total === undefined) return undefined;
  throw invalidArgument('--only and --budget are for a run', 'Give it a name with --run NAME.');
}

export const bodies: Bodies = { run: runCommand, env: envCommand };

/** The variables as the service's document and its templates name them. */
function templateVariables(url: string, token: string) {
  return { SERVICE_BASE_URL: url, SERVICE_API_KEY: token };
}

/** It stays running: the next command will use it, and a purchase may still be in flight. */
async function findDaemon(home: string, port: number | undefined): Promise<FoundDaemon> {
  try {
    const found = await findOrStart(home, port === undefined ? {} : { port: String(port) });
    const { url } = found.daemon;
    const what = found.daemon.status.remote.sandbox ? ', with the sandbox' : '';
    if (found.started) printNote(`svcd runs in the background at ${url} now${what}; "svcd stop" stops it.`);
    return found;
  } catch (error) {
    if (!isSvcdError(error, 'port_in_use')) throw error;
    throw new SvcdError('port_in_use', error.message, {
      cause: error,
      hint: 'Let svcd take any port that is free: "svcd run --port 0 -- COMMAND".',
    });
  }
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
