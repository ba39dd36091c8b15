// What must hold of a farm whatever happened to it, judged by the service's ledger beside the journal of the hubs and what
// clients were told.

/** A purchase as the hubs keep it. */
export interface JournalRow {
  readonly id: number;
  readonly item: string;
  readonly state: 'intent' | 'sent' | 'paid' | 'refused' | 'unknown';
}

export interface Evidence {
  /** How often the service charged each thing; images, which it knows by other names, as `image`. */
  readonly charges: ReadonlyMap<string, number>;
  readonly journal: readonly JournalRow[];
  /** What the hubs own. */
  readonly owned: ReadonlySet<string>;
  /** What somebody was given as the true thing, and was not told that it could not be kept. */
  readonly acknowledged: ReadonlySet<string>;
  /** How often somebody consented to pay for a thing again. */
  readonly consents?: ReadonlyMap<string, number>;
  /** Whether what is of unknown end has been settled, so that the sums must agree to the credit. */
  readonly isSettled?: boolean;
}

export interface Sums {
  readonly charges: number;
  readonly paid: number;
  readonly unknown: number;
  readonly refused: number;
  readonly open: number;
  readonly owned: number;
  readonly acknowledged: number;
}

/** Every promise that was broken, in words; none is what must be. */
export function findBroken(evidence: Evidence): string[] {
  const { charges, journal, owned, acknowledged, consents, isSettled = false } = evidence;
  const broken: string[] = [];
  const rows = new Map<string, JournalRow[]>();
  for (const row of journal) {
    const name = subjectOf(row.item);
    rows.set(name, [...(rows.get(name) ?? []), row]);
  }
  for (const name of new Set([...charges.keys(), ...rows.keys()])) {
    const charged = charges.get(name) ?? 0;
    const mine = rows.get(name) ?? [];
    const [paid, unknown] = [count(mine, 'paid'), count(mine, 'unknown')];
    const states = mine.map(({ id, state }) => `${id} ${state}`).join(', ');
    const items = new Set(mine.map(({ item }) => item)).size;
    const most = Math.max(1, items) + (consents?.get(name) ?? 0);
    if (charged > most) broken.push(`${name} was charged ${charged} times, at most ${most} is right (${states})`);
    if (charged < paid) broken.push(`${name} counts as paid, and was charged ${charged} times (${states})`);
    if (charged > paid + unknown)
      broken.push(`${name} was charged ${charged} times, the journal says less (${states})`);
    if (isSettled && unknown > 0) broken.push(`${name} is of unknown end still (${states})`);
  }
  for (const { id, item, state } of journal)
    if (state === 'intent' || state === 'sent') broken.push(`purchase ${id} of ${item} is ${state} still`);
  for (const item of acknowledged) if (!owned.has(item)) broken.push(`${item} was given to somebody and is not owned`);
  return broken;
}

export function sumsOf({ charges, journal, owned, acknowledged }: Evidence): Sums {
  return {
    charges: [...charges.values()].reduce((sum, one) => sum + one, 0),
    paid: count(journal, 'paid'),
    unknown: count(journal, 'unknown'),
    refused: count(journal, 'refused'),
    open: count(journal, 'intent') + count(journal, 'sent'),
    owned: owned.size,
    acknowledged: acknowledged.size,
  };
}

function count(rows: readonly JournalRow[], state: JournalRow['state']): number {
  return rows.filter((row) => row.state === state).length;
}

/** The service knows images by names of its own. */
function subjectOf(item: string): string {
  return item.startsWith('image:') ? 'image' : item;
}
