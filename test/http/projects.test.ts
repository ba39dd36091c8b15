// Scripts that are kept, over HTTP: what is answered and refused, two at once, how they are carried, and as copy.json.

import { describe, expect, it } from 'vitest';
import { CAKE } from '../sandbox/tiny-catalogue.js';
import { runHere } from '../support/run-here.js';
import { startPair } from '../support/start-pair.js';

const content = (part: object = {}) => ({
  version: 1,
  name: '五岁生日',
  script: '生日快乐。下雨了',
  lines: [
    { text: '生日快乐。', preset: CAKE },
    { text: '下雨了', preset: null },
  ],
  filters: {},
  ...part,
});

async function start() {
  const pair = await startPair();
  const { svcd } = pair;
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await svcd.send(method, path, body);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const keep = (id: string, revision: number, part: object = {}) =>
    ask('PUT', `/svcd/projects/${id}`, { revision, content: content(part) });
  return { ...pair, ask, keep };
}

describe('projects', () => {
  it('are kept, listed, shown and removed, the newest first', async () => {
    const { ask, keep } = await start();
    expect(await keep('a', 0)).toMatchObject({ status: 200, body: { kept: true, project: { id: 'a', revision: 2 } } });
    await keep('b', 0, { name: '' });
    expect(await keep('a', 2, { name: '改名' })).toMatchObject({ body: { kept: true, project: { revision: 3 } } });
    const { body } = await ask('GET', '/svcd/projects');
    expect(body['projects']).toMatchObject(
      [
        { id: 'a', name: '改名' },
        { id: 'b', name: '' },
      ].map((one) => one),
    );
    expect((await ask('GET', '/svcd/projects/a')).body['content']).toEqual(content({ name: '改名' }));
    expect(await ask('DELETE', '/svcd/projects/a')).toMatchObject({ body: { removed: 'a' } });
    expect(await ask('GET', '/svcd/projects/a')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('are never written over what another tab wrote', async () => {
    const { ask, keep } = await start();
    await keep('a', 0);
    await keep('a', 2, { script: 'theirs' });
    const late = await keep('a', 2, { script: 'mine' });
    expect(late.body).toMatchObject({ kept: false, project: { revision: 3, content: { script: 'theirs' } } });
    expect((await ask('GET', '/svcd/projects/a')).body).toMatchObject({ content: { script: 'theirs' } });
  });

  it.each([
    ['a newer version', { version: 2 }, 400, /written by a newer svcd: update this one/],
    ['a path as a preset', { lines: [{ text: 'a', preset: '../a' }] }, 400, /"\.\.\/a"/],
    ['257 KB', { lines: [{ text: 'x'.repeat(257 * 1024), preset: null }] }, 413, /262144/],
  ])('refuse %s in a sentence', async (_, part, status, says) => {
    const { ask, keep } = await start();
    const answer = await keep('a', 0, part);
    expect([answer.status, answer.body['message']]).toEqual([status, expect.stringMatching(says)]);
    expect((await ask('GET', '/svcd/projects')).body['projects']).toEqual([]);
  });

  it('go along with an export, unless they are left out, and the newer one stays', async () => {
    const [from, to] = [await start(), await start()];
    await from.keep('a', 0);
    const all = await (await from.svcd.get('/svcd/owned/export')).text();
    expect(await (await from.svcd.get('/svcd/owned/export?projects=false')).text()).not.toContain('五岁生日');
    const here = all.replaceAll(from.remote.url, to.remote.url);
    const take = async (body: string) => {
      const answer = await to.svcd.post('/svcd/owned/import', body, { 'Content-Type': 'application/x-ndjson' });
      return (await answer.json()) as { added: number; bad: number };
    };
    expect(await take(here)).toMatchObject({ added: 1, bad: 0 });
    expect((await to.ask('GET', '/svcd/projects/a')).body['content']).toEqual(content());
    await to.keep('a', 1, { script: 'newer' });
    expect(await take(here)).toMatchObject({ added: 0, bad: 0 });
    expect((await to.ask('GET', '/svcd/projects/a')).body).toMatchObject({ content: { script: 'newer' } });
    // What was worked on here stays beside what came and is newer.
    const later = here.replace(/"changed_at":"\d{4}/, '"changed_at":"2999');
    expect(await take(later)).toMatchObject({ added: 1 });
    expect((await to.ask('GET', '/svcd/projects/a')).body).toMatchObject({ content: { script: 'newer' } });
    expect((await to.ask('GET', '/svcd/projects')).body['projects']).toHaveLength(2);
    // Written once is worked on too.
    await to.keep('b', 0, { script: 'mine' });
    expect(await take(later.replaceAll('"project":"a"', '"project":"b"'))).toMatchObject({ added: 1 });
    expect((await to.ask('GET', '/svcd/projects/b')).body).toMatchObject({ content: { script: 'mine' } });
    expect(await take(here.replace('"content":{"version":1', '"content":{"version":2'))).toMatchObject({ bad: 1 });
  });

  it('are planned by their name, as copy.json says them', async () => {
    const { svcd, ask, keep } = await start();
    await keep('a', 0);
    expect((await ask('GET', '/svcd/projects/a/copy')).body).toEqual({
      slots: [
        { id: 'line-01', text: '生日快乐。', preset: CAKE },
        { id: 'line-02', text: '下雨了' },
      ],
    });
    const planned = await runHere(['plan', '--project', '五岁生日', '--json'], { home: svcd.home });
    const { slots } = JSON.parse(planned.stdout) as { slots: { id: string; preset: string }[] };
    expect(slots.map(({ id, preset }) => [id, preset])).toEqual([
      ['line-01', CAKE],
      ['line-02', 'default/rain'],
    ]);
    const both = await runHere(['plan', '--project', '五岁生日', '--copy', 'a.json'], { home: svcd.home });
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('give one of them')]);
    const none = await runHere(['plan', '--project', '没有'], { home: svcd.home });
    expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/没有.*\n.*五岁生日/)]);
  });
});
