// Section 2 of the document, its end: productions, and what a template declares.

import { expect } from 'vitest';
import { controlled, free, type Checks } from './checks.js';
import { bodyOf, expectRefusal, PRODUCTION, PRODUCTIONS, TEMPLATE } from './questions.js';
import type { Json, Service } from './service.js';

export const PRODUCING: Checks = {
  '2.53': free(async (service) => {
    expect(Object.keys(PRODUCTION)).toHaveLength(7);
    expect((await service.post(PRODUCTIONS, PRODUCTION)).status).toBe(200);
    expectRefusal(await service.post(PRODUCTIONS, { ...PRODUCTION, note: 'x' }), 400);
  }),
  '2.54': productionField('template', ['a@1', '生日@1.0.0-beta.2'], ['birthday', '@1.0', 'a b@1', 7]),
  '2.55': productionField('package_sha256', ['0123456789abcdef'.repeat(4)], ['abc', 'g'.repeat(64), 7]),
  '2.56': productionField('host', ['my-tool', 'Tool.2'], ['', '/usr/bin/tool', 'my own tool', 7]),
  '2.57': productionField('layout', ['landscape', 'portrait', '16:9'], ['', 'C:\\video', 7]),
  '2.58': productionField('duration_s', [0, 12.5, 3600], ['12', -1, null]),
  '2.59': productionField('materials', [[], ['stickers.file'], ['image.hero']], ['stickers.file', [7], ['x']]),
  '2.60': productionField('stage', ['plan', 'done'], ['later', '', 7]),
  '2.61': free(async (service) => {
    const { template, stage } = PRODUCTION;
    expect((await service.post(PRODUCTIONS, { template, stage })).status).toBe(200);
    expectRefusal(await service.post(PRODUCTIONS, { template }), 400);
    expectRefusal(await service.post(PRODUCTIONS, { stage }), 400);
  }),
  '2.62': free(async (service) => {
    for (const wrong of [{ host: '/home/someone' }, { materials: ['../../secret'] }, { layout: 'my copy: 生日' }]) {
      expectRefusal(await service.post(PRODUCTIONS, { ...PRODUCTION, ...wrong }), 400);
    }
  }),
  '2.63': free(async (service) => {
    const [first, second] = [await registered(service), await registered(service)];
    expect(first['production_id']).toEqual(expect.stringMatching(/\S/));
    expect(second['production_id']).not.toBe(first['production_id']);
  }),
  '2.64': free(async (service) => {
    expect((await registered(service))['latest_version']).toEqual(expect.stringMatching(/^\S+$/));
  }),
  '2.65': free(async (service) => {
    const { notices } = await registered(service, TEMPLATE);
    expect(notices).toEqual(expect.any(Array));
    for (const notice of notices as Json[]) {
      expect(Object.keys(notice).toSorted()).toEqual(['code', 'message', 'version']);
    }
  }),
  '2.66': free(async (service) => {
    const { tips } = await registered(service, TEMPLATE);
    expect(tips).toEqual(expect.any(Array));
    for (const tip of tips as Json[]) expect(tip).toEqual({ message: expect.stringMatching(/\S/) as string });
  }),
  '2.67': controlled(async ({ control }) => {
    const { files } = await control.downloadTemplate(control.account, TEMPLATE);
    const { service } = JSON.parse(files['motion.json'] ?? '') as { service: Json };
    expect(service['capabilities']).toEqual(expect.arrayContaining([expect.any(String)]));
  }),
  '2.68': controlled(async ({ control }) => {
    const { files } = await control.downloadTemplate(control.account, TEMPLATE);
    const { service } = JSON.parse(files['motion.json'] ?? '') as { service: { capabilities: string[] } };
    const known = ['images.generate', 'stickers.file'];
    expect(service.capabilities.filter((name) => !known.includes(name))).toEqual([]);
  }),
};

function productionField(field: keyof typeof PRODUCTION, right: unknown[], wrong: unknown[]) {
  return free(async (service) => {
    for (const value of right) {
      const { status, body } = await service.post(PRODUCTIONS, { ...PRODUCTION, [field]: value });
      expect(status, `${JSON.stringify(value)}: ${JSON.stringify(body)}`).toBe(200);
    }
    for (const value of wrong) {
      expectRefusal(await service.post(PRODUCTIONS, { ...PRODUCTION, [field]: value }), 400);
    }
  });
}

async function registered(service: Service, template: string = PRODUCTION.template): Promise<Json> {
  return bodyOf(await service.post(PRODUCTIONS, { ...PRODUCTION, template }));
}
