// What a sticker's file is to a render, and the forms in which it can be had.

/** Version of the facts: a file that is the same has the same facts of the same version. */
export const FACTS_VERSION = 1;

/** The worst first: `remote` and `scripted` files may look different each time, `heavy` ones are slow. */
export const VERDICTS = ['remote', 'scripted', 'heavy', 'differs', 'clean'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Of the file as it was bought, or without code and without what is fetched from elsewhere. */
export const FORMS = ['as-bought', 'safe'] as const;
export type Form = (typeof FORMS)[number];
