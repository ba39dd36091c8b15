// svcd sandbox accounts, invite and keys.

import type { AccountView, KeyView } from '../../sandbox/control/control-routes.js';
import { command, type Command, group, type Group, switchOption, textOption } from '../command.js';
import { formatNumber, formatTableWithHead, sanitize } from '../format.js';
import type { Input } from '../input.js';
import { requestSandbox } from '../sandbox-client.js';

/** Whose money or Key a command is about. */
export const ACCOUNT_OPTION = { account: textOption('Account; main when not given.') };

const KEY_OPTIONS = {
  request: textOption('Credits a request may cost, or none for no limit.'),
  day: textOption('Credits a day, or none.'),
  month: textOption('Credits a calendar month, or none.'),
  permissions: textOption('For music: music.search,assets.read,assets.write, or none.'),
};

export const ACCOUNT_COMMANDS: readonly (Command | Group)[] = [
  group('accounts', 'List, add and change accounts.', {
    otherwise: 'list',
    commands: [
      command('list', 'List the accounts with their credits.', {
        examples: ['svcd sandbox accounts # accounts, credits and number of Keys'],
        run: requestSandbox('GET /sandbox/accounts', ({ accounts }: { accounts: AccountView[] }) =>
          formatTableWithHead(
            ['account', 'credits', 'pending', 'email', 'invited by', 'Keys'],
            accounts.map(accountRow),
          ),
        ),
      }),
      command('add <name>', 'Add an account with a Key and no credits.', {
        options: {
          'invited-by': textOption('The account that invited it.'),
          unverified: switchOption('Its email is not verified.'),
        },
        examples: [
          'svcd sandbox accounts add ada # an account without credits; its Key is shown once',
          "svcd sandbox accounts add bob --invited-by ada # bob's payments reward ada too",
        ],
        run: requestSandbox(
          'POST /sandbox/accounts',
          ({ name, key = '' }: AccountView) => [
            `Account ${name} was added without credits. Its Key, shown only once:`,
            `  ${key}`,
          ],
          {
            body: (input) => ({
              name: input.word('name'),
              email_verified: input.flag('unverified') !== true,
              invited_by: input.text('invited-by'),
            }),
          },
        ),
      }),
      command('verify <name>', 'Mark the email of an account as verified or not.', {
        options: { off: switchOption('The email is not verified.') },
        examples: [
          'svcd sandbox accounts verify ada # rewards of ada can be released',
          'svcd sandbox accounts verify ada --off # and cannot',
        ],
        run: requestSandbox(
          'PATCH /sandbox/accounts/{name}',
          ({ name, email_verified: verified }: AccountView) =>
            `The email of ${name} is ${verified ? '' : 'not '}verified.`,
          { body: (input) => ({ email_verified: input.flag('off') !== true }) },
        ),
      }),
    ],
  }),
  command('invite <inviter> <account>', 'Record that one account invited another.', {
    examples: ['svcd sandbox invite ada bob # from now on ada also gets 5 % of what bob pays'],
    run: requestSandbox(
      'POST /sandbox/invitations',
      (_, input) => `${input.word('account')} was invited by ${input.word('inviter')}.`,
      { body: (input) => ({ inviter: input.word('inviter'), account: input.word('account') }) },
    ),
  }),
  group('keys', 'List, add and change Keys.', {
    otherwise: 'list',
    commands: [
      command('list', 'List the Keys of every account, masked.', {
        examples: ['svcd sandbox keys # every Key, by its last four characters'],
        run: requestSandbox('GET /sandbox/keys', ({ keys }: { keys: KeyView[] }) =>
          formatTableWithHead(['id', 'Key', 'account', 'for', 'state', 'may spend'], keys.map(keyRow)),
        ),
      }),
      command('add', 'Add a Key: general, or for the package of a template.', {
        options: {
          ...ACCOUNT_OPTION,
          template: textOption('name@version of the package it is for.'),
          ...KEY_OPTIONS,
        },
        examples: [
          'svcd sandbox keys add --month 100 # a general-purpose Key that may spend 100 credits a month',
          'svcd sandbox keys add --template birthday-card@1.1.0 # as when its package is downloaded again',
        ],
        run: requestSandbox(
          'POST /sandbox/keys',
          (key: KeyView) => [
            `Key ${key.id} of ${key.account} (${key.template ?? key.kind}, ${describeLimits(key)}), shown only once:`,
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
      command('set <id>', 'Change the state or the limits of a Key.', {
        options: { state: textOption('active, disabled or revoked (for good).'), ...KEY_OPTIONS },
        examples: [
          'svcd sandbox keys set 1 --state disabled # calls with it give 403 key_disabled',
          'svcd sandbox keys set 1 --permissions music.search # may only search and preview music',
          'svcd sandbox keys set 1 --state active --day 20 # works again, for 20 credits a day',
        ],
        run: requestSandbox(
          'PATCH /sandbox/keys/{id}',
          (key: KeyView) => `Key ${key.id} of ${key.account} is ${key.state}, ${describeLimits(key)}.`,
          { body: (input) => ({ state: input.text('state'), ...readKeyOptions(input) }) },
        ),
      }),
    ],
  }),
];

function accountRow(account: AccountView): string[] {
  const { name, credits, pending_credits: pending, invited_by: inviter, keys } = account;
  const email = account.email_verified ? 'verified' : 'not verified';
  return [sanitize(name), formatNumber(credits), formatNumber(pending), email, sanitize(inviter ?? ''), `${keys}`];
}

function keyRow(key: KeyView): string[] {
  const { id, masked, account, kind, template, state } = key;
  return [`${id}`, masked, sanitize(account), sanitize(template ?? kind), state, describeLimits(key)];
}

/** The limits of a Key, as far as it has any. */
function describeLimits({ limits }: KeyView): string {
  const parts = [
    [limits.per_request, 'a request'],
    [limits.daily, 'a day'],
    [limits.monthly, 'a month'],
  ] as const;
  const set = parts.flatMap(([credits, period]) => (credits === null ? [] : [`${formatNumber(credits)} ${period}`]));
  return set.length === 0 ? 'no limits' : set.join(', ');
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
