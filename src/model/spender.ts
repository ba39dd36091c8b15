// Whose credits a request may spend, what a token may be used for, and how accounts are told apart without
// naming a Key.

import type { SvcdError } from './errors.js';
import { sha256Hex } from './hash.js';

export type Spender =
  /** No account: everything local works, nothing can be bought. `error` when the credential shown is not valid. */
  | { readonly kind: 'none'; readonly error?: SvcdError }
  /**
   * The holder of a Key. Never logged, never stored. `tokenId` when a token with a budget of its own spends it, `machine`
   * when a machine that joined the hub does, `project` when the hub itself buys for one.
   */
  | {
      readonly kind: 'key';
      readonly key: string;
      readonly tokenId?: number;
      readonly machine?: Machine;
      readonly project?: string | undefined;
    };

/** A machine that joined a hub, as the sender of one request. */
export interface Machine {
  readonly id: number;
  /** The project that pays for this request. */
  readonly project: string;
  readonly user?: string | undefined;
  /** What the machine calls this very wish: asked again by this name, it is the same purchase. */
  readonly requestId?: string | undefined;
  /** Whether it showed a Key of its own, whose account pays: what the hub's budgets bound is the hub's account. */
  readonly hasOwnKey?: boolean | undefined;
}

/**
 * What a token may be used for: buying stickers, generating images, seeing the account, listing purchases, and
 * whatever else of the service is passed through. To administer svcd is for the home's own token alone.
 */
export const PERMISSIONS = ['stickers', 'images', 'account', 'purchases', 'other'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** What a further token may do when nothing is said. What passes through is counted by no budget, so it must be named. */
export const USUAL_PERMISSIONS: readonly Permission[] = ['stickers', 'images', 'account'];

/** The words by which a template's motion.json declares what it calls, and the permission that each one grants. */
export const CAPABILITIES = { 'stickers.file': 'stickers', 'images.generate': 'images' } as const satisfies Record<
  string,
  Permission
>;

/** The word that each kind of asset is declared by. */
export const CAPABILITY_OF = { sticker: 'stickers.file', image: 'images.generate', music: 'music.search' } as const;

/** The template that a token is fenced to. */
export interface DeclaredOnly {
  /** `name@version`. */
  readonly template: string;
  /** The capability words of its motion.json, also those that grant nothing. */
  readonly declares: readonly string[];
}

/** What a further token is good for. */
export interface Grant {
  readonly id: number;
  readonly name: string;
  /** The run whose requests it marks, if it belongs to one. */
  readonly run?: string;
  readonly only: readonly Permission[];
  /** Set of a token that may only do what a template declares, and what a person added. */
  readonly fence?: DeclaredOnly;
}

/** A short digest that tells Keys apart and cannot be turned back into one. */
export function keyIdOf(key: string): string {
  return sha256Hex(`svcd key ${key}`).slice(0, 12);
}

/** Every local token begins like this, so that it can never be taken for a Key of the service. */
export const TOKEN_PREFIX = 'svcd_';
/** The same of a machine's token, which its hub alone takes. */
export const MACHINE_TOKEN_PREFIX = 'svcdm_';

/** Whether a bearer is meant for svcd rather than for the remote. */
export function isLocalToken(bearer: string): boolean {
  return bearer.startsWith(TOKEN_PREFIX) || bearer.startsWith(MACHINE_TOKEN_PREFIX);
}
