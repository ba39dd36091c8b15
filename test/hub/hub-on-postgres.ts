// A hub on a PostgreSQL and a service of its own, each a process that ends with the test.

import { onTestFinished } from 'vitest';
import { startHub, type Hub, type HubOptions } from '../faults/farm/hub.js';
import { startService, type Service } from '../faults/farm/service.js';
import { startPostgres, type PostgresServer } from '../support/postgres.js';

export interface HubOnPostgres {
  readonly server: PostgresServer;
  readonly service: Service;
  readonly hub: Hub;
  /** Another one of the same studio. */
  readonly startOther: () => Promise<Hub>;
}

/** `identity` is the folder with the certificate that several hubs share; `settings` are PostgreSQL's. */
export async function startHubOnPostgres(
  stickers: number,
  { identity, settings }: Pick<HubOptions, 'identity'> & { readonly settings?: Readonly<Record<string, string>> } = {},
): Promise<HubOnPostgres> {
  const server = await startPostgres(settings);
  onTestFinished(() => server.remove());
  const service = await startService({ stickers });
  onTestFinished(() => service.close());
  const startOther = async () => {
    const { url: remote, key } = service;
    const hub = await startHub({ remote, key, database: server.url, ...(identity !== undefined && { identity }) });
    onTestFinished(() => hub.remove());
    return hub;
  };
  return { server, service, hub: await startOther(), startOther };
}
