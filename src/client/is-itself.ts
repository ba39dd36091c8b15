// Who may be told the token: what says, without having been told it, that it is the one.

/** What a server tells everybody of itself. */
export interface Told {
  readonly name?: unknown;
  readonly pid?: unknown;
}

/** Whether svcd said it, and that process of it if one is named: another program may have the port by now. */
export function isItself(told: Told, pid: number | undefined): boolean {
  return told.name === 'svcd' && told.pid === (pid ?? told.pid);
}
