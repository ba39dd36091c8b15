// Which versions of which templates there are, with their known issues and their author's tips. What is not on
// the shelf is nobody's: a production of it is registered all the same.

import { SvcdError } from '../model/errors.js';
import type { Database, Statement } from '../platform/open-database.js';
import { compareVersions } from './compare-versions.js';

export interface TemplateRelease {
  /** `name@version`. */
  template: string;
  known_issues: readonly string[];
  tips: readonly string[];
}

/** Our choice of shape: the document does not show the items of `notices`. */
export interface Notice {
  code: 'new_version' | 'known_issue';
  message: string;
  /** The version it speaks of. */
  version: string;
}

export interface Advice {
  latestVersion: string;
  notices: Notice[];
  tips: { message: string }[];
}

type Row = { name: string; version: string; known_issues: string; tips: string };

/** The released templates. */
export class TemplateShelf {
  readonly #db: Database;
  readonly #versions: Statement<[string], Row>;

  constructor(db: Database) {
    this.#db = db;
    this.#versions = db.prepare('SELECT name, version, known_issues, tips FROM template WHERE name = ?');
  }

  /** Puts a version on the shelf, or replaces what is said of it. */
  release({ template, known_issues: issues, tips }: TemplateRelease): void {
    const [name, version] = splitTemplate(template);
    this.#db
      .prepare('INSERT OR REPLACE INTO template (name, version, known_issues, tips) VALUES (?, ?, ?, ?)')
      .run(name, version, JSON.stringify(issues), JSON.stringify(tips));
  }

  /** Every version of every template, the newest of each last. */
  list(): TemplateRelease[] {
    const rows = this.#db.prepare<[], Row>('SELECT * FROM template').all();
    return rows
      .toSorted(
        (a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)) || compareVersions(a.version, b.version),
      )
      .map(({ name, version, known_issues: issues, tips }) => ({
        template: `${name}@${version}`,
        known_issues: JSON.parse(issues) as string[],
        tips: JSON.parse(tips) as string[],
      }));
  }

  /** `name@version` of a version on the shelf; of the newest when none is named. Throws `not_found`. */
  getFullName(asked: string): string {
    const released = this.list().map(({ template }) => template);
    const found = asked.includes('@')
      ? released.find((template) => template === asked)
      : released.findLast((template) => splitTemplate(template)[0] === asked);
    if (found !== undefined) return found;
    throw new SvcdError(
      'not_found',
      `there is no template ${JSON.stringify(asked)}; there are ${released.join(', ')}`,
      { hint: '"svcd sandbox release NAME@VERSION" releases another one.' },
    );
  }

  /** What somebody who produces with this version should know; of an unknown template, that it is the latest. */
  advise(template: string): Advice {
    const [name, version] = splitTemplate(template);
    const rows = this.#versions.all(name).toSorted((a, b) => compareVersions(a.version, b.version));
    const newest = rows.at(-1);
    const latestVersion =
      newest !== undefined && compareVersions(newest.version, version) > 0 ? newest.version : version;
    const issues = rows.find((row) => row.version === version)?.known_issues ?? '[]';
    return {
      latestVersion,
      notices: [...newVersion(name, version, latestVersion), ...knownIssues(version, issues)],
      tips: (JSON.parse(newest?.tips ?? '[]') as string[]).map((message) => ({ message })),
    };
  }
}

/** Name and version of `name@version`. */
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
