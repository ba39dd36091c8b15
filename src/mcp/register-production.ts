// register_production: tells the service that a template is produced, if the user lets it.

import * as v from 'valibot';
import { productionRequestSchema } from '../contract/requests.js';
import { parseWith } from '../contract/json-body.js';
import { jsonQuestion, toRefusal } from '../video/apply/asker.js';
import { adviceIn } from '../video/template/advice.js';
import { placeFor } from './folder.js';
import { cut, FOREIGN, Question, tool, type World } from './tool.js';

const word = v.optional(v.string());

export const registerProduction = tool(
  'register_production',
  'Tell the service that a template is produced: stage plan before the plan is shown, done after export. Gives known issues, the latest version and tips. Free; the user is asked. Give package (a .motion in the working folder), or template (name@version).',
  v.strictObject({
    stage: v.picklist(['plan', 'done']),
    package: word,
    template: word,
    package_sha256: word,
    layout: word,
    duration_s: v.optional(v.number()),
    materials: v.optional(v.array(v.string())),
  }),
  async ({ package: path, ...said }, world, { yes, canAsk, host }) => {
    const { asker, words, registers } = world;
    const { about, identity } = path === undefined ? {} : await readPackage(path, world);
    const body = parseWith(productionRequestSchema, { ...about, ...said, ...identity, host: nameOf(host) });
    const choice = await registers();
    const skipped = (reason: string) => ({ template: body.template, registered: false, reason });
    if (choice === 'never') return skipped('declined');
    if (choice === 'ask' && yes === undefined) {
      if (canAsk)
        throw new Question(words.tell(cut(body.template, 60), cut(body.host ?? 'svcd', 40), body.package_sha256), 0);
      return { ...skipped('not_asked'), hint: 'The user can allow it: svcd config set registerProductions always' };
    }
    const answer = await asker.request('POST', '/api/v1/productions', jsonQuestion(body));
    if (answer.status !== 200) throw toRefusal(answer.json() as object);
    if (answer.header('x-svcd-source') === 'default') return skipped(answer.header('x-svcd-reason') ?? 'offline');
    return { ...FOREIGN, template: body.template, registered: true, host: body.host, ...adviceIn(answer.json()) };
  },
  'tell',
);

async function readPackage(path: string, world: World) {
  const { openPackage } = await import('../video/template/open-package.js');
  const { template, packageSha256, layout, durationS, capabilities } = await openPackage(placeFor(path, world, 'file'));
  return {
    about: { layout, duration_s: durationS, materials: [...capabilities] },
    identity: { template, package_sha256: packageSha256 },
  };
}

/** The host's own name, where the field can hold it. */
function nameOf(host = ''): string {
  const name = host.trim().replace(/\s+/g, '-');
  return v.is(productionRequestSchema.entries.host, name) ? name : 'svcd';
}
