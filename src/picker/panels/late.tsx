// A part of the page whose code is loaded when it is first shown.

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadParts, type Parts } from '../load-parts.js';
import { layer, sayToStay } from '../store.js';
import { frontWords } from '../words/front.js';

/** A component that loads another one, and shows nothing until it is there. */
export function late(choose: (parts: Parts) => ComponentType): ComponentType {
  let known: ComponentType | undefined;
  return function Late() {
    const [Part, setPart] = useState<ComponentType | undefined>(() => known);
    useEffect(() => {
      if (known !== undefined) return;
      const begin = async () => {
        try {
          const part = (known = choose(await loadParts()));
          setPart(() => part);
        } catch {
          // svcd went away before this was first wanted: the next time asks again.
          layer.value = undefined;
          sayToStay(frontWords.value.awayNow);
        }
      };
      void begin();
    }, []);
    return Part === undefined ? null : <Part />;
  };
}
