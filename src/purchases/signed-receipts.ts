// Receipts as this room keeps them: who signs one, and what a file that is imported keeps of its own. What they prove is checked
// where machines and their hub meet.

/** Signs that a purchase brought these bytes of an item. */
export type SignReceipt = (item: string, sha256: string, purchaseId: number) => string;

const RECEIPT = /^v1\.(\d{1,16})\.([\w-]{86})$/;

/** The number of the purchase and the signature of a receipt, whether they prove anything or not. */
export function readReceipt(receipt: string): { readonly purchase: number; readonly signature: string } | undefined {
  const [, number, signature] = RECEIPT.exec(receipt) ?? [];
  return signature === undefined ? undefined : { purchase: Number(number), signature };
}

/** The number that a receipt names, whether it proves anything or not; 0 for none. */
export function numberIn(receipt: string | null | undefined): number {
  return readReceipt(receipt ?? '')?.purchase ?? 0;
}

/**
 * What an imported file is kept with: at a hub its own receipt, of which purchase it was if the hub had signed that, for a machine
 * takes no other hub's; anywhere else the one that it came with, which a hub may ask for.
 */
export function receiptOfImported(
  sign: SignReceipt | undefined,
  { item, sha256, receipt }: { readonly item: string; readonly sha256: string; readonly receipt?: string | undefined },
): string | undefined {
  if (sign === undefined) return receipt;
  // Of one key and one text there is one signature of Ed25519.
  return receipt === sign(item, sha256, numberIn(receipt)) ? receipt : sign(item, sha256, 0);
}
