// Which paid calls of an account are under way. A balance says something about one purchase only if no other was
// moving while it was read.

export interface InflightTracker {
  /** A paid call begins; the returned function notes its end and says whether it was alone all the time. */
  start(keyId: string): () => boolean;
  /** Begins a reading; the returned function says whether no paid call was under way since. */
  watch(keyId: string): () => boolean;
}

interface Calls {
  active: number;
  /** Counts beginnings, so that one that began and ended in between is noticed too. */
  started: number;
}

/** Tracks the calls of all accounts in memory: after a restart none is under way. */
export function createInflightTracker(): InflightTracker {
  const accounts = new Map<string, Calls>();
  const callsOf = (keyId: string): Calls => {
    const calls = accounts.get(keyId) ?? { active: 0, started: 0 };
    accounts.set(keyId, calls);
    return calls;
  };
  return {
    start: (keyId) => {
      const calls = callsOf(keyId);
      const wasAlone = calls.active === 0;
      calls.active += 1;
      calls.started += 1;
      const mine = calls.started;
      return () => {
        calls.active -= 1;
        return wasAlone && calls.started === mine;
      };
    },
    watch: (keyId) => {
      const calls = callsOf(keyId);
      const wasQuiet = calls.active === 0;
      const seen = calls.started;
      return () => wasQuiet && calls.started === seen;
    },
  };
}
