// The files and tools of a system that starts programs, and the one way in which they fail a command.

import { existsSync, readdirSync, rmdirSync } from 'node:fs';
import { SvcdError, systemCode } from '../../model/errors.js';
import { complaintOf, type ToolEnd } from './run-tool.js';
import { serviceWords } from './words.js';

export function managerFailed(message: string, hint?: string, cause?: unknown): SvcdError {
  return new SvcdError('service_manager_failed', message, { cause, ...(hint !== undefined && { hint }) });
}

/** The answer of a tool that succeeded. Throws `service_manager_failed` with its own words. */
export function expectDone(command: string, end: ToolEnd): string {
  if (end.code === 0) return end.stdout;
  const words = serviceWords();
  if (end.code === undefined) throw managerFailed(words.noTool(command.split(' ', 1)[0] ?? command));
  throw managerFailed(words.toolFailed(command, complaintOf(end)), words.tryIt(command));
}

/** Does something with the file of a service. Throws `service_manager_failed` naming it. */
export async function withFile<T>(path: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    const words = serviceWords();
    const why = systemCode(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    throw managerFailed(words.fileFailed(path, why), words.fileHint, cause);
  }
}

/** Removes a folder that nothing is in any more. */
export function removeEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}
