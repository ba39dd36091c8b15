// The thread that builds an index: reads the stickers from the file, hands its bytes over, then makes what spelling needs
// and keeps all of it there.

import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../clock.js';
import { buildIndex } from './build-index.js';
import { loadGlossary } from './glossary.js';
import type { FromThread } from './rebuild.js';
import { encodeSnapshot } from './snapshot.js';
import { compileSpelling } from './spelling.js';
import { openStickerStore } from './sticker-store.js';

const { file, scope, early } = workerData as { file: string; scope: string; early: boolean };
const { store } = openStickerStore(file, scope, systemClock);
try {
  const { revision, stickers } = store.readAll();
  const index = buildIndex(stickers, loadGlossary());
  if (early) {
    const bytes = encodeSnapshot(index);
    say({ revision, bytes: bytes.slice() });
    store.saveSnapshot(bytes, revision);
  }
  const complete = encodeSnapshot(index, compileSpelling(index));
  store.saveSnapshot(complete, revision);
  say(early ? { complete } : { revision, bytes: complete });
} finally {
  store.close();
}

function say(message: FromThread): void {
  const bytes = 'bytes' in message ? message.bytes : message.complete;
  parentPort!.postMessage(message, [bytes.buffer as ArrayBuffer]);
}
