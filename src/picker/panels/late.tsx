// A part of the page whose code is loaded when it is first shown.

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A component that loads another one, and shows nothing until it is there. */
export function late(load: () => Promise<ComponentType>): ComponentType {
  let known: ComponentType | undefined;
  return function Late() {
    const [Part, setPart] = useState<ComponentType | undefined>(() => known);
    useEffect(() => {
      if (known !== undefined) return;
      void load().then((part) => {
        known = part;
        setPart(() => part);
      });
    }, []);
    return Part === undefined ? null : <Part />;
  };
}
