// The control of a sandbox that runs in this process: its control surface over HTTP, and the hand of the artist who
// draws its images.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SvcdError } from '../../src/model/errors.js';
import { openCatalogue } from '../../src/catalogue/catalogue.js';
import { drawImage } from '../../src/sandbox/images/draw-image.js';
import type { DrawImage } from '../../src/sandbox/images/image-service.js';
import type { Sandbox } from '../../src/sandbox/open-sandbox.js';
import type { Control, ImageTrouble, IssuedKey, KeyLimits, Reward } from './control.js';
import type { Json } from './service.js';

const CATALOGUE = resolve(import.meta.dirname, '../../data/catalogue');
/** The account that a sandbox begins with. */
const MAIN = 'main';

/** An artist who can be held up and troubled. */
export interface Artist {
  readonly draw: DrawImage;
  trouble(what: Exclude<ImageTrouble, 'busy' | 'other_size'>): void;
  hold(): () => void;
}

/** Draws as the sandbox does, until told otherwise; each trouble is for one image. */
export function createArtist(): Artist {
  const troubles: ImageTrouble[] = [];
  let held: Promise<void> = Promise.resolve();
  return {
    trouble: (what) => void troubles.push(what),
    hold: () => {
      let release = (): void => undefined;
      held = new Promise((done) => (release = done));
      return release;
    },
    draw: async (request) => {
      const trouble = troubles.shift();
      if (trouble === 'timeout') return new Promise(() => undefined);
      if (trouble === 'upstream_failure') throw new Error('the artist has gone');
      await held;
      return drawImage(request);
    },
  };
}

export interface SandboxParts {
  readonly url: string;
  readonly home: string;
  readonly token: string;
  readonly sandbox: Sandbox;
  readonly artist: Artist;
}

/** Controls a running sandbox. */
export function controlSandbox({ url, home, token, sandbox, artist }: SandboxParts): Control {
  const ask = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await fetch(`${url}/sandbox/${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const told = (await answer.json()) as Json;
    if (!answer.ok) throw new SvcdError('internal', `${method} ${path}: ${JSON.stringify(told)}`);
    return told;
  };
  const createKey = async (body: object): Promise<IssuedKey> => {
    const { id, key } = await ask('POST', 'keys', body);
    return { id: String(id), secret: String(key) };
  };
  const payments = async () => (await ask('GET', 'payments'))['payments'] as { rewards: Reward[] }[];
  let accounts = 0;
  return {
    account: MAIN,
    createAccount: async ({ invitedBy, emailVerified = true } = {}) => {
      const name = `customer-${++accounts}`;
      const inviter = invitedBy === undefined ? {} : { invited_by: invitedBy };
      await ask('POST', 'accounts', { name, email_verified: emailVerified, ...inviter });
      return name;
    },
    createKey: (account, { limits = {}, permissions } = {}) =>
      createKey({ account, limits: limitsBody(limits), ...(permissions === undefined ? {} : { permissions }) }),
    setKeyState: async ({ id }, keyState) => void (await ask('PATCH', `keys/${id}`, { state: keyState })),
    setCredits: async (credits) => sandbox.setCredits(credits),
    balance: async (account) => {
      const { accounts: all } = (await ask('GET', 'accounts')) as { accounts: { name: string; credits: number }[] };
      return all.find(({ name }) => name === account)?.credits ?? NaN;
    },
    topUp: async (account, yuan) => String((await ask('POST', 'topups', { account, amount: yuan }))['id']),
    buyTemplate: async (account, template, yuan) =>
      String((await ask('POST', 'purchases', { account, template, amount: yuan }))['id']),
    downloadTemplate: async (account, template) => {
      const told = await ask('POST', 'downloads', { account, template });
      const { id, key } = told['key'] as Json;
      const files = told['files'] as Record<string, string>;
      return { key: { id: String(id), secret: String(key) }, files };
    },
    refund: async (payment) => void (await ask('POST', `payments/${payment}/refund`, {})),
    verifyEmail: async (account) => void (await ask('PATCH', `accounts/${account}`, { email_verified: true })),
    reportAnomaly: async (payment) => void (await ask('PATCH', `payments/${payment}`, { anomaly: true })),
    setProviderVerified: async (payment, verified) => void (await ask('PATCH', `payments/${payment}`, { verified })),
    rewards: async (account) =>
      (await payments()).flatMap(({ rewards }) => rewards).filter((reward) => reward.account === account),
    moveClock: async (ms) => void (await ask('POST', 'clock', { advance_ms: ms })),
    setClock: async (to) => void (await ask('POST', 'clock', { to })),
    switchCapability: async (id, enabled) => void (await ask('PUT', `capabilities/${id}`, { enabled })),
    troubleImages: async (trouble) => {
      if (trouble === 'timeout' || trouble === 'upstream_failure') return artist.trouble(trouble);
      const kind = trouble === 'busy' ? 'busy' : 'size';
      await ask('POST', 'faults', { kind, path: '/api/v1/images', method: 'POST', count: 1 });
    },
    holdImages: async () => artist.hold(),
    records: async () =>
      ['', '-wal'].map((part) => readFileSync(join(home, `sandbox.db${part}`), 'utf8')).join('') +
      JSON.stringify(await ask('GET', 'requests')),
    charged: async () => sandbox.charges().reduce((sum, { credits }) => sum + credits, 0),
    librarySize: async () => [...openCatalogue(CATALOGUE).entries()].length,
  };
}

function limitsBody({ perRequest, daily, monthly }: KeyLimits): object {
  const given = { per_request: perRequest, daily, monthly };
  return Object.fromEntries(Object.entries(given).filter(([, limit]) => limit !== undefined));
}
