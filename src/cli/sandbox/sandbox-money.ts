// svcd sandbox topup, buy, payments, refund and ledger; its templates, which are bought, downloaded and released.

import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode } from '../../model/errors.js';
import { makeFolder } from '../../platform/files/files.js';
import type { KeyView, PaymentView } from '../../sandbox/control/control-routes.js';
import { command, type Command, group, type Group, switchOption, textOption } from '../command.js';
import { formatCount, formatTable, sanitize } from '../terminal/format.js';
import type { Input } from '../terminal/input.js';
import { invalidArgument } from '../terminal/invalid-argument.js';
import { printAnswer } from '../terminal/output.js';
import { askSandbox, requestSandbox } from './sandbox-client.js';
import { sandboxMoneyWords } from './sandbox-money-words.js';
import { ACCOUNT_OPTION } from './sandbox-accounts.js';

const words = sandboxMoneyWords();

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
  command('topup <cny>', words.topup.what, {
    options: ACCOUNT_OPTION,
    examples: words.topup.examples,
    run: requestSandbox('POST /sandbox/topups', describePayment, {
      body: (input) => ({ amount: input.word('cny'), account: input.text('account') }),
    }),
  }),
  command('buy <template> <cny>', words.buy.what, {
    options: ACCOUNT_OPTION,
    examples: words.buy.examples,
    run: requestSandbox(
      'POST /sandbox/purchases',
      ({ key, ...payment }: PaymentView & { key: KeyView }) => [
        ...describePayment(payment),
        words.buy.key(key.key ?? ''),
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
  group('payments', words.payments.what, {
    otherwise: 'list',
    commands: [
      command('list', words.payments.list, {
        examples: words.payments.listExamples,
        run: requestSandbox('GET /sandbox/payments', ({ payments }: { payments: PaymentView[] }) =>
          payments.length === 0
            ? words.payments.none
            : payments.flatMap((payment) => [...describePayment(payment), '']),
        ),
      }),
      command('judge <payment>', words.payments.judge, {
        options: {
          anomaly: switchOption(words.payments.anomaly),
          verified: switchOption(words.payments.verified),
        },
        examples: words.payments.judgeExamples,
        run: requestSandbox('PATCH /sandbox/payments/{payment}', describePayment, { body: readJudgement }),
      }),
    ],
  }),
  command('refund <payment>', words.refund.what, {
    examples: words.refund.examples,
    run: requestSandbox('POST /sandbox/payments/{payment}/refund', describePayment),
  }),
  command('ledger', words.ledger.what, {
    examples: words.ledger.examples,
    run: requestSandbox(
      'GET /sandbox/ledger',
      ({ movements = 0, unbalanced = 0, wrong_balances: wrong = 0 }: Record<string, number>) => {
        const counted = formatCount(movements, 'movement');
        return unbalanced + wrong === 0 ? words.ledger.good(counted) : words.ledger.bad(counted, unbalanced, wrong);
      },
    ),
  }),
  command('templates', words.templates.what, {
    examples: words.templates.examples,
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
  command('release <template>', words.release.what, {
    options: {
      issue: { ...textOption(words.release.issue), array: true },
      tip: { ...textOption(words.release.tip), array: true },
    },
    examples: words.release.examples,
    run: requestSandbox('POST /sandbox/templates', (_, input) => words.release.done(input.word('template')), {
      body: (input) => ({
        template: input.word('template'),
        known_issues: input.list('issue'),
        tips: input.list('tip'),
      }),
    }),
  }),
  command('download <template> [where]', words.download.what, {
    options: ACCOUNT_OPTION,
    examples: words.download.examples,
    run: download,
  }),
];

/** A payment on one line, and each of its rewards on one. */
function describePayment(payment: PaymentView): string[] {
  const { account, amount, credits, kind, template, balance } = payment;
  const said = words.payments;
  const what = kind === 'top_up' ? said.credits(formatCount(credits, 'credit')) : said.template(template ?? undefined);
  const end = payment.refunded ? said.refunded : '';
  return [
    sanitize(said.line(account, amount, what, end, formatCount(balance, 'credit'))),
    ...payment.rewards.map((reward) =>
      sanitize(`  ${said.reward(formatCount(reward.credits, 'credit'), reward.account, reward.role, reward.state)}`),
    ),
    said.id(payment.id),
  ];
}

function readJudgement(input: Input): object {
  const [anomaly, verified] = [input.flag('anomaly'), input.flag('verified')];
  if (anomaly !== undefined || verified !== undefined) return { anomaly, verified };
  throw invalidArgument(words.payments.rule);
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
    sanitize(words.download.done(got.template, key.id, key.account)),
    words.download.disable(key.id),
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
    throw invalidArgument(words.download.unwritable(target, why), undefined, cause);
  }
  return target;
}

async function writePrivate(file: string, content: string | Uint8Array): Promise<void> {
  makeFolder(dirname(file), 0o755);
  await writeFile(file, content, { mode: PACKAGE_FILE_MODE });
}
