// Templates on the control surface: their versions, and downloading their packages. Buying one is in control-money.ts.

import { parseControl } from './control-requests.js';
import { MAIN_ACCOUNT } from './accounts.js';
import { issueKey, type AccountRooms } from './control-accounts.js';
import type { ControlRoute } from './control-app.js';
import { readJsonObject } from './read-body.js';
import type { TemplateShelf } from './template-shelf.js';

export interface TemplateRooms extends AccountRooms {
  templates: TemplateShelf;
}

/** Routes about templates. */
export function templateRoutes(rooms: TemplateRooms): ControlRoute[] {
  const { templates } = rooms;
  return [
    ['GET', '/sandbox/templates', () => ({ templates: templates.list() })],
    ['POST', '/sandbox/templates', async (c) => release(templates, await readJsonObject(c.req.raw))],
    ['POST', '/sandbox/downloads', async (c) => download(rooms, await readJsonObject(c.req.raw))],
  ];
}

function release(templates: TemplateShelf, body: Record<string, unknown>) {
  const released = parseControl('release', body);
  templates.release(released);
  return released;
}

/** Every download brings a Key of its own; those of earlier downloads stay as they are. */
async function download(rooms: TemplateRooms, body: Record<string, unknown>) {
  const { account = MAIN_ACCOUNT, template: asked, form } = parseControl('download', body);
  const { id } = rooms.accounts.get(account);
  const template = rooms.templates.getFullName(asked);
  const { motionFiles, packageSha256 } = await import('./templates/motion-package.js');
  const key = issueKey(rooms, id, { template });
  const files = motionFiles(template, key.key);
  const told = { template, package_sha256: packageSha256(files), key };
  if (form === 'files') return { ...told, files };
  const { zipMotionFiles } = await import('./templates/zip-motion-files.js');
  return { ...told, zip: Buffer.from(zipMotionFiles(files)).toString('base64') };
}
