// Questions to the sandbox's control surface: of the daemon on the home, or of a sandbox that runs there alone.

import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SvcdError, systemCode } from '../../model/errors.js';
import { makeFolder } from '../../platform/files/files.js';
import { findRuntime } from '../../platform/files/runtime-file.js';
import { isAlive } from '../../platform/files/process-alive.js';
import { type Access, askDaemon, findStatus, type Method } from '../connection/running-daemon.js';
import { createRunner } from '../request-command.js';
import { sanitize } from '../terminal/format.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { printAnswer } from '../terminal/output.js';
import { openTargetFile } from '../terminal/target-file.js';
import { sandboxWords } from './words.js';

/** The note that a sandbox alone writes about itself, beside the daemon's runtime.json. */
export const SANDBOX_RUNTIME = 'sandbox-runtime.json';

/** The function that runs rows whose question goes to the sandbox. */
export const requestSandbox = createRunner((input, { method, path, body }) => askSandbox(input, method, path, body));

/** Asks the sandbox on the home that was typed. Throws `not_running`, and what the sandbox refuses. */
export async function askSandbox<T>(input: Input, method: Method, path: string, body?: object): Promise<T> {
  return askDaemon(await getControl(await input.home()), method, path, body);
}

async function getControl(home: string): Promise<Access> {
  const daemon = findRuntime(home);
  const alone = findRuntime(home, SANDBOX_RUNTIME);
  for (const [pid, control] of [
    [alone?.pid, alone],
    [daemon?.pid, daemon?.sandbox],
  ] as const) {
    if (typeof pid !== 'number' || control === undefined || !isAlive(pid)) continue;
    if ((await findStatus(control.url, '/sandbox/status', 'svcd-sandbox'))?.pid === pid) return control;
  }
  const words = sandboxWords();
  throw new SvcdError('not_running', words.notRunning(home), { hint: words.startHint });
}

const words = sandboxWords();

/** A package: as text by path, or as one file in base64. */
interface Download {
  /** `name@version`. */
  readonly template: string;
  readonly package_sha256: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly zip?: string;
  readonly key: { readonly id: number; readonly account: string; readonly key?: string };
}

// It holds a Key.
const PACKAGE_FILE_MODE = 0o600;

/** Writes the package of a template, and says where it is and how to end its Key. */
export async function downloadPackage(input: Input): Promise<void> {
  const where = input.findWord('where') ?? '.';
  const body = {
    template: input.word('template'),
    form: isFileName(where) ? 'zip' : 'files',
    account: input.text('account'),
  };
  const overwrite = input.flag('overwrite') ?? false;
  // Before the Key is made that would lie in it.
  if (body.form === 'zip') makeFolder(dirname(where), 0o755);
  const file = body.form === 'zip' ? openTargetFile(where, { mode: PACKAGE_FILE_MODE, overwrite }) : undefined;
  let got: Download;
  try {
    got = await askSandbox<Download>(input, 'POST', '/sandbox/downloads', body);
    file?.commit(Buffer.from(got.zip ?? '', 'base64'));
  } finally {
    file?.abandon();
  }
  const path = file === undefined ? await writeFolder(got, where) : where;
  // The Key itself is in the package and is not printed.
  const { key: _, ...key } = got.key;
  const answer = { template: got.template, path, package_sha256: got.package_sha256, key };
  return printAnswer(input, answer, () => [
    sanitize(path),
    sanitize(words.downloaded(got.template, key.id, key.account)),
    words.disable(key.id),
  ]);
}

/** Whether a name is that of a file to be: `card.motion`, `card.zip`; a folder that is there is one. */
function isFileName(where: string): boolean {
  return /\.(zip|motion)$/i.test(where) && statSync(where, { throwIfNoEntry: false })?.isDirectory() !== true;
}

/** Writes the folder `name@version.motion` in the folder `where`, and returns its path. Throws `invalid_argument` when that cannot be written. */
async function writeFolder({ template, files = {} }: Download, where: string): Promise<string> {
  const target = join(where, `${template}.motion`);
  try {
    for (const [path, text] of Object.entries(files)) await writePrivate(join(target, path), text);
  } catch (cause) {
    const why = systemCode(cause) ?? 'unknown';
    throw invalidArgument(words.unwritable(target, why), undefined, cause);
  }
  return target;
}

async function writePrivate(file: string, content: string | Uint8Array): Promise<void> {
  makeFolder(dirname(file), 0o755);
  await writeFile(file, content, { mode: PACKAGE_FILE_MODE });
}
