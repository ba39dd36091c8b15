// Text inside XML, for the files of launchd and of the Task Scheduler.

import { invalidArgument } from '../terminal/invalid-argument.js';
import { serviceWords } from './words.js';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Throws `invalid_argument` for characters that XML 1.0 does not have. */
export function escapeXml(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for. U+FFFD stands for bytes that are no UTF-8.
  if (/[\u0000-\u001f\u007f\ufffd]/.test(text)) {
    throw invalidArgument(serviceWords().unquotable(JSON.stringify(text)), serviceWords().quoteHint);
  }
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}

export function unescapeXml(text: string): string {
  return Object.entries(ENTITIES).reduceRight((into, [sign, entity]) => into.replaceAll(entity, sign), text);
}
