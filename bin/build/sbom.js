// What is built in, as a list that audits can read (CycloneDX 1.5): a user's own lockfile does not show it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of `sbom.json` for the folders of packages that are built in. Throws for a package that is not as the lockfile has it. */
export function sbomOf(root, folders) {
  const { packages } = readJson(join(root, 'package-lock.json'));
  const { name, version, license } = readJson(join(root, 'package.json'));
  const own = component({ name, version, license }, 'application');
  const components = Array.from(folders, (folder) => {
    const built = readJson(join(root, folder, 'package.json'));
    const locked = packages[folder];
    if (locked?.version !== built.version) {
      throw new Error(`${built.name} ${built.version} is not in package-lock.json at ${folder}; run "npm ci"`);
    }
    const { license: licence = locked.license } = built;
    return { ...component({ ...built, license: licence }, 'library'), ...hashOf(locked.integrity) };
  });
  // One package may be built in from two folders.
  const unique = [...new Map(components.map((one) => [one['bom-ref'], one])).values()];
  const dependencies = [{ ref: own['bom-ref'], dependsOn: unique.map((one) => one['bom-ref']) }];
  const bom = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata: { component: own } };
  return `${JSON.stringify({ ...bom, components: unique, dependencies }, null, 2)}\n`;
}

function component({ name, version, license }, type) {
  const [short, scope] = name.split('/').toReversed();
  const purl = `pkg:npm/${scope === undefined ? '' : `${encodeURIComponent(scope)}/`}${short}@${version}`;
  const licences = / (?:OR|AND|WITH) /.test(license) ? { expression: license } : { license: { id: license } };
  const group = scope === undefined ? {} : { group: scope };
  return { type, 'bom-ref': purl, ...group, name: short, version, purl, licenses: [licences] };
}

function hashOf(integrity) {
  const [, base64] = /^sha512-(\S+)/.exec(integrity ?? '') ?? [];
  if (base64 === undefined) return {};
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }] };
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
