// What may follow on a command line that is being typed: commands, options, and the values of options that have a few.

import type { Options } from 'yargs';
import { type CommandBody, type Entry, type GroupBody, nameOf, switchOption } from './command.js';
import { everywhere, homeOption } from './global-options.js';
import { commandWords } from './words.js';

export interface Candidate {
  readonly word: string;
  readonly what: string;
}

/** Where the words so far have led. */
interface Place {
  readonly entries: readonly Entry[];
  readonly options: Readonly<Record<string, Options>>;
  /** Whether the command takes words of its own, so that names of files may be meant. */
  readonly takesWords: boolean;
}

/** Candidates for the last of the words behind `svcd`, which may be empty; none where only a file can be meant. */
export async function completeWords(entries: readonly Entry[], words: readonly string[]): Promise<Candidate[]> {
  // A shell that takes "=" for a word of its own gives `--lang`, `=`, `z`. Windows PowerShell drops an empty last word.
  const typed = words.filter((word, i) => word !== '=' || i === words.length - 1);
  const last = typed.at(-1) ?? '';
  const current = last === '=' || last === '""' ? '' : last;
  const before = typed.slice(0, -1);
  if (before.includes('--')) return [];
  const place = await findPlace(entries, before);
  const valued = optionCalled(place, before.at(-1) ?? '');
  const [, name = '', begun] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  const candidates = (): Candidate[] => {
    if (begun !== undefined)
      return choicesOf(optionCalled(place, name)).map((one) => ({ word: `${name}=${one}`, what: '' }));
    if (valued !== undefined && valued.type !== 'boolean') return choicesOf(valued).map((word) => ({ word, what: '' }));
    if (current.startsWith('-')) return optionsOf(place, before);
    const commands = place.entries.map((entry) => ({ word: nameOf(entry), what: entry.what }));
    return commands.length === 0 && !place.takesWords ? optionsOf(place, before) : commands;
  };
  return candidates().filter(({ word }) => word.startsWith(current));
}

async function findPlace(entries: readonly Entry[], words: readonly string[]): Promise<Place> {
  let place: Place = { entries, options: { ...everywhere(), ...homeOption() }, takesWords: false };
  // `svcd help search` is `svcd search --help`.
  const path = words[0] === 'help' ? words.slice(1) : words;
  for (let i = 0; i < path.length; i++) {
    const word = path[i] ?? '';
    if (word.startsWith('-')) {
      const option = word.includes('=') ? undefined : optionCalled(place, word);
      if (option !== undefined && option.type !== 'boolean') i += 1;
      continue;
    }
    const entry = place.entries.find((one) => nameOf(one) === word);
    if (entry === undefined) break;
    place = placeOf(entry, 'load' in entry ? (await entry.load()).bodies[nameOf(entry)] : entry);
  }
  return place;
}

function placeOf({ usage }: Entry, body: CommandBody | GroupBody | undefined): Place {
  const common = { ...everywhere(), ...homeOption() };
  if (body === undefined || 'run' in body) {
    return { entries: [], options: { ...common, ...body?.options }, takesWords: /[<[]/.test(usage) };
  }
  const otherwise = body.commands.find((one) => nameOf(one) === body.otherwise);
  const own = otherwise !== undefined && 'run' in otherwise ? otherwise.options : {};
  return { entries: body.commands, options: { ...common, ...own }, takesWords: false };
}

function optionCalled({ options }: Place, typed: string): Options | undefined {
  const name = /^--?([\w-]+)$/.exec(typed)?.[1];
  if (name === undefined) return undefined;
  return options[name] ?? Object.values(options).find(({ alias }) => [alias ?? []].flat().includes(name));
}

function choicesOf(option: Options | undefined): string[] {
  return (option?.choices ?? []).map(String);
}

/** Those that were not given yet, and those that may be repeated. */
function optionsOf({ options }: Place, before: readonly string[]): Candidate[] {
  const all = { ...options, help: switchOption(commandWords().parser['Show help'] ?? 'Show help') };
  return Object.entries(all)
    .filter(([name, { array }]) => array === true || !before.some((word) => word.split('=', 1)[0] === `--${name}`))
    .map(([name, { describe }]) => ({
      word: `--${name}`,
      what: describe === undefined ? '' : describe,
    }));
}
