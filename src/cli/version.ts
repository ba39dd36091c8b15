// What `svcd --version` says: enough for a report of a fault.

import { COMMIT, VERSION } from '../platform/installation.js';
import { commandWords } from './words.js';

/** The version, the commit that it was built from, and the Node.js that runs it: a line for people, or JSON. */
export function describeVersion(json: boolean): string {
  const node = process.versions.node;
  if (json) return JSON.stringify({ version: VERSION, commit: COMMIT, node });
  return `svcd ${VERSION} (${COMMIT ?? commandWords().unknownCommit}, Node ${node})`;
}
