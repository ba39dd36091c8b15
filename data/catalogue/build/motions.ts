// The motions a sticker can have. Each is made once and used by hundreds of stickers, so every one of them must
// be pleasant to watch in a loop: it ends where it began, or it enters, holds, and enters again.

import type { Motion } from './motion.js';
import { MOVING_MOTIONS } from './moving-motions.js';
import { SIZING_MOTIONS } from './sizing-motions.js';
import { TURNING_MOTIONS } from './turning-motions.js';

/** Every motion by name. */
export const MOTIONS = { ...MOVING_MOTIONS, ...TURNING_MOTIONS, ...SIZING_MOTIONS };

export type MotionName = keyof typeof MOTIONS;

/** The motion of a name. */
export const motionOf = (name: MotionName): Motion => MOTIONS[name];
