// The services that the suite starts by itself: a sandbox with all its parts, and the daemon in front of one.

import { join } from 'node:path';
import { systemClock } from '../../src/platform/clock.js';
import { openLibrary } from '../../src/library/library.js';
import { silentLog } from '../../src/platform/log.js';
import type { Sandbox } from '../../src/sandbox/open-sandbox.js';
import { startSandbox, temporaryHome } from '../sandbox/start-sandbox.js';
import { createMovingClock } from '../support/moving-clock.js';
import { startTestDaemon } from '../support/start-daemon.js';
import { music } from '../../src/sandbox/music/music-module.js';
import { tasks } from '../../src/sandbox/tasks/task-module.js';
import { controlSandbox, createArtist } from './sandbox-control.js';
import { serviceAt, type Service } from './service.js';

const TOKEN = 'conformance';
/** Long enough for an image on a busy machine, and short enough to wait for. */
const IMAGE_TIMEOUT_MS = 5000;

interface Started {
  readonly url: string;
  readonly key: string;
  readonly control: ReturnType<typeof controlSandbox>;
  readonly sandbox: Sandbox;
}

/** A sandbox of its own, with its control. */
export async function startSandboxService(): Promise<Service> {
  const { url, key, control } = await start();
  return serviceAt(url, key, { control });
}

/** The daemon in front of a sandbox; the control is the sandbox's. */
export async function startDaemonService(): Promise<Service> {
  const { url, key, control, sandbox } = await start();
  const home = temporaryHome();
  // As after a sync: a library that knows no sticker of the remote would offer those that svcd ships.
  const library = openLibrary({
    file: join(home, 'library.db'),
    scope: url,
    synonyms: () => '',
    log: silentLog,
    clock: systemClock,
  });
  library.importStickers(sandbox.stickers(), 'the sandbox');
  library.close();
  const svcd = await startTestDaemon({ userKey: key, home, pace: { burst: 120 }, flags: { remote: url } });
  return serviceAt(svcd.url, key, { control });
}

async function start(): Promise<Started> {
  const [home, artist] = [temporaryHome(), createArtist()];
  const { url, sandbox } = await startSandbox(
    {
      // It stands still, so that 14 days less a millisecond are not over by the next request.
      clock: createMovingClock('2026-11-21T08:00:00Z'),
      draw: artist.draw,
      imageTimeoutMs: IMAGE_TIMEOUT_MS,
      controlToken: TOKEN,
      modules: [music, tasks],
    },
    home,
  );
  const control = controlSandbox({ url, home, token: TOKEN, sandbox, artist });
  return { url, key: sandbox.key, control, sandbox };
}
