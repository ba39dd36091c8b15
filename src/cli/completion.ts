// svcd completion: what a shell needs so that the Tab key completes commands, options and their values.

import { basename, join } from 'node:path';
import type { Options } from 'yargs';
import { userShell } from '../config/environment.js';
import {
  type Bodies,
  choiceOption,
  type CommandBody,
  type Entry,
  everywhere,
  findOtherwise,
  type GroupBody,
  homeOption,
  loadBody,
  nameOf,
  switchOption,
  takesWords,
} from './command.js';
import { type Input, wrongValue } from './terminal/input.js';
import { print, printJson } from './terminal/output.js';
import { terminalWords } from './terminal/words.js';
import { commandWords } from './words.js';

const words = commandWords().completion;

const BASH = `# Completion of svcd in bash.
_svcd_complete() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(svcd --get-yargs-completions "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ \${COMPREPLY[0]} == */ ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o bashdefault -o default -F _svcd_complete svcd
`;

const ZSH = `#compdef svcd
# Completion of svcd in zsh.
_svcd() {
  local -a items
  local line
  while IFS= read -r line; do
    items+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(svcd --get-yargs-completions "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#items} )); then _describe svcd items; else _files; fi
}
if [[ \${funcstack[1]} == _svcd ]]; then _svcd "$@"; elif (( \${+functions[compdef]} )); then compdef _svcd svcd; fi
`;

const FISH = `# Completion of svcd in fish.
function __svcd_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -e before[1]
    set -l found (svcd --get-yargs-completions $before "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c svcd -f -a '(__svcd_complete)'
`;

const POWERSHELL = `# Completion of svcd in PowerShell.
Register-ArgumentCompleter -Native -CommandName svcd -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    # Older versions drop an empty argument.
    $current = if ($wordToComplete) { $wordToComplete } else { '""' }
    svcd --get-yargs-completions @before $current 2>$null | ForEach-Object {
        $word, $what = $_ -split "\`t", 2
        if (-not $what) { $what = $word }
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $what)
    }
}
`;

const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL };
type Shell = keyof typeof SCRIPTS;
const SHELLS = Object.keys(SCRIPTS) as Shell[];

const completionCommand: CommandBody = {
  firstWords: SHELLS,
  options: { shell: choiceOption(words.shell(SHELLS.join(', ')), SHELLS) },
  examples: [
    `svcd completion bash >> ~/.bashrc # ${words.inBash}`,
    `svcd completion zsh >> ~/.zshrc # ${words.inZsh}`,
    `svcd completion fish > ~/.config/fish/completions/svcd.fish # ${words.inFish}`,
    `svcd completion powershell >> $PROFILE # ${words.inPowershell}`,
  ],
  run: async (input) => {
    const shell = shellOf(input);
    const script = SCRIPTS[shell];
    return input.json ? printJson({ shell, script }) : print(script);
  },
};

export const bodies: Bodies = { completion: completionCommand };

/** The one that was typed, else the user's own. Throws `invalid_argument`. */
function shellOf(input: Input): Shell {
  const typed = input.text('shell') ?? input.findWord('shell');
  if (typed === undefined)
    return named(basename(userShell())) ?? (process.platform === 'win32' ? 'powershell' : 'bash');
  const shell = named(typed);
  if (shell === undefined) throw wrongValue('SHELL', SHELLS.join(terminalWords().or), typed);
  return shell;
}

function named(name: string): Shell | undefined {
  const plain = name.toLowerCase().replace(/\.exe$/, '');
  return SHELLS.find((one) => one === (plain === 'pwsh' ? 'powershell' : plain));
}

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
  readonly takesPresets?: boolean;
  /** What the next word may be. */
  readonly values: readonly string[];
}

/** Candidates for the last of the words behind `svcd`, which may be empty; none where only a file can be meant. */
export async function completeWords(entries: readonly Entry[], behind: readonly string[]): Promise<Candidate[]> {
  // A shell that takes "=" for a word of its own gives `--lang`, `=`, `z`. Windows PowerShell drops an empty last word.
  const typed = behind.filter((word, i) => word !== '=' || i === behind.length - 1);
  const last = typed.at(-1) ?? '';
  const current = last === '=' || last === '""' ? '' : last;
  const before = typed.slice(0, -1);
  if (before.includes('--')) return [];
  const place = await findPlace(entries, before);
  const valued = optionCalled(place, before.at(-1) ?? '');
  const [, name = '', begun] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  const candidates = async (): Promise<Candidate[]> => {
    if (begun !== undefined)
      return choicesOf(optionCalled(place, name)).map((one) => ({ word: `${name}=${one}`, what: '' }));
    if (valued !== undefined && valued.type !== 'boolean') return choicesOf(valued).map((word) => ({ word, what: '' }));
    if (current.startsWith('-')) return optionsOf(place, before);
    if (place.takesPresets || before.includes('--related')) return presetsLike(before, current);
    const commands = place.entries.map((entry) => ({ word: nameOf(entry), what: entry.what }));
    commands.push(...place.values.map((word) => ({ word, what: '' })));
    return commands.length === 0 && !place.takesWords ? optionsOf(place, before) : commands;
  };
  return (await candidates()).filter(({ word }) => word.startsWith(current));
}

/** Those that the home knows; none, so that files are offered, where nothing can be read. */
async function presetsLike(before: readonly string[], current: string): Promise<Candidate[]> {
  const { findHome } = await import('../config/find-home.js');
  const { completePresets } = await import('../library/storage/styles.js');
  const at = before.lastIndexOf('--home');
  try {
    const home = await findHome(at === -1 ? {} : { home: before[at + 1] });
    const known = completePresets(join(home, 'library.db'), current);
    // A shell runs what is completed, and a service may call a sticker anything.
    return known.filter((word) => /^[\p{L}\p{N}._/@+-]+$/u.test(word)).map((word) => ({ word, what: '' }));
  } catch {
    return [];
  }
}

async function findPlace(entries: readonly Entry[], before: readonly string[]): Promise<Place> {
  let place: Place = { entries, options: { ...everywhere(), ...homeOption() }, takesWords: false, values: [] };
  // `svcd help search` is `svcd search --help`.
  const path = before[0] === 'help' ? before.slice(1) : before;
  for (let i = 0; i < path.length; i++) {
    const word = path[i] ?? '';
    if (word.startsWith('-')) {
      const option = word.includes('=') ? undefined : optionCalled(place, word);
      if (option !== undefined && option.type !== 'boolean') i += 1;
      continue;
    }
    const entry = place.entries.find((one) => nameOf(one) === word);
    if (entry === undefined) return { ...place, values: [] };
    place = placeOf(entry, await loadBody(entry));
  }
  return place;
}

function placeOf({ usage }: Entry, body: CommandBody | GroupBody): Place {
  const common = { ...everywhere(), ...homeOption() };
  if ('run' in body)
    return {
      entries: [],
      options: { ...common, ...body.options },
      takesWords: takesWords({ usage }),
      takesPresets: /[<[]preset/.test(usage),
      values: body.firstWords ?? [],
    };
  return {
    entries: body.commands,
    options: { ...common, ...findOtherwise(body)?.options },
    takesWords: false,
    values: [],
  };
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
    .map(([name, { describe }]) => ({ word: `--${name}`, what: describe === undefined ? '' : describe }));
}
