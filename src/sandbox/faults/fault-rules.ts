// The rules by which requests go wrong, kept over a restart. What depends on chance depends on the seed, the rule's
// number and how many requests it has seen, so that the same requests fail again in the same way.

import { SvcdError } from '../../model/errors.js';
import type { SandboxState } from '../state/sandbox-state.js';
import { invalid } from '../wire/check.js';
import { faultOf, readFaultHeader, type Fault, type FaultRequest, type FaultRule } from './fault-kinds.js';

interface KeptRule {
  id: number;
  rule: FaultRule;
  pattern: RegExp;
  /** Requests it matched. */
  seen: number;
  /** How many of them went wrong. */
  fired: number;
}

/** Rules enough for any test, few enough to ask for each request. */
const RULES_MAX = 100;

/** Adds, lists and applies rules. */
export class FaultRules {
  readonly #state: SandboxState;
  #rules: KeptRule[] = [];
  #headersSeen = 0;

  constructor(state: SandboxState) {
    this.#state = state;
    this.reload();
  }

  /** Throws `invalid_request` when there are 100 already. */
  add(rule: FaultRule) {
    if (this.#rules.length >= RULES_MAX) throw invalid(`there are ${RULES_MAX} fault rules already`);
    const id = this.#state.db.insert('fault', { rule: JSON.stringify(rule) });
    this.#rules.push({ id, rule, seen: 0, fired: 0, pattern: patternOf(rule.path) });
    return { id, ...rule, seen: 0, fired: 0 };
  }

  list() {
    return this.#rules.map(({ id, rule, seen, fired }) => ({ id, ...rule, seen, fired }));
  }

  /** Removes one rule, or all of them, and returns how many. Throws `not_found`. */
  clear(id?: number): number {
    if (id !== undefined && !this.#rules.some((rule) => rule.id === id)) {
      throw new SvcdError('not_found', `there is no fault rule of number ${id}`);
    }
    const removed = this.#state.db.run('DELETE FROM fault WHERE coalesce(id = ?, TRUE)', id ?? null);
    this.reload();
    return removed;
  }

  /** Reads the rules again. */
  reload(): void {
    const rows = this.#state.db.all<Omit<KeptRule, 'rule' | 'pattern'> & { rule: string }>(
      'SELECT * FROM fault ORDER BY id',
    );
    this.#rules = rows.map((row) => {
      const rule = JSON.parse(row.rule) as FaultRule;
      return { ...row, rule, pattern: patternOf(rule.path) };
    });
    this.#headersSeen = 0;
  }

  /** What goes wrong with a request: waits add up, and of the rest the first one counts. Throws `invalid_request`. */
  choose(request: FaultRequest): Fault | undefined {
    const asked = request.header === undefined ? [] : [this.#fromHeader(request.header)];
    const faults = [...asked, ...this.#rules.flatMap((kept) => this.#apply(kept, request) ?? [])];
    return faults.length === 0 ? undefined : faults.reduce(combine);
  }

  #fromHeader(header: string): Fault {
    const place = `header ${++this.#headersSeen}`;
    return faultOf(readFaultHeader(header), (part) => this.#state.seed.fractionAt(`fault ${place} ${part}`));
  }

  #apply(kept: KeptRule, { method, path }: FaultRequest): Fault | undefined {
    const { rule, pattern } = kept;
    if ((rule.method ?? method) !== method || !pattern.test(path)) return undefined;
    kept.seen += 1;
    const draw = (part: string) => this.#state.seed.fractionAt(`fault ${kept.id} ${kept.seen} ${part}`);
    const fires =
      kept.seen > (rule.after ?? 0) &&
      kept.fired < (rule.count ?? Infinity) &&
      draw('whether') < (rule.probability ?? 1);
    if (fires) kept.fired += 1;
    this.#state.db.run('UPDATE fault SET seen = ?, fired = ? WHERE id = ?', kept.seen, kept.fired, kept.id);
    return fires ? faultOf(rule, draw) : undefined;
  }
}

/** `*` stands for anything; everything else for itself. */
function patternOf(path: string): RegExp {
  const pieces = path.split(/\*+/).map((piece) => piece.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${pieces.join('.*')}$`);
}

/** A wait is added to a wait; two other faults cannot both happen, so the first stays. */
function combine(first: Fault, second: Fault): Fault {
  const name = [first.name, second.name].filter((one) => one !== undefined).join(' + ');
  const latencyMs = (first.latencyMs ?? 0) + (second.latencyMs ?? 0);
  const { latencyMs: _first, name: _name, ...rest } = first;
  const { latencyMs: _second, name: _other, ...others } = second;
  const chosen = Object.keys(rest).length > 0 ? rest : others;
  return { ...chosen, name, ...(latencyMs > 0 ? { latencyMs } : {}) };
}
