import { describe, expect, test } from 'vitest';
import { DAY_MS, openControlled, type OpenedSandbox } from './open-control.js';

type Payment = {
  id: string;
  credits: number;
  balance: number;
  rewards: { role: string; credits: number; state: string }[];
};
type Accounts = { accounts: { name: string; credits: number; pending_credits: number }[] };

const REWARD_DAYS_MS = 14 * DAY_MS;

/** Two accounts without credits: ada, and bob whom she invited. */
async function openPair(): Promise<OpenedSandbox> {
  const opened = openControlled({ credits: 0 });
  await opened.control('POST', 'accounts', { name: 'ada' });
  await opened.control('POST', 'accounts', { name: 'bob', invited_by: 'ada' });
  return opened;
}

async function standing({ control }: OpenedSandbox): Promise<Record<string, [number, number]>> {
  const { accounts } = await control<Accounts>('GET', 'accounts');
  return Object.fromEntries(accounts.map((one) => [one.name, [one.credits, one.pending_credits]]));
}

const topUp = ({ control }: OpenedSandbox, account: string, amount: string) =>
  control<Payment>('POST', 'topups', { account, amount });

describe('a top-up', () => {
  test.each([
    ['1', 10, 0],
    ['1.99', 19, 0],
    ['2', 20, 1],
    ['3.99', 39, 1],
    ['4', 40, 2],
    ['0.09', 0, 0],
    ['12.50', 125, 6],
    ['99.99', 999, 49],
    ['100', 1000, 50],
  ])('of CNY %s buys %i credits, and rewards buyer and inviter with %i each', async (amount, credits, reward) => {
    const opened = await openPair();
    const payment = await topUp(opened, 'bob', amount);
    expect(payment.credits).toBe(credits);
    expect(payment.rewards.map((one) => one.credits)).toEqual(reward === 0 ? [] : [reward, reward]);
    expect(await standing(opened)).toMatchObject({ bob: [credits, reward], ada: [0, reward] });
  });

  test.each(['0', '-1', '1.001', '1e3', 'ten', ''])('of CNY %j is refused', async (amount) => {
    const opened = await openPair();
    await expect(topUp(opened, 'bob', amount)).rejects.toThrow('400 invalid_request: amount');
  });
});

describe('a reward', () => {
  test('of a template purchase comes without credits of its own', async () => {
    const opened = await openPair();
    const { control } = opened;
    await control('POST', 'purchases', { account: 'bob', template: 'birthday-card@1.1.0', amount: '30' });
    expect(await standing(opened)).toMatchObject({ bob: [0, 15], ada: [0, 15] });
    await opened.advance(REWARD_DAYS_MS);
    expect(await standing(opened)).toMatchObject({ bob: [15, 0], ada: [15, 0] });
  });

  test('cannot be spent while it is locked', async () => {
    const opened = openControlled({ credits: 20 });
    await opened.control('POST', 'topups', { amount: '100' });
    const me = (await (await opened.call('/api/v1/me')).json()) as object;
    expect(me).toMatchObject({ balance: 1020, pending_credits: 51 });
  });

  test.each([
    ['an anomaly', { anomaly: true }, { anomaly: false }],
    ["a failed verification of the provider's", { verified: false }, { verified: true }],
  ])('waits beyond 14 days while there is %s, and is released when that is settled', async (_, wrong, right) => {
    const opened = await openPair();
    const { id } = await topUp(opened, 'bob', '100');
    await opened.control('PATCH', `payments/${id}`, wrong);
    await opened.advance(20 * DAY_MS);
    expect(await standing(opened)).toMatchObject({ bob: [1000, 50], ada: [0, 50] });
    await opened.control('PATCH', `payments/${id}`, right);
    expect(await standing(opened)).toMatchObject({ bob: [1050, 0], ada: [50, 0] });
  });

  test('waits until the email of whoever gets it is verified', async () => {
    const opened = await openPair();
    await opened.control('PATCH', 'accounts/ada', { email_verified: false });
    await topUp(opened, 'bob', '100');
    await opened.advance(REWARD_DAYS_MS);
    expect(await standing(opened)).toMatchObject({ bob: [1050, 0], ada: [0, 50] });
    await opened.control('PATCH', 'accounts/ada', { email_verified: true });
    expect(await standing(opened)).toMatchObject({ ada: [50, 0] });
  });

  test('of an inviter is for payments after the invitation only', async () => {
    const opened = openControlled({ credits: 0 });
    for (const name of ['ada', 'bob']) await opened.control('POST', 'accounts', { name });
    await topUp(opened, 'bob', '100');
    await opened.control('POST', 'invitations', { inviter: 'ada', account: 'bob' });
    await topUp(opened, 'bob', '100');
    expect(await standing(opened)).toMatchObject({ bob: [2000, 100], ada: [0, 50] });
  });

  test('is for no inviter who invited himself, directly or round a corner', async () => {
    const opened = await openPair();
    const invite = (inviter: string, account: string) => opened.control('POST', 'invitations', { inviter, account });
    await expect(invite('main', 'main')).rejects.toThrow('cannot be invited by itself');
    await expect(invite('bob', 'ada')).rejects.toThrow('cannot be invited by itself');
    await expect(invite('main', 'bob')).rejects.toThrow('was invited already');
  });
});

describe('a refund', () => {
  test.each([
    ['locked', 0],
    ['released', REWARD_DAYS_MS],
  ])('takes the credits and the %s rewards back, and nothing is released later', async (_, waitMs) => {
    const opened = await openPair();
    const { id } = await topUp(opened, 'bob', '100');
    await opened.advance(waitMs);
    const refunded = await opened.control<Payment>('POST', `payments/${id}/refund`);
    expect(refunded.rewards.map(({ state }) => state)).toEqual(['reversed', 'reversed']);
    await opened.advance(30 * DAY_MS);
    expect(await standing(opened)).toMatchObject({ bob: [0, 0], ada: [0, 0] });
  });

  test('of what was spent leaves a debt: nothing can be spent until it is made up for', async () => {
    const opened = openControlled({ credits: 0 });
    const { control, download, call } = opened;
    const { id } = await control<Payment>('POST', 'topups', { amount: '1' });
    for (let i = 0; i < 4; i++) expect(await download()).toBe(200);
    expect((await control<Payment>('POST', `payments/${id}/refund`)).balance).toBe(-4);
    expect(await download()).toBe(402);
    const usage = await call('/api/v1/usage');
    expect(usage.headers.get('X-Service-Credits-Remaining')).toBe('0');
    expect(await usage.json()).toMatchObject({ effective_credits_remaining: 0, balance: -4 });
    await control('POST', 'topups', { amount: '0.40' });
    expect(await download()).toBe(402);
    await control('POST', 'topups', { amount: '0.10' });
    expect(await download()).toBe(200);
    expect(await download()).toBe(402);
  });

  test('is of a payment that exists, once', async () => {
    const opened = await openPair();
    const { id } = await topUp(opened, 'bob', '100');
    await opened.control('POST', `payments/${id}/refund`);
    await expect(opened.control('POST', `payments/${id}/refund`)).rejects.toThrow('was refunded already');
    await expect(opened.control('POST', 'payments/none/refund')).rejects.toThrow('404 not_found');
  });
});
