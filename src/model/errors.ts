// The one error type of svcd, and the list of every code it can carry.
// Code and message live here; HTTP status and exit code are chosen at the edges (http/, cli/).

import type { Cost } from './asset.js';

/** Codes the service's document names itself (section 7). */
export const DOCUMENTED_CODES = [
  'invalid_key',
  'insufficient_credits',
  'key_disabled',
  'rate_limited',
  'not_enabled',
] as const;

/** Codes that speak of svcd and this machine: from the remote they would say something that is not so. */
export const LOCAL_CODES = [
  'offline',
  'budget',
  'spending_stopped',
  'unsettled',
  'damaged',
  'already_running',
  'not_running',
  'port_in_use',
  'home_not_writable',
  'disk_full',
  'library_damaged',
  'owned_damaged',
  'newer_file',
  'unsupported_platform',
  'keychain_unavailable',
  'service_manager_failed',
  'invalid_config',
  'invalid_argument',
  'defaults_served',
  'plan_stale',
  'lock_unmet',
  'lock_mismatch',
  'package_changed',
  'not_declared',
  'needs_consent',
  'needs_code',
  'price_changed',
  'not_owned',
  'not_drawable',
  'no_folder',
  'not_a_machine',
  'machine_revoked',
  'hub_without_key',
  'for_machines',
  'invalid_invite',
  'invite_used_up',
  'invite_expired',
  'hub_certificate_changed',
  'database_away',
  'database_unsafe',
  'database_newer',
  'interrupted',
  'internal',
] as const;

/** Further codes of our own, where the document shows none. */
const OWN_CODES = [
  'invalid_request',
  'key_limit_exceeded',
  'permission_missing',
  'body_too_large',
  'unsupported_media_type',
  'not_found',
  'unknown_preset',
  'method_not_allowed',
  'range_not_satisfiable',
  'forbidden_host',
  'forbidden_origin',
  'invalid_token',
  'not_permitted',
  'duplicate_request',
  'busy',
  'timeout',
  'upstream_failure',
] as const;

// A bundle that needs none of them, as the client's, is spared them all.
export const ERROR_CODES = /* @__PURE__ */ (() => [...DOCUMENTED_CODES, ...OWN_CODES, ...LOCAL_CODES] as const)();
export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorDetail {
  cause?: unknown;
  /** What the caller can do about it, when the message alone does not say. */
  hint?: string | undefined;
  /** Seconds after which asking again makes sense. */
  retryAfterS?: number | undefined;
  /** Methods a path answers, for the Allow header. */
  allow?: string | undefined;
  /** Whether the remote said so. */
  fromRemote?: boolean;
  /** What the request that failed cost; 0 if not given. */
  cost?: Cost;
}

/** Everything that goes wrong on purpose: a code for programs, a sentence for people. */
export class SvcdError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly retryAfterS: number | undefined;
  readonly allow: string | undefined;
  readonly fromRemote: boolean;
  readonly cost: Cost;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'SvcdError';
    this.code = code;
    this.hint = detail.hint;
    this.retryAfterS = detail.retryAfterS;
    this.allow = detail.allow;
    this.fromRemote = detail.fromRemote ?? false;
    this.cost = detail.cost ?? 0;
  }

  /** The same error, of a request that cost this, or after which asking again makes sense only then; or with what to do. */
  with({
    cost = this.cost,
    retryAfterS = this.retryAfterS,
    hint = this.hint,
  }: Pick<ErrorDetail, 'cost' | 'retryAfterS' | 'hint'>): SvcdError {
    if (cost === this.cost && retryAfterS === this.retryAfterS && hint === this.hint) return this;
    const { allow, fromRemote, cause } = this;
    return new SvcdError(this.code, this.message, { cause, fromRemote, cost, hint, retryAfterS, allow });
  }
}

/** Narrows an unknown to our error, optionally of one code. */
export function isSvcdError(error: unknown, code?: ErrorCode): error is SvcdError {
  return error instanceof SvcdError && (code === undefined || error.code === code);
}

/** Node's own error code (`ENOENT`, `EADDRINUSE`, …) of an unknown, if it has one. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
