// A script as svcd keeps it, from the first choice on: written half a second after a change, and opened by its address. What
// another tab wrote meanwhile is shown; what this one had is offered back.

import { effect, signal } from '@preact/signals';
import type { Project, ProjectContent, ProjectHead, ProjectKept, Projects } from '../api/collections.js';
import { ApiError, ask, askJson, messageOf, refusalIn } from './api.js';
import { lines, linesSaid, matchCopy, matched, problem, rowFilters, style } from './copy.js';
import { saveFile } from './export/ways.js';
import { safeName } from './export/file-name.js';
import { copyText, hasSession } from './extras.js';
import { onChange } from './live.js';
import { change, isThere, leaveProject, say, sayToStay, view } from './store.js';
import { extraWords } from './words/extras.js';
import { lang, words } from './words/words.js';

/** The one that is open; of revision 0 until svcd has it. */
export const project = signal<ProjectHead | undefined>(undefined);
/** All that are kept, the newest first. */
export const projects = signal<readonly ProjectHead[]>([]);
/** Why what is seen is not kept. */
export const notKept = signal('');
/** Whether this script shall be kept. */
export const isKept = signal(true);

const WRITE_AFTER_MS = 500;
let timer: ReturnType<typeof setTimeout> | undefined;
let isOpening = false;
/** One is written or opened after another. */
let turn: Promise<unknown> = Promise.resolve();

function inTurn(work: () => Promise<void>): Promise<void> {
  const done = turn.then(work);
  turn = done.catch(() => undefined);
  return done;
}

/** What svcd has of it. */
const written = signal('');

const pathOf = (id: string): string => `/svcd/projects/${id}`;

/** What there is to keep, as text; empty while nothing was decided. */
function contentNow(): string {
  if (!isKept.value || (project.value === undefined && lines.value.size === 0) || matched.value === undefined)
    return '';
  return JSON.stringify({
    version: 1,
    name: project.value?.name ?? '',
    script: matched.value.text,
    lines: linesSaid().map(({ text, preset, q, locked }) => ({
      text,
      preset: preset ?? null,
      ...(q !== undefined && { q }),
      ...(locked === true && { locked }),
    })),
    // Of styles the one of all is kept.
    filters: { ...rowFilters(), style: style.value },
  } satisfies ProjectContent);
}

/** Whether all that is seen is kept. */
export const isWritten = (): boolean => project.value !== undefined && contentNow() === written.value;

/** Begins to keep what is decided, and opens what the address names. Without a session nothing is kept. */
export function beginProjects(): void {
  if (!hasSession()) return;
  void readProjects();
  onChange((event) => {
    if (event === 'projects') void readProjects();
  });
  effect(() => {
    const id = view.value.project;
    if (id !== '' && id !== project.peek()?.id) void openProject(id);
  });
  effect(() => {
    const content = contentNow();
    if (content === '' || content === written.value || !isThere.value || isOpening) return;
    if (project.peek() === undefined) {
      const id = crypto.randomUUID();
      project.value = { id, name: '', revision: 0, changed_at: '' };
      change({ project: id, mode: view.peek().mode });
    }
    clearTimeout(timer);
    timer = setTimeout(() => void write(), WRITE_AFTER_MS);
  });
  addEventListener('pagehide', () => void write());
}

async function readProjects(): Promise<void> {
  const listed = await askJson<Projects>('/svcd/projects').catch(() => undefined);
  if (listed === undefined) return;
  projects.value = listed.projects;
  // What is written here now is told by its own answer.
  await turn;
  const { value } = project;
  const now = projects.value.find(({ id }) => id === value?.id);
  // What is typed and not matched yet would be lost.
  if (value === undefined || !isWritten() || copyText.value !== matched.value?.text) return;
  if (now !== undefined && now.revision > value.revision) await openProject(now.id);
  // Another tab took it out of svcd.
  if (now === undefined && value.revision > 0) close(false);
}

/** Writes what is not written. A page that goes away has it sent all the same, unless it is just being written. */
export function write(): Promise<void> {
  return inTurn(writeNow);
}

