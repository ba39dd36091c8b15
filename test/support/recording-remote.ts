// A remote that writes down every byte of what it is asked, and answers anything.

import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { CAKE, tinyLottie } from '../sandbox/tiny-catalogue.js';
import { allowForeignAnswers } from './check-answers.js';

export interface SeenRequest {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
}

export interface RecordingRemote {
  readonly url: string;
  /** Everything it was asked so far. */
  readonly seen: readonly SeenRequest[];
}

/** Starts one that ends with the test. */
export async function startRecordingRemote(): Promise<RecordingRemote> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    const body = request.url?.includes('/stickers/') ? tinyLottie(CAKE) : '{"effective_credits_remaining":7}';
    request.resume();
    response.setHeader('content-type', 'application/json').end(body);
  });
  allowForeignAnswers();
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
