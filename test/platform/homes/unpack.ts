// Unpacks the home folders of earlier versions that make.ts packed.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** The answers a version gave about its home before it was stopped. */
export interface Recorded {
  /** When they were recorded; ISO 8601. */
  readonly at: string;
  readonly remote: RecordedPart & {
    readonly key: string;
    /** The secrets of the further tokens by their name; each is valid with either remote. */
    readonly tokens: Readonly<Record<string, string>>;
    /** Presets of purchases that were cut off: the first was charged; whether the second was, is unknown. */
    readonly lost: readonly string[];
    /** What was learned from the remote, as it was exported. */
    readonly library: string;
  };
  readonly sandbox: RecordedPart & {
    /** Presets that are not bought yet. */
    readonly next: readonly string[];
    /** Answers of the sandbox's control surface, by their path. */
    readonly account: Readonly<Record<string, unknown>>;
  };
}

/** One of the two remotes the home was used with. */
export interface RecordedPart {
  readonly bought: readonly { readonly preset: string; readonly sha256: string }[];
  readonly images: readonly { readonly prompt: string; readonly picture: string; readonly sha256: string }[];
  /** Answers of svcd, by their path. */
  readonly recorded: Readonly<Record<string, object>>;
}

/** Writes a packed home to `FOLDER/home`, with the modes svcd gives it, and returns the recorded answers. */
export function unpackHome(name: string, folder: string): Recorded {
  const packed = brotliDecompressSync(readFileSync(join(import.meta.dirname, `${name}.br`)));
  const end = packed.indexOf('\n');
  const list = JSON.parse(packed.toString('utf8', 0, end)) as { name: string; size: number }[];
  let at = end + 1;
  for (const file of list) {
    const target = join(folder, file.name);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    writeFileSync(target, packed.subarray(at, at + file.size), { mode: 0o600 });
    at += file.size;
  }
  return JSON.parse(readFileSync(join(folder, 'recorded.json'), 'utf8')) as Recorded;
}
