// Where this svcd lies: the folder of its package.json, with data/ and dist/ in it. Right for the source and for the
// bundle, because this file and every file in dist/ lie one level below it.

/** Address of the folder; ends with a slash. */
export const INSTALLATION = new URL('../', import.meta.url);
