// Locks and folders of locked files, for tests.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { LOCK_FILE, type Lock, type LockedAsset } from '../../src/api/lock.js';
import { canonicalLock } from '../../src/video/lock/locked-folder.js';
import { sha256Hex } from '../../src/model/hash.js';

type LockedSticker = Extract<LockedAsset, { kind: 'sticker' }>;

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An entry for a text that stands for a sticker's file. */
export function lockedSticker(content: string, fields: Partial<LockedSticker> = {}): LockedSticker {
  const sha256 = sha256Hex(content);
  return {
    kind: 'sticker',
    preset: 'food/cake',
    source: 'service',
    price: 1,
    sha256,
    bytes: Buffer.byteLength(content),
    width: 512,
    height: 512,
    frame_rate: 60,
    frames: 71,
    form: 'as-bought',
    verdict: 'clean',
    file: `food~cake.${sha256.slice(0, 8)}.json`,
    ...fields,
  };
}

/** A lock of these entries. */
export function lockOf(assets: Record<string, LockedAsset>): Lock {
  return { lock: 1, remote: 'https://assets.example.com', copy_sha256: sha256Hex('copy'), assets };
}

/** Writes files by their content, and the lock that names them; the path of the lock. */
export function writeLocked(folder: string, contents: Record<string, string>): string {
  const assets: Record<string, LockedAsset> = {};
  for (const [slot, content] of Object.entries(contents)) {
    const asset = lockedSticker(content, { preset: `food/${slot}` });
    assets[slot] = asset;
    writeFileSync(join(folder, asset.file), content);
  }
  const file = join(folder, LOCK_FILE);
  writeFileSync(file, canonicalLock(lockOf(assets)));
  return file;
}
