// A tool of the system, run to its end, with its words in English where it has them: some are compared.

import { spawn } from 'node:child_process';
import { environmentWith } from '../../config/environment.js';
import { systemCode } from '../../model/errors.js';

export interface ToolEnd {
  /** Null when a signal ended it; undefined when there is no such program. */
  readonly code: number | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs it. Never rejects. */
export function runTool(
  program: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<ToolEnd> {
  const env = environmentWith({ LC_ALL: 'C', ...variables });
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => (said.stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said.stderr += part));
  return new Promise((resolve) => {
    child.on('error', (error) =>
      resolve({ code: systemCode(error) === 'ENOENT' ? undefined : null, stdout: '', stderr: error.message }),
    );
    child.on('close', (code) => resolve({ code, ...said }));
  });
}

/** What it said went wrong, in one line. */
export function complaintOf({ code, stdout, stderr }: ToolEnd): string {
  const [first] = [...stderr.split('\n'), ...stdout.split('\n')]
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return first ?? `exit code ${code ?? 'unknown'}`;
}
