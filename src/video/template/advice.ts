// What the service answers to a registered production: words of others.

import { isRecord } from '../../platform/json.js';

const MOST_TOLD = 10;

/** The document does not show what notices and tips are made of: texts, or objects with one. */
export function adviceIn(answer: unknown) {
  const fields = isRecord(answer) ? answer : {};
  return {
    production_id: textOf(fields['production_id']) ?? null,
    latest_version: textOf(fields['latest_version']) ?? null,
    notices: listOf(fields['notices']),
    tips: listOf(fields['tips']),
  };
}

function listOf(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return list.slice(0, MOST_TOLD).map((one) => {
    if (!isRecord(one)) return textOf(one) ?? JSON.stringify(one);
    return (
      textOf(one['message']) ?? Object.values(one).find((field) => typeof field === 'string') ?? JSON.stringify(one)
    );
  });
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
