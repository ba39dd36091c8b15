// What a runtime of these tests draws, and what it writes down of it.

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frames } from './draw-frames.js';

export interface Copy {
  readonly template: string;
  readonly layout: string;
  readonly copy: string;
  readonly scenes: readonly string[];
  /** A sticker for each scene, where an earlier plan has chosen. */
  readonly presets?: readonly string[];
  readonly image: { readonly prompt: string; readonly size: '1024x1024' | '1536x1024' | '1024x1536' };
}

/** What was drawn, and where it came from. */
export interface DrawnAsset {
  readonly kind: 'sticker' | 'image';
  /** The word of the scene, or the prompt. */
  readonly scene: string;
  readonly preset?: string;
  /** Where it was downloaded. */
  readonly address?: string;
  /** Of the last answer; 0 when nobody answered. */
  readonly status: number;
  /** Why the client itself gave it. */
  readonly reason?: string;
  /** Whether the service gave it, or the template its own. */
  readonly from: 'service' | 'template';
  readonly sha256: string;
  /** The largest share of its place that was painted in a frame. */
  readonly painted: number;
}
export interface Manifest {
  readonly assets: readonly DrawnAsset[];
  readonly frames: readonly { readonly file: string; readonly sha256: string }[];
  readonly registered: readonly number[];
}

export type Loaded = Omit<DrawnAsset, 'sha256' | 'painted'> & { readonly bytes: Uint8Array };

/** Writes the frames into a folder, and the manifest that tells of them. */
export function writeVideo(
  out: string,
  assets: readonly Loaded[],
  frames: Frames,
  registered: readonly number[],
): void {
  mkdirSync(out, { recursive: true });
  const manifest: Manifest = {
    assets: assets.map(({ bytes, ...asset }, i) => ({
      ...asset,
      sha256: sha256Of(bytes),
      painted: frames.painted[i] ?? 0,
    })),
    frames: frames.pictures.map((png, i) => {
      const file = `frame-${i}.png`;
      writeFileSync(join(out, file), png);
      return { file, sha256: sha256Of(png) };
    }),
    registered,
  };
  writeFileSync(join(out, 'manifest.json'), JSON.stringify(manifest, null, 2));
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
