// svcd env

import { findHome } from '../../config/config.js';
import { HOME_OPTION, type Command } from '../command.js';
import { assertReachable, getHomeToken } from '../home-token.js';
import { note, printJson, printLines } from '../output.js';
import { templateVariables } from '../template-variables.js';

const FORMATS = ['sh', 'fish', 'powershell', 'dotenv', 'json'] as const;
type Format = (typeof FORMATS)[number];

export const envCommand: Command = {
  options: {
    ...HOME_OPTION,
    format: { type: 'string', requiresArg: true, choices: FORMATS, describe: 'For which shell or file.' },
  },
  examples: [
    ['eval "$(svcd env)"', 'sh, bash, zsh'],
    ['svcd env --format fish | source', 'fish'],
    ['svcd env --format powershell | Out-String | Invoke-Expression', 'PowerShell'],
    ['svcd env --format dotenv > .env', 'a file for a template; it holds the token, so keep it private'],
  ],
  run: async (input) => {
    const home = await findHome({ home: input.text('home') });
    const found = await getHomeToken(home);
    assertReachable(found);
    if (!found.running) note('svcd does not run now; start it with "svcd start".');
    const variables = templateVariables(found.url, found.token);
    const format = (input.text('format') ?? (input.json ? 'json' : usualFormat())) as Format;
    if (format === 'json') return printJson(variables);
    return printLines(...Object.entries(variables).map(([name, value]) => LINE[format](name, value)));
  },
};

const LINE: Readonly<Record<Exclude<Format, 'json'>, (name: string, value: string) => string>> = {
  sh: (name, value) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`,
  fish: (name, value) => `set -gx ${name} '${value.replace(/['\\]/g, String.raw`\$&`)}'`,
  powershell: (name, value) => `$env:${name} = '${value.replaceAll("'", "''")}'`,
  // Bare: of the readers of such files some keep quotes as part of the value.
  dotenv: (name, value) => `${name}=${value}`,
};

function usualFormat(): Format {
  return process.platform === 'win32' ? 'powershell' : 'sh';
}
