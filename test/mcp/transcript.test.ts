// The whole way of an assistant, by a scripted client that stands in for a model, before a sandbox: what is said on it is
// src/mcp/TRANSCRIPT.md. After a change: `npx vitest run --config test/vitest.config.ts test/mcp/transcript --update`, and read it.

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/doc-table.js';
import { runSvcd } from '../support/run-svcd.js';
import { packageOf, writeFolder } from '../support/template-package.js';
import { assistantStage } from './open-assistant.js';

const COPY = ['小明生日快乐', '送你一束花'];
const { svcd, folder, openAssistant, spent } = assistantStage();

const HEAD = `# A conversation

Made and compared by \`test/mcp/transcript.test.ts\`: a scripted client stands in for the model, the sandbox for the service. What
differs from run to run is replaced (\`<digest>\`); of a picture only its kind is shown. The user's request:

> Dress this copy with stickers, for at most 5 credits: ${COPY.join(' / ')}
`;

it('goes the whole way: copy, match, look, plan, consent, apply, verify, register', async () => {
  const parts = [HEAD];
  const say = (title: string, ...lines: readonly string[]) =>
    parts.push(`## ${title}\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`);
  const asked: string[] = [];
  const yes = { action: 'accept' as const, content: { yes: true } };
  const onForm = (message: string) => (asked.push(message), yes);
  const { client } = await openAssistant({ era: 'auto', name: 'Example Host', onForm });
  const call = async (name: string, given: Record<string, unknown>) => {
    const { content, structuredContent = {} } = await client.callTool({ name, arguments: given });
    const shown = (content as { type: string; text?: string; mimeType?: string }[]).flatMap(
      ({ type, text, mimeType }) => (type === 'text' ? linesOf(text ?? '') : [`[${type}: ${mimeType}]`]),
    );
    const forms = asked.splice(0).flatMap((form) => [`form     ${form}`, 'user     Yes']);
    say(name, `model    ${JSON.stringify(given)}`, ...forms, ...shown.map((line) => `svcd     ${line}`));
    return structuredContent as Record<string, unknown>;
  };

  say('What the host loads', ...linesOf(JSON.stringify({ instructions: client.getInstructions() })));
  const before = await spent();
  const presets: string[] = [];
  for (const text of COPY) {
    const { results } = await call('match_stickers', { text, limit: 3 });
    presets.push(...(results as { preset: string }[]).map(({ preset }) => preset));
  }
  await call('look_at_stickers', { presets });
  const slots = COPY.map((text, at) => ({ id: `line-${at + 1}`, text }));
  const { digest, cost } = await call('plan_stickers', { slots, max_credits: 5 });
  writeFolder(join(folder(), 'card.motion'), packageOf('birthday-card@1.1.0'));
  await call('register_production', { stage: 'plan', package: 'card.motion' });
  expect([cost, await spent()]).toEqual([2, before]);
  const order = { plan: digest, max_credits: cost, folder: 'video' };
  await call('apply_plan', order);
  await call('apply_plan', order);
  expect(await spent()).toBe(before + 2);
  const { code, stdout } = await runSvcd(['verify', '--lock', 'video/assets.lock.json'], {
    home: svcd().home,
    cwd: folder(),
  });
  say('svcd verify --lock video/assets.lock.json', ...stdout.trim().split('\n'), `exit code ${code}`);
  await call('register_production', { stage: 'done', package: 'card.motion' });
  await call('show_spending', {});

  const file = join(ROOT, 'src', 'mcp', 'TRANSCRIPT.md');
  await expect(masked(parts.join('\n'), folder())).toMatchFileSnapshot(file);
});

/** An answer with a line for each field, and for each entry of a list. */
function linesOf(json: string): string[] {
  return Object.entries(JSON.parse(json) as object).flatMap(([name, value]: [string, unknown]) =>
    Array.isArray(value) && typeof value[0] === 'object'
      ? [`${name}:`, ...value.map((one) => `  ${JSON.stringify(one)}`)]
      : [`${name}: ${JSON.stringify(value)}`],
  );
}

function masked(text: string, place: string): string {
  return text
    .replaceAll(place, '<working folder>')
    .replaceAll(/\b[0-9a-f]{64}\b/g, '<digest>')
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<id>')
    .replaceAll(/\b[0-9a-f]{12}…/g, '<digest>…')
    .replaceAll(/\.[0-9a-f]{8}\.json/g, '.<digest>.json')
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, '<time>');
}
