// svcd hub join and svcd hub leave: whether this machine buys for itself, or by way of a hub.

import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join as joinPath } from 'node:path';
import type { HubFacts, JoinAnswer } from '../../api/hub.js';
import { createKeychain } from '../../auth/keychain.js';
import { SANDBOX } from '../../config/last-used.js';
import { findBelonging, type Membership, removeMembership, writeMembership } from '../../config/membership.js';
import { chooseRemote } from '../../config/remote-choice.js';
import { type Invitation, readCode } from '../../hub/register/invite-code.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { systemClock } from '../../platform/clock.js';
import { openReadOnly } from '../../platform/open-database.js';
import { countUndecided } from '../../purchases/sqlite/sqlite-journal.js';
import { asHomeTrouble, prepareHome } from '../../platform/files/home-folder.js';
import { MAX_ADDRESSES } from '../../hub/member/connections.js';
import { findOtherPlace } from '../access/user-key.js';
import { type Bodies, type CommandBody, switchOption, textOption } from '../command.js';
import { errorWords } from '../terminal/error-words.js';
import { sanitize } from '../terminal/format.js';
import { openHubClient } from '../../hub/member/hub-client.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { printAnswer } from '../terminal/output.js';
import { restartDaemon } from '../daemon/restart.js';
import { findRunningDaemon, isHub } from '../connection/running-daemon.js';
import { terminalWords } from '../terminal/words.js';
import { joinWords } from './join-words.js';

const words = joinWords();

const joinCommand: CommandBody = {
  options: {
    user: textOption(words.user),
    name: textOption(words.name),
    anew: switchOption(words.anew),
    'remove-key': switchOption(words.removeKey),
  },
  examples: words.joinExamples,
  run: join,
};

const leaveCommand: CommandBody = { examples: words.leaveExamples, run: leave };

export const bodies: Bodies = { join: joinCommand, leave: leaveCommand };

interface Restart {
  /** The address of the daemon that was restarted; null when none ran, or when it could not be. */
  readonly url: string | null;
  readonly problem: string | null;
}

interface KeyOfMachine {
  /** The entry of the keychain that a Key of this machine has. */
  readonly account: string | null;
  readonly removed: boolean;
  /** Where there is still one. */
  readonly still_in: string | null;
  readonly problem: string | null;
}

async function join(input: Input): Promise<void> {
  const home = await input.home();
  const belonging = findBelonging(home);
  const invitation = readCode(input.word('code'));
  const stays = belonging.kind === 'hub' && input.flag('anew') !== true;
  if (stays && (await isKept(input, home, belonging.membership, invitation))) return;
  if (await isHub(home)) throw invalidArgument(words.isHub, words.isHubHint);
  requireSettled(home, invitation.scope);
  prepareHome(home);
  const { addresses, pin, secret, receiptKey } = invitation;
  const hub = openHubClient({ addresses, pin, token: undefined });
  try {
    const user = input.text('user');
    const request = { secret, machine_name: input.text('name') ?? hostname(), ...(user !== undefined && { user }) };
    const answer = await hub.ask<JoinAnswer>('POST', '/svcd/hub/join', request);
    if (answer.receipt_key !== receiptKey) throw new SvcdError('invalid_invite', words.changedReceipts);
    const asked = hub.address();
    const membership = membershipOf(answer, [asked, ...addresses, ...answer.addresses], pin, user);
    keepMembership(home, membership);
    const joined = await settleIn(input, home, membership, answer);
    input.answeredBy.sandbox = membership.hub_sandbox;
    return await printAnswer(input, joined, describeJoined);
  } finally {
    hub.close();
  }
}

/** Refuses a home whose purchases may have been charged: the hub would not know, and would buy the same once more. */
function requireSettled(home: string, scope: string): void {
  const file = joinPath(home, 'owned.db');
  if (!existsSync(file)) return;
  const db = openReadOnly(file);
  try {
    const purchases = countUndecided(db, scope);
    if (purchases > 0) throw new SvcdError('unsettled', words.undecided(purchases), { hint: words.settleFirst });
  } finally {
    db.close();
  }
}

