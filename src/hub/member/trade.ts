// A purchase by way of a hub: by which name the hub knows it again, what its answer means in terms of money, and whether what
// it sent is what its receipt says. The hub pays; here is written down what it says that this machine caused.

import { provenPurchase } from '../app/receipts.js';
import { SvcdError } from '../../model/errors.js';
import { sha256Hex } from '../../model/hash.js';
import type { Exchange, RemoteAnswer } from '../../upstream/exchange.js';
import { isNamelessFailure, namedCode, remoteError } from '../../upstream/remote-error.js';
import type { PurchaseItem } from '../../purchases/item.js';
import type { Remote } from '../../upstream/remote.js';
import { parseJsonRecord } from '../../platform/json.js';
import type { Log } from '../../platform/log.js';
import { REQUEST_ID } from './hub-exchanger.js';
import { sayingFree, type PaidAnswer, type Seller } from '../../purchases/seller.js';
import type { Journal, Purchase } from '../../purchases/journal.js';
import { OF_HUB } from '../../purchases/owned-store.js';

const COST = 'x-svcd-cost';
const OUTCOME_TIMEOUT_MS = 2000;
const OUTCOME_MAX_BYTES = 64 * 1024;

/** What buying by way of a hub needs to know of it. */
export interface HubTrade {
  /** The machine's token, and the digest that stands for it in the journal. */
  readonly token: string;
  readonly keyId: string;
  /** Public half of the key that receipts are signed with. */
  readonly receiptKey: string;
  readonly scope: string;
  /** Milliseconds since the epoch: what was bought before, was bought elsewhere. */
  readonly joinedAt: number;
}

/** What a hub says became of a wish. */
export interface HubOutcome {
  readonly state: string;
  /** What it took for this wish: the price where it is paid, and what it says cannot be; null while it is not over. */
  readonly cost: number | null;
}

/** The hub as who sells, and says of each purchase by its name what became of it. */
export function createHubSeller(hub: HubTrade, journal: Pick<Journal, 'getPurchase'>, log: Log): Seller {
  return {
    isHub: true,
    nameOf: async (id) => ({ [REQUEST_ID]: requestIdOf(hub.token, await journal.getPurchase(id)) }),
    judge: async (id, { item, remote }, exchange) => {
      const said = incredibleCost(item, exchange);
      if (said !== undefined)
        log.warn('the hub names a cost that cannot be', { purchase: id, said, price: item.price });
      if (!leavesCostOpen(item, exchange)) return judgeHubCall(item, exchange, remote.baseUrl, hub);
      // As of one that was asked before: that answer was lost, with what it cost.
      const outcome = await askOutcome(hub, remote, await journal.getPurchase(id), OUTCOME_TIMEOUT_MS);
      return judgeHubCall(item, exchange, remote.baseUrl, hub, { outcome });
    },
    knows: (purchase) => mayAskAgain(hub, purchase),
    letsWait: async (id, { remote }, timeoutMs) => {
      const outcome = await askOutcome(hub, remote, await journal.getPurchase(id), timeoutMs);
      return outcome && outcome.state === 'intent';
    },
  };
}

/** What the hub says became of a purchase; undefined where it does not say in time. */
export async function askOutcome(
  { token }: HubTrade,
  remote: Pick<Remote, 'exchange'>,
  purchase: Purchase,
  timeoutMs: number,
): Promise<HubOutcome | undefined> {
  const path = `/svcd/hub/asks/${requestIdOf(token, purchase)}`;
  const request = { method: 'GET', path, key: token, cost: 'free' } as const;
  const answer = await remote.exchange({ ...request, timeoutMs, maxBytes: OUTCOME_MAX_BYTES });
  if (answer.kind !== 'answer' || answer.status !== 200) return undefined;
  const { state, cost } = parseJsonRecord(answer.bytes) ?? {};
  if (typeof state !== 'string') return undefined;
  if (state === 'none' || state === 'refused') return { state, cost: 0 };
  return { state, cost: state === 'paid' ? (credibleCost(cost, purchase.price) ?? purchase.price) : null };
}

/**
 * The name of a purchase for the hub: the same however often it is asked for, also after a restart, and no other's, also
 * where an older owned.db was put back.
 */
