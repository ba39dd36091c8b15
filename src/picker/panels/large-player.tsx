// One sticker, large: it can be played, stopped and put to any frame. A stand-in is shown, and never moves.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Tile } from '../../api/tile.js';
import { noteFrame } from '../export/ways.js';
import { DARK_ART, isDarkArt, lookOf } from '../grid/tile.js';
import { drawStill, fetchFile, type Frame, play } from '../player/player.js';
import { addressOf, drawWord, paint } from '../player/stills.js';
import { settings } from '../store.js';
import { detailWords } from '../words/details.js';
import { number } from '../words/words.js';
import { Button } from './controls.js';

const SIDE = 288;
const MOST_FPS = 60;

export function LargePlayer({ tile }: { readonly tile: Tile }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const look = lookOf(tile);
  const isPlaying = useSignal(look === 'picture' && settings.motion.peek() !== 'never');
  const shown = useSignal<Pick<Frame, 'drawn' | 'frame'> | undefined>(undefined);
  const wanted = useSignal<number | undefined>(undefined);
  const pixels = Math.round(SIDE * devicePixelRatio);
  const show = ({ bitmap, drawn, frame }: Frame) => {
    if (canvas.current !== null) paint(canvas.current, bitmap, tile);
    bitmap.close();
    shown.value = { drawn, frame };
    if (look === 'picture') noteFrame(tile.preset, frame);
  };
  useEffect(() => {
    let [isGone, stop] = [false, () => undefined as void];
    const { current } = canvas;
    if (current === null) return undefined;
    if (look === 'word') return drawWord(current, tile);
    const guarded = (frame: Frame) => (isGone ? frame.bitmap.close() : show(frame));
    const fail = () => {
      if (!isGone) drawWord(current, tile);
    };
    const begin = async () => {
      const file = await fetchFile(addressOf(tile));
      if (isGone) return;
      // What plays no more may not be at fault: its still tells.
      const rest = () => {
        if (!isGone) isPlaying.value = false;
      };
      if (isPlaying.value) stop = play(file, pixels, MOST_FPS, guarded, rest);
      else {
        const frame = wanted.value ?? shown.peek()?.frame;
        // Of a handle that is drawn along, most frames have gone by before their turn.
        guarded(await drawStill(file, pixels, { frame, isWanted: () => !isGone }));
      }
    };
    begin().catch(fail);
    return () => {
      isGone = true;
      stop();
    };
  }, [isPlaying.value, wanted.value]);
  const text = detailWords.value;
  const { value: at } = shown;
  return (
    <div class="large" style={{ '--hue': tile.color ?? '#808080' }}>
      <canvas
        ref={canvas}
        class={isDarkArt(tile) ? `picture ${DARK_ART}` : 'picture'}
        data-look={look}
        width={pixels}
        height={pixels}
        aria-hidden="true"
      />
      {look === 'picture' && (
        <div class="player">
          <Button
            aria-label={isPlaying.value ? text.pause : text.play}
            onClick={() => {
              wanted.value = undefined;
              isPlaying.value = !isPlaying.value;
            }}
          >
            {isPlaying.value ? '❚❚' : '▶'}
          </Button>
          <input
            type="range"
            aria-label={text.seek}
            min={0}
            max={Math.max(1, (at?.drawn.frames ?? 1) - 1)}
            step={1}
            value={Math.floor(at?.frame ?? 0)}
            onInput={(event) => {
              isPlaying.value = false;
              wanted.value = Number(event.currentTarget.value);
            }}
          />
          <span class="at">
            {at !== undefined &&
              text.place(
                number(at.frame / at.drawn.fps, 1),
                number(at.drawn.frames / at.drawn.fps, 1),
                number(Math.floor(at.frame)),
              )}
          </span>
        </div>
      )}
    </div>
  );
}
