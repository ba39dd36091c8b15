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
  'hub doctor': 'doctor',
  'config get': 'config show',
};

/** What people type who come from other programs, and the one or two commands that they may mean: words of one meaning together. */
const NAMES_ELSEWHERE: readonly (readonly [words: string, ...commands: string[]])[] = [
  ['add', 'library add', 'token add'],
  ['auth', 'key set', 'key status'],
  ['backup export', 'owned export', 'library export'],
  ['balance credits', 'usage'],
  ['browse', 'open', 'search'],
  ['buy', 'get', 'image'],
  ['check health', 'doctor', 'status'],
  ['create generate', 'image'],
  ['daemon serve server', 'start', 'service install'],
  ['download pull', 'get', 'fetch'],
  ['exec', 'run'],
  ['exit kill quit', 'stop'],
  ['find', 'search', 'match'],
  ['gui ui web', 'open'],
  ['history', 'purchases'],
  ['import', 'owned import', 'library import'],
  ['info ping', 'status', 'doctor'],
  ['init setup', 'start --sandbox', 'key set'],
  ['install', 'service install', 'fetch'],
  ['invite', 'hub invite'],
  ['limit', 'budget set'],
  ['limits', 'budget', 'budget set'],
  ['list ls', 'search', 'purchases'],
  ['login', 'key set', 'hub join'],
  ['logout', 'key remove', 'hub leave'],
  ['ps', 'status'],
  ['reload', 'restart'],
  ['render', 'run', 'apply'],
  ['repair', 'doctor'],
  ['resume', 'budget resume', 'library resume'],
  ['set', 'config set', 'budget set'],
  ['settings', 'config'],
  ['settle', 'purchases settle'],
  ['show', 'status', 'config'],
  ['signin', 'key set'],
  ['spending', 'usage', 'budget'],
  ['suggest', 'match', 'search --complete'],
  ['sync update', 'library sync'],
  ['test', 'doctor', 'sandbox'],
  ['uninstall', 'service remove'],
  ['up', 'start'],
  ['upgrade', 'restart', 'library sync'],
  ['whoami', 'key status', 'usage'],
];

/** The commands that a word means elsewhere; none where it says nothing. */
export function meantElsewhere(word: string): readonly string[] {
  const known = word.toLowerCase();
  const [, ...commands] = NAMES_ELSEWHERE.find(([words]) => words.split(' ').includes(known)) ?? [''];
  return commands;
}

/** The arguments with the present name of a command in place of its old one. */
export function withPresentName(args: readonly string[]): readonly string[] {
  const at = commandAt(args);
  const typed = at === -1 ? [] : [1, 2].map((words) => args.slice(at, at + words).join(' '));
  const old = typed.find((name) => Object.hasOwn(OLD_NAMES, name)) ?? '';
  const now = OLD_NAMES[old]?.split(' ');
  return now === undefined ? args : [...args.slice(0, at), ...now, ...args.slice(at + old.split(' ').length)];
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
