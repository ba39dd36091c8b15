// Free questions that many ask at the same time, asked once.

/** Answers a question that is under way with the answer of the first. */
export function mergeSame(): (question: string, ask: () => Promise<Response>) => Promise<Response> {
  const underWay = new Map<string, Promise<Response>>();
  return async (question, ask) => {
    const asked = underWay.get(question) ?? ask().finally(() => underWay.delete(question));
    underWay.set(question, asked);
    // Of an answer each reads a copy.
    return (await asked).clone();
  };
}
