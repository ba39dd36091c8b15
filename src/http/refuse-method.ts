// The refusal of a method that a path does not answer.

import { SvcdError } from '../model/errors.js';

/** Throws `method_not_allowed`, naming what is allowed. */
export function refuseMethod(allowed: string): never {
  throw new SvcdError('method_not_allowed', `this path answers ${allowed} only`, { allow: allowed });
}
