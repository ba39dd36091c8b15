// Other names of commands: those they had, which work unseen, and those that other programs have for what svcd does.

/** What a command was called, and what is called in its place. They go with the release after the next. */
export const OLD_NAMES: Readonly<Record<string, string>> = {
  online: 'offline --off',
  related: 'search --related',
  complete: 'search --complete',
  'stop-spending': 'budget stop',
  facts: 'library facts',
  synonyms: 'library synonyms',
  defaults: 'library defaults',
  origins: 'config origins',
  env: 'token env',
  join: 'hub join',
  leave: 'hub leave',
};

/** What people type who come from other programs, and the one or two commands that they may mean. */
const NAMES_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  add: ['library add', 'token add'],
  auth: ['key set', 'key status'],
  backup: ['owned export', 'library export'],
  balance: ['usage'],
  browse: ['open', 'search'],
  buy: ['get', 'image'],
  check: ['doctor', 'status'],
  create: ['image'],
  credits: ['usage'],
  daemon: ['start', 'service install'],
  download: ['get', 'fetch'],
  exec: ['run'],
  exit: ['stop'],
  export: ['owned export', 'library export'],
  find: ['search', 'match'],
  generate: ['image'],
  gui: ['open'],
  health: ['doctor', 'status'],
  history: ['purchases'],
  import: ['owned import', 'library import'],
  info: ['status', 'doctor'],
  init: ['start --sandbox', 'key set'],
  install: ['service install', 'fetch'],
  invite: ['hub invite'],
  kill: ['stop'],
  limit: ['budget set'],
  limits: ['budget', 'budget set'],
  list: ['search', 'purchases'],
  login: ['key set', 'hub join'],
  logout: ['key remove', 'hub leave'],
  ls: ['search', 'purchases'],
  ping: ['status', 'doctor'],
  ps: ['status'],
  pull: ['get', 'fetch'],
  quit: ['stop'],
  reload: ['restart'],
  render: ['run', 'apply'],
  repair: ['doctor'],
  resume: ['budget resume', 'library resume'],
  serve: ['start', 'service install'],
  server: ['start', 'service install'],
  set: ['config set', 'budget set'],
  settings: ['config'],
  settle: ['purchases settle'],
  setup: ['start --sandbox', 'key set'],
  show: ['status', 'config'],
  signin: ['key set'],
  spending: ['usage', 'budget'],
  suggest: ['match', 'search --complete'],
  sync: ['library sync'],
  test: ['doctor', 'sandbox'],
  ui: ['open'],
  uninstall: ['service remove'],
  up: ['start'],
  update: ['library sync'],
  upgrade: ['restart', 'library sync'],
  web: ['open'],
  whoami: ['key status', 'usage'],
};

/** The commands that a word means elsewhere; none where it says nothing. */
export function meantElsewhere(word: string): readonly string[] {
  const known = word.toLowerCase();
  return Object.hasOwn(NAMES_ELSEWHERE, known) ? (NAMES_ELSEWHERE[known] ?? []) : [];
}

/** The arguments with the present name of a command in place of its old one. */
export function withPresentName(args: readonly string[]): readonly string[] {
  const at = commandAt(args);
  const typed = at === -1 ? '' : (args[at] ?? '');
  if (!Object.hasOwn(OLD_NAMES, typed)) return args;
  return [...args.slice(0, at), ...(OLD_NAMES[typed] ?? '').split(' '), ...args.slice(at + 1)];
}

/** Options without a value that may stand before a command. */
const SWITCHES = new Set(['--json', '--no-json', '--help', '-h', '--version', '-v', '-V']);

/** Where the name of the command stands; -1 without one. An option before it takes the word behind it, as for the parser. */
export function commandAt(args: readonly string[]): number {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--') return -1;
    if (!arg.startsWith('-') || arg === '-') return i;
    const next = args[i + 1];
    if (!SWITCHES.has(arg) && !arg.includes('=') && next !== undefined && !next.startsWith('-')) i += 1;
  }
  return -1;
}
