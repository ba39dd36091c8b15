// svcd attribution: the credit lines of a video, from the report of its run or the lock of its assets.

import { readFileSync } from 'node:fs';
import { UNKNOWN_LICENCE } from '../../model/credit.js';
import { isRecord, parseJson } from '../../platform/json.js';
import { type Bodies, type CommandBody } from '../command.js';
import { sanitize } from '../terminal/format.js';
import type { Input } from '../terminal/input.js';
import { invalidArgument } from '../terminal/invalid-argument.js';
import { printAnswer } from '../terminal/output.js';
import { asFileError } from '../terminal/target-file.js';
import { factsWords } from '../library/facts-words.js';

const words = factsWords();

interface Credits {
  /** One for each line, by the line; with what it is for. */
  readonly credits: readonly { readonly attribution: string; readonly presets: readonly string[] }[];
  /** Presets of which nobody told the licence. */
  readonly unknown: readonly string[];
}

const attribution: CommandBody = {
  examples: [
    `svcd attribution report.json # ${words.exampleReport}`,
    `svcd attribution assets.lock.json --json # ${words.exampleLock}`,
  ],
  run: async (input: Input) => printAnswer(input, creditsIn(readAssets(input.word('file'))), describe),
};

export const bodies: Bodies = { attribution };

type Fields = Readonly<Record<string, unknown>>;

/** The assets of a report or lock: a list, or an object by preset. Throws `invalid_argument` for anything else. */
function readAssets(file: string): Fields[] {
  const value = parseJson(readText(file));
  const assets = isRecord(value) ? value['assets'] : value;
  const listed = Array.isArray(assets)
    ? assets.filter(isRecord)
    : Object.entries(isRecord(assets) ? assets : {}).map(([preset, asset]) => ({
        preset,
        ...(isRecord(asset) ? asset : {}),
      }));
  // A Lottie file has assets too, of another kind: it must not pass for a video that owes nobody a credit.
  const isReport = isRecord(value) && (value['report'] !== undefined || value['lock'] !== undefined);
  const areNamed = listed.length > 0 && listed.every((asset: Fields) => isNamed(asset));
  if (isReport || areNamed) return listed;
  throw invalidArgument(words.noReport(file), words.noReportHint);
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (cause) {
    throw asFileError(cause, file, 'read');
  }
}

function creditsIn(assets: readonly Fields[]): Credits {
  const lines = new Map<string, Set<string>>();
  const unknown = new Set<string>();
  for (const asset of assets) {
    const preset = textOf(asset['preset']);
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

function isNamed({ preset, image }: Fields): boolean {
  return textOf(preset) !== undefined || textOf(image) !== undefined;
}

/** A text on one line; undefined for none. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
  return text === '' ? undefined : text;
}

function describe({ credits, unknown }: Credits): string[] {
  const lines = credits.map((credit) => sanitize(credit.attribution));
  const open = unknown.map((preset) => words.unknown(sanitize(preset)));
  return lines.length + open.length === 0 ? [words.noCredit] : [...lines, ...open];
}
