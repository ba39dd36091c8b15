// A controller whose signal many listen to.

import { setMaxListeners } from 'node:events';

/** For any number of listeners: Node.js 20 takes eleven for a leak, and prints a warning. */
export function newSharedAbort(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
