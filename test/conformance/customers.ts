// Accounts that a check makes for itself, and what their rewards have become.

import { expect } from 'vitest';
import type { Controlled } from './checks.js';
import { withKey, type Service } from './service.js';

export interface Customer {
  readonly account: string;
  readonly client: Service;
}

/** A new account with a Key and nothing else; its email is verified unless told otherwise. */
export async function newCustomer(
  service: Controlled,
  options: { invitedBy?: string; emailVerified?: boolean } = {},
): Promise<Customer> {
  const account = await service.control.createAccount({ emailVerified: true, ...options });
  const key = await service.control.createKey(account);
  return { account, client: withKey(service, key.secret) };
}

/** Expects an account's rewards, each as in `50 locked`, oldest first. */
export async function expectRewards(
  { control }: Controlled,
  account: string,
  rewards: readonly string[],
): Promise<void> {
  const told = await control.rewards(account);
  expect(told.map(({ credits, state }) => `${credits} ${state}`)).toEqual(rewards);
}
