// What motion.json says of a template: its name and version, and what it declares to call. Known words grant a
// permission; words that svcd does not know are told and grant nothing.

import {
  CAPABILITIES_MAX,
  CAPABILITY_FORM,
  DURATION_MAX_S,
  LAYOUT_FORM,
  TEMPLATE_FORM,
} from '../../contract/limits.js';
import { SvcdError } from '../../model/errors.js';
import { CAPABILITIES, type Permission } from '../../model/spender.js';
import { hasDoubledNames, isRecord, parseJson } from '../../platform/json.js';

export interface Declaration {
  /** `name@version`. */
  readonly template: string;
  /** The declared words that svcd knows, in their order, each once. */
  readonly capabilities: readonly string[];
  /** The other declared words: foreign text. */
  readonly unknown: readonly string[];
  /** What the known words grant; none when none is declared. */
  readonly permissions: readonly Permission[];
  /** Where motion.json says so. */
  readonly layout?: string;
  readonly durationS?: number;
}

const WORD_MAX = 200;

/** Reads motion.json; `where` names it. Throws `invalid_argument`. */
export function readDeclaration(bytes: Uint8Array, where: string): Declaration {
  const motion = parseJson(bytes);
  if (!isRecord(motion)) throw wrong(where, 'is no JSON object');
  if (hasDoubledNames(bytes, motion)) throw wrong(where, 'says a name twice in one object');
  const { name, version, service, layout, duration_s: durationS } = motion;
  const template = `${text(name)}@${text(version)}`;
  if (!TEMPLATE_FORM.test(template)) {
    throw wrong(
      where,
      `must name the template and its version, such as birthday-card and 1.1.0, got ${JSON.stringify(template)}`,
    );
  }
  const words = readCapabilities(service, where);
  const capabilities = words.filter(isKnown);
  return {
    template,
    capabilities,
    unknown: words.filter((word) => !isKnown(word)),
    permissions: capabilities.map((word) => CAPABILITIES[word]),
    ...(typeof layout === 'string' && LAYOUT_FORM.test(layout) && { layout }),
    ...(typeof durationS === 'number' && durationS >= 0 && durationS <= DURATION_MAX_S && { durationS }),
  };
}

/** The declared words in the form of the contract, as a token is fenced by. */
export function declaredWords({ capabilities, unknown }: Pick<Declaration, 'capabilities' | 'unknown'>): string[] {
  return [...capabilities, ...unknown.filter((word) => CAPABILITY_FORM.test(word))];
}

/** What is declared in a form that cannot be read is no declaration of nothing: it is refused. */
function readCapabilities(service: unknown, where: string): string[] {
  if (service === undefined || service === null) return [];
  if (!isRecord(service)) throw wrong(where, 'has a "service" that is no object');
  const words = service['capabilities'] ?? [];
  if (!Array.isArray(words) || !words.every(isWord)) {
    throw wrong(where, 'has a "service.capabilities" that is no list of words');
  }
  if (words.length > CAPABILITIES_MAX) {
    throw wrong(where, `declares ${words.length} capabilities, at most ${CAPABILITIES_MAX} are allowed`);
  }
  return [...new Set(words)];
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= WORD_MAX;
}

function isKnown(word: string): word is keyof typeof CAPABILITIES {
  return Object.hasOwn(CAPABILITIES, word);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, WORD_MAX) : '';
}

function wrong(where: string, what: string): SvcdError {
  return new SvcdError('invalid_argument', `${where} ${what}`);
}