function requestIdOf(token: string, { id, item, createdAt }: Pick<Purchase, 'id' | 'item' | 'createdAt'>): string {
  const digest = sha256Hex(JSON.stringify([token, id, item, createdAt]));
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

/** Whether a purchase went by way of this hub, so that it knows what became of it. */
export function wentByHub({ keyId, joinedAt }: HubTrade, purchase: Pick<Purchase, 'keyId' | 'createdAt'>): boolean {
  return purchase.keyId === keyId || purchase.createdAt >= joinedAt;
}

/** Whether the bytes of an earlier purchase may be asked for again, by its name: the hub then pays nothing for it. */
function mayAskAgain(hub: HubTrade, purchase: Purchase): boolean {
  return purchase.state === 'paid'
    ? purchase.reason === OF_HUB
    : purchase.state === 'unknown' && wentByHub(hub, purchase);
}

/**
 * Judges an exchange that was to bring `item` from a hub; `repeated` where an earlier try may have arrived too: then the answer
 * says what the last one cost, and the outcome of the wish what all of them did.
 */
async function judgeHubCall(
  item: PurchaseItem,
  exchange: Exchange,
  baseUrl: string,
  hub: HubTrade,
  repeated?: { readonly outcome: HubOutcome | undefined },
): Promise<PaidAnswer> {
  if (exchange.kind === 'unreached') return { kind: 'refused', error: exchange.error };
  if (exchange.kind === 'lost') return { kind: 'lost', error: exchange.error };
  const cost = repeated === undefined ? costIn(exchange, item.price) : (repeated.outcome?.cost ?? 'unknown');
  if (exchange.status >= 200 && exchange.status < 300) return judgeFile(item, exchange, baseUrl, hub, cost);
  const error = remoteError(exchange);
  // An earlier try of which the hub knows nothing may still be on its way: hub-settlement.ts asks later.
  if (repeated?.outcome?.state === 'none') return { kind: 'lost', error };
  // It says what this cost, and only what is under way or in doubt there has no figure. A proxy's own page says nothing.
  const isFree =
    cost === 0 || (cost === undefined && !isNamelessFailure(exchange) && namedCode(exchange) !== undefined);
  return isFree ? { kind: 'refused', error: sayingFree(error) } : { kind: 'lost', error };
}

/** Whether the outcome of the wish has to be known: this answers one that may have been answered before, or names no cost that can be. */
function leavesCostOpen({ price }: PurchaseItem, exchange: Exchange): boolean {
  if (exchange.kind !== 'answer') return false;
  const cost = costIn(exchange, price);
  return exchange.again === true ? typeof cost !== 'number' || cost === 0 : cost === 'unknown' && exchange.status < 300;
}

/** What a hub names as a cost although nothing can cost that; undefined where it is credible. */
function incredibleCost({ price }: PurchaseItem, exchange: Exchange): string | undefined {
  const said = exchange.kind === 'answer' ? exchange.headers[COST] : undefined;
  const isCredible = said === undefined || said === 'unknown' || readCost(said, price) !== undefined;
  return isCredible ? undefined : said.slice(0, 40);
}

/** Credits that something of this price can have cost: it was reserved in every budget, and nothing costs more. */
function credibleCost(said: unknown, price: number): number | undefined {
  return typeof said === 'number' && Number.isInteger(said) && said >= 0 && said <= price ? said : undefined;
}

async function judgeFile(
  item: PurchaseItem,
  answer: RemoteAnswer,
  baseUrl: string,
  hub: HubTrade,
  cost: number | 'unknown' | undefined,
): Promise<PaidAnswer> {
  const { bytes, headers } = answer;
  const unpacked = await item.unpack(answer, baseUrl);
  // As the hub keeps it: its digest and its receipt are of these very bytes.
  const { contentType } = unpacked;
  const receipt = headers['x-svcd-receipt'];
  const file = { item: item.name, bytes, contentType, ...(receipt !== undefined && { receipt }) };
  const problem = unpacked.problem ?? problemOf(item, answer, hub);
  if (problem === undefined) return { kind: 'delivered', file, cost };
  const error = new SvcdError('upstream_failure', `the file that the hub sent cannot be used: ${problem}`);
  return cost === 0 ? { kind: 'refused', error } : { kind: 'unusable', file, error };
}

/** Why these are not the bytes that the hub once paid for. */
function problemOf(item: PurchaseItem, { bytes, headers }: RemoteAnswer, hub: HubTrade): string | undefined {
  const source = headers['x-svcd-source'];
  if (source !== 'owned' && source !== 'remote') return `it comes from ${source ?? 'nowhere'}, not from a purchase`;
  const sha256 = sha256Hex(bytes);
  const said = headers['x-svcd-sha256'];
  if (said !== undefined && said !== sha256) return 'its bytes do not match their digest';
  const receipt = headers['x-svcd-receipt'];
  if (receipt === undefined) return 'it has no receipt';
  const name = nameAtHub(item, headers['x-svcd-item']);
  const proven = provenPurchase(receipt, { scope: hub.scope, item: name, sha256 }, hub.receiptKey);
  return proven === undefined ? "its receipt is not the hub's for this file" : undefined;
}

/** A plain image request gets the newest picture of its words, which has a name of its own. */
function nameAtHub({ kind, name }: PurchaseItem, header: string | undefined): string {
  const words = `${name.split(':', 2).join(':')}:`;
  // Of what it is made of, only the colons are escaped.
  const said = header?.replaceAll(/%3a/gi, ':');
  return kind === 'image' && said?.startsWith(words) === true ? said : name;
}

/** Undefined where it says nothing; `unknown` too where it says what cannot be. */
function costIn({ headers }: RemoteAnswer, price: number): number | 'unknown' | undefined {
  const said = headers[COST];
  return said === undefined ? undefined : (readCost(said, price) ?? 'unknown');
}

function readCost(said: string, price: number): number | undefined {
  return /^\d{1,9}$/.test(said) ? credibleCost(Number(said), price) : undefined;
}
