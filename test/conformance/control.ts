// What a test may do to the state behind a service: what its owner, its payment provider and time would do.
// The sandbox has it; a remote has not, and then the sentences that need it are reported as not checkable.

export interface KeyLimits {
  perRequest?: number;
  daily?: number;
  monthly?: number;
}

export type RewardState = 'locked' | 'released' | 'reversed';

export interface Reward {
  readonly account: string;
  readonly credits: number;
  readonly state: RewardState;
}

export interface IssuedKey {
  readonly id: string;
  readonly secret: string;
}

/** Trouble that the next image request has. */
export type ImageTrouble = 'busy' | 'timeout' | 'upstream_failure' | 'other_size';

export interface Control {
  /** The account that the service's Key belongs to. */
  readonly account: string;
  /** A new account, with nothing in it. */
  createAccount(options?: { invitedBy?: string; emailVerified?: boolean }): Promise<string>;
  createKey(account: string, options?: { limits?: KeyLimits; permissions?: readonly string[] }): Promise<IssuedKey>;
  setKeyState(key: IssuedKey, state: 'active' | 'disabled' | 'revoked'): Promise<void>;
  /** Puts the balance of the service's own account at this many credits. */
  setCredits(credits: number): Promise<void>;
  balance(account: string): Promise<number>;
  /** A paid top-up of so many CNY; the payment's id. */
  topUp(account: string, yuan: number): Promise<string>;
  /** A paid template; the payment's id. */
  buyTemplate(account: string, template: string, yuan: number): Promise<string>;
  /** The files of a downloaded package by name, with the Key that was issued for it. */
  downloadTemplate(account: string, template: string): Promise<DownloadedTemplate>;
  refund(payment: string): Promise<void>;
  verifyEmail(account: string): Promise<void>;
  /** Marks a payment as odd. */
  reportAnomaly(payment: string): Promise<void>;
  /** Whether the payment provider has verified a payment. */
  setProviderVerified(payment: string, verified: boolean): Promise<void>;
  rewards(account: string): Promise<Reward[]>;
  moveClock(ms: number): Promise<void>;
  setClock(instant: string): Promise<void>;
  switchCapability(id: string, enabled: boolean): Promise<void>;
  troubleImages(trouble: ImageTrouble): Promise<void>;
  /** Holds image generation until the returned function is called. */
  holdImages(): Promise<() => void>;
  /** All that the service has written down, as text. */
  records(): Promise<string>;
  /** How many credits were charged in all. */
  charged(): Promise<number>;
  /** How many stickers the library has. */
  librarySize(): Promise<number>;
}

export interface DownloadedTemplate {
  readonly key: IssuedKey;
  readonly files: Readonly<Record<string, string>>;
}
