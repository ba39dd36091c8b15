// The words of what is loaded late, so that they weigh nothing before the first tiles.

import { computed } from '@preact/signals';
import { enExtras } from './en-extras.js';
import { lang } from './words.js';
import { zhExtras } from './zh-extras.js';

export const extraWords = computed(() => (lang.value === 'zh' ? zhExtras : enExtras));
export type ExtraWords = typeof enExtras;
