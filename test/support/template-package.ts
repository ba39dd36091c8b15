// Template packages for tests: as the sandbox hands them out, and zips with what no ordinary program writes into one.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { motionFiles } from '../../src/sandbox/templates/motion-package.js';
import { sha256Hex } from '../../src/model/hash.js';

export type Files = Readonly<Record<string, string>>;

/** A package as the sandbox makes it; with `motion`, one whose motion.json has these fields too. */
export function packageOf(template: string, motion: object = {}, more: Files = {}): Files {
  const { 'integrity.json': _, 'service.key.json': key = '', ...files } = motionFiles(template, 'sk-in-the-package');
  const declared = JSON.parse(files['motion.json'] ?? '') as object;
  const published = { ...files, ...more, 'motion.json': JSON.stringify({ ...declared, ...motion }) };
  return { ...published, 'integrity.json': integrityOf(published), 'service.key.json': key };
}

export function integrityOf(files: Files): string {
  const digests = Object.entries(files).map(([name, text]) => [name, sha256Hex(text)]);
  return JSON.stringify({ algorithm: 'sha256', files: Object.fromEntries(digests) as object });
}

/** Unpacked. */
export function writeFolder(folder: string, files: Files): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

export interface OddEntry {
  readonly name: string;
  readonly text: string;
  /** Of Unix: 0o120777 is a link. */
  readonly mode?: number;
  /** 1 is encrypted. */
  readonly flags?: number;
  readonly method?: number;
  /** What it states as its size. */
  readonly size?: number;
  /** What the header before its bytes calls it. */
  readonly localName?: string;
}

/** A zip of stored entries, in this order. */
export function zipOf(entries: readonly OddEntry[] | Files): Buffer {
  const list = Array.isArray(entries)
    ? (entries as readonly OddEntry[])
    : Object.entries(entries as Files).map(([name, text]) => ({ name, text }));
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const { name, text, mode = 0o100644, flags = 0, method = 0, size, localName = name } of list as OddEntry[]) {
    const [bytes, called, calledLocally] = [Buffer.from(text), Buffer.from(name), Buffer.from(localName)];
    const sizes = [crc32(bytes), bytes.length, size ?? bytes.length];
    const local = record(0x04034b50, [20, flags, method, 0, 0], sizes, [calledLocally.length, 0]);
    const central = Buffer.concat([
      record(0x02014b50, [0x031e, 20, flags, method, 0, 0], sizes, [called.length, 0, 0, 0, 0]),
      wide(mode * 0x10000, offset),
    ]);
    locals.push(local, calledLocally, bytes);
    centrals.push(central, called);
    offset += local.length + calledLocally.length + bytes.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.concat([record(0x06054b50, [0, 0, list.length, list.length], [directory.length, offset], [0])]);
  return Buffer.concat([...locals, directory, end]);
}

/** Numbers of four bytes, of two, of four, and of two again. */
function record(signature: number, narrow: number[], wides: number[], last: number[]): Buffer {
  return Buffer.concat([wide(signature), short(narrow), wide(...wides), short(last)]);
}

function wide(...values: number[]): Buffer {
  return Buffer.concat(values.map((value) => Buffer.from(Uint32Array.of(value).buffer)));
}

function short(values: number[]): Buffer {
  return Buffer.from(Uint16Array.from(values).buffer);
}
