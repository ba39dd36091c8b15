// Tells the service that a template is produced: asked once, and never in the way of the production.

import { type Config, loadConfig, writeSetting } from '../../config/config.js';
import { isSvcdError } from '../../model/errors.js';
import { prepareHome } from '../../platform/files/home-folder.js';
import { adviceIn } from '../../video/template/advice.js';
import type { TemplatePackage } from '../../video/template/open-package.js';
import { withClient } from '../connection/client.js';
import { formatForeign } from '../terminal/format.js';
import type { Input } from '../terminal/input.js';
import { printNote } from '../terminal/output.js';
import { expectOk, jsonQuestion } from '../connection/running-daemon.js';
import { findAnswer } from '../terminal/terminal-input.js';
import { videoWords } from './words.js';

export interface Stage {
  /** `plan` before a plan is shown, `done` after export. */
  readonly stage: 'plan' | 'done';
  /** Those of motion.json if not given. */
  readonly layout?: string | undefined;
  readonly durationS?: number | undefined;
  /** The declared capability words that are used. */
  readonly materials: readonly string[];
}

export interface StageOutcome {
  readonly template: string;
  readonly stage: Stage['stage'];
  readonly registered: boolean;
  /** Why it was not: `changed`, `not_asked` (no terminal), `declined`, or the code of what failed. */
  readonly reason: string | null;
  readonly production_id: string | null;
  readonly latest_version: string | null;
  /** Known issues and new versions, and the author's tips, cut and without control characters. */
  readonly notices: readonly string[];
  readonly tips: readonly string[];
}

const HOST = 'svcd';

/**
 * Registers a production, after asking where that is still open. It is skipped where the user declines or the service cannot
 * be reached. Throws what a person must mend: a Key or a field that the service refuses.
 */
export async function registerStage(input: Input, template: TemplatePackage, stage: Stage): Promise<StageOutcome> {
  const none = { production_id: null, latest_version: null, notices: [], tips: [] };
  const skipped = (reason: string): StageOutcome => ({
    template: template.template,
    stage: stage.stage,
    registered: false,
    reason,
    ...none,
  });
  const { packageSha256 } = template;
  if (packageSha256 === undefined) return skipped('changed');
  const choice = await findChoice(input, template);
  if (choice !== 'always') return skipped(choice === 'never' ? 'declined' : 'not_asked');
  const answer = await withClient({ ...input, spends: true }, async (client) => {
    const body = fieldsOf(template, packageSha256, stage);
    return expectOk(await client.request('POST', '/api/v1/productions', jsonQuestion(body)));
  });
  if (answer.header('x-svcd-source') === 'default') return skipped(answer.header('x-svcd-reason') ?? 'offline');
  return { ...skipped(''), registered: true, reason: null, ...advice(answer.json(), template) };
}

/** The same for a command that has something else to do: what is worth it becomes lines, and nothing is thrown. */
export async function tellStage(input: Input, template: TemplatePackage, stage: Stage): Promise<void> {
  try {
    const outcome = await registerStage(input, template, stage);
    // Who declined, or cannot be asked, is not told each time.
    if (outcome.registered || !QUIET.has(outcome.reason ?? '')) describeStage(outcome).forEach(printNote);
  } catch (error) {
    const why = formatForeign(error instanceof Error ? error.message : String(error));
    printNote(videoWords().done.toldNotNote(formatForeign(template.template), why));
  }
}

const QUIET: ReadonlySet<string> = new Set(['changed', 'declined', 'not_asked']);

/** The outcome for a person. */
export function describeStage(outcome: StageOutcome): string[] {
  const { registered, reason, stage, notices, tips } = outcome;
  const words = videoWords().done;
  const template = formatForeign(outcome.template);
  if (!registered) {
    const why = words.reasons[reason ?? ''] ?? words.unreachable(formatForeign(reason ?? 'offline'));
    return [words.toldNot(template, why)];
  }
  return [words.told(template, stage), ...notices.map(words.notice), ...tips.map(words.tip)];
}

function fieldsOf(template: TemplatePackage, packageSha256: string, stage: Stage) {
  return {
    template: template.template,
    package_sha256: packageSha256,
    host: HOST,
    layout: stage.layout ?? template.layout,
    duration_s: stage.durationS ?? template.durationS,
    materials: template.capabilities.filter((word) => stage.materials.includes(word)),
    stage: stage.stage,
  };
}

/** What the user wants; `ask` where nobody can be asked now. An answer is kept. */
async function findChoice(input: Input, { template }: TemplatePackage): Promise<Config['registerProductions']> {
  const home = await input.home();
  const { registerProductions } = await loadConfig({ home });
  // A program that reads the answer is not to be kept waiting.
  if (registerProductions !== 'ask' || input.json) return registerProductions;
  const answer = await findAnswer(videoWords().done.ask(formatForeign(template)));
  if (answer === undefined) return 'ask';
  const choice = answer ? 'always' : 'never';
  try {
    prepareHome(home);
    writeSetting(home, 'registerProductions', choice);
  } catch (error) {
    const why = isSvcdError(error) ? error.message : String(error);
    printNote(videoWords().done.notKept(formatForeign(why)));
  }
  return choice;
}

function advice(answer: unknown, { template }: TemplatePackage) {
  const { production_id: id, latest_version: latest, notices, tips } = adviceIn(answer);
  const [name, version] = splitAt(template);
  const isNew = latest !== null && latest !== version;
  // The service says so itself, mostly.
  const isSaid = latest !== null && notices.some((words) => words.includes(latest));
  return {
    production_id: id === null ? null : formatForeign(id),
    latest_version: latest === null ? null : formatForeign(latest),
    notices: [
      ...(isNew && !isSaid ? [formatForeign(videoWords().done.newVersion(name, latest, version))] : []),
      ...notices.map(formatForeign),
    ],
    tips: tips.map(formatForeign),
  };
}

function splitAt(template: string): [name: string, version: string] {
  const at = template.lastIndexOf('@');
  return [template.slice(0, at), template.slice(at + 1)];
}
