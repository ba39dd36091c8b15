// The files that the README of the hub hands out.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../src/config/settings.js';
import { hasProgram, itIf, type Need } from '../support/requires.js';

const FOLDER = join(import.meta.dirname, '..', '..', 'src', 'hub');
const UNIT = readFileSync(join(FOLDER, 'svcd-hub.service'), 'utf8');
const COMPOSE = readFileSync(join(FOLDER, 'compose.yaml'), 'utf8');

const SYSTEMD_ANALYZE: Need = {
  isMet: () => hasProgram('systemd-analyze'),
  advice: 'install systemd (Debian: apt-get install systemd)',
  instead: 'the settings that the unit names are compared with those that svcd knows',
};

interface Compose {
  readonly services: Readonly<Record<string, { readonly [name: string]: unknown }>>;
  readonly volumes: object;
  readonly secrets: object;
}

const namedIn = (text: string) => [...text.matchAll(/\b(SVCD_[A-Z_]+)\b/g)].map(([, name]) => name);
const known = new Set(SETTINGS.map(({ env }) => env));

describe('the unit for systemd', () => {
  itIf(SYSTEMD_ANALYZE, 'is what systemd-analyze accepts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svcd-unit-'));
    try {
      const file = join(folder, 'svcd-hub.service');
      writeFileSync(file, UNIT);
      const { status, stderr } = spawnSync('systemd-analyze', ['--man=no', 'verify', file], { encoding: 'utf8' });
      expect({ status, stderr: stderr.split('\n').filter((line) => line.includes('svcd-hub')) }).toEqual({
        status: 0,
        stderr: [],
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('names settings that svcd has, and holds no Key', () => {
    expect(namedIn(UNIT).filter((name) => !known.has(name ?? ''))).toEqual([]);
    expect(UNIT).toMatch(/^LoadCredential=service_key:/m);
    expect(UNIT).toMatch(/^ExecStart=\/usr\/bin\/env svcd hub start /m);
  });
});

describe('the compose file', () => {
  it('is YAML that starts a hub on a volume, with the Key as a secret', () => {
    const { services, volumes, secrets } = parseYaml(COMPOSE) as Compose;
    expect(services['hub']).toMatchObject({
      entrypoint: ['svcd', 'hub', 'start', '--listen', '0.0.0.0:7825'],
      ports: ['7825:7825'],
      volumes: ['hub:/svcd'],
      secrets: ['service_key'],
      environment: { SVCD_HOME: '/svcd', SVCD_KEY_FILE: '/run/secrets/service_key' },
    });
    expect(Object.keys(volumes)).toEqual(['hub']);
    expect(Object.keys(secrets)).toEqual(['service_key']);
    expect(namedIn(COMPOSE).filter((name) => !known.has(name ?? ''))).toEqual([]);
  });
});
