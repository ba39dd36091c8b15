// svcd token rotate

import { findHome, loadConfig } from '../../config/config.js';
import { expectOk } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { replaceToken, tokenFile } from '../home-token.js';
import { exchangeOverHttp } from '../http-exchange.js';
import { printJson, printLines } from '../output.js';
import { findRunningDaemon, type RunningDaemon } from '../running-daemon.js';

const TIMEOUT_MS = 15_000;

export const tokenRotateCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd token rotate', 'after the token went where it should not']],
  run: async (input) => {
    const home = await findHome({ home: input.text('home') });
    const running = await findRunningDaemon(home);
    const token =
      running === undefined
        ? replaceToken(home, (await loadConfig({ home })).port)
        : await askDaemon(running);
    if (input.json) return printJson({ token, file: tokenFile(home) });
    return printLines(
      token,
      'The old token is worth nothing any more. Programs that hold it must be told this one.',
    );
  },
};

async function askDaemon({ url, token }: RunningDaemon): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const request = { method: 'POST', path: '/svcd/token/rotate', headers, timeoutMs: TIMEOUT_MS };
  return (expectOk(await exchangeOverHttp(url, request)).json() as { token: string }).token;
}
