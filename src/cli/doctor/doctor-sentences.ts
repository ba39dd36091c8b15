// What the doctor says of each finding: the words, and what to do where the command alone does not say it. English; its
// keys are the stable codes of `svcd doctor --json`.

import type { KeychainState } from '../../auth/keychain-states.js';
import type { KeySource } from '../../auth/user-key.js';

export type Said = readonly [words: string, hint?: string];

const KEYCHAIN: Readonly<Record<KeychainState, string>> = {
  found: 'it holds a Key for this remote',
  empty: 'it works, and holds no Key for this remote',
  locked: 'it is locked, or has no keyring yet',
  no_service: 'it has no keyring service to talk to, as is usual on servers and in containers',
  no_module: 'a module or its system library is missing',
  no_answer: 'it does not answer: its keyring service hangs, or waits for a password',
};

const UNLOCK: Readonly<Partial<Record<KeychainState, string>>> = {
  locked: 'Unlock it: log in to the desktop, or open its password program. ',
  no_answer: 'Look for a password dialog, or restart the keyring service. ',
};

const SOURCES: Readonly<Record<KeySource, string>> = {
  environment: 'from SERVICE_API_KEY',
  key_file: 'from your key file',
  keychain: 'from the OS keychain',
  package: "from the template package's service.key.json",
  sandbox: 'from the sandbox',
  hub: 'at the hub',
  none: 'from nowhere',
};

