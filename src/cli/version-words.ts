// The words of `svcd --version`.

import { wordsIn } from './terminal/language.js';

const en = { unknown: 'commit unknown' };

const zh: typeof en = { unknown: '提交未知' };

export const versionWords = wordsIn<typeof en>({ en, zh });
