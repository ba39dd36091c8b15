// What needs no PostgreSQL of it: the address of a database, and how old a commit is.

import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isSvcdError } from '../../src/model/errors.js';
import { readDatabaseAddress } from '../../src/platform/postgres/address.js';
import { startAge } from '../../src/platform/age.js';
import { createMovingClock } from '../support/moving-clock.js';

describe('the age of a commit', () => {
  it('counts by whichever clock shows more, and does not trust one that was set back', () => {
    const clock = createMovingClock('2026-11-22T04:00:00Z');
    const age = startAge(clock);
    clock.pass(1999);
    expect([age.ms(), age.isYoung()]).toEqual([1999, true]);
    clock.pass(1);
    expect(age.isYoung()).toBe(false);
    // The machine slept: only the wall clock saw it.
    const slept = startAge(clock);
    clock.set(clock.now() + 60_000);
    expect([slept.ms(), slept.isYoung()]).toEqual([60_000, false]);
    const setBack = startAge(clock);
    clock.set(clock.now() - 3_600_000);
    expect(setBack.isYoung()).toBe(false);
  });
});

describe('the address of a database', () => {
  it('may name several hosts, a unix socket, and a password with any character', () => {
    const read = readDatabaseAddress('postgresql://u%40x:p%3Aw%40@a:1,[::1]:2,b/studio?sslmode=verify-full');
    expect(read).toMatchObject({ user: 'u@x', password: 'p:w@', database: 'studio', tls: {} });
    expect(read.hosts).toEqual([
      { host: 'a', port: 1 },
      { host: '::1', port: 2 },
      { host: 'b', port: 5432 },
    ]);
    expect(read.label).toBe('postgres://u@x@a:1,[::1]:2,b:5432/studio');
    const socket = readDatabaseAddress('postgres://u@/studio?host=/run/postgresql&port=5433');
    expect(socket).toMatchObject({ hosts: [{ host: '/run/postgresql', port: 5433 }], tls: false, password: undefined });
    expect(readDatabaseAddress('postgres://u:p@h/db', 'other').password).toBe('other');
  });

  it.each([
    ['mysql://u:canary@h/db', 'it is not postgres://'],
    ['postgres://:canary@h/db', 'it names no user'],
    ['postgres://u:canary@/db', 'it names no host'],
    ['postgres://u:canary@h:99999/db', 'it has the port 99999'],
    ['postgres://u:canary@h/db?sslmode=prefer', 'it has sslmode=prefer, with which the server is not checked'],
    ['postgres://u:canary@h/db?sslrootcert=/none', 'its sslrootcert cannot be read'],
    ['postgres://u:canary%zz@h/db', 'a percent sign'],
    ['postgres://u:canary@h/db?options=x', 'it has the parameter options'],
  ])('is refused in words without its password: %s', (url, why) => {
    const error = (() => {
      try {
        return readDatabaseAddress(url);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(isSvcdError(error, 'invalid_config')).toBe(true);
    expect(String(error)).toContain(why);
    expect(`${String(error)} ${inspect(error)}`).not.toContain('canary');
  });
});
