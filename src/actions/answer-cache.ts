// A bounded memory of whole answers, emptied when what they were made from changes.

export interface AnswerCache<Answer> {
  /** The remembered answer, or a new one. */
  get(question: string, revision: number, make: () => Answer): Answer;
}

interface Kept<Answer> {
  readonly answer: Answer;
  readonly size: number;
}

/** What an entry takes besides its question and its answer, about. */
const ENTRY_BYTES = 200;

/** Remembers the answers asked for last, in at most about `maxBytes`. */
export function createAnswerCache<Answer extends { readonly body: string | Uint8Array }>(
  maxBytes: number,
): AnswerCache<Answer> {
  const answers = new Map<string, Kept<Answer>>();
  let [made, bytes] = [-1, 0];
  const forget = (question: string) => {
    bytes -= answers.get(question)?.size ?? 0;
    answers.delete(question);
  };
  return {
    get: (question, revision, make) => {
      if (made !== revision) {
        answers.clear();
        [made, bytes] = [revision, 0];
      }
      const kept = answers.get(question) ?? keep(question, make());
      // Taken out and put back in, so that the first entry is always the one asked for longest ago.
      forget(question);
      answers.set(question, kept);
      bytes += kept.size;
      for (const oldest of answers.keys()) {
        if (bytes <= maxBytes) break;
        forget(oldest);
      }
      return kept.answer;
    },
  };
}

function keep<Answer extends { readonly body: string | Uint8Array }>(
  question: string,
  answer: Answer,
): Kept<Answer> {
  return { answer, size: ENTRY_BYTES + sizeOf(question) + sizeOf(answer.body) };
}

// A character of a text takes two bytes, where not all are Latin.
function sizeOf(text: string | Uint8Array): number {
  return typeof text === 'string' ? 2 * text.length : text.byteLength;
}
