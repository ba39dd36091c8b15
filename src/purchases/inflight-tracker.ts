// Which paid calls of an account are under way. A balance says something about one purchase only if no other
// was moving while it was read.

export interface InflightTracker {
  /** A paid call leaves; the returned function notes its end and says whether it was alone all the time. */
  leave(keyId: string): () => boolean;
  /** Begins a reading; the returned function says whether no paid call was under way since. */
  watch(keyId: string): () => boolean;
}

interface RateLimiter {
  active: number;
  /** Counts departures, so that one that came and went is noticed too. */
  departures: number;
}

/** Traffic of all accounts, in memory: after a restart nothing is under way. */
export function createInflightTracker(): InflightTracker {
  const lanes = new Map<string, RateLimiter>();
  const laneOf = (keyId: string): RateLimiter => {
    const lane = lanes.get(keyId) ?? { active: 0, departures: 0 };
    lanes.set(keyId, lane);
    return lane;
  };
  return {
    leave: (keyId) => {
      const lane = laneOf(keyId);
      const alone = lane.active === 0;
      lane.active += 1;
      lane.departures += 1;
      const mine = lane.departures;
      return () => {
        lane.active -= 1;
        return alone && lane.departures === mine;
      };
    },
    watch: (keyId) => {
      const lane = laneOf(keyId);
      const quiet = lane.active === 0;
      const seen = lane.departures;
      return () => quiet && lane.departures === seen;
    },
  };
}
