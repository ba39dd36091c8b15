// What `import 'svcd/remotion'` gives: the slots of a lock as components of Remotion. A file is fetched once a tab, checked by its
// digest, and shown at the right time for its own rate. Nothing touches the page before an effect.

import { Lottie } from '@remotion/lottie';
import { createElement, useEffect, useState, type CSSProperties, type ReactElement } from 'react';
import { Audio, Freeze, Img, staticFile, useCurrentFrame, useDelayRender, useVideoConfig } from 'remotion';
import type { LockLike, LottieFile, MusicSlot, PictureSlot, Slot, StickerSlot } from './lock-types.js';
import { openSlots, playhead, type Play, type Slots } from './open-slots.js';

export type { LockLike, LottieFile, MusicSlot, PictureSlot, Play, Slot, StickerSlot } from './open-slots.js';

export interface SlotsOfOptions {
  /** Where the lock and its files lie below `public/`; `svcd` if not given. */
  readonly folder?: string | undefined;
  /** Whether a stand-in or a guess stops the render. */
  readonly strict?: boolean | undefined;
}

interface Styled {
  readonly style?: CSSProperties | undefined;
  readonly className?: string | undefined;
}

export interface StickerProps<Id> extends Styled {
  readonly slot: Id;
  /** `loop` if not given. */
  readonly play?: Play | undefined;
  readonly speed?: number | undefined;
}

export interface PictureProps<Id> extends Styled {
  readonly slot: Id;
}

export interface MusicProps<Id> {
  readonly slot: Id;
  readonly volume?: number | ((frame: number) => number) | undefined;
  readonly loop?: boolean | undefined;
}

type Component<Props> = (props: Props) => ReactElement | null;

export interface SlotComponents<L extends LockLike> extends Pick<Slots<L>, 'slots' | 'stickers' | 'credits'> {
  readonly Sticker: Component<StickerProps<StickerSlot<L>>>;
  readonly Picture: Component<PictureProps<PictureSlot<L>>>;
  readonly Music: Component<MusicProps<MusicSlot<L>>>;
  /** Each credit line once; nothing where none is asked for. */
  readonly Attribution: Component<Styled>;
  /** The file, once it is checked; the render waits for it. */
  readonly useSlot: (slot: StickerSlot<L>) => LottieFile | undefined;
  /** How many frames of a video with this rate the sticker takes. */
  readonly framesOf: (slot: StickerSlot<L>, fps: number) => number;
}

interface Timed {
  readonly frames: number;
  readonly frame_rate: number;
}

const opened = new WeakMap<LockLike, Map<string, unknown>>();

/** The components of a lock; the same for the same lock, so that they are not mounted anew. */
export function slotsOf<const L extends LockLike>(lock: L, options: SlotsOfOptions = {}): SlotComponents<L> {
  const { folder = 'svcd', strict = false } = options;
  const known = opened.get(lock) ?? new Map<string, unknown>();
  opened.set(lock, known);
  const key = `${strict} ${folder}`;
  if (!known.has(key)) known.set(key, make(lock, folder, strict));
  return known.get(key) as SlotComponents<L>;
}

function make<const L extends LockLike>(lock: L, folder: string, strict: boolean): SlotComponents<L> {
  const files = openSlots(lock, { url: (file) => staticFile(`${folder}/${file}`), strict });
  const timed = (slot: StickerSlot<L>) => files.entry(slot) as unknown as Timed;
  const useSlot = (slot: StickerSlot<L>) => useLoaded(slot, files.lottie);

  const Player: SlotComponents<L>['Sticker'] = ({ slot, play, speed, style, className }) => {
    const file = useSlot(slot);
    const frame = useCurrentFrame();
    const { fps, durationInFrames } = useVideoConfig();
    if (file === undefined) return null;
    const at = playhead(timed(slot), frame / fps, { play, speed, place_s: durationInFrames / fps });
    // Remotion holds every frame to those of the video, and a file may have more, or begin late: below one frame it holds nothing.
    // A power of two, so that what is divided and multiplied by it stays exact.
    const playbackRate = 2 ** Math.ceil(Math.log2(timed(slot).frames + 1));
    const shown = createElement(Lottie, { animationData: file, playbackRate, style, className });
    return createElement(Freeze, { frame: at / playbackRate }, shown);
  };
  const Picture: SlotComponents<L>['Picture'] = ({ slot, style, className }) => {
    const bytes = useLoaded(slot as Slot<L>, files.bytes);
    return bytes === undefined ? null : createElement(Img, { src: files.entry(slot).url, style, className });
  };
  const Music: SlotComponents<L>['Music'] = ({ slot, ...props }) => {
    const bytes = useLoaded(slot as Slot<L>, files.bytes);
    return bytes === undefined ? null : createElement(Audio, { src: files.entry(slot).url, ...props });
  };
  return {
    slots: files.slots,
    stickers: files.stickers,
    credits: files.credits,
    // Another slot in the same place is another file to wait for.
    Sticker: (props) => createElement(Player, { key: props.slot, ...props }),
    Picture: (props) => createElement(Picture, { key: props.slot, ...props }),
    Music: (props) => createElement(Music, { key: props.slot, ...props }),
    Attribution: (props) => {
      if (files.credits.length === 0) return null;
      return createElement('div', props, ...files.credits.map((line) => createElement('div', { key: line }, line)));
    },
    useSlot,
    framesOf: (slot, fps) => {
      const { frames, frame_rate: rate } = timed(slot);
      return Math.max(1, Math.round((frames / rate) * fps));
    },
  };
}

/** What is loaded of a slot; the render waits until it is shown, and stops where it cannot be had. */
function useLoaded<Id extends string, T>(slot: Id, load: (slot: Id) => Promise<T>): T | undefined {
  const { delayRender, continueRender, cancelRender } = useDelayRender();
  const begin = () => ({ slot, handle: delayRender(`svcd: slot ${slot}`) });
  const [wait, setWait] = useState(begin);
  const [loaded, setLoaded] = useState<{ wait: object; file: T }>();
  // Another slot is waited for before anything is shown: React renders this anew at once.
  if (wait.slot !== slot) setWait(begin);
  useEffect(() => {
    let isMounted = true;
    load(slot).then((file) => isMounted && setLoaded(() => ({ wait, file })), cancelRender);
    return () => {
      isMounted = false;
      continueRender(wait.handle);
    };
  }, [wait]);
  const file = loaded?.wait === wait ? loaded.file : undefined;
  // What plays it has asked for more time by now.
  useEffect(() => {
    if (file !== undefined) continueRender(wait.handle);
  }, [file]);
  return file;
}
