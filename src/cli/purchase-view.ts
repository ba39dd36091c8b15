// Purchases as a person reads them.

import { SvcdError } from '../model/errors.js';
import type { Input } from './input.js';
import { plain } from './output.js';

/** A purchase as GET /svcd/purchases tells it. */
export interface PurchaseView {
  readonly id: number;
  readonly kind: 'sticker' | 'image';
  readonly preset?: string;
  /** Digest of an image's prompt and size. */
  readonly image?: string;
  readonly state: 'intent' | 'sent' | 'paid' | 'refused' | 'unknown';
  /** Credits expected. */
  readonly price: number;
  /** Credits charged; null while that is open. */
  readonly cost: number | null;
  readonly reason: string | null;
  readonly owned: boolean;
  readonly created_at: string;
}

const STATES: Readonly<Record<PurchaseView['state'], string>> = {
  intent: 'not sent yet',
  sent: 'under way',
  paid: 'paid',
  refused: 'not charged',
  unknown: 'UNKNOWN, may have been charged',
};

/** Words for the reasons that do not explain themselves; the others are error codes of the README. */
const REASONS: Readonly<Record<string, string>> = {
  bytes_lost: 'charged, but its file never came',
  decided: 'as you decided',
  interrupted: 'svcd was stopped before its end was seen',
  not_charged: 'the balance had not moved',
  not_written: 'its end could not be written down',
};

const IMAGE_CHARACTERS = 8;

/** What was bought: a preset, or an image by the beginning of its digest. */
export function whatOf({ preset, image = '' }: PurchaseView): string {
  return preset === undefined ? `image ${plain(image.slice(0, IMAGE_CHARACTERS))}…` : plain(preset);
}

export function stateOf({ state }: PurchaseView): string {
  return STATES[state] ?? plain(state);
}

export function reasonOf({ reason }: PurchaseView): string {
  return reason === null ? '' : (REASONS[reason] ?? plain(reason).replaceAll('_', ' '));
}

/** Credits it cost; `1?` while that is open. */
export function creditsOf({ cost, price }: PurchaseView): string {
  return cost === null ? `${price}?` : String(cost);
}

// As `ls -l` does: the time of this machine. Swedish writes dates as ISO does.
const FORMAT = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });

/** The moment it began, in local time. */
export function momentOf({ created_at: createdAt }: PurchaseView): string {
  return FORMAT.format(Date.parse(createdAt));
}

/** The number of the purchase that was typed. Throws `invalid_argument`. */
export function readPurchaseId(input: Input): string {
  const id = input.word('id');
  if (/^\d{1,15}$/.test(id)) return id;
  const message = `ID must be the number of a purchase, got ${JSON.stringify(id)}`;
  throw new SvcdError('invalid_argument', message, { hint: '"svcd purchases" lists them.' });
}
