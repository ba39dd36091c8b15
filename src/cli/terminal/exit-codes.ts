// Exit codes: one per kind of failure, so that a script can tell them apart without reading text.

import type { ErrorCode } from '../../model/errors.js';

/** Exit code of every error; a code without a row does not compile. */
export const EXIT_CODE_OF: Record<ErrorCode, number> = {
  internal: 1,

  invalid_argument: 2,
  invalid_config: 2,
  no_folder: 2,
  invalid_request: 2,
  body_too_large: 2,
  unsupported_media_type: 2,
  method_not_allowed: 2,
  range_not_satisfiable: 2,

  not_found: 3,
  unknown_preset: 3,
  not_owned: 3,

  not_running: 4,
  already_running: 5,
  port_in_use: 6,
  home_not_writable: 7,
  library_damaged: 8,

  owned_damaged: 9,
  damaged: 9,

  invalid_key: 10,
  key_disabled: 10,
  invalid_token: 10,
  not_declared: 10,
  not_permitted: 10,
  forbidden_host: 10,
  forbidden_origin: 10,

  insufficient_credits: 11,
  key_limit_exceeded: 11,
  permission_missing: 10,
  budget: 11,
  spending_stopped: 11,
  needs_consent: 11,

  offline: 12,
  upstream_failure: 12,
  timeout: 12,
  busy: 12,
  rate_limited: 12,
  not_enabled: 12,
  duplicate_request: 12,

  unsupported_platform: 13,
  unsettled: 14,
  keychain_unavailable: 15,
  newer_file: 16,
  service_manager_failed: 18,

  plan_stale: 17,
  lock_unmet: 17,
  lock_mismatch: 17,
  package_changed: 17,
  price_changed: 17,

  // Of a hub and the machines that have joined it.
  not_a_machine: 10,
  machine_revoked: 10,
  hub_without_key: 10,
  for_machines: 10,
  invalid_invite: 10,
  invite_used_up: 10,
  invite_expired: 10,
  hub_certificate_changed: 10,
  database_away: 12,
  database_unsafe: 9,
  database_newer: 16,

  defaults_served: 20,
  interrupted: 130,
};

/** The meaning of each exit code; the table in src/cli/REFERENCE.md is compared with it. */
export const EXIT_MEANINGS: Readonly<Record<number, string>> = {
  0: 'Done.',
  1: 'svcd itself failed, or "svcd doctor" found something bad.',
  2: 'The command, an option, a setting or the request is wrong.',
  3: 'There is no such sticker or path.',
  4: 'svcd does not run on this home.',
  5: 'svcd already runs on this home.',
  6: 'Another program uses the port.',
  7: 'The home folder cannot be written.',
  8: 'The library is damaged.',
  9: 'The purchases, or a file that was paid for, are damaged; svcd never rebuilds them.',
  10: 'No usable Key or token.',
  11: 'Out of credits, or over the budget.',
  12: 'The service or the daemon cannot answer now: offline, busy, failing or too slow.',
  13: 'This platform is not supported.',
  14: 'It is not known yet whether an earlier purchase was charged.',
  15: 'The OS keychain cannot be used.',
  16: 'A newer svcd wrote a file in the home.',
  17: 'A lock, a plan or a package does not agree with what is here.',
  18: 'systemd, launchd or the Task Scheduler is not there, or refused.',
  20: 'The command of "svcd run --strict" succeeded, but got a default, an error, or lists without the service, or svcd was away.',
  130: 'Interrupted.',
};
