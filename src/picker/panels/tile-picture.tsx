// What a sticker looks like, or what stands in for it, outside of the grid.

import { useEffect, useRef } from 'preact/hooks';
import type { Tile } from '../../api/tile.js';
import { DARK_ART, isDarkArt, lookOf } from '../grid/tile.js';
import { drawStill, fetchFile } from '../player/player.js';
import { addressOf, drawWord, paint } from '../player/stills.js';

/** `side` is in CSS pixels. */
export function TilePicture({ tile, side }: { readonly tile: Tile; readonly side: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pixels = Math.round(side * devicePixelRatio);
  useEffect(() => {
    let isGone = false;
    const { current } = canvas;
    if (current === null) return undefined;
    const look = lookOf(tile);
    void (async () => {
      if (look === 'word') return drawWord(current, tile);
      try {
        const { bitmap } = await drawStill(await fetchFile(addressOf(tile)), pixels);
        if (!isGone) paint(current, bitmap, tile);
        bitmap.close();
      } catch {
        // It cannot be had or drawn: its word stands in for it.
        if (!isGone) drawWord(current, tile);
      }
    })();
    return () => {
      isGone = true;
    };
  }, [tile.preset, tile.picture, tile.sketch?.id, pixels]);
  return (
    <canvas
      ref={canvas}
      class={isDarkArt(tile) ? `picture ${DARK_ART}` : 'picture'}
      data-look={lookOf(tile)}
      width={pixels}
      height={pixels}
      style={{ '--hue': tile.color ?? '#808080', width: `${side}px`, height: `${side}px` }}
    />
  );
}
