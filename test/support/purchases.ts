// The journal as a client sees it, through the daemon's own routes.

export interface ListedPurchase {
  readonly id: number;
  readonly kind: 'sticker' | 'image';
  readonly preset?: string;
  readonly state: 'intent' | 'sent' | 'paid' | 'refused' | 'unknown';
  readonly price: number;
  readonly cost: number | null;
  readonly reason: string | null;
  readonly owned: boolean;
}

export type Get = (path: string) => Promise<Response>;

/** Every purchase (or those of one preset), oldest first. `get` must bring the local token. */
export async function listPurchases(get: Get, preset?: string): Promise<ListedPurchase[]> {
  const filter = preset === undefined ? '' : `&preset=${encodeURIComponent(preset)}`;
  const answer = await get(`/svcd/purchases?limit=10000${filter}`);
  if (!answer.ok) throw new Error(await answer.text());
  const { purchases } = (await answer.json()) as { purchases: ListedPurchase[] };
  return purchases.toReversed();
}

/** The states a preset's purchases are in, oldest first. */
export async function statesOf(get: Get, preset: string): Promise<string[]> {
  return (await listPurchases(get, preset)).map(({ state }) => state);
}
