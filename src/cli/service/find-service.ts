// The service of a home as it stands, and what about it has drifted from what `svcd service install` would make now.

import { accessSync, constants, existsSync } from 'node:fs';
import { serviceWords } from './words.js';
import { define, type Definition, nameFor } from './definition.js';
import { managerFailed } from './failure.js';
import { launchd } from './launchd.js';
import type { ServiceManager, ServiceState } from './service-manager.js';
import { systemd } from './systemd.js';
import { task } from './task.js';

export interface FoundService {
  readonly manager: ServiceManager;
  readonly name: string;
  /** Where it is written down. */
  readonly place: string;
  /** What is there: nothing, a service of svcd, or somebody else's of the same name. */
  readonly installed: 'no' | 'yes' | 'foreign';
  /** What it was made from; undefined unless svcd made it. */
  readonly definition: Definition | undefined;
  readonly text: string | undefined;
}

const MANAGERS: Readonly<Partial<Record<NodeJS.Platform, ServiceManager>>> = {
  linux: systemd,
  darwin: launchd,
  win32: task,
};

/** The system that starts programs at login. Throws `service_manager_failed`. */
function managerHere(): ServiceManager {
  const manager = MANAGERS[process.platform];
  if (manager !== undefined) return manager;
  throw managerFailed(serviceWords().noManager(process.platform));
}

/** Reads what is written down for a home. Asks no tool where that is a file. */
export async function findService(home: string): Promise<FoundService> {
  const manager = managerHere();
  const name = await nameFor(home);
  const text = await manager.read(name);
  const definition = text === undefined ? undefined : manager.recordIn(name, text);
  const installed = text === undefined ? 'no' : definition === undefined ? 'foreign' : 'yes';
  return { manager, name, place: manager.placeOf(name), installed, definition, text };
}

export type DriftCode =
  | 'node_gone'
  | 'script_gone'
  | 'other_home'
  | 'other_node'
  | 'other_script'
  | 'edited'
  | 'other_version'
  | 'disabled'
  | 'outdated'
  | 'failed';

export interface Drift {
  readonly code: DriftCode;
  readonly what: string;
  /** The one command that mends it. */
  readonly mend: string;
}

/**
 * What keeps the service of this home from being what it should be; empty where all is well, where none is installed,
 * and where services are not supported. Throws `service_manager_failed` when its file cannot be read.
 */
export async function serviceDrift(home: string): Promise<Drift[]> {
  if (MANAGERS[process.platform] === undefined) return [];
  const found = await findService(home);
  return found.definition === undefined ? [] : driftOf(home, found, await found.manager.state(found.name));
}

/** The same for what was read already. */
export async function driftOf(home: string, found: FoundService, state: ServiceState): Promise<Drift[]> {
  const { definition, manager } = found;
  if (definition === undefined) return [];
  const now = await define(home, definition.flags);
  const words = serviceWords().drift;
  const drift: Drift[] = [];
  const add = (code: DriftCode, what: string) => drift.push({ code, what, mend: 'svcd service install' });
  if (!isRunnable(definition.node)) add('node_gone', words.nodeGone(definition.node));
  else if (definition.node !== now.node) add('other_node', words.otherNode(definition.node, now.node));
  if (!existsSync(definition.script)) add('script_gone', words.scriptGone(definition.script));
  else if (definition.script !== now.script) add('other_script', words.otherScript(definition.script, now.script));
  if (definition.home !== now.home) add('other_home', words.otherHome(definition.home, now.home));
  if (manager.textOf(definition) !== found.text) {
    if (definition.version === now.version) add('edited', words.edited(found.place));
    else add('other_version', words.otherVersion(definition.version, now.version));
  }
  if (state.enabled === false) add('disabled', words.disabled);
  if (state.outdated) add('outdated', words.outdated);
  if (state.failed !== null && state.pid === null) add('failed', words.failed(state.failed));
  return drift;
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
