// Makes a GIF, an APNG or a sequence of PNG of one Lottie file: frames are drawn by one worker and written by another.

import { FileMaker } from './file-maker.js';
import { safeName } from './file-name.js';
import { FrameSource } from './frame-source.js';
import { MOST_FILE_BYTES, MOST_FRAMES, planFrames, type MovingOptions } from './limits.js';

/** Why no file was made, for the page to say in the person's language. */
export class ExportLimit extends Error {
  readonly limit: 'frames' | 'bytes';
  readonly count: number;
  constructor(limit: ExportLimit['limit'], count: number) {
    super(`too many ${limit}: ${count}`);
    this.limit = limit;
    this.count = count;
  }
}

const ENDINGS = { gif: 'gif', apng: 'png', png: 'zip' } as const;

export interface MadeFile {
  readonly name: string;
  readonly blob: Blob;
}

/** Makes one zip of these, under names that differ. */
export async function zipFiles(made: readonly MadeFile[], name: string, signal: AbortSignal): Promise<MadeFile> {
  const maker = new FileMaker();
  const stop = () => maker.close();
  signal.addEventListener('abort', stop);
  try {
    const taken = new Set<string>();
    const files = made.map(({ name: wanted, blob }) => {
      let free = wanted;
      for (let count = 2; taken.has(free.toLowerCase()); count += 1) free = wanted.replace(/(?=\.\w+$)/u, ` ${count}`);
      taken.add(free.toLowerCase());
      return { name: free, blob };
    });
    const zip = await maker.send({ do: 'zip', files });
    if (!('file' in zip)) throw new Error('the file cannot be made');
    return { name, blob: zip.file };
  } finally {
    signal.removeEventListener('abort', stop);
    maker.close();
  }
}

/** Makes the file; `onProgress` is told the part that is done. Throws `ExportLimit`, and what an abort throws. */
export async function makeMoving(
  file: ArrayBuffer,
  title: string,
  options: MovingOptions,
  signal: AbortSignal,
  onProgress: (part: number) => void,
): Promise<MadeFile> {
  const [source, maker] = [new FrameSource(file), new FileMaker()];
  const stop = () => maker.close();
  signal.addEventListener('abort', stop);
  try {
    const plan = planFrames(await source.open(options.side), options);
    if ('tooMany' in plan) throw new ExportLimit('frames', Math.max(plan.tooMany, MOST_FRAMES));
    const { width, height, frames } = plan;
    const { kind, background } = options;
    const name = safeName(title);
    await maker.send({ do: 'begin', kind, width, height, background, name });
    for (const [index, { at, delayMs }] of frames.entries()) {
      signal.throwIfAborted();
      const bitmap = await source.frame(at);
      const answer = await maker.send({ do: 'frame', bitmap, delayMs }, [bitmap]);
      if ('bytes' in answer && answer.bytes > MOST_FILE_BYTES) throw new ExportLimit('bytes', answer.bytes);
      onProgress((index + 1) / frames.length);
    }
    const made = await maker.send({ do: 'end' });
    if (!('file' in made)) throw new Error('the file cannot be made');
    return { name: `${name}.${ENDINGS[kind]}`, blob: made.file };
  } finally {
    signal.removeEventListener('abort', stop);
    source.close();
    maker.close();
  }
}
