// The tools, prompts and resources that the conformance suite asks for, mounted in place of svcd's behind the same gate, with the
// names of forms that svcd gives. What each must answer the suite says itself, where one fails.

import {
  createMcpHandler,
  inputRequired,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { createConsents } from '../../../src/mcp/consent.js';

type Content = { type: 'text'; text: string } | { type: 'image' | 'audio'; data: string; mimeType: string };

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SILENCE = Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt '), Buffer.alloc(28)]).toString('base64');
const text = (said: string): Content => ({ type: 'text', text: said });
const image: Content = { type: 'image', data: PIXEL, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, said: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: said },
});

const form = (message: string, ...names: readonly string[]) => ({
  method: 'elicitation/create' as const,
  params: {
    mode: 'form' as const,
    message,
    requestedSchema: {
      type: 'object' as const,
      properties: Object.fromEntries(names.map((name) => [name, { type: name === 'ok' ? 'boolean' : 'string' }])),
      required: [...names],
    },
  },
});
const sampling = (said: string) => ({
  method: 'sampling/createMessage' as const,
  params: { messages: [{ role: 'user' as const, content: { type: 'text' as const, text: said } }], maxTokens: 100 },
});
const roots = { method: 'roots/list' as const, params: {} };

/** What each tool asks in its rounds; with a state where that is said. */
const ASKS: Readonly<Record<string, { readonly rounds: readonly object[]; readonly state?: boolean }>> = {
  elicitation: { rounds: [{ user_name: form('What is your name?', 'name') }] },
  sampling: { rounds: [{ capital_question: sampling('What is the capital of France?') }] },
  list_roots: { rounds: [{ client_roots: roots }] },
  request_state: { rounds: [{ confirm: form('Please confirm', 'ok') }], state: true },
  multiple_inputs: {
    rounds: [{ user_name: form('What is your name?', 'name'), greeting: sampling('Greet'), client_roots: roots }],
    state: true,
  },
  multi_round: {
    rounds: [{ step1: form('Step 1: What is your name?', 'name') }, { step2: form('Step 2: Color?', 'color') }],
    state: true,
  },
  tampered_state: { rounds: [{ confirm: form('Please confirm', 'ok') }], state: true },
  capabilities: { rounds: [{ greeting: sampling('Greet') }] },
};

const UNCHANGING = {
  tools: { listChanged: false },
  prompts: { listChanged: false },
  resources: { listChanged: false },
};
const consents = createConsents();

export function serveSuite(request: Request): Promise<Response> {
  return createMcpHandler(createSuite, { maxSubscriptions: 0 }).fetch(request);
}

function createSuite(): McpServer {
  const server = new McpServer(
    { name: 'suite', version: '1' },
    { capabilities: { logging: {}, completions: {}, ...UNCHANGING }, requestState: { verify: consents.take } },
  );
  const tool = (name: string, run: (context: ServerContext) => unknown) =>
    server.registerTool(name, { description: name }, async (context) => (await run(context)) as { content: [] });
  const answers = (name: string, ...content: readonly object[]) => tool(name, () => ({ content }));

  answers('test_simple_text', text('This is a simple text response for testing.'));
  answers('test_image_content', image);
  answers('test_audio_content', { type: 'audio', data: SILENCE, mimeType: 'audio/wav' });
  answers(
    'test_embedded_resource',
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource.'),
  );
  const mixed = embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}');
  answers('test_multiple_content_types', text('Multiple content types test:'), image, mixed);
  tool('test_error_handling', () => ({ isError: true, content: [text('This tool intentionally returns an error')] }));
  tool('test_tool_with_progress', async ({ mcpReq: { _meta, notify } }) => {
    const progressToken = _meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100])
      await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    return { content: [text('done')] };
  });
  for (const name of ['test_tool_with_logging', 'test_logging_tool']) {
    tool(name, async ({ mcpReq }) => {
      for (const one of ['started', 'processing data', 'completed']) await mcpReq.log('info', `Tool ${one}`);
      return { content: [text('done')] };
    });
  }
  const ask = (asked: object, requestState?: string) =>
    inputRequired({ inputRequests: asked, ...(requestState !== undefined && { requestState }) } as never);
  tool('test_missing_capability', () => ask({ greeting: sampling('Greet') }));
  tool('test_streaming_elicitation', () => ask({ user_name: form('What is your name?', 'name') }));
  for (const [name, { rounds, state = false }] of Object.entries(ASKS)) {
    const own = `test_input_required_result_${name}`;
    tool(own, ({ mcpReq: { inputResponses = {}, requestState } }) => {
      const nth = state ? (requestState<{ cost: number }>()?.cost ?? 0) : 0;
      const [before, next] = state ? [rounds[nth - 1], rounds[nth]] : [undefined, rounds[0]];
      const isAnswered = (asked: object = {}) => Object.keys(asked).every((key) => key in inputResponses);
      const isDone = state ? next === undefined && isAnswered(before) : isAnswered(next);
      if (isDone) return { content: [text(`state-ok ${JSON.stringify(inputResponses)}`)] };
      return ask(next ?? before ?? {}, state ? consents.open({ tool: own, args: '', cost: nth + 1 }) : undefined);
    });
  }

  const prompt = (name: string, ...content: readonly object[]) =>
    server.registerPrompt(name, { description: name }, () => said(...content));
  const said = (...content: readonly object[]) =>
    ({ messages: content.map((one) => ({ role: 'user', content: one })) }) as { messages: [] };
  prompt('test_simple_prompt', text('This is a simple prompt for testing.'));
  prompt('test_prompt_with_image', image, text('Please analyze the image above.'));
  const two = toStandardJsonSchema(v.object({ arg1: v.string(), arg2: v.string() }));
  server.registerPrompt('test_prompt_with_arguments', { description: 'two', argsSchema: two }, ({ arg1, arg2 }) =>
    said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  const one = toStandardJsonSchema(v.object({ resourceUri: v.string() }));
  server.registerPrompt('test_prompt_with_embedded_resource', { description: 'one', argsSchema: one }, (given) =>
    said(embedded(given.resourceUri, 'text/plain', 'Embedded resource.'), text('Please process it.')),
  );
  const context = { user_context: form('What context should the prompt use?', 'context') };
  server.registerPrompt('test_input_required_result_prompt', { description: 'asks' }, (({ mcpReq }: ServerContext) =>
    mcpReq.inputResponses === undefined ? ask(context) : said(text('in that context'))) as never);

  const plain = { mimeType: 'text/plain' };
  server.registerResource('text', 'test://static-text', plain, ({ href: uri }) => ({
    contents: [{ uri, ...plain, text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource('binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: PIXEL }],
  }));
  const complete = { id: (typed: string) => [typed] };
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined, complete });
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href: uri }, { id }) => ({
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, data: `Data for ID: ${String(id)}` }) }],
  }));
  return server;
}
