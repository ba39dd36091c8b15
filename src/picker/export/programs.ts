// What programs take, and what a person sent where the last time.

import { signal } from '@preact/signals';
import { settings } from '../store.js';
import { rateFor, SIDES } from './make-moving.js';
import type { MovingKind } from './messages.js';

/** The format that each is offered first. MOV with ProRes becomes one of PNG for all of them by this constant. */
const TIMELINE: MovingKind = 'mov';
export const PROGRAMS = {
  premiere: TIMELINE,
  resolve: TIMELINE,
  finalCut: TIMELINE,
  capcut: TIMELINE,
  afterEffects: TIMELINE,
  obs: 'movpng',
  remotion: 'png',
  web: 'gif',
} as const satisfies Record<string, MovingKind>;
export type Program = keyof typeof PROGRAMS;
export const KINDS = ['mov', 'movpng', 'png', 'gif', 'apng'] as const satisfies readonly MovingKind[];
/** A color, or empty for none. */
export const BACKGROUNDS = { none: '', white: '#ffffff', black: '#000000', green: '#00b140' } as const;
export type Background = keyof typeof BACKGROUNDS | 'own';

export interface Sending {
  readonly program: Program;
  readonly kind: MovingKind;
  readonly side: number;
  readonly rate: number;
  readonly background: keyof typeof BACKGROUNDS;
}

/** What is chosen now: at first what was sent the last time. */
export const sending = signal<Sending>(
  lastSent() ?? { program: 'premiere', kind: PROGRAMS.premiere, side: 1080, rate: 30, background: 'none' },
);

export function keepSending(): void {
  settings.editor.value = Object.values(sending.value).join(' ');
}

/** Undefined before the first time, and for what another program wrote there. */
export function lastSent(): Sending | undefined {
  const [program = '', kind = '', side = '', rate = '', background = ''] = settings.editor.value.split(' ');
  const isKnown = Object.hasOwn(PROGRAMS, program) && KINDS.some((one) => one === kind);
  const hasLook = SIDES.some((one) => `${one}` === side) && Object.hasOwn(BACKGROUNDS, background);
  if (!isKnown || !hasLook || !(Number(rate) > 0)) return undefined;
  const known = { program, kind, background } as Pick<Sending, 'program' | 'kind' | 'background'>;
  return {
    program: known.program,
    kind: known.kind,
    side: Number(side),
    rate: rateFor(known.kind, Number(rate)),
    background: known.background,
  };
}
