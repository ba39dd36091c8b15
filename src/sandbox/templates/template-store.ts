// Which versions of which templates there are, with their known issues and their author's tips; and the productions
// that are registered with them. A production of an unknown template is registered all the same.

import { SvcdError } from '../../model/errors.js';
import { compareVersions } from '../../platform/compare-versions.js';
import type { SandboxState } from '../state/sandbox-state.js';
import type { Answer } from '../wire/answer-schemas.js';
import type { RequestOf } from '../wire/requests.js';

export interface TemplateRelease {
  /** `name@version`. */
  template: string;
  known_issues: readonly string[];
  tips: readonly string[];
}

type Production = Answer<'Production'>;
type Notice = Production['notices'][number];
type Row = { name: string; version: string; known_issues: string; tips: string };

/** Releases a version, or replaces what is said of it. */
export function release(state: SandboxState, { template, known_issues: issues, tips }: TemplateRelease): void {
  const [name, version] = splitTemplate(template);
  const { db } = state;
  db.run('DELETE FROM template WHERE name = ? AND version = ?', name, version);
  db.insert('template', {
    name,
    version,
    known_issues: JSON.stringify(issues),
    tips: JSON.stringify(tips),
  });
}

/** Every version of every template, the newest of each last. */
export function list(state: SandboxState): TemplateRelease[] {
  return versions(state, 'SELECT * FROM template').map((row) => ({
    template: `${row.name}@${row.version}`,
    known_issues: JSON.parse(row.known_issues) as string[],
    tips: JSON.parse(row.tips) as string[],
  }));
}

/** `name@version` of a released version; of the newest when none is named. Throws `not_found`. */
export function getFullName(state: SandboxState, asked: string): string {
  const released = list(state).map(({ template }) => template);
  const found = asked.includes('@')
    ? released.find((template) => template === asked)
    : released.findLast((template) => splitTemplate(template)[0] === asked);
  if (found !== undefined) return found;
  throw new SvcdError('not_found', `there is no template ${JSON.stringify(asked)}; there are ${released.join(', ')}`, {
    hint: '"svcd sandbox release NAME@VERSION" releases another one.',
  });
}

/** Records a production, tied to an account when a Key was given, and says what its maker should know. */
export function register(
  state: SandboxState,
  request: RequestOf<'ProductionRequest'>,
  account: number | undefined,
): Production {
  const { db, clock, seed } = state;
  const id = seed.nextId('production');
  db.insert('production', {
    id,
    account: account ?? null,
    at: clock.now(),
    record: JSON.stringify(request),
  });
  return { production_id: id, ...advise(state, request.template) };
}

/** Of an unknown template all that is known is that its version is the latest. */
function advise(state: SandboxState, template: string): Omit<Production, 'production_id'> {
  const [name, version] = splitTemplate(template);
  const rows = versions(state, 'SELECT * FROM template WHERE name = ?', name);
  const newest = rows.at(-1);
  const isOld = newest !== undefined && compareVersions(newest.version, version) > 0;
  const latest = isOld ? newest.version : version;
  const issues = rows.find((row) => row.version === version)?.known_issues ?? '[]';
  return {
    latest_version: latest,
    notices: [...newVersion(name, version, latest), ...knownIssues(version, issues)],
    tips: (JSON.parse(newest?.tips ?? '[]') as string[]).map((message) => ({ message })),
  };
}

/** The rows of a query, by name and then by version. */
function versions(state: SandboxState, sql: string, ...values: readonly string[]): Row[] {
  const rows = state.db.all<Row>(sql, ...values);
  return rows.toSorted(
    (a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)) || compareVersions(a.version, b.version),
  );
}

function splitTemplate(template: string): [name: string, version: string] {
  const at = template.indexOf('@');
  return [template.slice(0, at), template.slice(at + 1)];
}

function newVersion(name: string, version: string, latest: string): Notice[] {
  if (latest === version) return [];
  return [{ code: 'new_version', version: latest, message: `${name} ${latest} is out; this is ${version}.` }];
}

function knownIssues(version: string, issues: string): Notice[] {
  return (JSON.parse(issues) as string[]).map((message) => ({ code: 'known_issue', version, message }));
}
