// svcd sandbox requests

import { HOME_OPTION, type Command } from '../command.js';
import { plain, printJson, printLines } from '../output.js';
import { openPaint } from '../colors.js';
import { askSandbox } from '../sandbox-client.js';
import { layOut } from '../table.js';

export const sandboxRequestsCommand: Command = {
  options: {
    ...HOME_OPTION,
    limit: { type: 'string', requiresArg: true, describe: 'How many at most; 50 when not given.' },
    account: { type: 'string', requiresArg: true, describe: 'Only those of one account.' },
    path: { type: 'string', requiresArg: true, describe: 'Only those whose path begins so.' },
  },
  examples: [
    ['svcd sandbox requests --path /api/v1/stickers/', 'downloads, newest first'],
    ['svcd sandbox requests --json | jq .requests[0]', 'the last one'],
  ],
  run: async (input) => {
    const query = new URLSearchParams();
    for (const name of ['limit', 'account', 'path']) {
      const value = input.text(name);
      if (value !== undefined) query.set(name, value);
    }
    const answer = (await askSandbox(input, 'GET', `/sandbox/requests?${query.toString()}`)) as {
      requests: RequestView[];
    };
    if (input.json) return printJson(answer);
    if (answer.requests.length === 0) return printLines('Nothing was asked yet.');
    const head = ['at', 'status', 'method', 'path', 'cost', 'account', 'fault'].map(openPaint().faint);
    return printLines(...layOut([head, ...answer.requests.map(rowOf)]));
  },
};

interface RequestView {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly code: string | null;
  readonly account: string | null;
  readonly cost: number;
  readonly fault: string | null;
}

function rowOf(request: RequestView): string[] {
  const { at, method, path, status, code, account, cost, fault } = request;
  const ended = [status ?? 'none', code ?? ''].join(' ').trim();
  return [at.slice(0, 19), ended, plain(method), plain(path), `${cost}`, plain(account ?? ''), fault ?? ''];
}
