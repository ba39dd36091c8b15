// Breakages of what svcd needs, as tests: each is found by the doctor under its code, the doctor changes nothing, and the
// command that it prints mends what it found.

import { expect, onTestFinished } from 'vitest';
import { BrokenPlace } from './break-home.js';
import { itIf, type Need } from './requires.js';
import { startSvcd } from './start-svcd.js';

export interface Breakage {
  readonly what: string;
  readonly check: string;
  readonly code: string;
  /** Whether nothing works until it is mended: exit code 1. */
  readonly bad?: true;
  readonly need?: Need;
  readonly breakIt: (place: BrokenPlace) => Promise<void> | void;
  /** What a person does where no command can. */
  readonly byHand?: (place: BrokenPlace) => Promise<void> | void;
}

type Break = Breakage['breakIt'];
type More = Pick<Breakage, 'need' | 'byHand'>;

/** What is found under a code of a check, by a breakage that svcd can live with. */
export const warn = (check: string, code: string, what: string, breakIt: Break, more: More = {}): Breakage => {
  return { check, code, what, breakIt, ...more };
};

/** The same of one that nothing works with. */
export const bad = (...row: Parameters<typeof warn>): Breakage => ({ ...warn(...row), bad: true });

const used = (change: Break) => async (place: BrokenPlace) => {
  await place.use();
  await change(place);
};

/** The same of a home that svcd was used with before. */
export const warnWhenUsed = (check: string, code: string, what: string, breakIt: Break, more?: More) =>
  warn(check, code, what, used(breakIt), more);
export const badWhenUsed = (...row: Parameters<typeof warn>): Breakage => ({ ...warnWhenUsed(...row), bad: true });

const ANY: Need = { isMet: () => true, advice: '' };

/** What a test does to make a place. Throws what it said when it fails. */
export async function must(place: BrokenPlace, lines: string): Promise<void> {
  const { code, stderr } = await place.shell(lines);
  if (code !== 0) throw new Error(`${lines}: ${stderr}`);
}

export const inConfig = (settings: object) => (place: BrokenPlace) => place.config(settings);

export const inEnvironment = (env: Record<string, string>) => (place: BrokenPlace) =>
  void Object.assign(place.env, env);

/** A test for each. */
export function testBreakages(breakages: readonly Breakage[]): void {
  for (const { what, check, code, bad: isBad, need = ANY, breakIt, byHand } of breakages) {
    itIf(need, `finds ${what}, changes nothing, and says what mends it`, async () => {
      const place = new BrokenPlace();
      await breakIt(place);
      const before = place.snapshot();
      const found = await place.doctor();
      const finding = found.of(check, code);
      expect(finding, found.text).toMatchObject({ state: isBad === true ? 'bad' : 'warn' });
      expect(found.code).toBe(found.checks.some(({ state }) => state === 'bad') ? 1 : 0);
      expect(place.snapshot()).toEqual(before);
      expect(found.text).not.toContain('secret');
      if (byHand !== undefined) await byHand(place);
      const command = byHand === undefined ? place.fill(finding?.command ?? 'false') : ':';
      const after = await place.doctor(command);
      expect(after.of(check, code), `${command}\n${after.text}`).toBeUndefined();
    });
  }
}

/** A daemon on the home, killed with the test unless that ended it; its process. */
export async function runDaemon(place: BrokenPlace): Promise<number> {
  const svcd = await startSvcd(['--sandbox'], { home: place.home, env: { HOME: place.folder } });
  onTestFinished(async () => {
    if (svcd.child.exitCode === null && svcd.child.signalCode === null) await svcd.end('SIGKILL');
  });
  return svcd.info.pid;
}