function keepMembership(home: string, membership: Membership): void {
  try {
    writeMembership(home, membership);
  } catch (error) {
    throw asHomeTrouble(home, error);
  }
}

/**
 * Whether the machine stays the one that it is: the code is of the same hub, which may have moved to another address. False where the
 * hub has ended its token: then joining again replaces it. Throws `invalid_argument` where it belongs to another hub, or is to be
 * another machine of this one.
 */
async function isKept(input: Input, home: string, membership: Membership, code: Invitation): Promise<boolean> {
  const isSame = code.pin === membership.pin;
  const belongs = invalidArgument(words.belongsAlready(membership.addresses[0] ?? ''), terminalWords().leaveHub);
  const known = [...new Set([...code.addresses, ...membership.addresses])];
  const asked = isSame ? { ...membership, addresses: known } : membership;
  const there = await findThere(asked).catch((error: unknown) => {
    // One that is away has ended nothing.
    throw isSame || !isSvcdError(error) ? error : belongs;
  });
  if (there === undefined) return false;
  if (!isSame) throw belongs;
  const { name, user, only, expires_at: expiresAt = null } = there.machine;
  const [typedName = name, typedUser = user] = [input.text('name'), input.text('user')];
  if (typedName !== name || typedUser !== user)
    throw invalidArgument(words.isAlready(name, user), terminalWords().leaveHub);
  const addresses = [...new Set([...known, ...there.addresses])].slice(0, MAX_ADDRESSES);
  const moved = { ...membership, addresses };
  keepMembership(home, moved);
  input.answeredBy.sandbox = moved.hub_sandbox;
  await printAnswer(input, await settleIn(input, home, moved, { only, expires_at: expiresAt }), describeJoined);
  return true;
}

/** What a hub says of the machine of a token; undefined where that has ended. Throws where the hub is away. */
async function findThere({ addresses, pin, token }: Membership): Promise<HubFacts | undefined> {
  const hub = openHubClient({ addresses, pin, token });
  try {
    return await hub.ask<HubFacts>('GET', '/svcd/hub');
  } catch (error) {
    if (isSvcdError(error, 'machine_revoked') || isSvcdError(error, 'not_a_machine')) return undefined;
    throw error;
  } finally {
    hub.close();
  }
}

function membershipOf(
  answer: JoinAnswer,
  addresses: readonly string[],
  pin: string,
  user: string | undefined,
): Membership {
  const { token, receipt_key, scope, sandbox, machine, project, projects } = answer;
  return {
    addresses: [...new Set(addresses)].slice(0, MAX_ADDRESSES),
    pin,
    token,
    receipt_key,
    scope,
    hub_sandbox: sandbox,
    machine,
    project,
    projects: [...projects],
    user: user ?? null,
    joined_at: new Date(systemClock.now()).toISOString(),
  };
}

/** What follows from belonging to a hub: the daemon uses it, and the Key goes if that was asked for. */
async function settleIn(
  input: Input,
  home: string,
  membership: Membership,
  answer: Pick<JoinAnswer, 'only' | 'expires_at'>,
) {
  const daemon = await restartIfRunning(home);
  const { scope } = membership;
  return {
    joined: true,
    hub: membership.addresses[0] ?? '',
    machine: membership.machine.name,
    project: membership.project,
    projects: membership.projects,
    only: answer.only,
    expires_at: answer.expires_at,
    scope,
    sandbox: membership.hub_sandbox,
    key: await putKeyAway(home, scope, input.flag('remove-key') === true),
    daemon,
    home,
  };
}

