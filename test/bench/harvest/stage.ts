// The real daemon on an empty home before a real sandbox over HTTP. What is not real is time (hurried-time.ts) and
// the sandbox's limit on requests, which by its own clock would refuse them.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/platform/clock.js';
import { DATA_FOLDER, loadConfig } from '../../../src/config/config.js';
import { startDaemon, type Daemon } from '../../../src/daemon/daemon.js';
import { listen } from '../../../src/http/listen.js';
import { silentLog } from '../../../src/platform/log.js';
import { openSandbox, type Sandbox } from '../../../src/sandbox/open-sandbox.js';
import { writeForeignCatalogue } from './foreign-catalogue.js';
import { createHurriedTime } from './hurried-time.js';

export type Vocabulary = 'ours' | 'foreign';

export interface Stage {
  readonly sandbox: Sandbox;
  readonly sandboxUrl: string;
  readonly daemon: Daemon;
  /** Stickers there are. */
  readonly size: number;
  /** Requests for stickers that reached the sandbox. */
  requests(): number;
  close(): Promise<void>;
}

/** Opens a stage; must be closed. */
export async function openStage(vocabulary: Vocabulary): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-harvest-'));
  const foreign = vocabulary === 'foreign' ? writeForeignCatalogue(join(folder, 'catalogue')) : undefined;
  let requests = 0;
  const sandbox = openSandbox({
    file: join(folder, 'sandbox.db'),
    catalogueFolder: foreign?.folder ?? join(DATA_FOLDER, 'catalogue'),
    clock: systemClock,
    log: silentLog,
    requestsPerMinute: 1_000_000,
    faults: ({ path }) => {
      if (path.startsWith('/api/v1/stickers/')) requests += 1;
      return undefined;
    },
  });
  const listener = await listen(sandbox.app.fetch, 0);
  const sandboxUrl = `http://127.0.0.1:${listener.port}`;
  const config = await loadConfig(
    { home: join(folder, 'home'), port: 0, remote: sandboxUrl, 'background-sync': false },
    {},
  );
  const words = foreign?.words.join('\n');
  const daemon = await startDaemon(config, {
    log: silentLog,
    userKey: sandbox.key,
    listens: true,
    ...createHurriedTime(),
    ...(words !== undefined && { synonyms: () => words }),
  });
  return {
    sandbox,
    sandboxUrl,
    daemon,
    size: [...sandbox.stickers()].length,
    requests: () => requests,
    close: async () => {
      await daemon.close();
      await listener.close(1000);
      sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
