// Under which licence a sticker may be shown, and the line that it asks for.

/** What is known of a sticker's licence; nothing where nothing is told. */
export interface Credit {
  /** Name of the licence, as its source tells it. */
  readonly licence?: string;
  /** The credit line it asks for; none when it asks for none, as far as is known. */
  readonly attribution?: string;
}

/** What is told in place of a licence that is not known. */
export const UNKNOWN_LICENCE = 'unknown';

/** The credit of something that has one among other things. */
export function creditOf({ licence, attribution }: Credit): Credit {
  return { ...(licence !== undefined && { licence }), ...(attribution !== undefined && { attribution }) };
}
