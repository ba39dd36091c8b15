// A page's session, as `svcd open` and the page make it: the cookie that browsers send, and the secret that its scripts show.

import type { StartedDaemon } from './start-daemon.js';

export interface PageSession {
  readonly cookie: string;
  readonly 'x-svcd-session': string;
}

/** Where a code leads, without what no server sees; and that. */
export async function openCode(svcd: StartedDaemon): Promise<{ path: string; secret: string }> {
  const { url } = (await (await svcd.post('/svcd/session-code', {})).json()) as { url: string };
  const [path = '', secret = ''] = url.slice(svcd.url.length).split('#session=');
  return { path, secret };
}

export async function signIn(svcd: StartedDaemon): Promise<PageSession> {
  const { path, secret } = await openCode(svcd);
  const { headers } = await svcd.call(path, { redirect: 'manual' });
  return { cookie: headers.get('set-cookie')?.split(';', 1)[0] ?? '', 'x-svcd-session': secret };
}
