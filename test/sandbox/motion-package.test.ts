import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { motionFiles, packageSha256 } from '../../src/sandbox/templates/motion-package.js';
import { TEMPLATE_DESIGNS } from '../../src/sandbox/templates/template-designs.js';
import { writeMotionPackage } from '../../src/sandbox/templates/write-motion-package.js';
import { startSandbox, temporaryHome } from './start-sandbox.js';

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

  test('is the same as a folder and as a ZIP file', async () => {
    const home = temporaryHome();
    const files = motionFiles(TEMPLATE, 'mine');
    const folder = await writeMotionPackage({
      template: TEMPLATE,
      key: 'mine',
      folder: home,
      form: 'folder',
    });
    const zip = await writeMotionPackage({
      template: TEMPLATE,
      key: 'mine',
      folder: join(home, 'zip'),
      form: 'zip',
    });
    const zipped = unzipSync(readFileSync(zip));
    for (const [path, text] of Object.entries(files)) {
      expect(readFileSync(join(folder, path), 'utf8')).toBe(text);
      expect(Buffer.from(zipped[path] ?? []).toString('utf8')).toBe(text);
    }
    expect(Object.keys(zipped)).toEqual(Object.keys(files));
  });

  test('can be registered as a production by its digest', async () => {
    const { post } = await startSandbox();
    const files = motionFiles(TEMPLATE, 'mine');
    const body = { template: TEMPLATE, package_sha256: packageSha256(files), stage: 'plan' };
    expect((await post('/api/v1/productions', body)).status).toBe(200);
  });
});