/** The Key of this machine, which is not used while it belongs to a hub. Never rejects: the machine has joined. */
async function putKeyAway(home: string, scope: string, removes: boolean): Promise<KeyOfMachine> {
  const none = { account: null, removed: false, still_in: await findOtherPlace(home), problem: null };
  if (!URL.canParse(scope)) return none;
  const keychain = createKeychain();
  try {
    if (removes) {
      const removed = await keychain.remove(scope);
      return { ...none, account: removed ? scope : null, removed };
    }
    const { state } = await keychain.find(scope);
    return { ...none, account: state === 'found' ? scope : null };
  } catch (error) {
    return { ...none, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Never rejects: hub.json is written, and a later start uses it. */
async function restartIfRunning(home: string): Promise<Restart> {
  try {
    if ((await findRunningDaemon(home)) === undefined) return { url: null, problem: null };
    const { daemon } = await restartDaemon(home);
    return { url: daemon.url, problem: null };
  } catch (error) {
    return { url: null, problem: error instanceof Error ? error.message : String(error) };
  }
}

type Joined = Awaited<ReturnType<typeof settleIn>>;

function describeJoined({ machine, hub, project, projects, only, expires_at: until, key, daemon }: Joined) {
  const others = projects.filter((one) => one !== project);
  return [
    words.joined(sanitize(machine), hub, project),
    ...(others.length === 0 ? [] : [words.more(others.join(', '))]),
    ...(only === null ? [] : [words.onlyOwned]),
    ...(until === null ? [] : [words.expires(until)]),
    ...describeKey(key),
    ...describeRestart(daemon, words.restarted, words.startIt),
  ];
}

function describeKey({ account, removed, still_in: still, problem }: KeyOfMachine): string[] {
  return [
    ...(account === null ? [] : [removed ? words.keyRemoved(account) : words.keyStays(account)]),
    ...(still === null ? [] : [words.keyInPlace(still)]),
    ...(problem === null ? [] : [words.keyNotLooked(sanitize(problem))]),
  ];
}

function describeRestart({ url, problem }: Restart, restarted: (url: string) => string, otherwise?: string): string[] {
  if (url !== null) return [restarted(url)];
  if (problem !== null) return [words.notRestarted(sanitize(errorWords().translated(problem)))];
  return otherwise === undefined ? [] : [otherwise];
}

async function leave(input: Input): Promise<void> {
  return printAnswer(input, await leaveHub(await input.home()), describeLeft);
}

async function leaveHub(home: string) {
  const belonging = findBelonging(home);
  const membership = belonging.kind === 'hub' ? belonging.membership : undefined;
  const problem = membership && (await tellLeaving(membership));
  removeMembership(home);
  // What it was before is still written where it was.
  const { remote } = await chooseRemote({ home });
  return {
    left: belonging.kind !== 'alone',
    hub: membership?.addresses[0] ?? null,
    /** Whether the hub knows. */
    told: membership !== undefined && problem === undefined,
    machine: membership?.machine ?? null,
    problem: problem ?? null,
    /** What the home uses now: `sandbox`, an address or `none`. */
    uses: remote,
    /** Where the Key is that it buys with from now on; null where none is known. */
    key: await findOtherPlace(home),
    /** Whose stickers and images came through the hub. */
    scope: membership?.scope ?? null,
    daemon: belonging.kind === 'alone' ? { url: null, problem: null } : await restartIfRunning(home),
    home,
  };
}

/** Why the hub could not be told; undefined when it was. */
async function tellLeaving({ addresses, pin, token }: Membership): Promise<string | undefined> {
  const hub = openHubClient({ addresses, pin, token });
  try {
    const body = { type: 'application/json', bytes: new TextEncoder().encode('{}') };
    await hub.ask('POST', '/svcd/hub/leave', body);
    return undefined;
  } catch (error) {
    // Its token is over already.
    if (isSvcdError(error, 'machine_revoked') || isSvcdError(error, 'not_a_machine')) return undefined;
    if (isSvcdError(error)) return error.message;
    throw error;
  } finally {
    hub.close();
  }
}

function describeLeft(answer: Awaited<ReturnType<typeof leaveHub>>): string[] {
  const { left, hub, problem, machine, uses, key, scope, daemon } = answer;
  if (!left) return [words.wasNone];
  return [
    words.left(hub ?? '?'),
    ...(problem === null
      ? []
      : [sanitize(words.notTold(errorWords().translated(problem), machine?.name ?? '?', machine?.id ?? 0))]),
    uses === 'none' ? words.usesNone : uses === SANDBOX ? words.usesSandbox : words.uses(uses, key),
    ...(scope === null || scope === 'none' || scope === uses
      ? []
      : [scope === SANDBOX ? words.ofSandbox : words.ofRemote(scope)]),
    ...describeRestart(daemon, words.restartedAlone),
  ];
}
