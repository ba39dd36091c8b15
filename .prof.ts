import { readCatalogue } from './test/library/scratch-library.js';
import { compileArrays } from './src/library/build-index.js';
import { loadGlossary } from './src/library/glossary.js';
const st = readCatalogue().map((s, i) => ({ ...s, rowid: i + 1 })); loadGlossary();
let t = performance.now(); compileArrays(st, loadGlossary()); console.log('compile', performance.now() - t);
