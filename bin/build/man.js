// The man page svcd(1), of the very help that each command prints: the rows of src/cli/main.ts and their words.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const COLUMNS = 78;

/** As roff. */
export async function manPageOf(root, dist) {
  const { runTyped, COMMANDS } = await import(pathToFileURL(join(dist, 'main.js')).href);
  const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const helpOf = async (args) => {
    const said = [];
    const { log } = console;
    const { columns } = process.stdout;
    Object.assign(console, { log: (text) => said.push(text) });
    process.stdout.columns = COLUMNS;
    try {
      await runTyped([...args, '--help', '--lang', 'en'], false);
    } finally {
      Object.assign(console, { log });
      process.stdout.columns = columns;
    }
    return said.join('\n');
  };
  const names = COMMANDS.map(({ usage }) => usage.split(' ')[0]);
  const pages = [['COMMANDS', await helpOf([])]];
  for (const name of names) pages.push([`svcd ${name}`, await helpOf([name])]);
  return [
    `.TH SVCD 1 "" "svcd ${version}" "svcd"`,
    `.SH NAME\nsvcd \\- ${escape(description)}`,
    ...pages.map(([title, text]) => `.SH "${escape(title)}"\n.nf\n${escape(text)}\n.fi`),
    `.SH SEE ALSO\nsrc/docs of the package: tutorial, how-to, troubleshooting, security, changes.`,
    '',
  ].join('\n');
}

function escape(text) {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll(/^[.']/gm, '\\&$&');
}
