// svcd open: a browser, signed in by a code that works once.

import { openOutside } from '../../platform/open-outside.js';
import { type Bodies, type CommandBody, switchOption } from '../command.js';
import { markOf, printAnswer, printLines, printNote } from '../output.js';
import { askDaemon, getRunningDaemon } from '../running-daemon.js';
import { openWords } from '../words/open.js';

const words = openWords();

const openCommand: CommandBody = {
  options: { print: switchOption(words.print) },
  examples: [`svcd open # ${words.examples.open}`, `svcd open --print # ${words.examples.print}`],
  run: async (input) => {
    const running = await getRunningDaemon(await input.home());
    type SignInCode = { readonly url: string; readonly expires_in_s: number };
    const code = await askDaemon<SignInCode>(running, 'POST', '/svcd/session-code');
    input.answeredBy.sandbox = running.status.remote.sandbox;
    if (input.json) return printAnswer(input, code, () => []);
    const opened = input.flag('print') !== true && (await openOutside(code.url));
    if (opened) return printAnswer(input, code, () => words.opened);
    await printLines(code.url);
    printNote(words.pasteIt(code.expires_in_s));
    markOf(input).forEach(printNote);
  },
};

export const bodies: Bodies = { open: openCommand };
