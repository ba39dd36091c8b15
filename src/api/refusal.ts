// How an error looks on the wire: `{"code","message"}` and a status. A code without a row does not compile.

import type { ErrorCode, SvcdError } from '../model/errors.js';

/** Status of every code. The first five are the document's (section 7); the rest are our choice. */
export const STATUS_OF: Record<ErrorCode, number> = {
  invalid_key: 401,
  insufficient_credits: 402,
  key_disabled: 403,
  rate_limited: 429,
  not_enabled: 503,

  // The document says that a Key beyond its limits is rejected, not how, and keeps 402 and 429 for other things.
  key_limit_exceeded: 403,
  permission_missing: 403,

  invalid_request: 400,
  invalid_argument: 400,
  body_too_large: 413,
  unsupported_media_type: 415,
  not_found: 404,
  unknown_preset: 404,
  not_owned: 404,
  not_drawable: 422,
  lock_unmet: 404,
  method_not_allowed: 405,
  range_not_satisfiable: 416,
  forbidden_host: 403,
  forbidden_origin: 403,
  invalid_token: 401,
  not_permitted: 403,
  not_declared: 403,
  needs_consent: 403,
  needs_code: 403,
  budget: 402,
  spending_stopped: 403,
  duplicate_request: 409,
  unsettled: 409,
  plan_stale: 409,
  lock_mismatch: 409,
  package_changed: 409,
  price_changed: 409,
  no_folder: 409,
  busy: 429,
  timeout: 504,
  upstream_failure: 502,
  offline: 503,
  damaged: 500,
  already_running: 409,
  not_running: 503,
  port_in_use: 500,
  home_not_writable: 500,
  disk_full: 507,
  library_damaged: 500,
  owned_damaged: 500,
  newer_file: 500,
  unsupported_platform: 500,
  keychain_unavailable: 503,
  service_manager_failed: 503,
  invalid_config: 500,
  not_a_machine: 401,
  machine_revoked: 401,
  hub_without_key: 403,
  for_machines: 403,
  invalid_invite: 403,
  invite_used_up: 403,
  invite_expired: 403,
  hub_certificate_changed: 502,
  database_away: 503,
  database_unsafe: 500,
  database_newer: 500,
  // Of the command line alone.
  defaults_served: 409,
  interrupted: 503,
  internal: 500,
};

export interface Refusal {
  code: string;
  message: string;
  hint?: string;
}

/** Body of a refusal: never a stack, never a cause. */
export function refusalOf(error: SvcdError): Refusal {
  return {
    code: error.code,
    message: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  };
}
