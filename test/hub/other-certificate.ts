// A second certificate: of a hub that was made anew, or of somebody in between.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Authority } from '../support/tls-front.js';

export function makeOtherCertificate(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-other-'));
  try {
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    execFileSync('openssl', [...args, '-keyout', 'key.pem', '-out', 'cert.pem', '-subj', '/CN=hub'], {
      cwd: folder,
      stdio: 'pipe',
    });
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    return { file: '', key: read('key.pem'), cert: read('cert.pem') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
