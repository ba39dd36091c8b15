import { scratchLibrary, readCatalogue, SYNONYMS } from './test/library/scratch-library.js';
const s = scratchLibrary(); const l = s.open(SYNONYMS); l.importStickers(readCatalogue(), 'x'); l.prepare();
for (const q of ['会员', '旅行', '双十一', '情人节']) { const r = l.search(q, 14); console.log(q, r.total, r.direct, r.hits.map((h) => h.sticker.title).join(' ')); }
for (const text of ['今天下雨了，心情有点难过，想喝一杯热咖啡，看一本书。', '我们公司招聘程序员，上班自由，有下午茶，定期体检，年终奖丰厚']) { const r = l.match({ text, limit: 12 }); console.log(r.total, r.extractedKeywords.join(' '), '=>', r.hits.map((h) => h.sticker.title + h.score.toFixed(1)).join(' ')); }
l.close(); s.remove();
