// Which motion suits a sticker. The English name of the drawing tells most, the Chinese title a little more;
// what neither tells is settled by a hash, so that the choice is the same on every machine.

import { createHash } from 'node:crypto';

import { MOTION_RULES } from './motion-rules.js';
import type { MotionName } from './motions.js';

export interface Subject {
  preset: string;
  title: string;
  art: string;
}

// A dozen that suit anything.
const ANY: readonly MotionName[] = [
  'breathe',
  'float',
  'tilt',
  'hop',
  'tada',
  'jelly',
  'pop',
  'zoom',
  'flip',
  'orbit',
  'press',
  'sway',
];

/** A whole number below `bound` that depends on the text and the salt only. */
export function hashOf(text: string, salt: string, bound: number): number {
  return createHash('sha256').update(`${salt}\0${text}`).digest().readUInt32BE(0) % bound;
}

/** The motion that the subject itself asks for, or undefined when neither its name nor its title tells. */
export function findSuitingMotion(subject: Subject): MotionName | undefined {
  const name = subject.art.replace(/-(?:facing-right|one|two|three|four|five|six|seven|eight)$/, '');
  return MOTION_RULES.find(([, english, chinese]) => english.test(name) || chinese?.test(subject.title))?.[0];
}

/** What a drawing is made of; `layered` when colour and outline are parts of their own, which must not be torn apart. */
export interface Drawing {
  parts: number;
  onlyStrokes: boolean;
  layered: boolean;
}

/** A motion for a subject that asks for none; drawings of lines or of several parts have more to choose from. */
export function chooseAnyMotion(subject: Subject, drawing: Drawing): MotionName {
  const choice: MotionName[] = [...ANY];
  if (drawing.onlyStrokes) choice.push('draw', 'draw', 'draw');
  const several = drawing.parts >= 3 && drawing.parts <= 16;
  if (several) choice.push('assemble', 'assemble');
  if (several && !drawing.layered) choice.push('ripple', 'ripple');
  return choice[hashOf(subject.preset, 'motion', choice.length)] ?? 'breathe';
}
