// svcd open: a browser, signed in by a code that works once.

import { spawn } from 'node:child_process';
import { type Bodies, type CommandBody, switchOption } from '../command.js';
import { markOf, printAnswer, printLines, printNote } from '../output.js';
import { askDaemon, getRunningDaemon } from '../running-daemon.js';
import { openWords } from '../words/open.js';

const words = openWords();

const WAIT_MS = 3000;
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

const openCommand: CommandBody = {
  options: { print: switchOption(words.print) },
  examples: [`svcd open # ${words.examples.open}`, `svcd open --print # ${words.examples.print}`],
  run: async (input) => {
    const running = await getRunningDaemon(await input.home());
    type SignInCode = { readonly url: string; readonly expires_in_s: number };
    const code = await askDaemon<SignInCode>(running, 'POST', '/svcd/session-code');
    input.answeredBy.sandbox = running.status.remote.sandbox;
    if (input.json) return printAnswer(input, code, () => []);
    const opened = input.flag('print') !== true && (await openInBrowser(code.url));
    if (opened) return printAnswer(input, code, () => words.opened);
    await printLines(code.url);
    printNote(words.pasteIt(code.expires_in_s));
    markOf(input).forEach(printNote);
  },
};

export const bodies: Bodies = { open: openCommand };

/**
 * Whether the system's opener accepted the address: it started, and did not fail within three seconds. Without a
 * screen or a browser it fails by its exit code.
 */
function openInBrowser(url: string): Promise<boolean> {
  const [program = 'xdg-open', ...args] = OPENERS[process.platform] ?? [];
  return new Promise((resolve) => {
    const opener = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
    // Some openers run for as long as the browser does.
    const timer = setTimeout(() => resolve(true), WAIT_MS);
    opener.unref();
    const end = (isOpen: boolean) => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    opener.on('error', () => end(false));
    opener.on('exit', (code) => end(code === 0));
  });
}
