// What svcd needs of a system that starts programs at login; each one has a file of its own.

import type { Definition } from './definition.js';

/** What the system says of a service now. */
export interface ServiceState {
  /** Whether the next login starts it; null when the system cannot be asked. */
  readonly enabled: boolean | null;
  /** The process that runs as the service. */
  readonly pid: number | null;
  /** The exit code, or signal, of an end that was no success. */
  readonly failed: string | null;
  /** Whether the system knows an older text than the file has. */
  readonly outdated: boolean;
  /** Why the system could not be asked. */
  readonly trouble: string | null;
}

export interface ServiceManager {
  readonly kind: 'systemd' | 'launchd' | 'task';
  /** Where the service of this name is written down: a file, or the task's name. */
  placeOf(name: string): string;
  /** The command that shows the latest lines of its output; undefined where there is none. */
  outputCommand(name: string): string | undefined;
  /** Throws `service_manager_failed` when nothing can be installed. */
  assertUsable(): Promise<void>;
  /** The whole text for a definition. Throws `invalid_argument` for a path that cannot be written in it. */
  textOf(definition: Definition): string;
  /** What is written down now, whoever wrote it. */
  read(name: string): Promise<string | undefined>;
  /** The record in a text; undefined when svcd did not write it. */
  recordIn(name: string, text: string): Definition | undefined;
  /** Writes it down and lets every login start it. */
  write(name: string, text: string): Promise<void>;
  /** Starts it; one that runs is ended first, gracefully. */
  restart(name: string): Promise<void>;
  state(name: string): Promise<ServiceState>;
  /** Ends it and forgets it. */
  remove(name: string): Promise<void>;
}

/** When the system cannot be asked. */
export function unknownState(trouble: string): ServiceState {
  return { enabled: null, pid: null, failed: null, outdated: false, trouble };
}
