// The handler of files by their digests.

import { parseWith } from '../../contract/json-body.js';
import type { FindByDigest } from './find-by-digest.js';
import { digest } from '../../api/lock.js';
import { asciiText } from '../../model/asset.js';
import { answerAsset } from '../../http/answer-asset.js';
import type { Handlers } from '../../http/router.js';
import type { BalanceOf } from '../service/service-handlers.js';

export interface DigestParts {
  readonly findByDigest: FindByDigest;
}

export function createDigestHandlers({ findByDigest }: DigestParts, balanceOf: BalanceOf) {
  return {
    findByDigest: async ({ c, caller, query }) => {
      const { sha256 } = parseWith(digest, { sha256: c.req.param('sha256') });
      const found = await findByDigest(sha256, query.preset);
      const answer = answerAsset(c, found, balanceOf(caller));
      if (found.licence !== undefined) answer.headers.set('X-Svcd-Licence', asciiText(found.licence));
      return answer;
    },
  } satisfies Partial<Handlers>;
}
