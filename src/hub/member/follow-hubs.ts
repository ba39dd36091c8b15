// Where the other hubs of a studio are: the hub that a machine asks tells it, at its start and every minute, so that a
// machine whose code named one hub has another to ask when that one is away.

import { noteAddresses, type Membership } from '../../config/membership.js';
import type { Log } from '../../platform/log.js';
import { isRecord, parseJson } from '../../platform/json.js';
import { HUB_PATH, type HubExchanger } from './hub-exchanger.js';

const EVERY_MS = 60_000;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

/** Asks beside all else; what is learned is used at once and noted in hub.json. */
export function followHubs(
  home: string,
  { addresses, token }: Membership,
  hub: Pick<HubExchanger, 'exchange' | 'learn'>,
  log: Log,
): { stop(): Promise<void> } {
  let noted = addresses;
  let isOver = false;
  let looking: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    const request = { method: 'GET', path: HUB_PATH, cost: 'free' } as const;
    const answer = await hub.exchange({ ...request, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
    // Whoever needs the hub says that it is away.
    if (answer.kind !== 'answer' || answer.status !== 200) return;
    const facts = parseJson(answer.bytes);
    const textsOf = (name: string) => {
      const told: unknown = isRecord(facts) ? facts[name] : undefined;
      return Array.isArray(told) ? told.filter((one) => typeof one === 'string') : [];
    };
    const known = await hub.learn(textsOf('addresses'), textsOf('next'));
    if (isOver || known.join() === noted.join()) return;
    noteAddresses(home, token, known);
    noted = known;
    log.info('the hubs of this machine are others than before', { addresses: known.join(', ') });
  };
  const lookOnce = () => {
    looking ??= look()
      // Used until the daemon ends, and noted the next time.
      .catch((error: unknown) => log.warn('the addresses of the hubs could not be noted', { why: String(error) }))
      .finally(() => (looking = undefined));
  };
  const first = setTimeout(lookOnce, 0).unref();
  const timer = setInterval(lookOnce, EVERY_MS).unref();
  return {
    stop: async () => {
      isOver = true;
      clearTimeout(first);
      clearInterval(timer);
      await looking;
    },
  };
}
