// hub.json in the home folder: the hub that this machine has joined, how it is known again, and the machine's own token.
// The file holds a secret: mode 0600, and none of it but what `describe` tells is ever shown.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isSvcdError, type SvcdError } from '../model/errors.js';
import { replaceFile } from '../platform/files/files.js';
import { isRecord } from '../platform/json.js';
import { readJsonFile, unusableFile, type JsonFile } from './json-file.js';

export interface Membership {
  /** Where hubs are, as `https://HOST:PORT`; the first that answers is asked. */
  readonly addresses: readonly string[];
  /** SHA-256 of the hub's public key (SPKI), base64url. */
  readonly pin: string;
  /** The machine's token. */
  readonly token: string;
  /** Public half of the key that receipts are signed with, base64url. */
  readonly receipt_key: string;
  /** Whose stickers and images these are: the address of the service, or `sandbox`. */
  readonly scope: string;
  readonly hub_sandbox: boolean;
  readonly machine: { readonly id: number; readonly name: string };
  /** What it buys for where nothing else is said. */
  readonly project: string;
  /** All that it may buy for. */
  readonly projects: readonly string[];
  readonly user: string | null;
  /** ISO 8601. */
  readonly joined_at: string;
}

/** What a home belongs to: a hub, none, or one that cannot be read any more. */
export type Belonging =
  | { readonly kind: 'hub'; readonly membership: Membership }
  | { readonly kind: 'alone' }
  | { readonly kind: 'broken'; readonly error: SvcdError };

const TEXTS = ['pin', 'token', 'receipt_key', 'scope', 'project', 'joined_at'] as const;
const DIGEST = /^[\w-]{43}$/;

/** The hub that a home has joined; undefined for none. Throws `invalid_config` for a file that cannot be used. */
function readMembership(home: string): Membership | undefined {
  const file = fileIn(home);
  const held = readJsonFile(file);
  if (held === undefined) return undefined;
  const problem = problemOf(held);
  if (problem !== undefined) throw unusableFile(file, problem);
  return held as Membership;
}

/** The same where nothing may be thrown: a machine with a broken file buys nothing, but what is owned is served. */
export function findBelonging(home: string): Belonging {
  try {
    const membership = readMembership(home);
    return membership === undefined ? { kind: 'alone' } : { kind: 'hub', membership };
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    return { kind: 'broken', error };
  }
}

/** Writes it whole, for its owner alone. Throws the system's error. */
export function writeMembership(home: string, membership: Membership): void {
  replaceFile(fileIn(home).path, `${JSON.stringify(membership, null, 2)}\n`);
}

/** Notes where hubs are, if the home still belongs with this token: it may have been left meanwhile. Throws the system's error. */
export function noteAddresses(home: string, token: string, addresses: readonly string[]): void {
  const belonging = findBelonging(home);
  if (belonging.kind !== 'hub' || belonging.membership.token !== token) return;
  writeMembership(home, { ...belonging.membership, addresses });
}

/** Removes it, whatever it holds. Throws the system's error. */
export function removeMembership(home: string): void {
  rmSync(fileIn(home).path, { force: true });
}

function fileIn(home: string): JsonFile {
  return {
    path: join(home, 'hub.json'),
    hint: 'Until then svcd serves what is owned and buys nothing. Join again with "svcd hub join CODE", or run "svcd hub leave".',
  };
}

/** No value of the file is repeated: it holds a token. */
function problemOf(held: unknown): string | undefined {
  if (!isRecord(held)) return 'it must hold a JSON object, as "svcd hub join" writes it';
  const missing = TEXTS.find((name) => typeof held[name] !== 'string' || held[name] === '');
  if (missing !== undefined) return `"${missing}" is missing`;
  const wrong = (['pin', 'receipt_key'] as const).find((name) => !DIGEST.test(String(held[name])));
  if (wrong !== undefined) return `"${wrong}" is not 43 letters of base64url`;
  const { addresses, machine, projects, user, hub_sandbox: sandbox, token } = held;
  if (!Array.isArray(addresses) || addresses.length === 0 || !addresses.every(isAddress))
    return '"addresses" must list addresses such as https://hub.example.com:7825';
  if (!isRecord(machine) || typeof machine['id'] !== 'number' || typeof machine['name'] !== 'string')
    return '"machine" must have an id and a name';
  if (!Array.isArray(projects) || !projects.every((one) => typeof one === 'string')) return '"projects" must be a list';
  if (user !== null && typeof user !== 'string') return '"user" must be a name or null';
  if (!/^[\x21-\x7e]+$/.test(String(token))) return '"token" has characters that no token has';
  return typeof sandbox === 'boolean' ? undefined : '"hub_sandbox" must be true or false';
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && new URL(value).protocol === 'https:';
}
