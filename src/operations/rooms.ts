// The opened rooms as operations use them: what the daemon opens and connects, and nothing that is worked out of it.

import type { HubBelonging } from '../api/answers.js';
import type { UserKey } from '../auth/user-key.js';
import type { Config } from '../config/config.js';
import type { DefaultPack } from '../defaults/default-pack.js';
import type { RegisteredDefaults } from '../defaults/registered-defaults.js';
import type { Harvest } from '../harvest/harvest.js';
import type { Harvester } from '../harvest/harvester.js';
import type { Library } from '../library/library.js';
import type { StickerReader } from '../lottie/read-sticker.js';
import type { Draw } from '../picture/draw.js';
import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { OpenOutside } from '../platform/open-outside.js';
import type { PurchaseCoordinator } from '../purchases/purchase-coordinator.js';
import type { KeyTrouble } from '../upstream/key-trouble.js';
import type { Remote } from '../upstream/remote.js';
import type { ReportStore } from '../video/report/report-store.js';
import type { AllowedOrigins } from './home/allow-origins.js';
import type { TransferLibrary } from './library/transfer-library.js';
import type { PurchaseStores } from '../purchases/purchase-stores.js';

export interface Rooms extends PurchaseStores {
  readonly config: Config;
  /** Address of the remote, `sandbox` or `none`. */
  readonly scope: string;
  /** Whether it is play money that is spent. */
  readonly isSandbox: boolean;
  readonly library: Library;
  readonly harvest: Harvest;
  readonly harvester: Harvester;
  readonly transferLibrary: TransferLibrary;
  readonly defaults: DefaultPack;
  readonly registered: RegisteredDefaults;
  readonly coordinator: PurchaseCoordinator;
  readonly remote: Remote | undefined;
  /** How often a file was delivered, by where from, defaults by reason; undefined where nobody asks. */
  readonly deliveries: Map<string, number> | undefined;
  /** Whether the remote has answered anything since the start. */
  readonly hasAnswered: () => boolean;
  readonly keys: UserKey;
  /** The Key in use. As soon as there is one the home has its first budget. */
  readonly userKey: () => string | undefined;
  readonly keyTrouble: KeyTrouble;
  /** The hub that the home belongs to; null for none. */
  readonly belonging: () => HubBelonging | null;
  /** What tells fresh pictures of this machine from those of others that share a hub. */
  readonly freshMark: string;
  readonly origins: AllowedOrigins;
  readonly reader: StickerReader;
  readonly draw: Draw;
  readonly reports: ReportStore;
  /** Where the daemon is, as `http://127.0.0.1:PORT`; known once it listens. */
  readonly origin: () => string;
  /** The home's own token, and another one in its place. */
  readonly token: () => string;
  readonly rotateToken: () => string;
  /** The folder that files are put into, as the setting says now. */
  readonly findFolder: () => string | undefined;
  readonly openOutside: OpenOutside;
  /** How long a search may wait for the remote, in place of what is usual. */
  readonly askWaitMs: number | undefined;
  /** When everything that a first copy would wait for is read; undefined when it is. */
  readonly untilWarm: () => Promise<void> | undefined;
  /** Stops the daemon after the answer has left. */
  readonly stop: () => void;
  readonly clock: Clock;
  readonly log: Log;
}
