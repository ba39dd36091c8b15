// Runs the checks in the document's order against one service, started anew for each sentence.

import { describe, expect, test } from 'vitest';
import type { Check, Checks, Controlled } from './checks.js';
import { SECTION_1 } from './section-1.js';
import { SECTION_2 } from './section-2.js';
import { SECTION_3 } from './section-3.js';
import { SECTION_4 } from './section-4.js';
import { SECTION_5, SECTION_7, SECTION_8, SECTION_9 } from './sections-5-to-9.js';
import { SECTIONS, SENTENCES, type Sentence } from './sentences.js';
import type { Service } from './service.js';

export const CHECKS: Checks = {
  ...SECTION_1,
  ...SECTION_2,
  ...SECTION_3,
  ...SECTION_4,
  ...SECTION_5,
  ...SECTION_7,
  ...SECTION_8,
  ...SECTION_9,
};

/** A sentence that is not true of a service, on purpose. */
export interface Difference {
  readonly why: string;
  /** What is true instead. */
  readonly instead: (service: Controlled) => Promise<void>;
}

export interface Subject {
  readonly name: string;
  /** A service for one sentence; it ends with the test. */
  readonly start: () => Promise<Service>;
  readonly differences?: Readonly<Record<string, Difference>>;
  /** Why a check cannot be made here; undefined when it can. */
  readonly without?: (check: Check) => string | undefined;
}

/**
 * States every sentence that can be checked as a test: made, different as listed, or not checkable here and why. Where
 * there is nothing to check, sentences.ts says why, and the table of the document lists it (standing-table.ts).
 */
export function proveConformance(subject: Subject): void {
  describe(subject.name, () => {
    for (const [at, title] of SECTIONS.entries()) {
      const sentences = SENTENCES.filter(
        ({ number }) => number.startsWith(`${at + 1}.`) && CHECKS[number] !== undefined,
      );
      // A suite without tests is an error.
      if (sentences.length === 0) continue;
      describe(`${at + 1}. ${title}`, () => {
        for (const sentence of sentences) state(sentence, subject);
      });
    }
  });
}

function state({ number, text }: Sentence, { start, differences = {}, without }: Subject): void {
  const name = `${number} ${text}`;
  const check = CHECKS[number];
  const difference = differences[number];
  if (check === undefined) return;
  const obstacle = without?.(check);
  if (obstacle !== undefined) {
    test(name, ({ skip }) => skip(obstacle));
  } else if (difference === undefined) {
    test(name, async () => check.run((await start()) as Controlled));
  } else {
    test(`${name} Different: ${difference.why}`, async () => {
      await expectDifferent(check, await start());
      await difference.instead((await start()) as Controlled);
    });
  }
}

/** A difference that is gone is to be taken off the list. */
async function expectDifferent(check: Check, service: Service): Promise<void> {
  const outcome = await check.run(service as Controlled).then(
    () => 'as the document says',
    () => 'different',
  );
  expect(outcome, 'this difference no longer exists: take it off the list').toBe('different');
}