async function writeNow(): Promise<void> {
  clearTimeout(timer);
  const content = contentNow();
  const { value } = project;
  if (value === undefined || content === '' || content === written.value) return;
  try {
    const { kept, project: now } = await askJson<ProjectKept>(pathOf(value.id), {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: `{"revision":${value.revision},"content":${content}}`,
      keepalive: true,
    });
    notKept.value = '';
    // Another may be open by now, and this one may have got another name.
    if (project.value?.id !== value.id) return;
    if (kept) [project.value, written.value] = [{ ...now, name: project.value.name }, content];
    else {
      await show(now);
      const mine = { ...now, content: JSON.parse(content) as ProjectContent };
      sayToStay(extraWords.value.otherTab, { label: extraWords.value.putMine, run: () => void putBack(mine) });
      return;
    }
  } catch (error) {
    const hint = error instanceof ApiError ? (error.hint ?? '') : '';
    notKept.value = extraWords.value.notKept(`${messageOf(error)}${hint === '' ? '' : `. ${hint}`}`);
    return;
  }
  // What changed meanwhile.
  void write();
}

/** What this tab had takes the place of what another wrote. */
async function putBack(mine: Project): Promise<void> {
  await inTurn(async () => {
    await writeNow();
    await show(mine);
    written.value = '';
  });
  await write();
}

/** Opens a kept script, once what is open is kept; where it cannot be, that stays open. */
export function openProject(id: string): Promise<void> {
  return inTurn(async () => {
    await writeNow();
    if (notKept.value !== '') return;
    try {
      await show(await askJson<Project>(pathOf(id)));
    } catch (error) {
      unlessNotThere(error);
      // It was taken back: the page begins anew.
      if (error instanceof ApiError && error.code === 'not_found' && view.peek().project === id) leaveProject();
    }
  });
}

async function show({ content, ...head }: Project): Promise<void> {
  const { style: styleOfAll = 'any', ...filters } = content.filters;
  isOpening = true;
  try {
    copyText.value = content.script;
    style.value = styleOfAll;
    await matchCopy(
      content.lines.map(({ preset, ...line }) => ({ ...line, preset: preset ?? undefined })),
      filters,
    );
  } finally {
    isOpening = false;
  }
  if (problem.value !== '') return;
  [isKept.value, project.value] = [true, head];
  const { color = '', aspect = '', max_duration: longest = '0' } = filters;
  change({ project: head.id, mode: view.peek().mode, color, aspect, maxDuration: Number(longest), style: '' });
  written.value = contentNow();
}

/** What is seen is a script of its own from now on. */
export const beginAnew = (): void => close(true);

function close(keeps: boolean): void {
  clearTimeout(timer);
  [project.value, isKept.value, written.value, notKept.value] = [undefined, keeps, '', ''];
  leaveProject();
}

export function rename(name: string): void {
  if (project.value !== undefined) project.value = { ...project.value, name: name.trim().normalize('NFC') };
}

/** Takes it out of svcd; in this tab it stays. */
export async function forget(): Promise<void> {
  const { value } = project;
  close(false);
  // After what is just being written, or svcd would keep that.
  await inTurn(async () => {
    if (value !== undefined) await askJson(pathOf(value.id), { method: 'DELETE' }).catch(unlessNotThere);
  });
  say(extraWords.value.forgotten);
}

function unlessNotThere(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'not_found')) sayToStay(messageOf(error));
}

/** Saves it for `svcd plan --copy`. */
export async function saveCopy(): Promise<void> {
  const { value } = project;
  if (value === undefined) return;
  await write();
  const answer = await ask(`${pathOf(value.id)}/copy`);
  if (!answer.ok) return sayToStay(messageOf(await refusalIn(answer)));
  const name = `${value.name === '' ? 'copy' : safeName(value.name)}.json`;
  saveFile(await answer.blob(), name);
  say(words.value.saved(name));
}

/** What a script is called; a draft by the time of its last change. */
export function nameOf({ name, changed_at: at }: ProjectHead): string {
  const time = at === '' ? '…' : new Date(at).toLocaleString(lang.value, { dateStyle: 'short', timeStyle: 'short' });
  return name === '' ? extraWords.value.untitled(time) : name;
}
