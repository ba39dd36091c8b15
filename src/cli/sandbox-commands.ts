// The commands below `svcd sandbox`, as light as the list in main.ts.

import type { Entry } from './command.js';

/** In the order the help lists them. */
export const SANDBOX_COMMANDS: readonly Entry[] = [
  {
    usage: 'start',
    what: 'Run the sandbox alone, without svcd before it.',
    load: async () => (await import('./commands/sandbox-start.js')).sandboxStartCommand,
  },
  {
    usage: 'accounts',
    what: 'Show and make accounts.',
    otherwise: 'list',
    entries: [
      {
        usage: 'list',
        what: 'List the accounts with their credits.',
        load: async () => (await import('./commands/sandbox-accounts-list.js')).sandboxAccountsListCommand,
      },
      {
        usage: 'add <name>',
        what: 'Make an account, with a Key and without credits.',
        load: async () => (await import('./commands/sandbox-accounts-add.js')).sandboxAccountsAddCommand,
      },
      {
        usage: 'verify <name>',
        what: 'Say whether the email of an account is verified.',
        load: async () =>
          (await import('./commands/sandbox-accounts-verify.js')).sandboxAccountsVerifyCommand,
      },
    ],
  },
  {
    usage: 'keys',
    what: 'Show, make and change Keys.',
    otherwise: 'list',
    entries: [
      {
        usage: 'list',
        what: 'List the Keys of every account, masked.',
        load: async () => (await import('./commands/sandbox-keys-list.js')).sandboxKeysListCommand,
      },
      {
        usage: 'add',
        what: 'Make a Key: general, or for the package of a template.',
        load: async () => (await import('./commands/sandbox-keys-add.js')).sandboxKeysAddCommand,
      },
      {
        usage: 'set <id>',
        what: 'Change the state or the limits of a Key.',
        load: async () => (await import('./commands/sandbox-keys-set.js')).sandboxKeysSetCommand,
      },
    ],
  },
  {
    usage: 'topup <cny>',
    what: 'Pay for credits: 10 per CNY 1.',
    load: async () => (await import('./commands/sandbox-topup.js')).sandboxTopupCommand,
  },
  {
    usage: 'buy <template> <cny>',
    what: 'Pay for a template; brings a Key for its package.',
    load: async () => (await import('./commands/sandbox-buy.js')).sandboxBuyCommand,
  },
  {
    usage: 'invite <inviter> <account>',
    what: 'Say who invited an account.',
    load: async () => (await import('./commands/sandbox-invite.js')).sandboxInviteCommand,
  },
  {
    usage: 'payments',
    what: 'Show payments and their rewards.',
    otherwise: 'list',
    entries: [
      {
        usage: 'list',
        what: 'List payments with the state of their rewards.',
        load: async () => (await import('./commands/sandbox-payments-list.js')).sandboxPaymentsListCommand,
      },
      {
        usage: 'judge <payment>',
        what: 'Say that a payment has an anomaly, or was not verified.',
        load: async () => (await import('./commands/sandbox-payments-judge.js')).sandboxPaymentsJudgeCommand,
      },
    ],
  },
  {
    usage: 'refund <payment>',
    what: 'Give a payment back; takes its credits and rewards away.',
    load: async () => (await import('./commands/sandbox-refund.js')).sandboxRefundCommand,
  },
  {
    usage: 'clock',
    what: 'Show the time of the sandbox, and move it forward.',
    load: async () => (await import('./commands/sandbox-clock.js')).sandboxClockCommand,
  },
  {
    usage: 'capability [id] [state]',
    what: 'Show the capabilities, or switch one on or off.',
    load: async () => (await import('./commands/sandbox-capability.js')).sandboxCapabilityCommand,
  },
  {
    usage: 'release <template>',
    what: 'Release a version of a template, with tips and known issues.',
    load: async () => (await import('./commands/sandbox-release.js')).sandboxReleaseCommand,
  },
  {
    usage: 'requests',
    what: 'Show what was asked of it, newest first.',
    load: async () => (await import('./commands/sandbox-requests.js')).sandboxRequestsCommand,
  },
  {
    usage: 'ledger',
    what: 'Check that its credits add up.',
    load: async () => (await import('./commands/sandbox-ledger.js')).sandboxLedgerCommand,
  },
  {
    usage: 'fault',
    what: 'Make requests go wrong.',
    otherwise: 'list',
    entries: [
      {
        usage: 'list',
        what: 'List what goes wrong, and how often it did.',
        load: async () => (await import('./commands/sandbox-fault-list.js')).sandboxFaultListCommand,
      },
      {
        usage: 'add <kind>',
        what: 'Make requests go wrong from now on.',
        load: async () => (await import('./commands/sandbox-fault-add.js')).sandboxFaultAddCommand,
      },
      {
        usage: 'clear [id]',
        what: 'Let nothing go wrong any more, or take one rule away.',
        load: async () => (await import('./commands/sandbox-fault-clear.js')).sandboxFaultClearCommand,
      },
    ],
  },
  {
    usage: 'reset',
    what: 'Begin anew with the same seed; the catalogue stays.',
    load: async () => (await import('./commands/sandbox-reset.js')).sandboxResetCommand,
  },
];
