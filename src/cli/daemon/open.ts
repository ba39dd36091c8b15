// svcd open: a browser, signed in by a code that works once.

import { type Bodies, type CommandBody, switchOption } from '../command.js';
import { openSignedIn } from './offer-page.js';
import { markOf, printAnswer, printLines, printNote } from '../terminal/output.js';
import { getRunningDaemon } from '../connection/running-daemon.js';
import { daemonWords } from './words.js';

const words = daemonWords().open;

const openCommand: CommandBody = {
  options: { print: switchOption(words.print) },
  examples: [`svcd open # ${words.examples.open}`, `svcd open --print # ${words.examples.print}`],
  run: async (input) => {
    const running = await getRunningDaemon(await input.home());
    const { code, opened } = await openSignedIn(running, !input.json && input.flag('print') !== true);
    input.answeredBy.sandbox = running.status.remote.sandbox;
    if (input.json) return printAnswer(input, code, () => []);
    if (opened) return printAnswer(input, code, () => words.opened);
    await printLines(code.url);
    printNote(words.pasteIt(code.expires_in_s));
    markOf(input).forEach(printNote);
  },
};

export const bodies: Bodies = { open: openCommand };
