// svcd open: a browser, signed in by a code that works once.

import { openOutside } from '../../platform/open-outside.js';
import { type Bodies, type CommandBody, switchOption } from '../command.js';
import { markOf, printAnswer, printLines, printNote } from '../output.js';
import { askDaemon, getRunningDaemon } from '../running-daemon.js';

const openCommand: CommandBody = {
  options: { print: switchOption('Print the address instead; it works once, for a minute.') },
  examples: [
    'svcd open # in the default browser',
    'svcd open --print # an address to paste; it never appears in the process list',
  ],
  run: async (input) => {
    const running = await getRunningDaemon(await input.home());
    type SignInCode = { readonly url: string; readonly expires_in_s: number };
    const code = await askDaemon<SignInCode>(running, 'POST', '/svcd/session-code');
    input.answeredBy.sandbox = running.status.remote.sandbox;
    if (input.json) return printAnswer(input, code, () => []);
    const opened = input.flag('print') !== true && (await openOutside(code.url));
    if (opened) return printAnswer(input, code, () => 'Your browser opens svcd.');
    await printLines(code.url);
    printNote(`Open this in a browser on this machine: it works once, for ${code.expires_in_s} seconds.`);
    markOf(input).forEach(printNote);
  },
};

export const bodies: Bodies = { open: openCommand };
