// svcd sandbox topup, buy, payments, refund and ledger; its templates, which are bought, downloaded and released.

import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode } from '../../model/errors.js';
import { makeFolder } from '../../platform/files.js';
import type { KeyView, PaymentView } from '../../sandbox/control/control-routes.js';
import { command, type Command, group, type Group, switchOption, textOption } from '../command.js';
import { formatCount, formatTable, sanitize } from '../format.js';
import type { Input } from '../input.js';
import { invalidArgument } from '../invalid-argument.js';
import { printAnswer } from '../output.js';
import { askSandbox, requestSandbox } from '../sandbox-client.js';
import { ACCOUNT_OPTION } from './sandbox-accounts.js';

interface Release {
  readonly template: string;
  readonly known_issues: readonly string[];
  readonly tips: readonly string[];
}

/** A package: as text by path, or as one file in base64. */
interface Download {
  /** `name@version`. */
  readonly template: string;
  readonly package_sha256: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly zip?: string;
  readonly key: KeyView;
}

// It holds a Key.
const PACKAGE_FILE_MODE = 0o600;

export const MONEY_COMMANDS: readonly (Command | Group)[] = [
  command('topup <cny>', 'Buy credits: 10 per CNY 1.', {
    options: ACCOUNT_OPTION,
    examples: [
      'svcd sandbox topup 12.50 # 125 credits at once, and a reward of 6 that is locked for 14 days',
      'svcd sandbox topup 100 --account ada # for another account',
    ],
    run: requestSandbox('POST /sandbox/topups', describePayment, {
      body: (input) => ({ amount: input.word('cny'), account: input.text('account') }),
    }),
  }),
  command('buy <template> <cny>', 'Buy a template; brings a Key for its package.', {
    options: ACCOUNT_OPTION,
    examples: ['svcd sandbox buy birthday-card@1.1.0 30 # brings a Key for its service.key.json, and a locked reward'],
    run: requestSandbox(
      'POST /sandbox/purchases',
      ({ key, ...payment }: PaymentView & { key: KeyView }) => [
        ...describePayment(payment),
        `Key for its service.key.json, shown only once: ${key.key ?? ''}`,
      ],
      {
        body: (input) => ({
          template: input.word('template'),
          amount: input.word('cny'),
          account: input.text('account'),
        }),
      },
    ),
  }),
  group('payments', 'List and judge payments and their rewards.', {
    otherwise: 'list',
    commands: [
      command('list', 'List payments with the state of their rewards.', {
        examples: ['svcd sandbox payments # every payment, with its id and its rewards'],
        run: requestSandbox('GET /sandbox/payments', ({ payments }: { payments: PaymentView[] }) =>
          payments.length === 0
            ? 'There are no payments yet.'
            : payments.flatMap((payment) => [...describePayment(payment), '']),
        ),
      }),
      command('judge <payment>', 'Mark a payment as having an anomaly, or as not verified.', {
        options: {
          anomaly: switchOption('Whether there is an anomaly.'),
          verified: switchOption("Whether the provider's verification succeeded."),
        },
        examples: [
          'svcd sandbox payments judge ID --anomaly # its rewards stay locked',
          'svcd sandbox payments judge ID --no-anomaly # and are released when they are due',
        ],
        run: requestSandbox('PATCH /sandbox/payments/{payment}', describePayment, { body: readJudgement }),
      }),
    ],
  }),
  command('refund <payment>', 'Refund a payment; takes its credits and rewards back.', {
    examples: ['svcd sandbox refund ID # the id is in "svcd sandbox payments"'],
    run: requestSandbox('POST /sandbox/payments/{payment}/refund', describePayment),
  }),
  command('ledger', 'Check that the credits add up.', {
    examples: ['svcd sandbox ledger --json # movements, and how many of them do not add up'],
    run: requestSandbox(
      'GET /sandbox/ledger',
      ({ movements = 0, unbalanced = 0, wrong_balances: wrong = 0 }: Record<string, number>) => {
        const problems = `${unbalanced} do not add up, ${wrong} balances are wrong`;
        return `${formatCount(movements, 'movement')}: ${unbalanced + wrong === 0 ? 'all of them add up' : problems}.`;
      },
    ),
  }),
  command('templates', 'List the templates with their versions.', {
    examples: ['svcd sandbox templates # what "svcd sandbox download" and "buy" accept'],
    run: requestSandbox('GET /sandbox/templates', ({ templates }: { templates: Release[] }) =>
      formatTable(
        templates.map(({ template, known_issues: issues, tips }) => [
          sanitize(template),
          formatCount(issues.length, 'known issue'),
          formatCount(tips.length, 'tip'),
        ]),
      ),
    ),
  }),
  command('release <template>', 'Release a version of a template, with tips and known issues.', {
    options: {
      issue: { ...textOption('A known issue; may be repeated.'), array: true },
      tip: { ...textOption("One of its author's tips; may be repeated."), array: true },
    },
    examples: [
      'svcd sandbox release birthday-card@1.2.0 --tip "Less is more." # productions of older versions get a notice',
    ],
    run: requestSandbox('POST /sandbox/templates', (_, input) => `${input.word('template')} is released.`, {
      body: (input) => ({
        template: input.word('template'),
        known_issues: input.list('issue'),
        tips: input.list('tip'),
      }),
    }),
  }),
  command('download <template> [where]', 'Download the package of a template, with a new Key in it.', {
    options: ACCOUNT_OPTION,
    examples: [
      'svcd sandbox download birthday-card # its newest version, as a folder birthday-card@1.1.0.motion',
      'svcd sandbox download birthday-card@1.0.0 card.zip # one version, in one file',
    ],
    run: download,
  }),
];

