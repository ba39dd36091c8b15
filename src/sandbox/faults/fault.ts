// What is to go wrong with one request, and when in its course.

import type { SvcdError } from '../../model/errors.js';
import type { ImageSize } from '../wire/limits.js';
import type { Transfer } from './send-badly.js';

/** The parts combine. */
export interface Fault {
  /** What it is called in the request journal. */
  name?: string;
  /** Wait before anything else is done; Infinity never answers. */
  latencyMs?: number;
  /** Answer this error instead of doing the work: nothing is charged. */
  refuse?: SvcdError;
  /** Answer this instead of doing the work: nothing is charged. */
  instead?: () => Response;
  /**
   * Do the work, charge for it, and send this instead of the true answer. A body that errors cuts the
   * connection (if it errors at once, the server can still answer 500 instead); one that dawdles is a slow answer.
   */
  replace?: (answer: Response) => Response | Promise<Response>;
  /** Mishandle the bytes of the answer, below HTTP. */
  transfer?: Transfer;
  /** Draw an image of this size, whatever was asked for; `other` is any but that. */
  imageSize?: ImageSize | 'other';
}

export interface FaultRequest {
  method: string;
  /** As sent: percent-encoded, without the query. */
  path: string;
  /** The header that asks for a fault of this one request. */
  header: string | undefined;
}

/** What goes wrong with a request. May throw: then the request is refused for it. */
export type ChooseFault = (request: FaultRequest) => Fault | undefined;
