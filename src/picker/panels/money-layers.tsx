// The buy dialog and the list of purchases, loaded when one of them is first opened.

import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentType } from 'preact';
import { loadParts } from '../load-parts.js';
import { layer, type Layer, sayToStay } from '../store.js';
import { frontWords } from '../words/front.js';

type Shown = ComponentType<{ readonly presets: readonly string[] }>;

const LATE: Partial<Record<Layer['kind'], () => Promise<Shown>>> = {
  buy: async () => (await loadParts()).BuyDialog,
  money: async () => (await loadParts()).Money,
};

export function MoneyLayers() {
  const shown = useSignal<{ readonly layer: Layer; readonly Shown: Shown } | undefined>(undefined);
  const show = async (asked: Layer, load: () => Promise<Shown>) => {
    try {
      const Shown = await load();
      if (layer.peek() === asked) shown.value = { layer: asked, Shown };
    } catch {
      // It lies in svcd, which does not answer.
      if (layer.peek() === asked) layer.value = undefined;
      sayToStay(frontWords.value.awayNow);
    }
  };
  useSignalEffect(() => {
    const { value } = layer;
    const load = value && LATE[value.kind];
    if (value === undefined || load === undefined) {
      shown.value = undefined;
      return;
    }
    void show(value, load);
  });
  if (shown.value === undefined) return null;
  const { Shown } = shown.value;
  return <Shown presets={shown.value.layer.presets} />;
}
