// What the library learns from answers of the remote: stickers, their originals, what it listed for words, synonyms, what
// is gone. How a search uses it is for library.ts.

import type { Sticker } from '../../model/sticker.js';
import type { Statement } from '../../platform/open-database.js';
import type { Envelope } from '../../contract/envelope.js';
import type { ReadCandidate } from '../../contract/read-candidates.js';
import type { ExportedRemoteResults, SeenTimes } from './export-record.js';
import { inferSynonyms, type InferredSynonym } from './infer-synonyms.js';
import { isRecord } from '../../platform/json.js';
import { normalise } from '../language/normalise.js';
import { RemoteResults, type AskedBy } from './remote-results.js';
import { guard, type ImportResult, type StickerStore } from './sticker-store.js';

/** The call that gave an answer: candidates of different calls have different fields. */
export type AnswerShape = 'search' | 'match' | 'other';

export interface LearnedAnswer {
  readonly shape: AnswerShape;
  /** What was asked: the query of a search, the keywords of a match; never the copy. */
  readonly words: readonly string[];
  readonly candidates: readonly ReadCandidate[];
  /** What the remote wrapped them in. */
  readonly envelope?: Envelope;
  /** A person, if not given. */
  readonly askedBy?: AskedBy;
}

export interface Learned extends ImportResult {
  /** Presets that were taken for gone and are there again. */
  readonly back: ReadonlySet<string>;
}

interface Known {
  id: number;
  whose: 'remote' | 'user';
  first_seen_at: number;
  seen_at: number;
  gone_at: number | null;
}

export class LearnedData {
  /** Steps on when an answer could change although no sticker did. */
  changes = 0;
  readonly remoteResults: RemoteResults;
  private readonly store: StickerStore;
  private readonly gone: Set<string>;
  private readonly known: Statement<[string, string], Known>;
  private readonly see: Statement;
  private readonly sink: Statement;
  private readonly setTimes: Statement;
  private readonly original: Statement<[string, string, string], { json: string }>;
  private readonly putOriginal: Statement;
  private readonly putSynonym: Statement;
  private readonly envelopes: Map<AnswerShape, Envelope>;
  private hasOriginals: boolean;
  private complete: boolean;

  constructor(store: StickerStore) {
    const { db, scope } = store;
    this.store = store;
    this.remoteResults = new RemoteResults(store);
    this.known = db.prepare(
      'SELECT id, whose, first_seen_at, seen_at, gone_at FROM sticker WHERE scope = ? AND preset = ?',
    );
    this.see = db.prepare(
      `UPDATE sticker SET seen_at = @at, gone_at = NULL,
         first_seen_at = CASE WHEN first_seen_at = 0 THEN @at ELSE first_seen_at END WHERE id = @id`,
    );
    this.sink = db.prepare(
      `UPDATE sticker SET gone_at = @at WHERE scope = @scope AND preset = @preset AND gone_at IS NULL
         AND whose = 'remote'`,
    );
    this.setTimes = db.prepare(
      'UPDATE sticker SET first_seen_at = @first, seen_at = @last, gone_at = @gone WHERE id = @id',
    );
    this.original = db.prepare('SELECT json FROM original WHERE scope = ? AND preset = ? AND shape = ?');
    this.putOriginal = db.prepare('INSERT OR REPLACE INTO original VALUES (?, ?, ?, ?)');
    this.putSynonym = db.prepare('INSERT OR IGNORE INTO learned_synonym VALUES (?, ?, ?, ?)');
    const gone = db.prepare<[string], { preset: string }>(
      'SELECT preset FROM sticker WHERE scope = ? AND gone_at IS NOT NULL',
    );
    const envelopes = db.prepare<[string], { shape: AnswerShape; json: string }>(
      'SELECT shape, json FROM envelope WHERE scope = ?',
    );
    this.envelopes = new Map(
      guard(() => envelopes.all(scope)).map(({ shape, json }) => [shape, JSON.parse(json) as Envelope]),
    );
    const anyOriginal = db.prepare('SELECT 1 FROM original WHERE scope = ? LIMIT 1');
    this.hasOriginals = guard(() => anyOriginal.get(scope)) !== undefined;
    this.gone = new Set(guard(() => gone.all(scope)).map(({ preset }) => preset));
    const state = db.prepare<[string], { complete_at: number | null }>('SELECT complete_at FROM state WHERE scope = ?');
    this.complete = (guard(() => state.get(scope))?.complete_at ?? null) !== null;
  }

