// Which track each slot of a plan gets. No list of music is kept: the service is asked, and its order decides.

import type { Plan, PlanSlot } from '../../api/plan.js';
import type { Slot } from '../../api/slot.js';
import type { MusicTrack, MusicWish } from '../../contract/music.js';
import { SvcdError } from '../../model/errors.js';
import type { Spender } from '../../model/spender.js';

/** Throws `not_enabled` where the service has no music, and what else a free call throws. */
export type FindMusic = (wish: MusicWish, asker: Spender) => Promise<readonly MusicTrack[]>;

const OTHERS = 3;

/** By slot; a track is taken once. `find` is left out where nobody may be asked. Why a slot has none is a warning. */
export async function chooseMusic(slots: readonly Slot[], find: FindMusic | undefined, asker: Spender) {
  const used = new Set(slots.flatMap(({ track }) => track ?? []));
  const planned = new Map<Slot, PlanSlot>();
  const warnings: Plan['warnings'][number][] = [];
  for (const slot of slots.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const { id, track, duration_s: wanted = 0 } = slot;
    const found = await search(slot, find, asker);
    const free = found instanceof SvcdError ? [] : found.filter((one) => !used.has(one.track) || one.track === track);
    const distance = (one: MusicTrack) => Math.abs(one.duration_s - wanted);
    const [nearest] = free.toSorted((a, b) => distance(a) - distance(b));
    const fitting = free.find((one) => (track === undefined ? one.duration_s >= wanted : one.track === track));
    const best = fitting ?? (track === undefined ? nearest : { track, title: track });
    const chosen = found instanceof SvcdError || best === undefined ? { track: null } : best;
    if (found instanceof SvcdError) warnings.push({ code: found.code, words: found.message, slot: id });
    else if (best === undefined)
      warnings.push({ code: 'nothing_found', words: 'the service has no such music', slot: id });
    if (chosen.track !== null) used.add(chosen.track);
    const rest = free.filter((one) => one.track !== chosen.track).slice(0, OTHERS);
    const others = rest.map(({ track: name, title, duration_s }) => {
      return { track: name, title, duration_s, preview: `/svcd/music/${encodeURIComponent(name)}/preview` };
    });
    planned.set(slot, { id, ...chosen, price: 0, cost: 0, have: 'no', others });
  }
  return { planned, warnings };
}

/** What the service has for a slot, or why it did not say. A track that is named alone needs no search. */
async function search(
  { purpose, mood, style, duration_s, track }: Slot,
  find: FindMusic | undefined,
  asker: Spender,
): Promise<readonly MusicTrack[] | SvcdError> {
  const wish = Object.entries({ purpose, mood, style, duration_s }).filter(([, value]) => value !== undefined);
  if (track !== undefined && (wish.length === 0 || find === undefined)) return [];
  if (find === undefined)
    return new SvcdError('not_found', 'music is chosen by asking the service, which --refresh does');
  try {
    return await find(Object.fromEntries(wish), asker);
  } catch (error) {
    if (error instanceof SvcdError) return error;
    throw error;
  }
}
