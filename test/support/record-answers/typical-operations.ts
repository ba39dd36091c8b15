// A daemon with a sandbox behind it, used over HTTP as its clients use it, and with the mistakes that they make.

import { createHash } from 'node:crypto';
import type { House } from './house.js';

const CAKE = 'fluent-emoji-flat%2Fbirthday-cake';
const LINES = { 'content-type': 'application/x-ndjson' };
const IMAGE = { prompt: 'a paper lantern', size: '1024x1024' };

export async function tellOfOperations(open: () => House): Promise<void> {
  const house = open();
  const ask: Ask = (...given) => house.ask(...given);
  const start = ['start', '--sandbox', '--seed', '1', '--fresh', '--credits', '40', '--with', 'music,tasks'];
  await house.start('start for typical requests', start);
  await tellOfFinding(ask);
  const cake = await tellOfBuying(house, ask);
  await tellOfMoney(ask);
  await tellOfTools(ask);
  await tellOfLibrary(ask, cake);
  await tellOfPage(ask);
  await tellOfAccess(ask);
  await ask('stop', 'POST /svcd/stop');
}

type Ask = House['ask'];

async function tellOfFinding(ask: Ask): Promise<void> {
  const birthday = '%E7%94%9F%E6%97%A5';
  const none: Parameters<Ask>[2] = { as: '' };
  await ask('status', 'GET /svcd/status', none);
  await ask('front page for programs', 'GET /', { as: '', headers: { accept: 'application/json' } });
  await ask('front page', 'GET /', { as: '', headers: { accept: 'text/html' } });
  await ask('guide', 'GET /llms.txt', none);
  await ask('not there', 'GET /svcd/nothing', none);
  await ask('another host', 'GET /svcd/status', { as: '', headers: { host: 'example.com' } });
  await ask('capabilities', 'GET /api/v1/capabilities', none);
  for (const query of [`q=${birthday}&limit=3`, 'q=shengri', 'q=', 'q=cake&limit=99', 'q=xyzzyq']) {
    await ask(`service search ${query}`, `GET /api/v1/stickers/search?${query}`, none);
    await ask(`search ${query}`, `GET /svcd/search?${query}`, none);
    await ask(`tiles ${query}`, `GET /svcd/tiles?${query}`, none);
    await ask(`complete ${query}`, `GET /svcd/complete?${query}`, none);
  }
  for (const filter of ['color=red&q=heart', 'color=nocolor', 'aspect=wide&q=car', 'owned=true&q=', 'min_duration=x']) {
    await ask(`search with ${filter}`, `GET /svcd/search?${filter}&limit=2`, none);
  }
  await ask('match', 'POST /api/v1/stickers/match', { as: '', body: { text: '祝你生日快乐', limit: 3 } });
  await ask('match by keywords', 'POST /api/v1/stickers/match', { as: '', body: { keywords: ['雨', '伞'], limit: 2 } });
  await ask('match nothing', 'POST /api/v1/stickers/match', { as: '', body: { text: ' ' } });
  await ask('match tiles', 'POST /svcd/tiles/match', { as: '', body: { text: '下雨了。生日快乐！' } });
  await ask('related', `GET /svcd/related/${CAKE}?limit=3`, none);
  await ask('related to nothing', 'GET /svcd/related/no%2Fsuch', none);
  await ask('tile', `GET /svcd/tiles/${CAKE}`, none);
  await ask('tile of nothing', 'GET /svcd/tiles/no%2Fsuch', none);
  await ask('sketch', `GET /svcd/sketches/${CAKE}`, none);
  await ask('picture', `GET /svcd/pictures/${CAKE}`, none);
  const slots = [
    { id: 'opening', text: '祝你生日快乐' },
    { id: 'end', preset: 'twemoji/balloon' },
    { id: 'sky', ...IMAGE },
  ];
  await ask('plan', 'POST /svcd/plan', { body: { slots } });
  await ask('plan twice the same slot', 'POST /svcd/plan', { body: { slots: [slots[0], slots[0]] } });
}

