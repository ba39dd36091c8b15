// Runs any program to its end.

import { spawn } from 'node:child_process';
import { collect, type Outcome } from './run-svcd.js';

/** Runs one program with an environment of its own. Rejects when it cannot be started. */
export async function runCommand(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Outcome> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { code, stdout: stdout(), stderr: stderr() };
}
