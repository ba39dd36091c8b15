// All that is not needed for the first tiles: one script and one style, loaded when a part in them is first shown.

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { layer, type Layer, sayToStay, view } from '../store.js';
import { words } from '../words/words.js';

type Parts = Awaited<ReturnType<typeof load>>;

let loading: Promise<Parts> | undefined;

/** Rejects while svcd does not answer; the next call tries again. */
function loadParts(): Promise<Parts> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load() {
  const [parts] = await Promise.all([import('../parts.js'), loadStyle()]);
  return parts;
}

/** Parts are shown once they look as they should. */
function loadStyle(): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = LATE_STYLE;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error('a style of the page did not come'));
    });
    document.head.append(link);
  });
}

/** A component that loads another one, and shows nothing until it is there. */
function late<P extends object>(choose: (parts: Parts) => ComponentType<P>): ComponentType<P> {
  let known: ComponentType<P> | undefined;
  return function Late(props: P) {
    const [Part, setPart] = useState<ComponentType<P> | undefined>(() => known);
    useEffect(() => {
      if (known !== undefined) return;
      const asked = layer.peek();
      const begin = async () => {
        try {
          const part = (known = choose(await loadParts()));
          setPart(() => part);
        } catch {
          // It lies in svcd, which went away before this was first wanted: the next time asks again.
          if (layer.peek() === asked) layer.value = undefined;
          sayToStay(words.value.awayNow);
        }
      };
      void begin();
    }, []);
    return Part === undefined ? null : <Part {...props} />;
  };
}

/** What keys of the grid do. */
export const loadTileCommands = () => loadParts().then((parts) => parts.tileCommands);

export const CollectionsPart = late((parts) => parts.CollectionsPanel);
export const CopyLayer = late((parts) => parts.CopyView);
// Parts of the frame that say nothing before svcd was asked.
export const EmptyState = late((parts) => parts.EmptyState);
export const NoticeLine = late((parts) => parts.NoticeLine);
export const SelectionBar = late((parts) => parts.SelectionBar);
export const StateLine = late((parts) => parts.StateLine);
export const StatusBar = late((parts) => parts.StatusBar);

const DetailsBody = late((parts) => parts.DetailsBody);
export const Details = () => (view.value.preset === '' ? null : <DetailsBody />);

const LAYERS: Readonly<Record<Layer['kind'], ComponentType<Pick<Layer, 'presets'>>>> = {
  buy: late((parts) => parts.BuyDialog),
  money: late((parts) => parts.Money),
  export: late((parts) => parts.ExportDialog),
  filters: late((parts) => parts.FilterSheet),
  own: late((parts) => parts.OwnDialog),
  take: late((parts) => parts.ExportMenu),
  help: late((parts) => parts.Help),
  commands: late((parts) => parts.CommandList),
};

/** The layer over the grid, if one is open. */
export function OpenLayer() {
  const { value } = layer;
  if (value === undefined) return null;
  const Shown = LAYERS[value.kind];
  // Each is a dialog of its own: one that was asked for while the one before was closing must not end with that.
  return <Shown key={value} presets={value.presets} />;
}
