import { scratchLibrary, readCatalogue, SYNONYMS } from './test/library/scratch-library.js';
const s = scratchLibrary(); const l = s.open(SYNONYMS); l.importStickers(readCatalogue(), 'x');
let t = performance.now(); l.prepare(); console.log('prepare', performance.now() - t);
for (const q of process.argv.slice(2)) { t = performance.now(); const r = l.search(q, 8); const ms = performance.now() - t; console.log(q, r.total, r.direct, ms.toFixed(2), r.hits.map((h) => h.sticker.title).join(' ')); }
l.close(); s.remove();
