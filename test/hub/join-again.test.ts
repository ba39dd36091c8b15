// A home that belongs to a hub and is to join: again, or at another address of the same hub.

import { describe, expect, it } from 'vitest';
import { findBelonging, writeMembership } from '../../src/config/membership.js';
import { startHub } from '../support/machine.js';
import { runHere } from '../support/run-here.js';
import { temporaryHome } from '../support/start-daemon.js';
import { membershipOf, startSidecar } from './start-sidecar.js';

describe('a home whose token the hub has ended', () => {
  it('joins again by a new code; one whose token is good does not', async () => {
    const hub = await startHub();
    const { joined } = await hub.machine({}, 'one');
    const home = temporaryHome();
    writeMembership(home, membershipOf(joined));
    const joinAgain = async () => runHere(['join', (await hub.invite()).code, '--name', 'two'], { home });
    expect(await joinAgain()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('knows this machine already, as "one"') as unknown,
    });
    // One that is away has ended nothing.
    const [away, other] = [temporaryHome(), await hub.invite()];
    writeMembership(away, { ...membershipOf(joined), addresses: ['https://127.0.0.1:1'], pin: 'p'.repeat(43) });
    expect((await runHere(['join', other.code], { home: away })).stderr).toContain('belongs to a hub already');
    await hub.send('DELETE', `/svcd/hub/machines/${joined.machine.id}`);
    expect(await joinAgain()).toMatchObject({ code: 0, stdout: expect.stringContaining('"two"') as unknown });
  });
});

describe('a home whose hub has moved', () => {
  it('joins it at its new address by a code of the same hub, and stays the machine that it is', async () => {
    const hub = await startHub();
    const { joined } = await hub.machine({}, 'one');
    const home = temporaryHome();
    const before = membershipOf(joined);
    writeMembership(home, { ...before, addresses: ['https://127.0.0.1:1'] });
    const moved = await runHere(['join', (await hub.invite()).code, '--json'], { home });
    expect(JSON.parse(moved.stdout)).toMatchObject({ joined: true, machine: joined.machine.name });
    const belonging = findBelonging(home);
    const { addresses = [], token } = belonging.kind === 'hub' ? belonging.membership : {};
    expect([token, addresses[0]]).toEqual([before.token, before.addresses[0]]);
    const { machines } = (await (await hub.get('/svcd/hub/machines')).json()) as { machines: object[] };
    expect(machines).toHaveLength(1);
  });

  it('is kept by a code of the address it knows, until when it says, and never as another machine', async () => {
    const hub = await startHub();
    const { joined } = await hub.machine({ ephemeral_s: 3600, user: 'ann' }, 'one');
    const home = temporaryHome();
    writeMembership(home, membershipOf(joined));
    const again = async (...typed: string[]) =>
      runHere(['join', (await hub.invite()).code, ...typed, '--json'], { home });
    expect(JSON.parse((await again('--name', 'one', '--user', 'ann')).stdout)).toMatchObject({
      machine: 'one',
      expires_at: joined.expires_at,
    });
    for (const typed of [
      ['--name', 'two'],
      ['--user', 'bob'],
    ]) {
      const { code, stderr } = await again(...typed);
      expect([code, JSON.parse(stderr)]).toMatchObject([
        2,
        { message: expect.stringContaining('"one" of ann') as string },
      ]);
    }
  });

  it('is told where the hub will be by "hub move", and notes it though nothing is there yet', async () => {
    const hub = await startHub();
    const next = 'https://hub2.example.com:7825';
    expect((await runHere(['hub', 'move', next], { home: hub.home })).stdout).toContain(next);
    const { home } = await startSidecar(hub, 'one');
    const noted = () => {
      const belonging = findBelonging(home);
      return belonging.kind === 'hub' ? belonging.membership.addresses : [];
    };
    await expect.poll(noted).toEqual([hub.machinesUrl, next]);
  });
});
