// POST /api/v1/productions: its body (asset API, section 2, "Production registration request").
// The document gives seven fields and forbids files, text, paths and user names. Which of the seven are
// required and which values they take is not shown; our choice: template and stage are required, and every
// string is a short token of a form that cannot carry a path or free text.

import * as v from 'valibot';
import { describe } from './json-body.js';

const MATERIALS_MAX = 100;

function token(form: RegExp, meaning: string) {
  return v.pipe(
    v.string(),
    v.regex(form, (issue) => `must be ${meaning}, got ${describe(issue.input)}`),
  );
}

export const productionRequestSchema = v.strictObject({
  template: token(
    /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}@[0-9A-Za-z][0-9A-Za-z.+-]{0,49}$/u,
    '<template_name>@<version>',
  ),
  package_sha256: v.optional(token(/^[0-9a-fA-F]{64}$/, 'a SHA-256 of 64 hexadecimal digits')),
  host: v.optional(token(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u, 'a name without spaces or slashes')),
  layout: v.optional(token(/^[a-z0-9][a-z0-9:._-]{0,31}$/, 'a word such as landscape')),
  duration_s: v.optional(
    v.pipe(
      v.number(),
      v.minValue(0, (issue) => `must be 0 or more seconds, got ${issue.input}`),
      v.maxValue(86_400, (issue) => `must be at most 86400 seconds, got ${issue.input}`),
    ),
  ),
  materials: v.optional(
    v.pipe(
      v.array(token(/^[a-z0-9_-]{1,32}\.[a-z0-9_.-]{1,64}$/, '<kind>.<name>')),
      v.maxLength(
        MATERIALS_MAX,
        (issue) => `has ${issue.input.length} entries, at most ${MATERIALS_MAX} are allowed`,
      ),
    ),
  ),
  stage: v.picklist(['plan', 'done']),
});

export type ProductionRequest = v.InferOutput<typeof productionRequestSchema>;