export const en = {
  // The doctor itself.
  check_failed: (message: string, hint: string): Said => [`could not be checked: ${message}`, hint],
  check_unfinished: (seconds: number): Said => [
    `did not answer within ${seconds} s`,
    'Something that it looks at hangs: a disk, a network file system, or another program.',
  ],
  check_crashed: (signal: string): Said => [`was not checked: the check before it ended by ${signal}`],
  not_examined: (why: string): Said => [`was not looked at: ${why}`],

  // Node.js and the installation.
  node_ok: (version: string, platform: string, arch: string, abi: string): Said => [
    `Node.js ${version} on ${platform} ${arch} (ABI ${abi})`,
  ],
  sqlite_ok: (version: string): Said => [`works, with SQLite ${version}`],
  sqlite_missing: (message: string, hint: string): Said => [message, hint],
  path_ok: (file: string, version: string): Said => [`"svcd" is ${file} (${version})`],
  path_none: (script: string): Said => [`has no "svcd"; this one is ${script}`],
  path_twice: (first: string, version: string, other: string, otherVersion: string): Said => [
    `has svcd twice: ${first} (${version}) comes first and runs, ${other} (${otherVersion}) does not`,
    'Keep one of them, so that an update reaches the one that runs.',
  ],

  // The home and its disk.
  home_new: (home: string): Said => [`${home} is not there yet; the first start makes it`],
  home_ok: (home: string): Said => [`${home} is private`],
  home_unmakeable: (home: string): Said => [
    `${home} is not there and cannot be made`,
    'Or give another one with --home DIR or SVCD_HOME.',
  ],
  home_no_folder: (home: string): Said => [`${home} is no folder`, 'Or give another one with --home DIR or SVCD_HOME.'],
  home_relative: (message: string): Said => [message],
  home_owner: (path: string, owner: number, uid: number): Said => [
    `${path} belongs to user ${owner}, and you are user ${uid}: svcd refuses it, or cannot use it`,
    'Or run svcd as that user. The command needs the rights of root.',
  ],
  home_open: (home: string, mode: string): Said => [
    `other users can look into ${home} (mode ${mode}), which holds the token and what you bought`,
  ],
  home_writable: (path: string, mode: string): Said => [
    `other users can write in ${path} (mode ${mode}): svcd refuses it, for its settings say where your Key is sent`,
    'See first that nobody changed it.',
  ],
  home_closed: (home: string, mode: string): Said => [`${home} cannot be read or written by you (mode ${mode})`],
  home_read_only: (home: string): Said => [`${home} cannot be written: svcd serves what is there, and buys nothing`],
  home_read_only_empty: (home: string): Said => [
    `${home} cannot be written, and there is nothing in it to serve`,
    'Or give another one with --home DIR or SVCD_HOME.',
  ],
  home_network: (home: string, kind: string): Said => [
    `${home} lies on another machine (${kind}), where the locks of databases do not hold: two svcd may spend at once`,
    'Stop svcd, move the folder to a disk of this machine, and name it with --home DIR or SVCD_HOME.',
  ],
  disk_ok: (mib: number, home: string): Said => [`${mib} MiB free for ${home}`],
  disk_low: (mib: number, mount: string): Said => [
    `only ${mib} MiB are free on ${mount}`,
    `Make room there: "du -xam ${mount} | sort -n | tail" lists the largest files. What is paid for must be written down.`,
  ],
  disk_full: (mib: number, mount: string): Said => [
    `${mount} is full: ${mib} MiB are free, and what is paid for could not be written down`,
    `Make room there: "du -xam ${mount} | sort -n | tail" lists the largest files.`,
  ],
  disk_files: (files: number, mount: string): Said => [
    `only ${files} more files can be made on ${mount} (inodes)`,
    `Remove files there: "du -x --inodes ${mount} | sort -n | tail" lists the folders with the most.`,
  ],

  // Settings, token, log.
  settings_ok: (): Said => ['can be read, and all are known'],
  settings_file: (message: string): Said => [message, 'Correct the file; the command puts it aside instead.'],
  settings_unknown: (name: string, meant: string): Said => [
    `config.json has ${name}, which is no setting and has no effect${meant}`,
  ],
  settings_wrong: (message: string): Said => [message, 'Or set it right; "svcd config" shows all of them.'],
  settings_variable: (name: string, meant: string): Said => [
    `the environment has ${name}, which svcd does not know${meant}`,
  ],
  settings_variable_wrong: (message: string): Said => [message, 'Or set it right, where your shell sets it.'],
  trust_loopback: (): Said => [
    'let any program of any user on this machine spend your credits (trustLoopback)',
    'Or set a limit with "svcd budget set --day N".',
  ],
  token_ok: (): Said => ['runtime.json holds it'],
  token_new: (): Said => ['none yet; the first start makes one'],
  token_missing: (file: string): Said => [
    `${file} is missing: the next start makes a new token, and programs that hold the old one are refused`,
    'Give the token it prints to those programs.',
  ],
  token_unreadable: (file: string): Said => [`${file} holds no token: it was damaged`, 'The command makes a new one.'],
  token_lost: (file: string, pid: number): Said => [
    `a daemon runs (process ${pid}), and ${file}, which says where, is missing or damaged`,
    'The command ends it in order; then start it again.',
  ],
  log_ok: (mib: string): Said => [`takes ${mib} MiB`],
  log_none: (): Said => ['none yet'],
  log_large: (mib: string, file: string): Said => [
    `takes ${mib} MiB, more than svcd keeps; ${file} is the largest`,
    'The command empties that file.',
  ],
  log_crash: (file: string, line: string): Said => [
    `a daemon ended with an error, which is in ${file}: ${line}`,
    'Keep the file if you want to report it; the command removes it.',
  ],

  // Databases and money.
  database_none: (): Said => ['is not there yet'],
  database_ok: (): Said => ['is sound'],
  library_damaged: (damage: string): Said => [
    `is damaged: ${damage}`,
    'It can be made again: the next start sets it aside and does so.',
  ],
  owned_damaged: (damage: string): Said => [
    `is damaged: ${damage}`,
    'It holds what you paid for and is never rebuilt. FILE is your backup of "svcd owned backup"; stop svcd first.',
  ],
  owned_damaged_backup: (damage: string, file: string): Said => [
    `is damaged: ${damage}`,
    `${file} is a sound copy; a newer backup of yours is better.`,
  ],
  owned_no_backup: (damage: string, file: string): Said => [
    `is damaged: ${damage}`,
    `It holds what you paid for and is never rebuilt. With a backup: "svcd owned restore FILE". Without one the command puts it aside as ${file}, and svcd pays again.`,
  ],
  newer_file: (message: string): Said => [message],
  loss_none: (): Said => ['owned.db lacks none that was made with this home'],
  loss: (loss: string): Said => [
    `nothing is bought: ${loss}`,
    'The command accepts that and pays again. With a backup do instead: "svcd stop", then "svcd owned restore FILE".',
  ],
  loss_accepted: (loss: string): Said => [`accepted: ${loss}`],
  spending_ok: (): Said => ['is allowed, within the budgets'],
  spending_stopped: (since: string): Said => [`is stopped since ${since}: nothing is bought`],
  unsettled_none: (): Said => ['the end of every purchase is known'],
  unsettled: (count: number, minutes: number): Said => [
    `of ${count === 1 ? 'one purchase' : `${count} purchases`} nobody knows whether it was charged, the oldest for ${minutes} minutes`,
    '"svcd purchases --state unknown" lists them; the command settles one by the balance, if that can tell.',
  ],
  unsettled_at_hub: (count: number, minutes: number): Said => [
    `of ${count === 1 ? 'one purchase' : `${count} purchases`} the hub has not told how it ended, the oldest for ${minutes} minutes`,
    'At the hub: "svcd hub purchases --state unknown".',
  ],
  paid_ok: (): Said => ['all that was paid for is owned'],
  paid_in_vain: (id: number, count: number): Said => [
    `${count === 1 ? `purchase ${id} was` : `${count} purchases were`} paid for and nothing of it is owned`,
    '"svcd purchases" lists it; the command buys it again.',
  ],
  paid_image_in_vain: (id: number, count: number): Said => [
    `${count === 1 ? `purchase ${id} was` : `${count} purchases were`} paid for and nothing of it is owned`,
    '"svcd purchases" lists it; the same request with the header "X-Svcd-Allow-Repay: 1" buys it again.',
  ],
  dates_ok: (): Said => ['no purchase is dated in the future'],
  dates_none: (): Said => ['nothing was bought yet'],
  dates_future: (purchases: number, credits: number, day: string): Said => [
    `the clock was once ahead: ${purchases} of the purchases, ${credits} credits, dated up to ${day}`,
    'When the clock is right, the command counts them as spent today.',
  ],
  dates_mended: (mended: number, day: string): Said => [
    `${mended} now count as spent today; they were dated up to ${day}`,
  ],

  // The daemon and its port.
  daemon_ok: (version: string, url: string, pid: number): Said => [
    `svcd ${version} answers at ${url} (process ${pid})`,
  ],
  daemon_none: (): Said => ['does not run'],
  daemon_held: (pid: number): Said => [
    `does not run; a command of svcd has the home now (process ${pid})`,
    'Wait for its end.',
  ],
  daemon_stopped: (pid: number): Said => [`was paused by a signal (process ${pid}) and answers nobody`],
  daemon_silent: (pid: number, url: string): Said => [
    `takes connections at ${url} and does not answer (process ${pid})`,
    'Nothing that was paid for is lost by ending it. Then start it again.',
  ],
  daemon_version: (theirs: string, own: string): Said => [`is svcd ${theirs}, and this command is svcd ${own}`],
  service_none: (): Said => ['is not installed: svcd starts when you start it'],
  service_ok: (kind: string): Said => [`is installed (${kind})`],
  service_drift: (what: string): Said => [`is not as it should be: ${what}`],
  port_own: (port: string): Said => [`${port} is svcd's`],
  port_any: (): Said => ['any that is free'],
  port_free: (port: number): Said => [`${port} is free`],
  port_svcd: (port: number, pid: number): Said => [
    `${port} is that of another svcd (process ${pid}), on another home or of another user`,
    'Or end that one.',
  ],
  port_taken: (port: number, name: string, pid: number): Said => [
    `${port} is taken by ${name} (process ${pid})`,
    'Or end that program.',
  ],
  port_taken_unknown: (port: number): Said => [
    `${port} is taken by another program, of another user or on a system that does not tell (EADDRINUSE)`,
    'Or end that program.',
  ],
  port_refused: (port: number, code: string): Said => [`${port} cannot be listened on (${code})`],

  // Limits of the system.
  files_ok: (limit: string): Said => [`${limit} may be open at a time`],
  files_low: (limit: number): Said => [
    `only ${limit} files and connections may be open at a time`,
    'The command raises the limit of this shell, or of the daemon that runs. Where a container or a service sets it, raise it there.',
  ],
  memory_ok: (mib: number): Said => [`up to ${mib} MiB may be used`],
  memory_heap: (mib: number): Said => [
    `Node.js may use only ${mib} MiB: NODE_OPTIONS says so`,
    'Or raise --max-old-space-size in it to 512 or more.',
  ],
  memory_low: (mib: number): Said => [
    `only ${mib} MiB may be used by this container or session; large pictures need 512`,
    'Raise the limit where the container or service is defined (docker run --memory, MemoryMax=).',
  ],

  // The network and the remote.
  proxy_none: (): Said => ['none is set'],
  proxy_used: (address: string): Said => [`the remote is asked through ${address}`],
  proxy_odd: (variable: string): Said => [
    `${variable} names no address of a proxy`,
    'Or set it right, where your shell sets it.',
  ],
  proxy_unused: (variable: string, address: string): Said => [
    `${variable} names ${address}, and the remote is asked without it`,
  ],
  proxy_loopback: (variable: string, address: string): Said => [
    `${variable} names ${address}, and NO_PROXY does not except 127.0.0.1: programs may look for svcd there`,
  ],
  remote_none: (): Said => ['none is configured', 'Or try everything without an account: "svcd start --sandbox".'],
  hub_ok: (address: string, project: string, machine: string): Said => [
    `the hub at ${address} answers; project ${project}, this machine is "${machine}"`,
  ],
  hub_offline: (address: string): Said => [`the hub at ${address} was not asked: svcd is set to offline`],
  hub_away: (address: string, why: string): Said => [
    `the hub at ${address} does not answer: ${why}`,
    'What is owned is served, and defaults; nothing is bought until it is back.',
  ],
  hub_certificate: (address: string): Said => [
    `what answers at ${address} is not the hub that this machine joined, or it has a new certificate`,
    'Ask who looks after the hub. If it has a new certificate, join again with a new code.',
  ],
  hub_refused: (why: string): Said => [`the hub does not accept this machine: ${why}`, 'Join again with a new code.'],
  hub_unreadable: (why: string): Said => [
    `it belongs to a hub that svcd cannot tell: ${why}`,
    'Nothing is bought. Join again with a new code, or leave.',
  ],
  remote_sandbox: (): Said => ['the sandbox, inside svcd: its credits are not real'],
  remote_ok: (address: string, proxy: string): Said => [
    `${address}${proxy === '' ? '' : ` through the proxy ${proxy}`} answers`,
  ],
  remote_offline: (address: string): Said => [`${address} is not asked: svcd is set to offline`],
  remote_held: (address: string, until: string): Said => [
    `${address} asked to be left alone until ${until} (Retry-After)`,
    'The command asks it again at once.',
  ],
  remote_unseen: (address: string, why: string): Said => [
    `${address} answers here, and the daemon does not reach it: ${why}`,
    'The command makes the daemon ask again at once.',
  ],
  remote_dns: (address: string, host: string, code: string): Said => [
    `${address} is not reached: the name ${host} cannot be resolved (${code})`,
    'Is it spelled right, and is this machine online? svcd goes on by itself when the name resolves.',
  ],
  remote_refused: (address: string, code: string): Said => [
    `${address} is not reached: nothing listens there (${code})`,
    'Is the port right? svcd goes on by itself when the service is back.',
  ],
  remote_timeout: (address: string, why: string): Said => [
    `${address} is not reached: ${why}`,
    'A firewall may swallow the connection. svcd goes on by itself when the service is back.',
  ],
  remote_unreached: (address: string, why: string): Said => [
    `${address} is not reached: ${why}`,
    'svcd goes on by itself when the network is back.',
  ],
  remote_proxy: (address: string, proxy: string, why: string): Said => [
    `${address} is not reached: the proxy ${proxy} ${why}`,
    'PROXY is the address of the right proxy, or "direct" for none. A user and password belong into HTTPS_PROXY.',
  ],
  remote_tls_untrusted: (address: string, code: string): Said => [
    `${address} shows a certificate that this machine does not trust (${code})`,
    'FILE holds the certificate of the authority that your network uses, in PEM.',
  ],
  remote_tls_dates: (address: string, code: string, now: string): Said => [
    `the certificate of ${address} is not valid now (${code}); this machine's clock says ${now}`,
    'If the clock is right, only the owner of the service can renew the certificate.',
  ],
  remote_tls_name: (address: string, host: string): Said => [
    `${address} shows the certificate of another name than ${host}`,
    'Is the address right? Somebody in between may answer in its place.',
  ],
  remote_tls_none: (address: string, code: string): Said => [
    `${address} does not speak TLS, or not one that is safe (${code})`,
    'Is the port right?',
  ],
  remote_redirect: (address: string, to: string): Said => [
    `${address} sends callers to ${to}, and svcd does not follow with your Key`,
    'Either the service moved, or a network asks you to log in first (open it in a browser).',
  ],
  remote_foreign: (address: string, what: string): Said => [
    `${address} answers, and is not the service that svcd knows (${what})`,
    'Is the address right? A network may also ask you to log in first (open it in a browser).',
  ],
  remote_failing: (address: string, status: number): Said => [
    `${address} answers with an error (${status})`,
    'svcd goes on by itself when the service works again.',
  ],
  key_ok: (lastFour: string, source: KeySource): Said => [
    `ends in ${lastFour}, ${SOURCES[source]}; the service takes it`,
  ],
  key_untried: (lastFour: string, source: KeySource): Said => [
    `ends in ${lastFour}, ${SOURCES[source]}; the service was not asked`,
  ],
  key_hub: (): Said => ['at the hub: this machine needs none'],
  key_hub_none: (): Said => ['the hub has none, so it buys nothing', 'On the hub: "svcd key set".'],
  key_hub_wrong: (message: string): Said => [
    `the service refuses the one of the hub: ${message}`,
    'On the hub: "svcd hub doctor".',
  ],
  key_sandbox: (): Said => ["the sandbox's own"],
  key_unneeded: (): Said => ['none, and none is needed without a remote'],
  key_none: (): Said => ['none: nothing can be bought'],
  key_warning: (message: string): Said => [message],
  key_exposed: (path: string): Said => [`${path} holds the Key and can be read by other users`],
  key_wrong: (lastFour: string, source: KeySource, message: string): Said => [
    `the service refuses the Key that ends in ${lastFour}, ${SOURCES[source]}: ${message}`,
    'Copy it anew from your account; the command asks for it.',
  ],
  key_wrong_variable: (lastFour: string, message: string): Said => [
    `the service refuses the Key that ends in ${lastFour}, from SERVICE_API_KEY: ${message}`,
    'Or set the right one where your shell sets it. Then start svcd anew.',
  ],
  keychain_ok: (state: KeychainState): Said => [KEYCHAIN[state]],
  keychain_unneeded: (source: KeySource): Said => [`is not needed: the Key comes ${SOURCES[source]}`],
  keychain_hub: (): Said => ['is not needed: the hub has the Key'],
  keychain_sandbox: (): Said => ['is not needed: the sandbox has a Key of its own'],
  keychain_no_remote: (): Said => ['is not needed: no remote is configured'],
  keychain_unusable: (state: KeychainState, why: string): Said => [
    `cannot be used: ${KEYCHAIN[state]} (${why})`,
    `${UNLOCK[state] ?? ''}The command keeps the Key in a private file instead, and asks for it.`,
  ],
  clock_ok: (now: string): Said => [`it is ${now}`],
  clock_behind: (now: string, newest: string): Said => [
    `it is ${now}, but files in the home are from ${newest}`,
    'If the clock is right, they were made while it was wrong: the command dates them now. Else set the clock first.',
  ],
  clock_off: (now: string, seconds: number, host: string): Said => [
    `it is ${now}, ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} ${host}`,
    'Budgets count days, and TLS checks dates. The command needs the rights of root.',
  ],

  // The lock of a video in this folder.
  lock_none: (): Said => ['none in this folder'],
  lock_ok: (file: string, files: number): Said => [`${file}: ${files} files, all as locked`],
  lock_unreadable: (message: string, hint: string): Said => [message, hint],
  lock_unmet: (file: string, names: string): Said => [
    `${file}: missing or changed: ${names}; what they hold is owned`,
    'The command brings them back and buys nothing.',
  ],
  lock_lost: (file: string, names: string, count: number): Said => [
    `${file}: missing or changed: ${names}; ${count} of them are not owned here`,
    'FILE is what "svcd owned export --lock" wrote where they are owned. To buy stickers again: "svcd fetch --locked --buy --max-credits N".',
  ],
};

export type Sentences = typeof en;
