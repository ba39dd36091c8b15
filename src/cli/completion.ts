// svcd completion: what a shell needs so that the Tab key completes commands, options and their values.

import { basename } from 'node:path';
import { userShell } from '../config/environment.js';
import { type Bodies, choiceOption, type CommandBody } from './command.js';
import type { Input } from './terminal/input.js';
import { wrongValue } from './terminal/invalid-argument.js';
import { print, printJson } from './terminal/output.js';
import { commandWords } from './words.js';

const words = commandWords().completion;

const BASH = `# Completion of svcd in bash.
_svcd_complete() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(svcd --get-yargs-completions "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
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
  if (typed === undefined) return named(basename(userShell())) ?? usual();
  const shell = named(typed);
  if (shell === undefined) throw wrongValue('SHELL', SHELLS.join(words.or), typed);
  return shell;
}

function named(name: string): Shell | undefined {
  const plain = name.toLowerCase().replace(/\.exe$/, '');
  return SHELLS.find((one) => one === (plain === 'pwsh' ? 'powershell' : plain));
}

function usual(): Shell {
  return process.platform === 'win32' ? 'powershell' : 'bash';
}
