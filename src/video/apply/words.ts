// What planning, applying and fetching say of what they do and refuse. English, unless whoever asks hands in a table of their
// own; what is said of a file on disk (`../lock`, `../template`) is English for everybody.

import type { StandIn } from '../lock/stand-ins.js';

/** A sentence, and what to do about it. */
export type Refusal = readonly [message: string, hint?: string | undefined];

const PLAN_AGAIN =
  'Make the plan again: "svcd plan --refresh". A lock that is there keeps its choice unless you say --update SLOT.';

export const APPLY_WORDS = {
  colon: ': ',
  anImage: 'an image',
  sentence: (words: string) => `${words}.`,

  // The copy.
  cannotRead: (file: string, code: string) => `${file} cannot be read (${code})`,
  copyOnStdin: 'the copy on stdin',
  copyNeedsName: '--copy needs the name of a file, or - for stdin',
  tooLong: (name: string, most: number, got: number) => `${name}: at most ${most} bytes are accepted, got ${got}`,
  emptyCopy: 'is empty, a line for each slot is needed',
  line: (number: number | string) => `line ${number}:`,
  notUtf8: 'is not valid UTF-8',

  // A saved plan.
  noPlan: (file: string, why: string) => `${file} is no plan: ${why}`,
  noRegularFile: 'it is no regular file',
  newerPlan: (file: string, its: number, ours: number) =>
    `${file} is a plan of version ${its}, and this svcd reads ${ours}`,
  wrongCost: (slot: string) => `the cost of ${slot} is not what its price and "have" come to`,
  wrongSum: (sum: number, cost: number) => `its slots cost ${credits(sum)}, and "cost" says ${cost}`,
  wrongDigest: '"digest" is that of other slots, prices, words or another service',
  changedByHand: (file: string, why: string): Refusal => [
    `${file} was changed by hand: ${why}; nothing was bought`,
    'Make the plan again: "svcd plan --out FILE".',
  ],
  nothing: 'nothing',
  otherService: (file: string, then: string, now: string): Refusal => [
    `${file} was made with the service ${then}, and now it is ${now}; nothing was bought`,
    PLAN_AGAIN,
  ],
  lacksSlot: (file: string, slot: string): Refusal => [
    `${file} does not have the slot ${slot}; nothing was bought`,
    PLAN_AGAIN,
  ],
  otherChoice: (file: string, before: string, slot: string, now: string): Refusal => [
    `${file} has ${before} for ${slot}, and now it would be ${now}; nothing was bought`,
    PLAN_AGAIN,
  ],
  dearer: (file: string, now: number, cost: number): Refusal => [
    `it would cost ${credits(now)} now, and ${file} says ${cost}; nothing was bought`,
    PLAN_AGAIN,
  ],

  // Buying and taking.
  unknownSlot: (slot: string) => `--update ${slot}: the copy has no slot of that name`,
  notFound: (slots: readonly string[]): Refusal => [
    `nothing was found for ${slots.join(', ')}; nothing was bought`,
    'Give other words, or a preset. "svcd library sync" fills a library that knows too little.',
  ],
  nothingBought: (why: string) => `${why}; nothing was bought`,
  badTrack: (track: string, why: string) => `the service gave no ${track} that can be used: ${why}`,
  noSound: 'it is no sound',
  silence: 'it is silence from end to end',
  noLength: 'nothing says how long it is (give "purpose", "mood" or "style" beside "track", so that a search tells it)',
  otherLength: (found: number, told: number) => `it lasts ${found} s and not ${told} s, so that it is another track's`,
  otherMusic: (slots: readonly string[]): Refusal => [
    `the service gave other bytes than the lock's for ${slots.join(', ')}; nothing was written`,
    'Bring the file back from your version control. "svcd apply --update SLOT" chooses music anew.',
  ],
  leftOut: (slot: string, why: string) => `${slot} is left out: ${why}.`,
  asks: (slots: number) =>
    `If the list here is not complete, the service is asked about ${slots} slot${slots === 1 ? '' : 's'} first (at most a minute).`,
  standIns: (stand: readonly StandIn[], guessed: readonly string[]): Refusal => [
    `${[...stand.map(standIn), ...guessed.map((slot) => `${slot} would be chosen before the service was asked`)].join('; ')}; ` +
      'nothing was bought and no lock was written',
    stand.length > 0
      ? '"svcd apply --strict --replace-defaults" chooses them anew; a slot that names its preset gets that.'
      : 'Run it again when the service answers ("svcd status" says why it does not), and without --no-refresh.',
  ],
  inDoubt: (slots: readonly string[]): Refusal => [
    `an earlier purchase for ${slots.join(', ')} may have been charged; nothing was bought and no lock was written`,
    '"svcd purchases settle --all" looks whether it was; where it was, and its file never came, "svcd purchases" names the command that asks again. Then run the same again.',
  ],
  overMax: (price: number, max: number): Refusal => [
    `it would cost ${credits(price)}, and --max-credits allows ${max}`,
    'Nothing was bought.',
  ],
  waits: (seconds: number, why: string) =>
    seconds === 0
      ? 'svcd waits for an answer.'
      : `svcd waits ${seconds} s: ${why === 'pace' ? 'the service takes so many requests a minute' : why.replaceAll('_', ' ')}.`,
  cutOff: [
    'the daemon ended the connection before everything was bought',
    'What was bought is owned. Run the same again: it goes on where it was.',
  ] as Refusal,
  uncertain: (count: number) =>
    `It is not known yet whether ${count} file${count === 1 ? '' : 's'} cost credits: see "svcd purchases".`,
  spent: (cost: number) =>
    `${credits(cost)} went for what was bought, and that is owned. Run the same again: it goes on where it was.`,
  fileGone: (slot: string) => `the file of ${slot} is not here any more`,
  otherBytes: (slot: string, file: string): Refusal => [
    `${slot}: the service gave other bytes than those of ${file}`,
    `They are owned, and the lock is as it was. "svcd apply --update ${slot}" takes them.`,
  ],
  mayBeCharged: 'it may have been charged: "svcd purchases" shows how to settle it, or to buy it again',
  onlyDefaults: (slots: readonly string[]): Refusal => [
    `a default replaces ${slots.join(', ')}; no lock was written`,
    'What was bought is owned and costs nothing again. --replace-defaults tries again for defaults of an older lock.',
  ],

  noStill: (slot: string, why: string) => `${slot} has no still: ${why}.`,
  otherStill: (slot: string): Refusal => [
    `this svcd does not draw the still of ${slot} as the lock has it; nothing was written`,
    'Bring the file back from your version control. "svcd apply --stills N" draws it anew.',
  ],

  // Fetching by a lock.
  lockNeedsName: '--lock needs the name of a file',
  noLock: (places: readonly string[]): Refusal => [
    `there is no lock: neither ${places.join(' nor ')}`,
    'Name it with --lock FILE. "svcd apply" writes one.',
  ],
  keptAside: (file: string) => `What lay in place of a file of the lock was kept as ${file}.`,
  anotherLock: (file: string) => `${file} is another lock, and was left as it is.`,
  serviceGaveOther: (slots: readonly string[]): Refusal => [
    `the service gave other bytes than the lock's for ${slots.join(', ')}`,
    'They are owned, and nothing was written. "svcd apply --update SLOT" takes them on purpose.',
  ],
  otherSize: (slot: string): Refusal => [
    `the lock gives ${slot} a number of bytes that the file with its digest does not have`,
    'Nothing was written. Take the lock from your version control.',
  ],
  ownedIsOther: (slots: readonly string[]): Refusal => [
    `what is owned for ${slots.join(', ')} has other bytes than the lock says`,
    'Nothing was bought or written. Take the lock from your version control; "svcd apply --update SLOT" takes what is ' +
      'owned on purpose.',
  ],
  unmet: (slots: readonly string[], price: number): Refusal => [
    `not owned here: ${slots.join(', ')} (${credits(price)}); nothing was written`,
    'Where they are owned: "svcd owned export --lock FILE bundle.ndjson.gz"; here: "svcd owned import bundle.ndjson.gz".',
  ],
  unmetDefault: (slot: string, what: string) => `${slot}: ${what}, a default, which cannot be bought`,
  unmetOwn: (slot: string, what: string) => `${slot}: ${what}, the user's own, which cannot be bought`,
  unmetPrice: (slot: string, what: string, price: number) => `${slot}: ${what}, ${credits(price)}`,
  unmetNotForSale: 'Only stickers of the service can be bought by a lock; "svcd apply" makes the rest anew.',
  unmetBuy: (remote: string | null, price: number) =>
    `To buy them from ${remote ?? 'the service'}, ${credits(price)}: --buy --max-credits N (stickers only).`,
};

export type ApplyWords = typeof APPLY_WORDS;

function standIn({ slot, why, reason }: StandIn): string {
  if (why === 'default') return `${slot} holds a default (${reason})`;
  return why === 'shipped'
    ? `${slot} holds svcd's own art, which words found`
    : `${slot} was chosen before the service was asked`;
}

function credits(count: number): string {
  return `${count.toLocaleString('en-US')} credit${count === 1 ? '' : 's'}`;
}
