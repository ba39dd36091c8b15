// A service in a process of its own, as the real one is: the clients of a bench, which are many, do not hold it.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { startService, type Service } from '../../faults/farm/service.js';

interface Started extends Pick<Service, 'url' | 'key'> {
  readonly charges: [string, number][];
}

if (process.argv[1] === import.meta.filename) {
  const [, , stickers, latencyMs] = process.argv;
  const service = await startService({ stickers: Number(stickers) });
  service.trouble = () => ({ latencyMs: Number(latencyMs) });
  const { url, key } = service;
  const tell = () => process.send?.({ url, key, charges: [...service.charges()] } satisfies Started);
  process.on('message', tell);
  process.once('disconnect', () => process.exit());
  tell();
}

/** Sells so many stickers, each answer after `latencyMs`. */
export async function forkService(stickers: number, latencyMs: number) {
  const child = fork(import.meta.filename, [`${stickers}`, `${latencyMs}`]);
  const told = async () => ((await once(child, 'message')) as [Started])[0];
  const { url, key } = await told();
  return {
    url,
    key,
    charges: async () => {
      child.send('charges');
      return new Map((await told()).charges);
    },
    close: () => child.disconnect(),
  };
}
