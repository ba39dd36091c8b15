// svcd open

import { spawn } from 'node:child_process';
import { findHome } from '../../config/config.js';
import { expectOk } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { exchangeOverHttp } from '../http-exchange.js';
import { note, printJson, printLines } from '../output.js';
import { getRunningDaemon, type RunningDaemon } from '../running-daemon.js';

interface SignInCode {
  readonly url: string;
  readonly expires_in_s: number;
}

const TIMEOUT_MS = 15_000;
const PATIENCE_MS = 3000;
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

export const openCommand: Command = {
  options: {
    ...HOME_OPTION,
    print: { type: 'boolean', describe: 'Print the address instead; it is good once, for a minute.' },
  },
  examples: [
    ['svcd open', 'in the usual browser'],
    ['svcd open --print', 'an address to paste; it never stands in the process list'],
  ],
  run: async (input) => {
    const home = await findHome({ home: input.text('home') });
    const code = await askForCode(await getRunningDaemon(home));
    if (input.json) return printJson(code);
    const opened = input.flag('print') !== true && (await openInBrowser(code.url));
    if (opened) return printLines('Your browser opens svcd.');
    await printLines(code.url);
    note(`Open this in a browser on this machine: it is good once, for ${code.expires_in_s} seconds.`);
  },
};

async function askForCode({ url, token }: RunningDaemon): Promise<SignInCode> {
  const headers = { authorization: `Bearer ${token}` };
  const request = { method: 'POST', path: '/svcd/session-code', headers, timeoutMs: TIMEOUT_MS };
  return expectOk(await exchangeOverHttp(url, request)).json() as SignInCode;
}

/**
 * Whether something opens the address: it is there, and has not failed by the time it has handed over. Where there
 * is no screen, or no browser, it says so by its exit code.
 */
function openInBrowser(url: string): Promise<boolean> {
  const [program = 'xdg-open', ...args] = OPENERS[process.platform] ?? [];
  return new Promise((resolve) => {
    const opener = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
    // Some of them stay for as long as the browser does.
    const patience = setTimeout(() => resolve(true), PATIENCE_MS);
    opener.unref();
    const end = (isOpen: boolean) => {
      clearTimeout(patience);
      resolve(isOpen);
    };
    opener.on('error', () => end(false));
    opener.on('exit', (code) => end(code === 0));
  });
}
