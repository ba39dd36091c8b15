// The bodies that the service answers with, as schemas: the types of the handlers' answers, the OpenAPI document, and
// the test that holds the answers to it. What the service's document does not name is marked as our choice. Only the
// types are loaded when the sandbox starts.

import * as v from 'valibot';
import { OURS } from './requests.js';

/** Marks what the service's document leaves open. */
function ours<S extends v.GenericSchema>(schema: S): S {
  return v.pipe(schema, v.metadata(OURS)) as unknown as S;
}

const credits = v.pipe(v.number(), v.integer());
const limit = v.nullable(credits);
const text = () => ours(v.string());
const number = () => ours(v.number());
const list = () => ours(v.array(v.object({ message: v.string() })));

const capability = {
  id: text(),
  name: text(),
  status: v.picklist(['available', 'beta', 'planned']),
  enabled: v.boolean(),
  cost: ours(limit),
};
const candidate = {
  preset: v.string(),
  title: text(),
  width: v.optional(number()),
  height: v.optional(number()),
  duration: v.optional(number()),
};
const limits = v.object({ per_request: limit, daily: limit, monthly: limit });

/** Every body by its name in the OpenAPI document. */
export const ANSWER_SCHEMAS = {
  Me: v.object({
    key: ours(
      v.object({
        kind: v.picklist(['general', 'template']),
        status: v.picklist(['active', 'disabled', 'revoked']),
        limits,
        permissions: v.array(v.string()),
        template: v.optional(v.string()),
      }),
    ),
    balance: ours(credits),
    pending_credits: ours(credits),
  }),
  Capabilities: v.object({ capabilities: v.array(v.object(capability)) }),
  Usage: v.object({
    effective_credits_remaining: credits,
    balance: ours(credits),
    key: ours(v.object({ monthly_cap: limit, monthly_remaining: limit })),
    capabilities: v.array(v.object({ ...capability, possible_count: v.nullable(credits) })),
  }),
  SearchAnswer: v.object({
    query: text(),
    total: ours(credits),
    results: ours(
      v.array(
        v.object({
          ...candidate,
          keywords: ours(v.array(v.string())),
          aspect_ratio: v.optional(number()),
          primary_color: v.optional(text()),
          file: text(),
        }),
      ),
    ),
  }),
  MatchAnswer: v.object({
    extracted_keywords: v.array(v.string()),
    total: credits,
    results: v.array(
      v.object({
        ...candidate,
        score: number(),
        reasons: ours(
          v.array(
            v.object({
              keyword: v.string(),
              field: v.picklist(['title', 'keywords']),
              source: v.picklist(['direct', 'synonym']),
            }),
          ),
        ),
        file: v.string(),
      }),
    ),
  }),
  Lottie: v.looseObject({
    w: v.number(),
    h: v.number(),
    fr: v.number(),
    op: v.number(),
    layers: v.array(v.looseObject({})),
  }),
  Image: v.object({
    size: v.string(),
    width: v.number(),
    height: v.number(),
    requested_size: v.string(),
    url: text(),
    notices: v.optional(ours(v.array(v.object({ code: v.string(), message: v.string() })))),
  }),
  Production: v.object({
    production_id: v.string(),
    latest_version: v.string(),
    notices: ours(v.array(v.object({ code: v.string(), version: v.string(), message: v.string() }))),
    tips: list(),
  }),
  Refusal: v.object({ code: v.string(), message: text(), hint: v.optional(text()) }),
  Tracks: ours(
    v.object({
      total: credits,
      results: v.array(
        v.object({
          track: v.string(),
          title: v.string(),
          purposes: v.array(v.string()),
          mood: v.string(),
          style: v.string(),
          duration: v.number(),
          cost: v.literal(0),
          preview_duration: v.number(),
          preview: v.string(),
          file: v.string(),
        }),
      ),
    }),
  ),
  Asset: ours(
    v.object({
      asset_id: v.string(),
      track: v.string(),
      selected_at: v.string(),
      file: v.string(),
      cost: v.optional(v.literal(0)),
    }),
  ),
  Quote: ours(
    v.object({
      quote_id: v.string(),
      capability: v.string(),
      provider: v.string(),
      credits,
      expires_at: v.string(),
    }),
  ),
  Task: ours(
    v.object({
      task_id: v.string(),
      quote_id: v.string(),
      state: v.picklist(['queued', 'running', 'succeeded', 'failed']),
      created_at: v.string(),
      ended_at: v.optional(v.string()),
      result: v.optional(v.object({ url: v.string() })),
      error: v.optional(v.object({ code: v.string() })),
      receipt_id: v.optional(v.string()),
    }),
  ),
  Receipt: ours(
    v.object({
      receipt_id: v.string(),
      task_id: v.string(),
      capability: v.string(),
      credits,
      charged_at: v.string(),
    }),
  ),
} as const;

export type AnswerName = keyof typeof ANSWER_SCHEMAS;
/** The body of this name. */
export type Answer<N extends AnswerName> = v.InferOutput<(typeof ANSWER_SCHEMAS)[N]>;
