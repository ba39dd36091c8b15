// A template as an author writes it, of one lock, and the same sticker by hand, to compare with.

import { Lottie } from '@remotion/lottie';
import { slotsOf } from '@svcd/client/remotion';
import { useEffect, useState } from 'react';
import {
  AbsoluteFill,
  Composition,
  Freeze,
  registerRoot,
  Sequence,
  staticFile,
  useCurrentFrame,
  useDelayRender,
  useVideoConfig,
} from 'remotion';
import lock from './public/svcd/assets.lock.json';

const { Sticker, Picture, Music, Attribution, useSlot, framesOf, stickers } = slotsOf(lock, { strict: true });

const FILL = { backgroundColor: 'white' };

function Video() {
  return (
    <AbsoluteFill style={FILL}>
      <Sticker slot="opening" style={{ width: 160 }} />
      <Sequence from={5} durationInFrames={20} layout="none">
        <Sticker slot="end" play="fit" style={{ width: 160 }} />
      </Sequence>
      <Picture slot="cover" style={{ width: 80 }} />
      <Music slot="theme" volume={0.5} />
      <Attribution style={{ fontSize: 8 }} />
    </AbsoluteFill>
  );
}

/** One sticker; by hand with what the file says of itself. */
function One({ play, byHand }) {
  const [file, setFile] = useState();
  const { delayRender, continueRender, cancelRender } = useDelayRender();
  const [handle] = useState(() => delayRender('by hand'));
  const { fps, durationInFrames } = useVideoConfig();
  const frame = useCurrentFrame();
  useEffect(() => {
    fetch(staticFile(`svcd/${lock.assets.opening.file}`))
      .then((answer) => answer.json())
      .then(setFile)
      .catch((error) => cancelRender(error));
  }, [cancelRender]);
  useEffect(() => {
    if (file !== undefined) continueRender(handle);
  }, [continueRender, file, handle]);
  if (file === undefined) return null;
  const frames = file.op - file.ip;
  const shown = (frame / fps) * file.fr;
  const last = frames - 1;
  const there = shown % (2 * last);
  const at = {
    loop: shown % frames,
    once: Math.min(shown, last),
    bounce: there > last ? 2 * last - there : there,
    fit: (frame / durationInFrames) * frames,
    at: 0.5 * file.fr,
  }[play];
  return (
    <AbsoluteFill style={FILL}>
      {byHand ? (
        <Freeze frame={Math.round(at * 1e9) / 1e9}>
          <Lottie animationData={file} style={{ width: 240 }} />
        </Freeze>
      ) : (
        <Sticker slot="opening" play={play === 'at' ? { at: 0.5 } : play} style={{ width: 240 }} />
      )}
    </AbsoluteFill>
  );
}

/** A hook whose slot changes: what is shown is the file of the slot of this very frame. */
function Changing({ broken }) {
  const frame = useCurrentFrame();
  const slot = frame % 2 === 0 ? 'opening' : (broken ?? 'end');
  const file = useSlot(slot);
  const isRight = file !== undefined && file.op - file.ip === lock.assets[slot].frames;
  return <AbsoluteFill style={{ backgroundColor: isRight ? 'lime' : 'red' }} />;
}

/** A lock that is fetched: one bundle for many. */
function Fetched({ folder, lock: fetched }) {
  const { Sticker: Own } = slotsOf(fetched, { folder, strict: true });
  return (
    <AbsoluteFill style={FILL}>
      <Own slot="opening" style={{ width: 240 }} />
    </AbsoluteFill>
  );
}

async function fetchLock({ props }) {
  const answer = await fetch(staticFile(`${props.folder}/assets.lock.json`));
  return { props: { ...props, lock: await answer.json() } };
}

function Root() {
  const size = { width: 320, height: 320, fps: 30, durationInFrames: 40 };
  return (
    <>
      <Composition id="video" component={Video} {...size} durationInFrames={Math.min(30, framesOf(stickers[0], 30))} />
      <Composition
        id="one"
        component={One}
        {...size}
        durationInFrames={90}
        defaultProps={{ play: 'loop', byHand: false }}
      />
      <Composition
        id="fetched"
        component={Fetched}
        {...size}
        durationInFrames={10}
        defaultProps={{ folder: 'svcd' }}
        calculateMetadata={fetchLock}
      />
      <Composition id="changing" component={Changing} {...size} durationInFrames={6} defaultProps={{}} />
    </>
  );
}

registerRoot(Root);
