// What the build runs to prepare the sandbox's databases (bin/build/prepare-files.js), by the code that a first start would
// make them with. When they are used is for prepared-files.ts.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, type BrotliOptions } from 'node:zlib';
import { openCatalogue } from '../catalogue/catalogue.js';
import { DATA_FOLDER } from '../config/config.js';
import { listTablesRead } from '../library/language/language-data.js';
import { openLibrary } from '../library/library.js';
import { systemClock } from '../platform/clock.js';
import { silentLog } from '../platform/log.js';
import { loadSqlite } from '../platform/load-sqlite.js';
import { SandboxDatabase } from '../sandbox/state/sandbox-database.js';
import { SANDBOX_MIGRATIONS } from '../sandbox/state/schema.js';
import { fillFrom, listStickers } from '../sandbox/stickers/sticker-store.js';
import { fillFromSandbox, SANDBOX_SCOPE } from './fill-from-sandbox.js';
import { digestOf, preparedForm, type PreparedManifest, type PreparedName } from './prepared-files.js';

const CATALOGUE = ['catalogue/stickers.jsonl', 'catalogue/titles.txt', 'catalogue/packs/index.json'];
/** A window over all of a file. Better qualities take seconds for a twentieth. */
const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 };
/** The same bytes come of the same input. */
const NO_TIME = { ...systemClock, now: () => 0 };

const compress = promisify<Uint8Array, BrotliOptions, Buffer>(brotliCompress);

/** Writes `library.db.br`, `sandbox.db.br` and `manifest.json` into a folder that it makes. */
export async function prepareFiles(folder: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'svcd-build-'));
  try {
    makeDatabases(work);
    await mkdir(folder, { recursive: true });
    const pack = async (name: PreparedName) => {
      const bytes = readCompact(join(work, name));
      const packed = await compress(bytes, { params: QUALITY });
      await writeFile(join(folder, `${name}.br`), packed);
      return { sizeBytes: bytes.length, digest: digestOf(packed) };
    };
    const [library, sandbox] = await Promise.all([pack('library.db'), pack('sandbox.db')]);
    const inputs = [...CATALOGUE, ...listTablesRead()];
    const manifest: PreparedManifest = {
      form: preparedForm(),
      madeOf: Object.fromEntries(inputs.map((path) => [path, digestOf(readFileSync(join(DATA_FOLDER, path)))])),
      files: { 'library.db': library, 'sandbox.db': sandbox },
    };
    await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function makeDatabases(folder: string): void {
  const catalogue = openCatalogue(join(DATA_FOLDER, 'catalogue'));
  const db = new SandboxDatabase(join(folder, 'sandbox.db'), SANDBOX_MIGRATIONS);
  const library = openLibrary({
    file: join(folder, 'library.db'),
    scope: SANDBOX_SCOPE,
    synonyms: () => '',
    log: silentLog,
    clock: NO_TIME,
  });
  try {
    fillFrom(catalogue, { db });
    fillFromSandbox(library, { stamp: catalogue.stamp, stickers: () => listStickers({ db }) });
    library.prepare();
  } finally {
    library.close();
    db.close();
  }
}

/** Everything in the one file, without gaps, in the journal mode that it will be opened in. */
function readCompact(file: string): Buffer {
  const Sqlite = loadSqlite();
  const db = new Sqlite(file);
  db.pragma('journal_mode = delete');
  db.exec('VACUUM');
  db.pragma('journal_mode = wal');
  db.close();
  return readFileSync(file);
}
