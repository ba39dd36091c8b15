// A bounded memory of whole answers, emptied when what they were made from changes.

export interface AnswerCache<T> {
  /** The remembered answer, or a new one. */
  get(question: string, revision: number, make: () => T): T;
}

/** Remembers the `max` answers asked for last, none longer than a request could make it worth. */
export function createAnswerCache<T>(max: number): AnswerCache<T> {
  const answers = new Map<string, T>();
  let made = -1;
  return {
    get: (question, revision, make) => {
      if (made !== revision) {
        answers.clear();
        made = revision;
      }
      const answer = answers.get(question) ?? make();
      // Taken out and put back in, so that the first entry is always the one asked for longest ago.
      answers.delete(question);
      answers.set(question, answer);
      if (answers.size > max) answers.delete(answers.keys().next().value ?? question);
      return answer;
    },
  };
}
