// What a record of the remote tells of its licence. The document names no such field, so any usual one is read.

import type { Credit } from '../model/credit.js';
import { isRecord } from '../platform/json.js';

type Fields = Readonly<Record<string, unknown>>;

const LICENCE = ['licence', 'license', 'licence_name', 'license_name', 'licenceName', 'licenseName', 'rights'];
const LINE = 'attribution attribution_text attributionText credit credits credit_line creditLine'.split(' ');
const AUTHOR = 'author artist creator author_name authorName by'.split(' ');
const ASKED = 'attribution_required attributionRequired requires_attribution requiresAttribution'.split(' ');
/** Names of what an object has to say. */
const INSIDE = ['text', 'line', 'name', 'title', 'spdx', 'spdx_id', 'id', 'short', 'code'];

/** Licences by their names that ask for a line. */
const ASKS = /\bcc[\s-]?by\b|attribution/i;
const ASKS_NOT = /no attribution|attribution[- ]?free|without attribution/i;
const LONGEST = 500;

/** The licence and the credit line of a record of this title, as far as it tells them. */
export function readCredit(fields: Fields, title: string): Credit {
  const licence = firstText(fields, LICENCE);
  const line = firstText(fields, LINE);
  const asked = ASKED.map((name) => fields[name]).find((value) => typeof value === 'boolean');
  const asks =
    asked ?? (line !== undefined || (licence !== undefined && ASKS.test(licence) && !ASKS_NOT.test(licence)));
  const attribution = asks ? (line ?? lineOf(fields, title, licence)) : undefined;
  return { ...(licence !== undefined && { licence }), ...(attribution !== undefined && { attribution }) };
}

/** A line made of title, author and licence, the parts that Creative Commons recommends to name. */
function lineOf(fields: Fields, title: string, licence: string | undefined): string | undefined {
  const author = firstText(fields, AUTHOR);
  const parts = [title === '' ? undefined : `“${title}”`, author && `by ${author}`, licence && `(${licence})`];
  const line = parts.filter((part) => part !== undefined && part !== '').join(' ');
  return line === '' ? undefined : line;
}

function firstText(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textOf(fields[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** A text, that of an object, or those of a list; on one line. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const line = value.replace(/\s+/g, ' ').trim().slice(0, LONGEST);
    return line === '' ? undefined : line;
  }
  if (Array.isArray(value)) {
    const texts = value.map(textOf).filter((text) => text !== undefined);
    return texts.length === 0 ? undefined : texts.join(', ').slice(0, LONGEST);
  }
  return isRecord(value) ? firstText(value, INSIDE) : undefined;
}
