// What is told of a sticker's file: `GET /svcd/facts/{preset}`, and in plans, locks and reports.

import * as v from 'valibot';
import { parameter } from '../contract/read-query.js';
import { FACTS_VERSION, FORMS, VERDICTS } from '../model/asset.js';
import type { Told } from './operation.js';

/** `as-bought` or `safe`; what the settings say where it is left out. */
export const formQuerySchema = v.object({
  form: v.optional(parameter((text) => FORMS.find((form) => form === text), FORMS.join(' or '), { enum: FORMS })),
});

export const factsQuerySchema = v.strictObject(formQuerySchema.entries);

export const factsSchema = v.object({
  preset: v.string(),
  sha256: v.string(),
  facts: v.literal(FACTS_VERSION),
  bytes: v.number(),
  width: v.number(),
  height: v.number(),
  frame_rate: v.number(),
  first_frame: v.number(),
  frames: v.number(),
  duration_s: v.number(),
  layers: v.number(),
  keyframes: v.number(),
  markers: v.array(v.object({ name: v.string(), frame: v.number(), frames: v.number() })),
  images: v.object({ embedded: v.number(), remote: v.number(), bytes: v.number() }),
  fonts: v.array(v.string()),
  /** Features of the format that it uses. */
  uses: v.array(v.string()),
  verdict: v.picklist(VERDICTS),
  /** Each problem once for each code, with the place of the first; by player what it does. */
  problems: v.array(
    v.object({
      code: v.string(),
      at: v.string(),
      count: v.number(),
      players: v.record(v.string(), v.string()),
    }),
  ),
});
export type FactsAnswer = Told<typeof factsSchema>;
