// Reads the parameters of an address, and headers, by a schema: each value is a text there, is checked, and becomes what it stands for.

import * as v from 'valibot';
import { describe, invalid, parseWith } from './json-body.js';
import { countCharacters, QUERY_MAX } from './limits.js';

/**
 * A schema of parameters by name. A strict object refuses names it does not know; a plain one ignores them. A
 * parameter whose schema is an array may be given several times.
 */
export type QuerySchema = v.GenericSchema & {
  readonly type: string;
  readonly entries: Readonly<Record<string, v.GenericSchema>>;
};

/** Reads parameters by a schema. Throws `invalid_request`. */
export function readQuery<S extends QuerySchema>(schema: S, parameters: URLSearchParams): v.InferOutput<S> {
  const { entries } = schema;
  if (schema.type === 'strict_object') refuseUnknown(entries, parameters);
  const given: Record<string, string | string[]> = {};
  for (const name in entries) {
    const values = parameters.getAll(name);
    if (entries[name]?.type === 'array') given[name] = values;
    else if (values.length === 1) given[name] = values[0]!;
    else if (values.length > 1) throw invalid(`${name}: is given ${values.length} times, once is enough`);
  }
  return parseWith(schema, given);
}

/** Reads headers by a schema of them. Throws `invalid_request`. */
export function readHeaders<S extends QuerySchema>(schema: S, headers: Headers): v.InferOutput<S> {
  const given: Record<string, string> = {};
  for (const name in schema.entries) {
    const value = headers.get(name);
    if (value !== null) given[name] = value;
  }
  return parseWith(schema, given);
}

/** Words to search for: not blank, at most 500 characters. */
export const searchWords = v.pipe(
  v.string(),
  v.check((text) => text.trim() !== '', 'is empty'),
  v.check(
    (text) => countCharacters(text) <= QUERY_MAX,
    (issue) =>
      `has ${countCharacters(issue.input)} characters, at most ${QUERY_MAX} are allowed; longer text belongs to match`,
  ),
  v.metadata({ maxCharacters: QUERY_MAX }),
);

/** A parameter that is a text which `read` makes a value of; undefined for one that will not do, which must be `rule`. */
export function parameter<T>(read: (text: string) => T | undefined, rule: string, json: object) {
  return v.pipe(
    v.string(),
    // How the parameter is described to clients: by the value, not by its text.
    v.metadata({ json }),
    v.rawTransform<string, T>(({ dataset, addIssue, NEVER }) => {
      const value = read(dataset.value);
      if (value !== undefined) return value;
      addIssue({ message: `must be ${rule}, got ${describe(dataset.value)}` });
      return NEVER;
    }),
  );
}

/** A whole number in digits. */
export function wholeNumber(minimum: number, maximum: number) {
  const read = (text: string) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    return number >= minimum && number <= maximum ? number : undefined;
  };
  const rule = `a whole number from ${minimum} to ${maximum}`;
  return parameter(read, rule, { type: 'integer', minimum, maximum });
}

/** Throws `invalid_request` for a parameter that is none of these. */
export function refuseUnknown(entries: QuerySchema['entries'], parameters: URLSearchParams): void {
  for (const name of new Set(parameters.keys())) {
    if (Object.hasOwn(entries, name)) continue;
    const known = Object.keys(entries);
    throw invalid(
      `unknown parameter ${describe(name)}; known ${known.length === 0 ? 'is none' : `are ${known.join(', ')}`}`,
    );
  }
}