  /** Learns one answer, in one transaction, together with what `beside` writes. */
  learn(answer: LearnedAnswer, at: number, beside?: () => void): Learned & { readonly newSynonyms: number } {
    const learned = { added: 0, changed: 0, unchanged: 0, refused: 0, back: new Set<string>() };
    let newSynonyms = 0;
    const write = this.store.db.transaction(() => {
      const rowids = answer.candidates.map((candidate) => this.learnOne(candidate, answer.shape, at, learned));
      this.store.countIn(learned);
      this.rememberOrder(answer, rowids, at);
      newSynonyms = this.learnSynonyms(inferSynonyms(answer.words, answer.candidates), at);
      if (answer.envelope !== undefined) this.keepEnvelope(answer.shape, answer.envelope);
      beside?.();
    });
    guard(() => write.immediate());
    for (const preset of learned.back) this.gone.delete(preset);
    this.changes += 1;
    this.store.readState();
    return { ...learned, newSynonyms };
  }

  /** Notes that the remote has no such sticker (any more). False when that was known, or it was never listed. */
  markGone(preset: string, at: number): boolean {
    const { changes } = guard(() => this.sink.run({ scope: this.store.scope, preset, at }));
    if (changes === 0) return false;
    this.gone.add(preset);
    this.changes += 1;
    return true;
  }

  isGone(preset: string): boolean {
    return this.gone.size > 0 && this.gone.has(preset);
  }

  get goneCount(): number {
    return this.gone.size;
  }

  /** A candidate as the remote gave it in answers of this shape. */
  findOriginal(preset: string, shape: AnswerShape): Original | undefined {
    // Most libraries that were filled otherwise have none, and every result of every search asks.
    if (!this.hasOriginals) return undefined;
    const row = guard(() => this.original.get(this.store.scope, preset, shape));
    return row && (JSON.parse(row.json) as Original);
  }

  /** What the remote wrapped its candidates in, last. */
  findEnvelope(shape: AnswerShape): Envelope | undefined {
    return this.envelopes.get(shape);
  }

  /** Lines for the synonym table. */
  synonymLines(): string {
    const rows = this.store.db
      .prepare<[string], InferredSynonym>('SELECT word, finds FROM learned_synonym WHERE scope = ?')
      .iterate(this.store.scope);
    return guard(() => Array.from(rows, ({ word, finds }) => `${word} > ${finds}\n`)).join('');
  }

  /** Whether the library is known to hold practically all that the remote has. */
  get isComplete(): boolean {
    return this.complete;
  }

  /** Remembers whether it is, since when. */
  setComplete(complete: boolean, at: number): void {
    if (complete === this.complete) return;
    const { db, scope } = this.store;
    const write = db.prepare(
      `INSERT INTO state (scope, revision, stickers, complete_at) VALUES (@scope, 0, 0, @at)
       ON CONFLICT (scope) DO UPDATE SET complete_at = @at`,
    );
    guard(() => write.run({ scope, at: complete ? at : null }));
    this.complete = complete;
  }

  /** Notes that the remote has a sticker after all. False when it was not taken for gone. */
  markThere(preset: string, at: number): boolean {
    const known = this.gone.has(preset) ? this.known.get(this.store.scope, preset) : undefined;
    if (known === undefined) return false;
    guard(() => this.see.run({ id: known.id, at }));
    this.gone.delete(preset);
    this.changes += 1;
    return true;
  }

  /** Merges a sticker that another svcd knew; the record seen later counts as the newer. Inside a transaction. */
  mergeExported(sticker: Sticker, seen: SeenTimes, originals: Readonly<Record<string, unknown>>): keyof ImportResult {
    const { scope } = this.store;
    const before = this.known.get(scope, sticker.preset);
    if (before?.whose === 'user') return 'refused';
    const isOlder = before !== undefined && before.seen_at > seen.last;
    const outcome = this.store.merge(sticker, isOlder);
    if (outcome === 'refused') return outcome;
    const id = before?.id ?? this.known.get(scope, sticker.preset)!.id;
    this.takeTimes(id, sticker.preset, before, seen);
    for (const shape of ['search', 'match', 'other'] as const) {
      const original = originals[shape];
      if (isRecord(original)) this.keepOriginal(sticker.preset, shape, original, isOlder);
    }
    return outcome;
  }

