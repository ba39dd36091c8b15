// What stickers look like: one picture with a numbered tile for each, and what each is. Nothing is bought.

import type { Plan } from '../../api/plan.js';
import { type Asker, toRefusal } from './asker.js';

/** Tiles in the order of the presets, each once; what is not here is a card. `unknown` are those that the library does not know. */
export async function askSheet(asker: Asker, wanted: readonly string[], look: { frames?: number; tile?: number } = {}) {
  const presets = [...new Set(wanted)];
  const slots = presets.map((preset, at) => ({ id: `tile-${at + 1}`, preset }));
  const query = new URLSearchParams(presets.map((preset): [string, string] => ['preset', preset]));
  for (const [name, value] of Object.entries(look)) query.set(name, String(value));
  const [plan, sheet] = await Promise.all([
    asker.ask<Plan>('POST', '/svcd/plan', { slots }),
    asker.request('GET', `/svcd/sheet.png?${query.toString()}`),
  ]);
  if (sheet.status !== 200) throw toRefusal(sheet.json() as object);
  const items = plan.slots.map((one, at) => {
    const { title, aspect, duration_s } = { title: undefined, aspect: undefined, duration_s: undefined, ...one };
    return { tile: at + 1, preset: presets[at] ?? '', title, have: one.have, cost: one.cost, aspect, duration_s };
  });
  const unknown = plan.warnings.flatMap(({ code, slot }) => (code === 'unknown_preset' && slot ? [slot] : []));
  return {
    items,
    png: sheet.bytes(),
    unknown: unknown.map((id) => presets[slots.findIndex((one) => one.id === id)] ?? ''),
  };
}
