// What the document only describes, by the names that switch it on.

import { SvcdError } from '../model/errors.js';
import { music } from './music/music-module.js';
import type { SandboxModule } from './service-route.js';
import { tasks } from './tasks/task-module.js';

const MODULES: Readonly<Record<string, SandboxModule>> = { music, tasks };

/** The modules of these names. Throws `invalid_argument` for a name that is none. */
export function getSandboxModules(names: readonly string[]): SandboxModule[] {
  return names.map((name) => {
    const module = Object.hasOwn(MODULES, name) ? MODULES[name] : undefined;
    if (module !== undefined) return module;
    const known = Object.keys(MODULES).join(', ') || 'none';
    throw new SvcdError('invalid_argument', `the sandbox has no module ${JSON.stringify(name)}; known: ${known}`);
  });
}
