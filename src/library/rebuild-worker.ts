// The thread that builds an index: reads the stickers from the file, keeps the snapshot there, hands its bytes over.

import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../platform/clock.js';
import { buildIndex } from './search-index/build-index.js';
import { loadGlossary } from './language/glossary.js';
import { encodeSnapshot } from './search-index/snapshot.js';
import { compileSpelling } from './search-index/spelling.js';
import { openStickerStore } from './storage/sticker-store.js';

const { file, scope } = workerData as { file: string; scope: string };
const { store } = openStickerStore(file, scope, systemClock);
try {
  const { revision, stickers } = store.readAll();
  const index = buildIndex(stickers, loadGlossary(), (part) => parentPort!.postMessage({ part }, []));
  const bytes = encodeSnapshot(index, compileSpelling(index));
  store.saveSnapshot(bytes, revision);
  parentPort!.postMessage({ revision, bytes }, [bytes.buffer as ArrayBuffer]);
} finally {
  store.close();
}
