// svcd sandbox accounts, invite and keys.

import type { AccountView, KeyView } from '../../sandbox/control/control-routes.js';
import { command, type Command, group, type Group, switchOption, textOption } from '../command.js';
import { formatNumber, formatTableWithHead, sanitize } from '../terminal/format.js';
import type { Input } from '../terminal/input.js';
import { requestSandbox } from './sandbox-client.js';
import { sandboxWords } from './words.js';

const words = sandboxWords();
const { accounts: accountWords, keys: keyWords } = words;

/** Whose money or Key a command is about. */
export const ACCOUNT_OPTION = { account: textOption(words.account) };

const KEY_OPTIONS = {
  request: textOption(keyWords.request),
  day: textOption(keyWords.day),
  month: textOption(keyWords.month),
  permissions: textOption(keyWords.permissions),
};

export const ACCOUNT_COMMANDS: readonly (Command | Group)[] = [
  group('accounts', accountWords.what, {
    otherwise: 'list',
    commands: [
      command('list', accountWords.list, {
        examples: accountWords.listExamples,
        run: requestSandbox('GET /sandbox/accounts', ({ accounts }: { accounts: AccountView[] }) =>
          formatTableWithHead(accountWords.head, accounts.map(accountRow)),
        ),
      }),
      command('add <name>', accountWords.add, {
        options: {
          'invited-by': textOption(accountWords.invitedBy),
          unverified: switchOption(accountWords.unverified),
        },
        examples: accountWords.addExamples,
        run: requestSandbox(
          'POST /sandbox/accounts',
          ({ name, key = '' }: AccountView) => [accountWords.added(name), `  ${key}`],
          {
            body: (input) => ({
              name: input.word('name'),
              email_verified: input.flag('unverified') !== true,
              invited_by: input.text('invited-by'),
            }),
          },
        ),
      }),
      command('verify <name>', accountWords.verify, {
        options: { off: switchOption(accountWords.off) },
        examples: accountWords.verifyExamples,
        run: requestSandbox(
          'PATCH /sandbox/accounts/{name}',
          ({ name, email_verified: verified }: AccountView) =>
            accountWords[verified ? 'isVerified' : 'isNotVerified'](name),
          { body: (input) => ({ email_verified: input.flag('off') !== true }) },
        ),
      }),
    ],
  }),
  command('invite <inviter> <account>', words.invite.what, {
    examples: words.invite.examples,
    run: requestSandbox(
      'POST /sandbox/invitations',
      (_, input) => words.invite.done(input.word('account'), input.word('inviter')),
      { body: (input) => ({ inviter: input.word('inviter'), account: input.word('account') }) },
    ),
  }),
  group('keys', keyWords.what, {
    otherwise: 'list',
    commands: [
      command('list', keyWords.list, {
        examples: keyWords.listExamples,
        run: requestSandbox('GET /sandbox/keys', ({ keys }: { keys: KeyView[] }) =>
          formatTableWithHead(keyWords.head, keys.map(keyRow)),
        ),
      }),
      command('add', keyWords.add, {
        options: {
          ...ACCOUNT_OPTION,
          template: textOption(keyWords.template),
          ...KEY_OPTIONS,
        },
        examples: keyWords.addExamples,
        run: requestSandbox(
          'POST /sandbox/keys',
          (key: KeyView) => [
            keyWords.added(key.id, key.account, key.template ?? key.kind, describeLimits(key)),
            `  ${key.key ?? ''}`,
          ],
          {
            body: (input) => ({
              account: input.text('account'),
              template: input.text('template'),
              ...readKeyOptions(input),
            }),
          },
        ),
      }),
      command('set <id>', keyWords.set, {
        options: { state: textOption(keyWords.state), ...KEY_OPTIONS },
        examples: keyWords.setExamples,
        run: requestSandbox(
          'PATCH /sandbox/keys/{id}',
          (key: KeyView) => keyWords.isNow(key.id, key.account, key.state, describeLimits(key)),
          { body: (input) => ({ state: input.text('state'), ...readKeyOptions(input) }) },
        ),
      }),
    ],
  }),
];

function accountRow(account: AccountView): string[] {
  const { name, credits, pending_credits: pending, invited_by: inviter, keys } = account;
  const email = account.email_verified ? accountWords.verified : accountWords.notVerified;
  return [sanitize(name), formatNumber(credits), formatNumber(pending), email, sanitize(inviter ?? ''), `${keys}`];
}

function keyRow(key: KeyView): string[] {
  const { id, masked, account, kind, template, state } = key;
  return [`${id}`, masked, sanitize(account), sanitize(template ?? kind), state, describeLimits(key)];
}

/** The limits of a Key, as far as it has any. */
function describeLimits({ limits }: KeyView): string {
  const parts = [
    [limits.per_request, keyWords.perRequest],
    [limits.daily, keyWords.perDay],
    [limits.monthly, keyWords.perMonth],
  ] as const;
  const set = parts.flatMap(([credits, say]) => (credits === null ? [] : [say(formatNumber(credits))]));
  return set.length === 0 ? keyWords.noLimits : keyWords.join(set);
}

/** The limits and permissions that were typed, as the control surface names them. Throws `invalid_argument`. */
function readKeyOptions(input: Input): { limits?: object; permissions?: string[] } {
  const limits = {
    per_request: input.limit('request'),
    daily: input.limit('day'),
    monthly: input.limit('month'),
  };
  const typed = input.text('permissions');
  const permissions = typed === 'none' ? [] : typed?.split(',').map((name) => name.trim());
  return {
    ...(Object.values(limits).some((one) => one !== undefined) && { limits }),
    ...(permissions !== undefined && { permissions }),
  };
}
