// The stickers of a list as the page shows them: what may be looked at for nothing, what is owned, what the rest costs, and
// why it was found. Nobody is asked.

import type { Tile, Tiles, TilesRequest } from '../../api/tile.js';
import { relatedFrom } from '../../contract/fit.js';
import type { SearchHits } from '../../library/found-stickers.js';
import type { StickerFilter } from '../../library/query/filter.js';
import { SvcdError } from '../../model/errors.js';
import { inParts, ownTurn } from '../../platform/steps.js';
import { filterOf, ruleOf } from '../search/find-stickers.js';
import { TILES_AT_ONCE, type MakeTiles, type TileHit, type TileSources } from './make-tiles.js';
import { createWithNameless, isByPreset } from '../search/nameless-stickers.js';

/** Reasons of two dozen words of a sticker not seen before take a millisecond. */
const EXPLAINED_AT_ONCE = 5;

/** Lists tiles, with the user's collections where the caller may see them. Throws `not_found` for an unknown one. */
export type ListTiles = (request: TilesRequest, withCollections: boolean) => Tiles | Promise<Tiles>;

export function createListTiles(sources: TileSources, makeTiles: MakeTiles): ListTiles {
  const { library, ownedPresets, collections, art } = sources;
  const within = createWithin();
  const withNameless = createWithNameless(library);
  return (request, withCollections) => {
    const { q, offset, limit, shipped, sort, collection } = request;
    const presets = ownedPresets();
    const kept = collection === undefined ? undefined : presetsOf(collections.presetsIn(collection), collection);
    const filter = filterOf(request, presets, library);
    const bounds = kept === undefined ? filter : within(filter, kept, request.owned, presets);
    const all = isByPreset(request) && bounds.presets?.within === true ? bounds.presets.set : undefined;
    const asked = {
      query: q,
      filter: bounds,
      shipped: kept === undefined ? ruleOf(shipped) : ('listed' as const),
      order: sort,
    };
    // Of when they were found: what changes while reasons are told is in none of them.
    const tell = (found: SearchHits): Tiles | Promise<Tiles> => {
      const revision = `${library.revision}.${presets.size}`;
      const listed = found.hits.slice(0, Math.max(0, found.total - offset));
      const begin = () => {
        const tilesOf = makeTiles(withCollections);
        if (q === undefined) return tilesOf;
        const explain = library.explain(q);
        return (part: readonly TileHit[]) => tilesOf(part.map((hit) => ({ ...hit, because: explain(hit.sticker) })));
      };
      const atOnce = q === undefined ? TILES_AT_ONCE : EXPLAINED_AT_ONCE;
      if (listed.length <= atOnce) return tellOf(found, listed, begin()(listed), revision);
      return ownTurn()
        .then(() => inParts(listed, atOnce, begin()))
        .then((tiles) => tellOf(found, listed, tiles, revision));
    };
    const tellOf = (found: SearchHits, hits: SearchHits['hits'], tiles: Tile[], revision: string): Tiles => {
      return {
        query: q ?? null,
        total: found.total,
        offset,
        revision,
        dropped: [...found.dropped],
        suggestions: [...found.suggestions],
        styles: [...library.styles()],
        // In another order what fits stands anywhere.
        related_from: sort === 'best' ? relatedFrom(hits, offset) : null,
        tiles,
      };
    };
    const list = (): Tiles | Promise<Tiles> => {
      // A collection has an order of its own, and is short.
      const isKept = kept !== undefined && sort === 'best' && q === undefined;
      const page = isKept ? { offset: 0, limit: kept.length } : { offset, limit };
      const finish = (found: SearchHits): Tiles | Promise<Tiles> => {
        const whole = all === undefined ? found : withNameless(found, all, page);
        return tell(isKept ? cut(whole, kept, offset, limit) : whole);
      };
      const found = library.list({ ...asked, ...page });
      return found instanceof Promise ? found.then(finish) : finish(found);
    };
    const ready = art.untilReady();
    return ready === undefined ? list() : ready.then(list);
  };
}

function presetsOf(presets: readonly string[] | undefined, collection: string): readonly string[] {
  if (presets !== undefined) return presets;
  throw new SvcdError('not_found', `there is no collection ${JSON.stringify(collection)}`);
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((preset, at) => preset === other[at]);

/** A filter with only what is kept; the same set for the same things, so that the list can be found again. */
function createWithin() {
  let last:
    { readonly kept: readonly string[]; readonly presets: unknown; readonly set: ReadonlySet<string> } | undefined;
  let lastOwned: boolean | undefined;
  return (
    filter: StickerFilter,
    kept: readonly string[],
    owned: boolean | undefined,
    presets: ReadonlySet<string>,
  ): StickerFilter => {
    if (last === undefined || !isSame(last.kept, kept) || last.presets !== presets || lastOwned !== owned) {
      const set = new Set(owned === undefined ? kept : kept.filter((preset) => presets.has(preset) === owned));
      last = { kept, presets, set };
      lastOwned = owned;
    }
    return { ...filter, presets: { set: last.set, within: true } };
  };
}

function cut(found: SearchHits, kept: readonly string[], offset: number, limit: number): SearchHits {
  const places = new Map(kept.map((preset, place) => [preset, place]));
  const placeOf = (preset: string) => places.get(preset) ?? kept.length;
  const hits = found.hits.toSorted((a, b) => placeOf(a.sticker.preset) - placeOf(b.sticker.preset));
  return { ...found, hits: hits.slice(offset, offset + limit) };
}
