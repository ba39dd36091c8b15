// svcd done: the service is told that a video was made with a template.

import { existsSync, readFileSync } from 'node:fs';
import { LOCK_FILE } from '../../api/lock.js';
import { DURATION_MAX_S, LAYOUT_FORM } from '../../contract/limits.js';
import { CAPABILITY_OF } from '../../model/spender.js';
import { isRecord, parseJson } from '../../platform/json.js';
import { openPackage, type TemplatePackage } from '../../video/template/open-package.js';
import { type Bodies, type CommandBody, textOption } from '../command.js';
import { USUAL_LOCKS } from '../../video/lock/find-lock.js';
import type { Input } from '../terminal/input.js';
import { invalidArgument, wrongValue } from '../terminal/invalid-argument.js';
import { tellPackage } from './open-template.js';
import { printAnswer } from '../terminal/output.js';
import { describeStage, registerStage } from './register-stage.js';
import { asFileError } from '../terminal/target-file.js';
import { doneWords } from './done-words.js';

const words = doneWords();

/** Not to have told the service is no failure of a production: only what a person must mend ends in another code than 0. */
const doneCommand: CommandBody = {
  options: {
    layout: textOption(words.layout),
    duration: textOption(words.duration),
    lock: textOption(words.lock(USUAL_LOCKS)),
    report: textOption(words.report),
  },
  examples: [
    `svcd done birthday-card.motion # ${words.example}`,
    `svcd done birthday-card.motion --layout portrait --duration 12 # ${words.exampleThis}`,
    `svcd config set registerProductions never # ${words.exampleNever}`,
  ],
  run: async (input) => {
    const [layout, durationS] = [readLayout(input), readDuration(input)];
    const template = await openPackage(input.word('package'));
    const materials = findMaterials(input, template);
    tellPackage(template);
    return printAnswer(
      input,
      await registerStage(input, template, { stage: 'done', layout, durationS, materials }),
      describeStage,
    );
  },
};

export const bodies: Bodies = { done: doneCommand };

function readLayout(input: Input): string | undefined {
  const layout = input.text('layout');
  if (layout === undefined || LAYOUT_FORM.test(layout)) return layout;
  throw wrongValue('--layout', words.aWord, layout);
}

function readDuration(input: Input): number | undefined {
  const typed = input.text('duration');
  const seconds = typed === undefined ? undefined : /^\d{1,5}(\.\d{1,3})?$/.test(typed) ? Number(typed) : NaN;
  if (seconds === undefined || seconds <= DURATION_MAX_S) return seconds;
  throw wrongValue('--duration', words.seconds(DURATION_MAX_S), typed);
}

/** What was used, by the lock or report of the video; without either, what the template declares. */
function findMaterials(input: Input, { template, capabilities }: TemplatePackage): readonly string[] {
  const named = input.text('lock') ?? input.text('report');
  const file = named ?? USUAL_LOCKS.find((path) => existsSync(path));
  if (file === undefined) return capabilities;
  const value = parseJson(readText(file));
  const isOne = isRecord(value) && (value['lock'] !== undefined || value['report'] !== undefined);
  const assets =
    isOne && isRecord(value['assets']) ? Object.values(value['assets']) : isOne ? value['assets'] : undefined;
  if (!isOne || !Array.isArray(assets)) {
    throw invalidArgument(words.noLockNoReport(file), words.noLockNoReportHint(LOCK_FILE));
  }
  const other = value['template'];
  if (other !== undefined && other !== template) {
    if (named === undefined) return capabilities;
    throw invalidArgument(words.ofAnother(file, JSON.stringify(other), template));
  }
  // What a default stood in for was not used.
  const used = assets.filter(isRecord).filter(({ source, error }) => source !== 'default' && (error ?? null) === null);
  return capabilities.filter((word) =>
    used.some(({ kind }) => (kind === 'sticker' || kind === 'image') && CAPABILITY_OF[kind] === word),
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw asFileError(cause, file, 'read');
  }
}