/** A payment on one line, and each of its rewards on one. */
function describePayment(payment: PaymentView): string[] {
  const { account, amount, credits, kind, template, balance } = payment;
  const what = kind === 'top_up' ? `for ${formatCount(credits, 'credit')}` : `for ${template ?? 'a template'}`;
  const end = payment.refunded ? ', refunded' : '';
  return [
    sanitize(`${account} paid CNY ${amount} ${what}${end}; ${formatCount(balance, 'credit')} to spend.`),
    ...payment.rewards.map((reward) =>
      sanitize(
        `  Reward of ${formatCount(reward.credits, 'credit')} for ${reward.account} (${reward.role}): ${reward.state}`,
      ),
    ),
    `Payment ${payment.id}`,
  ];
}

function readJudgement(input: Input): object {
  const [anomaly, verified] = [input.flag('anomaly'), input.flag('verified')];
  if (anomaly !== undefined || verified !== undefined) return { anomaly, verified };
  throw invalidArgument('give --anomaly or --verified, or one of them with --no- before it');
}

async function download(input: Input): Promise<void> {
  const where = input.findWord('where') ?? '.';
  const body = {
    template: input.word('template'),
    form: where.endsWith('.zip') ? 'zip' : 'files',
    account: input.text('account'),
  };
  const got = await askSandbox<Download>(input, 'POST', '/sandbox/downloads', body);
  const path = await writePackage(got, where);
  // The Key itself is in the package and is not printed.
  const { key: _, ...key } = got.key;
  const answer = { template: got.template, path, package_sha256: got.package_sha256, key };
  return printAnswer(input, answer, () => [
    sanitize(path),
    sanitize(`The package of ${got.template}, with Key ${key.id} of ${key.account} in its service.key.json.`),
    `"svcd sandbox keys set ${key.id} --state disabled" disables only that Key; another download makes a new one.`,
  ]);
}

/**
 * Writes the ZIP file `where`, or the folder `name@version.motion` in the folder `where`, and returns its path.
 * Throws `invalid_argument` when that cannot be written.
 */
async function writePackage({ template, files = {}, zip }: Download, where: string): Promise<string> {
  const target = zip === undefined ? join(where, `${template}.motion`) : where;
  try {
    if (zip !== undefined) await writePrivate(target, Buffer.from(zip, 'base64'));
    for (const [path, text] of Object.entries(files)) await writePrivate(join(target, path), text);
  } catch (cause) {
    const why = systemCode(cause) ?? 'unknown';
    throw invalidArgument(`${target} cannot be written (${why})`, undefined, cause);
  }
  return target;
}

async function writePrivate(file: string, content: string | Uint8Array): Promise<void> {
  makeFolder(dirname(file), 0o755);
  await writeFile(file, content, { mode: PACKAGE_FILE_MODE });
}
