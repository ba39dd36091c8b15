// Lines of an exported library merged into this one, batch by batch: each batch is one transaction, and a merge is the
// same however often it is done, so that a run that was cut off leaves a sound library and can simply be repeated.

import { SvcdError } from '../../model/errors.js';
import type { NumberedLine } from '../../platform/read-lines.js';
import { EXPORT_VERSION, readExportRecord, type ExportHeader, type ExportRecord } from './export-record.js';
import type { LearnedData } from './learned-data.js';
import { type StickerStore, guard } from './sticker-store.js';

export interface ImportReport {
  /** Lines read, empty ones not counted. */
  lines: number;
  added: number;
  changed: number;
  unchanged: number;
  /** Keywords that were left out: more than 64 of a sticker, repeated, or too long. */
  dropped_keywords: number;
  /** Lines that could not be used, and the first of them with their numbers. */
  bad: number;
  readonly bad_lines: { line: number; why: string }[];
  /** Whether the file came to its end; one without a header cannot say. */
  whole: boolean | null;
}

const MAX_TOLD = 20;
/** The scope of a library without a remote, which takes what any has. */
const NO_REMOTE = 'none';

export interface LibraryImportOptions {
  /** Take what was exported from another remote too. */
  readonly anyScope: boolean;
}

/** Takes in batches of lines. */
export class LibraryImport {
  readonly report: ImportReport = {
    lines: 0,
    added: 0,
    changed: 0,
    unchanged: 0,
    dropped_keywords: 0,
    bad: 0,
    bad_lines: [],
    whole: null,
  };
  private readonly store: StickerStore;
  private readonly learned: LearnedData;
  private readonly options: LibraryImportOptions;
  private header: ExportHeader | undefined;

  constructor(store: StickerStore, learned: LearnedData, options: LibraryImportOptions) {
    this.store = store;
    this.learned = learned;
    this.options = options;
  }

  /**
   * Merges lines in one transaction: all, or the first ones until it is told that this step is over. Gives how many.
   * Throws `invalid_request` for a header that says the file is not for us.
   */
  add(lines: readonly NumberedLine[], isOver = (): boolean => false): number {
    let taken = 0;
    const counts = { added: 0, changed: 0 };
    const write = this.store.db.transaction(() => {
      for (const { number, text } of lines) {
        const line = readExportRecord(text, this.header !== undefined);
        if (line.kind === 'header') this.takeHeader(line.header, number);
        this.takeOne(line, number, counts);
        taken += 1;
        if (isOver()) break;
      }
      this.store.countIn(counts);
    });
    guard(() => write.immediate());
    this.report.lines += taken;
    this.report.added += counts.added;
    this.report.changed += counts.changed;
    this.store.readState();
    return taken;
  }

  /** Whether the file was the whole library of its remote, read to its end without a bad line. */
  isComplete(): boolean {
    const { header, report, store } = this;
    return report.whole === true && header?.complete === true && header.scope === store.scope && report.bad === 0;
  }

  private takeHeader(header: ExportHeader, line: number): void {
    if (line !== 1) return;
    const { version, scope } = header;
    if (version > EXPORT_VERSION) {
      throw new SvcdError('invalid_request', `the file is of version ${version}, which a newer svcd wrote`, {
        hint: 'Update svcd, or export it again from the older one.',
      });
    }
    if (scope !== this.store.scope && this.store.scope !== NO_REMOTE && !this.options.anyScope) {
      throw new SvcdError(
        'invalid_request',
        `the file was exported from ${JSON.stringify(scope)}, this library belongs to ${JSON.stringify(this.store.scope)}`,
        { hint: 'If both are the same service, import it with --any-remote.' },
      );
    }
    this.header = header;
    this.report.whole = false;
  }

  private takeOne(line: ExportRecord, number: number, counts: { added: number; changed: number }): void {
    if (line.kind === 'sticker') return this.takeSticker(line, number, counts);
    if (line.kind === 'recall') return this.learned.rememberExported(line);
    if (line.kind === 'synonym') return this.learned.putExportedSynonym(line.word, line.finds);
    if (line.kind === 'end') this.report.whole = true;
    if (line.kind === 'header' && number !== 1) return this.note(number, 'a second header');
    if (line.kind === 'bad') this.note(number, line.why);
  }

  private takeSticker(
    line: Extract<ExportRecord, { kind: 'sticker' }>,
    number: number,
    counts: { added: number; changed: number },
  ): void {
    this.report.dropped_keywords += line.droppedKeywords;
    const outcome = this.learned.mergeExported(line.sticker, line.seen, line.originals);
    if (outcome === 'refused') this.note(number, 'it has no title, or its preset is the name of a file of yours');
    else if (outcome === 'unchanged') this.report.unchanged += 1;
    else counts[outcome] += 1;
  }

  private note(line: number, why: string): void {
    this.report.bad += 1;
    if (this.report.bad_lines.length < MAX_TOLD) this.report.bad_lines.push({ line, why });
  }
}
