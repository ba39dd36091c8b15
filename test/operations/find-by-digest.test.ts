// A safe form that has to be waited for is not one that is not owned.

import { expect, it } from 'vitest';
import { createFindByDigest, type DigestSources } from '../../src/operations/stickers/find-by-digest.js';
import { assetOf, LOTTIE_TYPE } from '../../src/model/asset.js';
import { SvcdError } from '../../src/model/errors.js';

const asset = assetOf(new TextEncoder().encode('{}'), LOTTIE_TYPE);

/** One sticker is owned, whose safe form cannot be made. */
function openWith(failure: Error) {
  const sources = {
    digests: { find: async () => undefined, listNamed: async () => [asset] },
    own: { has: () => false, list: () => [], read: async () => undefined },
    defaults: { stickers: () => [], findSticker: () => undefined, readImage: async () => asset.bytes },
    registered: { list: () => [], read: async () => asset.bytes },
    findServed: () => undefined,
    findCredit: () => undefined,
    reader: { safeFormOf: () => Promise.reject(failure) },
  };
  return createFindByDigest(sources as unknown as DigestSources);
}

it.each([
  ['busy', new SvcdError('busy', 'too many wait')],
  ['not_owned', new Error('it took too much time or memory')],
])('tells %s as what it is', async (code, failure) => {
  await expect(openWith(failure)('0'.repeat(64), 'food/cake')).rejects.toMatchObject({ code });
});
