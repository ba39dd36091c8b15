// How a command tells what happens while it buys and takes: in the language that was chosen, beside the answer.

import type { Telling } from '../../video/apply/asker.js';
import { sanitize } from '../terminal/format.js';
import { printNote } from '../terminal/output.js';
import { applyWords } from './apply-words.js';

export const TELLING: Telling = { words: applyWords(), note: (line) => printNote(sanitize(line)) };
