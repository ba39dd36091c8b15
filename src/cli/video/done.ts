// What is left when a video is made: its credit lines, and telling the service (svcd attribution, svcd done). Both read what it
// is made of from its lock, or from the report of its run.

import { existsSync, readFileSync } from 'node:fs';
import { DURATION_MAX_S, LAYOUT_FORM } from '../../contract/limits.js';
import { UNKNOWN_LICENCE } from '../../model/credit.js';
import { CAPABILITY_OF } from '../../model/spender.js';
import { readForeignFile } from '../../platform/files/foreign-file.js';
import { isRecord, parseJson } from '../../platform/json.js';
import { USUAL_LOCKS } from '../../video/lock/find-lock.js';
import { openPackage, type TemplatePackage } from '../../video/template/open-package.js';
import { type Bodies, type CommandBody, textOption } from '../command.js';
import { tellPackage } from '../run/run.js';
import { sanitize } from '../terminal/format.js';
import { type Input, invalidArgument, wrongValue } from '../terminal/input.js';
import { printAnswer } from '../terminal/output.js';
import { asFileError } from '../terminal/target-file.js';
import { describeStage, registerStage } from './register-stage.js';
import { videoWords } from './words.js';

const { attribution: creditWords, done: words } = videoWords();

const REPORT_MAX_BYTES = 64 * 1024 * 1024;

interface Credits {
  /** One for each line, by the line; with what it is for. */
  readonly credits: readonly { readonly attribution: string; readonly presets: readonly string[] }[];
  /** Presets of which nobody told the licence. */
  readonly unknown: readonly string[];
}

const attribution: CommandBody = {
  examples: creditWords.examples,
  run: async (input) => {
    const file = input.word('file');
    const { assets, isVideo } = readAssets(file);
    // A Lottie file has assets too, of another kind: it must not pass for a video that owes nobody a credit.
    const areNamed = assets !== undefined && assets.length > 0 && assets.every(isNamed);
    if (!isVideo && !areNamed) throw noReport(file);
    return printAnswer(input, creditsIn(assets ?? []), describeCredits);
  },
};

/** Not to have told the service is no failure of a production: only what a person must mend ends in another code than 0. */
const done: CommandBody = {
  options: {
    layout: textOption(words.layout),
    duration: textOption(words.duration),
    lock: textOption(words.lock(USUAL_LOCKS)),
    report: textOption(words.report),
  },
  examples: words.examples,
  run: async (input) => {
    const [layout, durationS] = [readLayout(input), readDuration(input)];
    const template = await openPackage(input.word('package'));
    const materials = findMaterials(input, template);
    tellPackage(template);
    const outcome = await registerStage(input, template, { stage: 'done', layout, durationS, materials });
    return printAnswer(input, outcome, describeStage);
  },
};

export const bodies: Bodies = { attribution, done };

type Fields = Readonly<Record<string, unknown>>;

/** The assets that a file names, a list or an object by preset, and whether it is a lock or a report; `-` is stdin. */
function readAssets(file: string): { isVideo: boolean; template: unknown; assets: readonly Fields[] | undefined } {
  const value = parseJson(readText(file));
  const video = isRecord(value) ? value : {};
  const listed = isRecord(value) ? value['assets'] : value;
  const byPreset = isRecord(listed)
    ? Object.entries(listed).map(([preset, asset]) => ({ preset, ...(isRecord(asset) ? asset : {}) }))
    : undefined;
  return {
    isVideo: video['report'] !== undefined || video['lock'] !== undefined,
    template: video['template'],
    assets: Array.isArray(listed) ? listed.filter(isRecord) : byPreset,
  };
}

function noReport(file: string): Error {
  return invalidArgument(creditWords.noReport(file), creditWords.noReportHint);
}

function readText(file: string): string {
  try {
    return file === '-' ? readFileSync(0, 'utf8') : readForeignFile(file, REPORT_MAX_BYTES).toString('utf8');
  } catch (cause) {
    throw asFileError(cause, file, 'read');
  }
}

function creditsIn(assets: readonly Fields[]): Credits {
  const lines = new Map<string, Set<string>>();
  const unknown = new Set<string>();
  for (const asset of assets) {
    const preset = textOf(asset['preset'] ?? asset['track']);
    // Images are made to order and have no author to name.
    if (preset === undefined) continue;
    // What failed is not in the video.
    if (asset['outcome'] === 'failed') continue;
    const line = textOf(asset['attribution']);
    if (line !== undefined && line !== UNKNOWN_LICENCE) lines.set(line, (lines.get(line) ?? new Set()).add(preset));
    else if ((textOf(asset['licence']) ?? UNKNOWN_LICENCE) === UNKNOWN_LICENCE) unknown.add(preset);
  }
  const credits = [...lines.keys()]
    .toSorted()
    .map((line) => ({ attribution: line, presets: [...(lines.get(line) ?? [])].toSorted() }));
  return { credits, unknown: [...unknown].toSorted() };
}

function isNamed({ preset, image, track }: Fields): boolean {
  return textOf(preset ?? image ?? track) !== undefined;
}

/** A text on one line; undefined for none. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
  return text === '' ? undefined : text;
}

function describeCredits({ credits, unknown }: Credits): string[] {
  const lines = credits.map((credit) => sanitize(credit.attribution));
  const open = unknown.map((preset) => creditWords.unknown(sanitize(preset)));
  return lines.length + open.length === 0 ? [creditWords.noCredit] : [...lines, ...open];
}

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
  const { isVideo, template: other, assets } = readAssets(file);
  if (!isVideo || assets === undefined) throw noReport(file);
  if (other !== undefined && other !== template) {
    if (named === undefined) return capabilities;
    throw invalidArgument(words.ofAnother(file, JSON.stringify(other), template));
  }
  // What a default stood in for was not used.
  const used = assets.filter(({ source, error }) => source !== 'default' && (error ?? null) === null);
  return capabilities.filter((word) =>
    used.some(({ kind }) => Object.entries(CAPABILITY_OF).some((pair) => pair[0] === kind && pair[1] === word)),
  );
}
