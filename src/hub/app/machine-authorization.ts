// What the token of a machine allows at a hub: to spend the hub's Key on the budgets of its project, its user and itself; or,
// with `--only owned`, to get what is owned and to buy nothing.

import { SvcdError } from '../../model/errors.js';
import { keyIdOf, type Permission, type Spender } from '../../model/spender.js';
import type { Caller } from '../../auth/authorization.js';

/** A machine as its token tells it. */
export interface KnownMachine {
  readonly id: number;
  readonly name: string;
  readonly projects: readonly string[];
  readonly user: string | null;
  readonly only: 'owned' | null;
  /** Whether another process of this machine runs, and was there first. */
  readonly isSecond: boolean;
}

/** What a machine says of its request. */
export interface MachineTerms {
  /** What it calls this wish: asked again by this name, it is the same purchase. */
  readonly requestId?: string | undefined;
  /** One of its projects; the first if not told. */
  readonly project?: string | undefined;
  /** A template's own Key, in place of the hub's: used and forgotten. */
  readonly key?: string | undefined;
}

/** The sender of one request at the machines' listener. Throws `not_permitted` for a project that is not the machine's. */
export function callerOf(machine: KnownMachine, terms: MachineTerms, hubKey: () => string | undefined): Caller {
  const { id, projects } = machine;
  const { requestId, project = projects[0] ?? '', key: ownKey } = terms;
  requireProject(machine, project);
  const user = machine.user ?? undefined;
  return {
    known: true,
    grant: undefined,
    isPage: false,
    mark: ownKey === undefined ? `machine ${id}` : `key ${keyIdOf(ownKey)}`,
    require: () => undefined,
    spender: (need): Spender => {
      const refusal = findRefusal(machine, ownKey, need);
      if (refusal !== undefined) return { kind: 'none', error: refusal };
      const key = ownKey ?? hubKey();
      if (key === undefined) return { kind: 'none', error: hubWithoutKey() };
      const hasOwnKey = key !== hubKey();
      return { kind: 'key', key, machine: { id, project, user, requestId, ...(hasOwnKey && { hasOwnKey }) } };
    },
  };
}

/** Throws `not_permitted` for a project that is not the machine's. */
export function requireProject({ projects }: Pick<KnownMachine, 'projects'>, project: string): void {
  if (!projects.includes(project)) throw notItsProject(project, projects);
}

/** What no machine is granted is what no budget bounds: calls of the service that svcd does not know. */
function findRefusal(
  { name, only, isSecond }: KnownMachine,
  ownKey: string | undefined,
  need: Permission | undefined,
): SvcdError | undefined {
  if (only === 'owned') {
    return new SvcdError('not_permitted', `the machine ${JSON.stringify(name)} gets what is owned, and buys nothing`, {
      hint: 'Its invite said "--only owned". On the hub: "svcd hub warm FILE" buys what it needs, "svcd hub invite" lets it in anew.',
    });
  }
  if (isSecond) {
    return new SvcdError(
      'not_permitted',
      `the home of the machine ${JSON.stringify(name)} runs in two places, and the other was first`,
      {
        hint: 'Join the copy as a machine of its own: on the hub, "svcd hub invite --project NAME"; here, "svcd hub join CODE --anew". After a kill, wait for two minutes.',
      },
    );
  }
  if (need !== 'other' || ownKey !== undefined) return undefined;
  return new SvcdError('not_permitted', 'no budget of the hub bounds this call, so it passes no machine through', {
    hint: 'Send your own Key in X-Svcd-Key, or ask the service itself.',
  });
}

function hubWithoutKey(): SvcdError {
  return new SvcdError('hub_without_key', 'the hub has no Key, so it buys nothing for its machines', {
    hint: 'On the hub: "svcd key set" stores one. A machine needs none of its own.',
  });
}

function notItsProject(project: string, projects: readonly string[]): SvcdError {
  return new SvcdError('not_permitted', `this machine does not buy for the project ${JSON.stringify(project)}`, {
    hint: `Its projects are ${projects.join(', ')}.`,
  });
}
