// What the tests of "svcd mcp" stand on: a daemon with a sandbox for the file, and hosts that use the SDK's own client.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type ElicitResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { ROOT } from '../support/doc-table.js';
import { eachHome } from '../support/in-test.js';
import { environmentOf, runSvcd } from '../support/run-svcd.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';

export const CANARY = 'sk-canary-mcp-5b1f07d2';

type Told = Record<string, unknown> & { readonly error?: string };
export type Era = 'auto' | 'legacy';

export interface HostOptions {
  readonly args?: readonly string[];
  readonly era?: Era;
  /** What the person does with a form; without it the host shows none. */
  readonly onForm?: (message: string) => ElicitResult | Promise<ElicitResult>;
  readonly name?: string;
}

/** For a file: `svcd` and `folder` are of the moment. */
export function assistantStage() {
  let svcd: StartedSvcd;
  let folder: string;
  const told: string[] = [];
  beforeAll(async () => {
    svcd = await startSvcd(['--sandbox']);
  });
  eachHome((made) => (folder = made));
  afterAll(async () => {
    await runSvcd(['stop'], { home: svcd.home });
    await svcd.stop();
  });

  /** `svcd mcp` in the working folder, and a host that calls its tools. */
  async function openAssistant({ args = [], era = 'legacy', onForm, name = 'host' }: HostOptions = {}) {
    const capabilities = onForm === undefined ? {} : { elicitation: { form: {} } };
    const client = new Client({ name, version: '1' }, { capabilities, versionNegotiation: { mode: era } });
    const forms: string[] = [];
    if (onForm !== undefined) {
      client.setRequestHandler('elicitation/create', ({ params: { message } }) => {
        forms.push(message);
        return onForm(message);
      });
    }
    const env = { ...environmentOf(svcd.home), SERVICE_API_KEY: CANARY } as Record<string, string>;
    const command = [join(ROOT, 'bin', 'svcd.js'), 'mcp', ...args];
    const about = { command: process.execPath, args: command, env, cwd: folder, stderr: 'pipe' as const };
    const transport = new StdioClientTransport(about);
    transport.stderr?.on('data', (part: Buffer) => told.push(part.toString()));
    await client.connect(transport);
    onTestFinished(() => client.close());
    const call = async (tool: string, given: object = {}): Promise<Told> => {
      const result = await client.callTool({ name: tool, arguments: { ...given } });
      told.push(JSON.stringify(result));
      const [{ text = '' } = {}] = result.content as { text?: string }[];
      if (result.isError === true) return { error: text };
      expect(JSON.parse(text)).toEqual(result.structuredContent);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(6 * 1024);
      return result.structuredContent as Told;
    };
    return { client, call, forms };
  }

  /** An answer of the daemon to its owner. */
  async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
    const headers = { authorization: `Bearer ${svcd.info.token}`, 'content-type': 'application/json' };
    return (await (await fetch(svcd.info.url + path, { ...init, headers })).json()) as T;
  }

  return {
    svcd: () => svcd,
    folder: () => folder,
    told,
    openAssistant,
    ask,
    /** Credits that were spent in all, as the daemon says. */
    spent: async () => (await ask<{ spent: number }>('/svcd/spending')).spent,
    filesIn: (name = 'svcd-assets') => {
      const path = join(folder, name);
      return existsSync(path) ? readdirSync(path) : undefined;
    },
  };
}
