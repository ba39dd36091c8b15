// Which language the page speaks, and how it writes numbers. A sentence that is missing in one does not compile.

import { computed, signal } from '@preact/signals';
import { en } from './en.js';
import { zh } from './zh.js';

export type Lang = 'en' | 'zh';
export type Words = typeof en;

const TABLES: Readonly<Record<Lang, Words>> = { en, zh };
const KEPT = 'svcd.lang';

export const lang = signal<Lang>('en');
export const words = computed(() => TABLES[lang.value]);

/** Chooses by `lang=` in the address, then what was chosen before, then the browser. */
export function beginLanguage(address: URL): void {
  const asked = [address.searchParams.get('lang'), localStorage.getItem(KEPT), navigator.language];
  const found = asked.find((one) => one !== null && one !== '') ?? '';
  chooseLanguage(found.toLowerCase().startsWith('zh') ? 'zh' : 'en', false);
}

export function chooseLanguage(chosen: Lang, keep = true): void {
  lang.value = chosen;
  document.documentElement.lang = chosen === 'zh' ? 'zh-CN' : 'en';
  document.title = TABLES[chosen].title;
  if (keep) localStorage.setItem(KEPT, chosen);
}

/** The table of some part of the page, in the language that is chosen. */
export const wordsIn = <T>(tables: Readonly<Record<Lang, T>>) => computed(() => tables[lang.value]);

/** This moment, in the browser. */
export const now = (): Date => new Date();

/** A time of today by its clock, another with its day. */
export function time(instant: string | Date): string {
  const at = new Date(instant);
  const isToday = at.toDateString() === now().toDateString();
  return new Intl.DateTimeFormat(lang.value, {
    ...(!isToday && { month: 'short', day: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);
}

/** A number as people write it here. */
export function number(value: number, digits = 0): string {
  const key = `${lang.value} ${digits}`;
  // To make a format takes far longer than to use it, and every tile has two.
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(lang.value, { maximumFractionDigits: digits });
    formats.set(key, format);
  }
  return format.format(value);
}

const formats = new Map<string, Intl.NumberFormat>();
