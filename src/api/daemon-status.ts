// GET /svcd/status: what anybody on this machine may know of the daemon.

export interface DaemonStatus {
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly pid: number;
  /** ISO 8601. */
  readonly started_at: string;
  readonly library: { readonly stickers: number };
  readonly owned: { readonly items: number };
  readonly remote: RemoteStatus;
  readonly key: boolean;
  readonly key_source: 'environment' | 'key_file' | 'keychain' | 'package' | 'sandbox' | 'none';
  readonly keychain: 'found' | 'empty' | 'locked' | 'no_service' | 'no_module' | 'no_answer' | 'not_asked';
}

export interface RemoteStatus {
  readonly address: string | null;
  readonly sandbox: boolean;
  readonly offline: boolean;
  /** Whether the user switched it offline, rather than svcd noticing. */
  readonly forced: boolean;
  /** Since when it is offline, ISO 8601; null when it is not. */
  readonly since: string | null;
  /** Why, in words. */
  readonly why: string | null;
}
