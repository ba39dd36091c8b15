// Which stickers are called the same but for the number of a variant, so that match does not list four airplanes for one
// airplane. What stickers of one concept are is told by the index itself.

import { IN_TITLE, type CompiledIndex } from './compiled-index.js';
import { WHOLE_MARK } from './tokenise.js';

const groups = new WeakMap<CompiledIndex, Uint32Array>();

/** A number shared by stickers that are called the same; one that came after the index was built has a number of its own. */
export function titleGroupOf(document: number, index: CompiledIndex): number {
  if (document >= index.size) return index.terms.size + document;
  let known = groups.get(index);
  if (known === undefined) groups.set(index, (known = groupTitles(index)));
  return known[document]!;
}

const NUMBERED = /[\u4E00-\u9FFF]{2}\d{1,2}$/;

// The longest whole of a title is the title; of 图片2 that is 图片.
function groupTitles(index: CompiledIndex): Uint32Array {
  const found = new Uint32Array(index.size);
  const lengths = new Uint16Array(index.size);
  const [from, to] = index.terms.range(WHOLE_MARK);
  for (let term = from; term < to; term++) {
    const whole = index.terms.get(term);
    if (NUMBERED.test(whole)) continue;
    index.forEachPosting(term, (document, fields) => {
      if ((fields & IN_TITLE) === 0 || document >= index.size || whole.length <= lengths[document]!) return;
      found[document] = term;
      lengths[document] = whole.length;
    });
  }
  return found;
}