/** The file that was bought. */
async function tellOfBuying(house: House, ask: Ask): Promise<string> {
  const path = `/api/v1/stickers/${CAKE}`;
  await ask('sticker without a Key', `GET ${path}`, { as: '' });
  await ask('sticker, strict, without a Key', `GET ${path}`, { as: '', headers: { 'x-svcd-fallback': 'off' } });
  const bought = await ask('sticker bought', `GET ${path}`);
  await ask('sticker owned', `GET ${path}`);
  await ask('sticker owned, HEAD', `HEAD ${path}`);
  await ask('sticker owned, a part', `GET ${path}`, { headers: { range: 'bytes=0-9' } });
  await ask('sticker owned, a part beyond', `GET ${path}`, { headers: { range: 'bytes=99999999-' } });
  await ask('sticker owned, known', `GET ${path}`, { headers: { 'if-none-match': '*' } });
  await ask('sticker owned, safe', `GET ${path}?form=safe`);
  await ask('sticker, no such form', `GET ${path}?form=odd`);
  await ask('sticker, a wrong deadline', `GET ${path}`, { headers: { 'x-svcd-deadline-ms': 'soon' } });
  await ask('sticker unknown', 'GET /api/v1/stickers/no%2Fsuch');
  await ask('sticker with a Key that is none', 'GET /api/v1/stickers/twemoji%2Fballoon', { as: 'sk-not-one-at-all' });
  await ask('sticker by a page', 'GET /api/v1/stickers/twemoji%2Fballoon', {
    as: '',
    headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
  });
  const digest = createHash('sha256').update(bought).digest('hex');
  house.mask.learn(digest, 'digest of the cake');
  await ask('by digest', `GET /svcd/owned/by-digest/${digest}`, { as: '' });
  await ask('facts', `GET /svcd/facts/${CAKE}`, { as: '' });
  await ask('facts of nothing', 'GET /svcd/facts/no%2Fsuch', { as: '' });
  await ask('free', `GET /svcd/owned?preset=${CAKE}&preset=no%2Fsuch`, { as: '' });
  await ask('zip of what is not owned', 'GET /svcd/owned.zip?preset=no%2Fsuch', { as: '' });
  const image = await ask('image bought', 'POST /api/v1/images', { body: IMAGE });
  await ask('image owned', 'POST /api/v1/images', { body: IMAGE });
  await ask('image of no size', 'POST /api/v1/images', { body: { prompt: 'x', size: '1x1' } });
  await ask('image fresh and of a variant', 'POST /api/v1/images', { body: IMAGE, headers: { 'x-svcd-variant': 'x' } });
  const where = /"https?:\/\/[^"/]+(\/svcd\/images\/([^"]+))"/.exec(image);
  house.mask.learn(where?.[2], 'picture');
  await ask('picture of the image', `GET ${where?.[1] ?? '/none'}`, { as: '' });
  const wanted = { presets: ['twemoji/balloon', 'no/such'], max_credits: 5 };
  await ask('prefetch', 'POST /svcd/prefetch', { body: wanted });
  await ask('prefetch for too little', 'POST /svcd/prefetch', { body: { presets: ['twemoji/rose'], max_credits: 0 } });
  await ask('prefetch nothing', 'POST /svcd/prefetch', { body: { max_credits: 0 } });
  await ask('production', 'POST /api/v1/productions', { as: '', body: { template: 'card@1.0.0', stage: 'done' } });
  await ask('production with a path', 'POST /api/v1/productions', { body: { template: '/home/me', stage: 'done' } });
  await ask('music', 'GET /api/v1/music/search?q=calm');
  await ask('a task that is none', 'GET /api/v1/tasks/none');
  await ask('a file that is none', 'GET /svcd/files/none');
  return bought;
}

async function tellOfTools(ask: Ask): Promise<void> {
  const accept = 'application/json, text/event-stream';
  const say = (name: string, method: string, params: object, as?: string) =>
    ask(`mcp: ${name}`, 'POST /mcp', {
      body: { jsonrpc: '2.0', id: 1, method, params },
      headers: { accept },
      ...(as !== undefined && { as }),
    });
  const clientInfo = { name: 'host', version: '1' };
  await say('initialize', 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  for (const list of ['tools', 'resources', 'prompts']) await say(list, `${list}/list`, {}, '');
  const call = (name: string, given: object, as?: string) =>
    say(`${name} ${JSON.stringify(given)}`, 'tools/call', { name, arguments: given }, as);
  await call('search_stickers', { q: '生日', limit: 2 }, '');
  await call('search_stickers', { query: 1 });
  await call('match_stickers', { text: '祝你生日快乐', limit: 2 }, '');
  await call('plan_stickers', { slots: [{ id: 'a', preset: 'twemoji/balloon' }] });
  await call('get_stickers', { presets: ['twemoji/rose'], max_credits: 5 });
  await call('show_spending', {});
  await call('no_such_tool', {});
  await say('no such method', 'no/such', {});
}

async function tellOfMoney(ask: Ask): Promise<void> {
  await ask('account', 'GET /api/v1/me');
  await ask('usage', 'GET /api/v1/usage');
  await ask('purchases', 'GET /svcd/purchases');
  await ask('purchases of a state that is none', 'GET /svcd/purchases?state=odd');
  await ask('purchases since', 'GET /svcd/purchases?since=2020-01-01&limit=1');
  await ask('purchase', 'GET /svcd/purchases/1');
  await ask('purchase that is none', 'GET /svcd/purchases/999');
  await ask('settle what is settled', 'POST /svcd/purchases/1/settle', { body: { as: 'free' } });
  await ask('settle wrongly', 'POST /svcd/purchases/1/settle', { body: { as: 'odd' } });
  await ask('retry what is paid', 'POST /svcd/purchases/1/retry');
  await ask('spending', 'GET /svcd/spending');
  await ask('budget', 'PUT /svcd/budget', { body: { request: 5, day: 20 } });
  await ask('budget of nothing', 'PUT /svcd/budget', { body: {} });
  await ask('budget below zero', 'PUT /svcd/budget', { body: { day: -1 } });
  await ask('image over the budget', 'POST /api/v1/images', { body: { ...IMAGE, prompt: 'another' } });
  await ask('image over the budget, strict', 'POST /api/v1/images', {
    body: { ...IMAGE, prompt: 'another' },
    headers: { 'x-svcd-fallback': 'off' },
  });
  await ask('stop spending', 'POST /svcd/spending', { body: { stopped: true } });
  await ask('sticker while stopped', 'GET /api/v1/stickers/twemoji%2Frose');
  await ask('resume spending', 'POST /svcd/spending', { body: { stopped: false } });
  await ask('no budget', 'PUT /svcd/budget', { body: { request: null, day: null } });
  await ask('report', 'GET /svcd/report');
  await ask('offline', 'POST /svcd/offline', { body: { offline: true } });
  await ask('sticker while offline', 'GET /api/v1/stickers/twemoji%2Frose');
  await ask('sticker while offline, strict', 'GET /api/v1/stickers/twemoji%2Frose', {
    headers: { 'x-svcd-fallback': 'off' },
  });
  await ask('usage while offline', 'GET /api/v1/usage');
  await ask('music while offline', 'GET /api/v1/music/search?q=calm');
  await ask('online', 'POST /svcd/offline', { body: { offline: false } });
}

async function tellOfLibrary(ask: Ask, lottie: string): Promise<void> {
  await ask('library', 'GET /svcd/library');
  await ask('library paused', 'POST /svcd/library/pause');
  await ask('library resumed', 'POST /svcd/library/resume');
  await ask('library sync of no number', 'POST /svcd/library/sync?max_requests=x');
  await ask('library export', 'GET /svcd/library/export');
  await ask('library import', 'POST /svcd/library/import', { body: 'no line\n', headers: LINES });
  await ask('own sticker', 'PUT /svcd/library/stickers/own%2Fours', {
    body: { title: '我们的蛋糕', keywords: ['蛋糕'], lottie },
  });
  await ask('own sticker elsewhere', 'PUT /svcd/library/stickers/food%2Fours', { body: { title: 'x', lottie } });
  await ask('own sticker that is none', 'PUT /svcd/library/stickers/own%2Fodd', { body: { title: 'x', lottie: '{}' } });
  await ask('own stickers', 'GET /svcd/library/stickers');
  await ask('search finds it', 'GET /svcd/search?q=%E6%88%91%E4%BB%AC%E7%9A%84%E8%9B%8B%E7%B3%95&limit=1');
  await ask('own sticker removed', 'DELETE /svcd/library/stickers/own%2Fours');
  await ask('own sticker removed again', 'DELETE /svcd/library/stickers/own%2Fours');
  await ask('default', 'PUT /svcd/defaults/stickers/food%2Fcake', { body: lottie });
  await ask('default that is none', 'PUT /svcd/defaults/stickers/food%2Fcake', { body: '{}' });
  await ask('defaults', 'GET /svcd/defaults/stickers');
  await ask('default removed', 'DELETE /svcd/defaults/stickers/food%2Fcake');
  await ask('default image', 'GET /svcd/defaults/images/1024x1024.png');
  await ask('owned exported', 'GET /svcd/owned/export');
  await ask('owned imported', 'POST /svcd/owned/import', { body: 'no line\n', headers: LINES });
}

const PROJECT = { version: 1, name: 'mine', script: '生日', lines: [{ text: '生日', preset: CAKE }], filters: {} };

async function tellOfPage(ask: Ask): Promise<void> {
  await ask('summary', 'GET /svcd/summary');
  await ask('events', 'GET /svcd/events', { first: true });
  await ask('added to a collection', `PUT /svcd/collections/favourites/${CAKE}`);
  await ask('collection', 'PUT /svcd/collections/mine', { body: { presets: ['twemoji/balloon', 'twemoji/rose'] } });
  await ask('collection of no preset', 'PUT /svcd/collections/mine', { body: { presets: [''] } });
  await ask('taken from a collection', `DELETE /svcd/collections/favourites/${CAKE}`);
  await ask('project kept', 'PUT /svcd/projects/mine', { body: { revision: 0, content: PROJECT } });
  await ask('projects', 'GET /svcd/projects');
  await ask('project', 'GET /svcd/projects/mine');
  await ask('project as a copy', 'GET /svcd/projects/mine/copy');
  await ask('project removed', 'DELETE /svcd/projects/mine');
  await ask('exported', 'POST /svcd/exports', { body: { presets: ['twemoji/balloon'] } });
  await ask('collections', 'GET /svcd/collections');
  await ask('tiles of a collection', 'GET /svcd/tiles?collection=mine');
  await ask('collection removed', 'DELETE /svcd/collections/mine');
  await ask('folder', 'POST /svcd/folder', { body: { presets: ['twemoji/balloon'] } });
  await ask('folder shown', 'POST /svcd/folder/reveal');
  await ask('made file of no kind', 'PUT /svcd/folder/made?file=a.exe&offset=0');
  await ask('session', 'POST /svcd/session-code');
  await ask('session of no code', 'GET /svcd/session?code=odd', { as: '' });
}

async function tellOfAccess(ask: Ask): Promise<void> {
  await ask('origins', 'GET /svcd/origins');
  await ask('origin added', 'PUT /svcd/origins/http%3A%2F%2Flocalhost%3A3000');
  await ask('origin that is none', 'PUT /svcd/origins/odd');
  await ask('a listed page', 'GET /svcd/status', { as: '', headers: { origin: 'http://localhost:3000' } });
  await ask('origin removed', 'DELETE /svcd/origins/http%3A%2F%2Flocalhost%3A3000');
  await ask('Key', 'GET /svcd/key');
  await ask('Key looked for', 'POST /svcd/key/refresh');
  const added = await ask('token', 'POST /svcd/tokens', { body: { name: 'promo', only: ['stickers'], day: 3 } });
  await ask('token again', 'POST /svcd/tokens', { body: { name: 'promo' } });
  await ask('token of no name', 'POST /svcd/tokens', { body: { name: 'run-x' } });
  const { token = '' } = JSON.parse(added) as { token?: string };
  await ask('image by a token for stickers', 'POST /api/v1/images', { as: token, body: IMAGE });
  await ask('tokens by a token', 'GET /svcd/tokens', { as: token });
  await ask('sticker by a token', 'GET /api/v1/stickers/twemoji%2Frose', { as: token });
  await ask('tokens', 'GET /svcd/tokens');
  await ask('token revoked', 'DELETE /svcd/tokens/promo');
  await ask('sticker by a revoked token', 'GET /api/v1/stickers/twemoji%2Frose', { as: token });
  await ask('lease', 'POST /svcd/tokens/lease', { body: { only: ['stickers'], total: 5 }, first: true });
  await ask('lease of nothing', 'POST /svcd/tokens/lease', { body: { only: [] } });
  await ask('run', 'POST /svcd/runs', { body: { name: 'card', total: 2 } });
  await ask('report of a run', 'GET /svcd/report?run=card');
}
