// svcd verify: files compared with their lock. Nothing is loaded that would need a home, a daemon or a network.

import { dirname } from 'node:path';
import { SvcdError } from '../../model/errors.js';
import { readLock } from '../../video/lock/read-lock.js';
import { verifyFiles, type FileProblem } from '../../video/lock/verify-files.js';
import { type Bodies, type CommandBody, textOption } from '../command.js';
import { lockFileOf } from '../../video/lock/find-lock.js';
import { formatCount, sanitize } from '../terminal/format.js';
import { printAnswer } from '../terminal/output.js';
import { applyWords } from './apply-words.js';

const text = applyWords();
import { openProgress } from '../terminal/progress.js';
import { progressWords } from '../terminal/progress-words.js';

const verify: CommandBody = {
  options: {
    lock: textOption(text.verifyLock),
  },
  examples: [
    `svcd verify # ${text.verifyExample}`,
    `svcd verify --lock public/svcd/assets.lock.json --json # ${text.forProgram}`,
  ],
  run: async (input) => {
    const file = lockFileOf(input.text('lock'));
    const { lock } = readLock(file);
    const progress = openProgress(input.json);
    const problems = verifyFiles(lock, dirname(file), (...told) => progress.show(progressWords().slots(...told)));
    progress.end();
    const assets = Object.values(lock.assets);
    const files = new Set(assets.map((one) => one.file)).size;
    const answer = {
      lock: file,
      ok: problems.length === 0,
      slots: assets.length,
      files,
      defaults: assets.filter(({ source }) => source === 'default').length,
      problems: problems.map(({ words, ...problem }) => ({ ...problem, message: `${problem.file} ${words}` })),
    };
    await printAnswer(input, answer, () =>
      problems.length === 0 ? describeGood(answer) : problems.map((problem) => describeProblem(problem)),
    );
    if (problems.length === 0) return;
    const wrong = new Set(problems.map((problem) => problem.file)).size;
    throw new SvcdError('lock_mismatch', text.differ(wrong, formatCount(files, 'file'), file), {
      hint: text.differHint,
    });
  },
};

export const bodies: Bodies = { verify };

function describeGood({ lock, files, defaults }: { lock: string; files: number; defaults: number }): string {
  const count = formatCount(files, 'file');
  return sanitize(
    defaults === 0 ? text.good(lock, count) : text.goodWithDefaults(lock, count, formatCount(defaults, 'slot')),
  );
}

function describeProblem({ slot, file, code, words }: FileProblem): string {
  return sanitize(`${slot}${text.colon}${file} ${text.problems[code] ?? words}`);
}
