// Handlers of what svcd says of itself: the OpenAPI document and the guide. Each is made when first asked for, and kept.

import type { Context } from 'hono';
import { assetOf, type Asset } from '../../model/asset.js';
import { answerAsset } from '../../http/answer-asset.js';
import type { Handlers } from '../../http/router.js';

export function createDocumentHandlers(origin: () => string) {
  return {
    // Late: few ask for it, and it loads what makes it.
    showOpenApi: kept('application/json', origin, async (at) =>
      JSON.stringify((await import('../../api/openapi.js')).openApiOf(at)),
    ),
    showGuide: kept('text/markdown; charset=utf-8', origin, async (at) =>
      (await import('../../api/guide.js')).guideOf(at),
    ),
  } satisfies Partial<Handlers>;
}

/** A handler of a text that depends on nothing but where svcd is. */
function kept(contentType: string, origin: () => string, make: (origin: string) => Promise<string>) {
  const made = new Map<string, Promise<Asset>>();
  const makeAsset = async (at: string) => assetOf(Buffer.from(await make(at)), contentType);
  return async ({ c }: { readonly c: Context }): Promise<Response> => {
    const at = origin();
    const asset = made.get(at) ?? makeAsset(at);
    made.set(at, asset);
    return answerAsset(c, { ...(await asset), source: 'library', cost: 0 }, undefined);
  };
}