  /** What the remote listed for words to another svcd, unless it is known here. Inside a transaction. */
  rememberExported({ words, presets, isWhole }: ExportedRemoteResults): void {
    const rowids = presets.flatMap((preset) => this.known.get(this.store.scope, preset)?.id ?? []);
    this.remoteResults.rememberUnlessKnown({ words: normalise(words), rowids, askedBy: 'harvest', isWhole });
  }

  /** A synonym another svcd learned. Inside a transaction. */
  putExportedSynonym(word: string, finds: string): void {
    this.putSynonym.run(this.store.scope, normalise(word), normalise(finds), 0);
  }

  private takeTimes(id: number, preset: string, before: Known | undefined, seen: SeenTimes): void {
    const firsts = [before?.first_seen_at ?? 0, seen.first].filter((at) => at > 0);
    const last = Math.max(before?.seen_at ?? 0, seen.last);
    const gone = Math.max(before?.gone_at ?? 0, seen.gone ?? 0);
    const goneAt = gone > last ? gone : null;
    this.setTimes.run({ id, first: firsts.length > 0 ? Math.min(...firsts) : 0, last, gone: goneAt });
    if (goneAt === null) this.gone.delete(preset);
    else this.gone.add(preset);
  }

  private learnOne(
    { sticker, original }: ReadCandidate,
    shape: AnswerShape,
    at: number,
    learned: ImportResult & { back: Set<string> },
  ): number | undefined {
    const { scope } = this.store;
    const { preset } = sticker;
    const before = this.known.get(scope, preset);
    // The user's own file keeps its name, whatever the remote calls so.
    const outcome = before?.whose === 'user' ? 'refused' : this.store.merge(sticker);
    learned[outcome] += 1;
    if (outcome === 'refused') return undefined;
    if (before !== undefined && before.gone_at !== null) learned.back.add(preset);
    const id = before?.id ?? this.known.get(scope, preset)!.id;
    this.see.run({ id, at });
    this.keepOriginal(preset, shape, original);
    return id;
  }

  private keepOriginal(preset: string, shape: AnswerShape, original: Original, isOlder = false): void {
    const { scope } = this.store;
    const before = this.original.get(scope, preset, shape)?.json;
    const known = before === undefined ? {} : (JSON.parse(before) as Original);
    const merged = isOlder ? mergeOriginal(original, known) : mergeOriginal(known, original);
    const json = storedOriginal(merged);
    if (json === undefined || json === before) return;
    this.putOriginal.run(scope, preset, shape, json);
    this.hasOriginals = true;
  }

  private keepEnvelope(shape: AnswerShape, envelope: Envelope): void {
    const json = JSON.stringify(envelope);
    if (JSON.stringify(this.envelopes.get(shape)) === json) return;
    this.store.db.prepare('INSERT OR REPLACE INTO envelope VALUES (?, ?, ?)').run(this.store.scope, shape, json);
    this.envelopes.set(shape, envelope);
  }

  /** A question of several words is split by the reasons: what each word found, in the order of the answer. */
  private rememberOrder(answer: LearnedAnswer, rowids: readonly (number | undefined)[], at: number): void {
    const { words, candidates, askedBy = 'person' } = answer;
    const keys = [...new Set(words.map(normalise))];
    const foundBy = (key: string) =>
      rowids.filter((_, i) => candidates[i]!.reasons.some((reason) => normalise(reason.keyword) === key));
    for (const key of keys) {
      const isWhole = keys.length === 1;
      const found = (isWhole ? rowids : foundBy(key)).filter((id) => id !== undefined);
      this.remoteResults.remember({ words: key, rowids: found, askedBy, isWhole }, at);
    }
  }

  private learnSynonyms(pairs: readonly InferredSynonym[], at: number): number {
    let fresh = 0;
    for (const { word, finds } of pairs) {
      fresh += this.putSynonym.run(this.store.scope, word, finds, at).changes;
    }
    return fresh;
  }
}

type Original = Readonly<Record<string, unknown>>;

/** An original beyond this is not kept: a candidate is a few hundred bytes. */
const MAX_CHARACTERS = 8192;

/** The newer with what only the older has; a blank of the newer erases nothing. */
function mergeOriginal(older: Original, newer: Original): Original {
  const given = Object.entries(newer).filter(([name, value]) => !isBlank(value) || isBlank(older[name]));
  return { ...older, ...Object.fromEntries(given) };
}

/** As it is stored; undefined when it is too large. */
function storedOriginal(original: Original): string | undefined {
  const json = JSON.stringify(original);
  return json.length > MAX_CHARACTERS ? undefined : json;
}

function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) && value.length === 0;
}
