// Scripts that a person works on, with what each line chose: a row for each, apart by remote as collections are. They hold no money.

import { randomUUID } from 'node:crypto';
import {
  PROJECTS_MAX,
  type Project,
  type ProjectContent,
  type ProjectHead,
  type ProjectKept,
} from '../../api/collections.js';
import { SvcdError } from '../../model/errors.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/open-database.js';

/** A project as it is carried from one machine to another. */
export interface CarriedProject {
  readonly scope: string;
  readonly project: string;
  readonly content: ProjectContent;
  readonly changedAt: number;
}

export interface ProjectStore {
  /** All, the one that was changed last first. */
  list(): ProjectHead[];
  /** Throws `not_found`. */
  find(id: string): Project;
  /** Changes whenever a project does. */
  revision(): number;
  /** Keeps it, unless another was kept since `revision`. Throws `invalid_request` beyond what is allowed. */
  keep(id: string, revision: number, content: ProjectContent): ProjectKept;
  /** Throws `not_found`. */
  drop(id: string): void;
  /** Those of every remote, for an export. */
  carried(): CarriedProject[];
  /** Keeps one that is newer than what is here, beside that where it was worked on here; false when it is not. Throws like `keep`. */
  merge(carried: CarriedProject): boolean;
}

interface Row {
  scope: string;
  id: string;
  revision: number;
  changedAt: number;
  body: string;
}

const COLUMNS = 'scope, id, revision, changed_at AS changedAt, body';

/** Opens the projects of one remote in owned.db. */
export function openProjects(db: Database, scope: string, clock: Clock): ProjectStore {
  const all = db.prepare<[], Row>(`SELECT ${COLUMNS} FROM project ORDER BY changed_at DESC, id`);
  // Without the bodies, which together may be 50 MB.
  const heads = db.prepare<[string], Omit<Row, 'body' | 'scope'> & { name: string }>(
    `SELECT id, body ->> 'name' AS name, revision, changed_at AS changedAt FROM project WHERE scope = ? ORDER BY changed_at DESC, id`,
  );
  const count = db.prepare<[string], { rows: number }>(`SELECT count(*) AS rows FROM project WHERE scope = ?`);
  const one = db.prepare<[string, string], Row>(`SELECT ${COLUMNS} FROM project WHERE scope = ? AND id = ?`);
  const put = db.prepare(
    `INSERT OR REPLACE INTO project (scope, id, revision, changed_at, body) VALUES (?, ?, ?, ?, ?)`,
  );
  const take = db.prepare(`DELETE FROM project WHERE scope = ? AND id = ?`);
  const takeOldest = db.prepare(
    `DELETE FROM project WHERE (scope, id) = (SELECT scope, id FROM project
       WHERE scope = ? AND body ->> 'name' = '' ORDER BY changed_at, id LIMIT 1)`,
  );
  let revision = 0;

  const show = ({ id, revision: of, changedAt, body }: Row): Project => {
    const content = JSON.parse(body) as ProjectContent;
    return { id, name: content.name, revision: of, changed_at: new Date(changedAt).toISOString(), content };
  };
  const find = (id: string): Project => {
    const row = one.get(scope, id);
    if (row !== undefined) return show(row);
    throw new SvcdError('not_found', `there is no project ${JSON.stringify(id)}`);
  };
  const write = (of: string, id: string, before: number, at: number, content: ProjectContent, mayTake: boolean) => {
    const { rows } = (before === 0 ? count.get(of) : undefined) ?? { rows: 0 };
    // The oldest draft without a name makes way for what its user writes, and for nothing that comes from elsewhere.
    if (rows >= PROJECTS_MAX && (!mayTake || takeOldest.run(of).changes === 0)) {
      const many = `there are ${rows} projects, at most ${PROJECTS_MAX} are allowed`;
      throw new SvcdError('invalid_request', many, { hint: 'Remove one of them.' });
    }
    // The first revision is for what came from elsewhere and was not worked on here.
    put.run(of, id, mayTake ? Math.max(before, 1) + 1 : 1, at, JSON.stringify(content));
    revision += 1;
  };
  return {
    list: () =>
      heads.all(scope).map(({ changedAt, ...head }) => ({ ...head, changed_at: new Date(changedAt).toISOString() })),
    find,
    revision: () => revision,
    keep: (id, from, content) =>
      db
        .transaction(() => {
          const row = one.get(scope, id);
          const kept = row === undefined || row.revision === from;
          if (kept) write(scope, id, row?.revision ?? 0, clock.now(), content, true);
          return { kept, project: find(id) };
        })
        .immediate(),
    drop: (id) => {
      find(id);
      take.run(scope, id);
      revision += 1;
    },
    carried: () =>
      all.all().map(({ scope: of, id, changedAt, body }) => {
        return { scope: of, project: id, content: JSON.parse(body) as ProjectContent, changedAt };
      }),
    merge: ({ scope: of, project, content, changedAt }) =>
      db
        .transaction(() => {
          const row = one.get(of, project);
          if (row !== undefined && (row.changedAt >= changedAt || row.body === JSON.stringify(content))) return false;
          write(of, row === undefined || row.revision === 1 ? project : randomUUID(), 0, changedAt, content, false);
          return true;
        })
        .immediate(),
  };
}
