import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { motionFiles, packageSha256 } from '../../src/sandbox/templates/motion-package.js';
import { TEMPLATE_DESIGNS } from '../../src/sandbox/templates/template-designs.js';
import { openControlled } from './open-control.js';
import { refusalIn } from './refusal-in.js';
import { startSandbox } from './start-sandbox.js';

const TEMPLATE = 'birthday-card@1.1.0';

describe('a template package', () => {
  test.each(Object.keys(TEMPLATE_DESIGNS))('%s declares only capabilities that are known', (name) => {
    const { service } = JSON.parse(motionFiles(`${name}@1.0.0`, 'k')['motion.json'] ?? '') as {
      service: { capabilities: string[] };
    };
    for (const one of service.capabilities) expect(['images.generate', 'stickers.file']).toContain(one);
  });

  test('has the digest of every file but the Key, which is another one in every download', () => {
    const [mine, yours] = [motionFiles(TEMPLATE, 'mine'), motionFiles(TEMPLATE, 'yours')];
    const { files } = JSON.parse(mine['integrity.json'] ?? '') as { files: Record<string, string> };
    expect(Object.keys(files)).toEqual(['motion.json', 'scenes/scenes.json', 'README.md']);
    for (const [path, digest] of Object.entries(files)) {
      expect(
        createHash('sha256')
          .update(mine[path] ?? '')
          .digest('hex'),
        path,
      ).toBe(digest);
    }
    expect(packageSha256(yours)).toBe(packageSha256(mine));
    expect(JSON.parse(yours['service.key.json'] ?? '')).toEqual({ key: 'yours' });
  });

  test('can be registered as a production by its digest', async () => {
    const { post } = await startSandbox();
    const files = motionFiles(TEMPLATE, 'mine');
    const body = { template: TEMPLATE, package_sha256: packageSha256(files), stage: 'plan' };
    expect((await post('/api/v1/productions', body)).status).toBe(200);
  });
});

type Download = {
  template: string;
  package_sha256: string;
  key: { id: number; key: string; kind: string; template: string };
  files: Record<string, string>;
};

describe('downloading a template package', () => {
  test('writes a new Key into it each time, which is of the template and spends the credits of its account', async () => {
    const { control, call } = openControlled();
    await control('POST', 'accounts', { name: 'ada' });
    await control('POST', 'topups', { account: 'ada', amount: '1' });
    const keys = new Set<string>();
    for (let time = 0; time < 2; time++) {
      const got = await control<Download>('POST', 'downloads', { account: 'ada', template: TEMPLATE });
      expect(JSON.parse(got.files['service.key.json'] ?? '')).toEqual({ key: got.key.key });
      expect(got.package_sha256).toBe(packageSha256(got.files));
      const me = (await (await call('/api/v1/me', { key: got.key.key })).json()) as object;
      expect(me).toMatchObject({ key: { kind: 'template', template: TEMPLATE }, balance: 10 });
      keys.add(got.key.key);
    }
    expect(keys.size).toBe(2);
  });

  test('gives a Key that can be disabled alone', async () => {
    const { control, call, sandbox } = openControlled();
    const [first, second] = [
      await control<Download>('POST', 'downloads', { template: TEMPLATE }),
      await control<Download>('POST', 'downloads', { template: TEMPLATE }),
    ];
    await control('PATCH', `keys/${first.key.id}`, { state: 'disabled' });
    expect(await refusalIn(await call('/api/v1/me', { key: first.key.key }))).toBe('403 key_disabled');
    for (const key of [second.key.key, sandbox.key]) {
      expect((await call('/api/v1/me', { key })).status).toBe(200);
    }
  });

  test('brings the newest version when none is named, and names what there is when there is none such', async () => {
    const { control } = openControlled();
    const got = await control<Download>('POST', 'downloads', { template: 'birthday-card' });
    expect(got.template).toBe('birthday-card@1.1.0');
    await control('POST', 'templates', { template: 'birthday-card@1.10.0' });
    expect(await control('POST', 'downloads', { template: 'birthday-card' })).toMatchObject({
      template: 'birthday-card@1.10.0',
    });
    for (const template of ['birthday-card@9.9.9', 'birthday']) {
      const asked = control('POST', 'downloads', { template });
      await expect(asked).rejects.toThrow(/404 not_found: .*product-promo@2\.0\.0/);
    }
    expect(await control('GET', 'keys')).toMatchObject({ keys: { length: 3 } });
  });

  test('is the same in one ZIP file as file by file, but for the Key', async () => {
    const { control } = openControlled();
    const { files } = await control<Download>('POST', 'downloads', { template: TEMPLATE });
    const { zip, key } = await control<Download & { zip: string }>('POST', 'downloads', {
      template: TEMPLATE,
      form: 'zip',
    });
    const zipped = Object.entries(unzipSync(Buffer.from(zip, 'base64'))).map(
      ([path, bytes]) => [path, Buffer.from(bytes).toString('utf8')] as const,
    );
    expect(Object.fromEntries(zipped)).toEqual({
      ...files,
      'service.key.json': `${JSON.stringify({ key: key.key }, undefined, 2)}\n`,
    });
  });
});
