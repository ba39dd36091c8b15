// Handlers of svcd's own paths about what is in a sticker's file.

import { OPERATIONS } from '../../api/operations.js';
import type { ShowFacts } from './show-facts.js';
import type { Form } from '../../model/asset.js';
import { presetOf } from '../../http/read-request.js';
import type { Handlers } from '../../http/router.js';

export interface FactsParts extends ShowFacts {
  /** In which form stickers are served where the request does not say. */
  readonly form: Form;
}

export function createFactsHandlers({ showFacts, form }: FactsParts) {
  return {
    showFacts: ({ c, query }) => showFacts(presetOf(c, OPERATIONS.showFacts), query.form ?? form),
  } satisfies Partial<Handlers>;
}
