// Who a hub is: made once, known again after a restart, and shared by hubs that share a folder.

import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCode, writeCode } from '../../src/hub/register/invite-code.js';
import { openIdentity } from '../../src/hub/register/identity.js';
import { provenPurchase } from '../../src/hub/app/receipts.js';

const NAMES = ['localhost', '127.0.0.1', '::1'];
const NOW = Date.UTC(2026, 10, 22);
const DAY = 24 * 60 * 60_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svcd-hub-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (more: object = {}) => openIdentity({ folder, names: NAMES, now: NOW, ...more });

describe('the identity of a hub', () => {
  it('is made once, private, and names the addresses', async () => {
    const made = await open();
    const certificate = new X509Certificate(made.certificate);
    for (const name of ['127.0.0.1', '::1']) expect(certificate.checkIP(name)).toBe(name);
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(await open()).toEqual({ ...made, receipts: { ...made.receipts, sign: expect.any(Function) as unknown } });
    for (const file of ['private-key.pem', 'receipt-key.pem', 'certificate.pem']) {
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    }
  });

  it('stays the same where two make it at once', async () => {
    const [a, b] = await Promise.all([open(), open()]);
    expect(a.pin).toBe(b.pin);
    expect(a.receipts.publicKey).toBe(b.receipts.publicKey);
  });

  it('gets a new certificate of the same key for another name, and near its end', async () => {
    const made = await open();
    const renamed = await open({ names: [...NAMES, 'hub.example.com'] });
    expect(renamed.pin).toBe(made.pin);
    expect(new X509Certificate(renamed.certificate).checkHost('hub.example.com')).toBe('hub.example.com');
    const later = await open({ now: renamed.expiresAt.getTime() - DAY });
    expect(later.pin).toBe(made.pin);
    expect(later.expiresAt.getTime()).toBeGreaterThan(renamed.expiresAt.getTime());
  });

  it('takes a certificate that was given, and refuses one with another key', async () => {
    const [mine, other] = [join(folder, 'mine'), join(folder, 'other')];
    const made = await open({ folder: mine });
    await open({ folder: other });
    const certificate = join(mine, 'certificate.pem');
    const given = { certificate, privateKey: join(mine, 'private-key.pem') };
    expect(await open({ given })).toMatchObject({ pin: made.pin, isOwn: false });
    await expect(open({ given: { certificate, privateKey: join(other, 'private-key.pem') } })).rejects.toThrow(
      `${join(other, 'private-key.pem')} does not belong to ${certificate}`,
    );
    await expect(open({ given: { certificate: join(folder, 'none'), privateKey: certificate } })).rejects.toThrow(
      'cannot be read (ENOENT)',
    );
  });

  it('says which file is no key, and leaves it', async () => {
    await open();
    writeFileSync(join(folder, 'receipt-key.pem'), 'nonsense');
    await expect(open()).rejects.toThrow(`${join(folder, 'receipt-key.pem')} holds no private key of Ed25519`);
  });
});

describe('a receipt', () => {
  const of = { scope: 'https://a.example', item: 'sticker food/cake', sha256: 'ab'.repeat(32) };

  it('proves its purchase, and nothing else', async () => {
    const { receipts } = await open();
    const receipt = receipts.sign({ ...of, purchase: 17 });
    expect(receipt).toMatch(/^v1\.17\.[\w-]{86}$/);
    const prove = (text: string, what = of) => provenPurchase(text, what, receipts.publicKey);
    expect(prove(receipt)).toBe(17);
    expect(prove(receipt.replace('.17.', '.18.'))).toBeUndefined();
    expect(prove(receipt, { ...of, sha256: 'cd'.repeat(32) })).toBeUndefined();
    expect(prove(receipt, { ...of, item: 'sticker food/pie' })).toBeUndefined();
    expect(prove('v1.17.short')).toBeUndefined();
    const { receipts: another } = await open({ folder: join(folder, 'another') });
    expect(provenPurchase(receipt, of, another.publicKey)).toBeUndefined();
  });
});

describe('the code of an invite', () => {
  const invitation = {
    addresses: ['https://127.0.0.1:7825', 'https://hub.example.com:7825'],
    pin: 'p'.repeat(43),
    secret: 's'.repeat(32),
    receiptKey: 'r'.repeat(43),
    scope: 'sandbox',
  };

  it('is read as it was written, also when it was pasted over several lines', () => {
    const code = writeCode(invitation);
    expect(code).toMatch(/^svcdi_[\w-]+$/);
    expect(readCode(code)).toEqual(invitation);
    expect(readCode(` ${code.slice(0, 40)}\n  ${code.slice(40)}\n`)).toEqual(invitation);
  });

  it.each([
    ['', 'does not begin'],
    ['svcd_abc', 'does not begin'],
    [writeCode(invitation).slice(0, -4), 'a part of it is missing'],
    [writeCode(invitation).replace(/(.{50})./, '$1_'), 'a part of it is missing'],
    [writeCode({ ...invitation, addresses: ['http://127.0.0.1:7825'] }), 'newer svcd'],
  ])('is refused in words: %s', (code, why) => {
    expect(() => readCode(code)).toThrow(why);
  });
});
