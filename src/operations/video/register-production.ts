// Production registration: checked here, passed on when the remote can be reached, else skipped without harm.

import type { Source } from '../../model/asset.js';
import type { Spender } from '../../model/spender.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { askFree, noRemote, type Remote } from '../../upstream/remote.js';
import type { ProductionRequest } from '../../contract/requests.js';

export interface Registration {
  /** JSON. */
  readonly body: string;
  readonly source: Source;
  /** Why it was skipped. */
  readonly reason?: string;
}

export type RegisterProduction = (request: ProductionRequest, spender: Spender) => Promise<Registration>;

const TIMEOUT_MS = 5000;
const MAX_BYTES = 1024 * 1024;

/** Registers productions. Throws only what a person must mend: a wrong or disabled Key, a refused body. */
export function createRegisterProduction(remote: Remote | undefined): RegisterProduction {
  return async (request, spender) => {
    try {
      if (remote === undefined) throw noRemote();
      const answer = await askFree(remote, {
        method: 'POST',
        path: '/api/v1/productions',
        key: spender.kind === 'key' ? spender.key : undefined,
        contentType: 'application/json',
        body: new TextEncoder().encode(JSON.stringify(request)),
        cost: 'free',
        timeoutMs: TIMEOUT_MS,
        queueTimeoutMs: TIMEOUT_MS,
        resendWithinMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      });
      return { body: new TextDecoder().decode(answer.bytes), source: 'remote' };
    } catch (error) {
      return skipped(error);
    }
  };
}

function skipped(error: unknown): Registration {
  if (!(error instanceof SvcdError)) throw error;
  const forPeople = (['invalid_key', 'key_disabled', 'invalid_request'] as const).some((code) =>
    isSvcdError(error, code),
  );
  if (forPeople) throw error;
  const body = { production_id: null, latest_version: null, notices: [], tips: [] };
  return { body: JSON.stringify(body), source: 'default', reason: error.code };
}
