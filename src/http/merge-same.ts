// Free questions that many ask at the same time, asked once.

interface Told {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: ArrayBuffer;
}

/** Answers a question that is under way with the answer of the first. */
export function mergeSame(): (question: string, ask: () => Promise<Response>) => Promise<Response> {
  const underWay = new Map<string, Promise<Told>>();
  return async (question, ask) => {
    const asked = underWay.get(question) ?? toldBy(ask).finally(() => underWay.delete(question));
    underWay.set(question, asked);
    // Each gets one of its own: a clone of the server's light response is none of its class.
    const { status, headers, body } = await asked;
    return new Response(body.slice(0), {
      status,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
    });
  };
}

async function toldBy(ask: () => Promise<Response>): Promise<Told> {
  const answer = await ask();
  return { status: answer.status, headers: [...answer.headers], body: await answer.arrayBuffer() };
}
