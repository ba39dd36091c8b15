// Every way we know by which a web page can make a browser send a request somewhere else. Each is code for the page,
// as text, because it runs where this project's types do not reach. `report` notes what the page could read.

/** One way. In `code`, TARGET is an address to hit. */
export interface Attack {
  readonly name: string;
  readonly code: string;
}

const FRAME = `const frame = document.createElement('iframe'); frame.name = 'f' + Math.random();
  document.body.append(frame);`;

const form = (method: string, enctype: string, fields: string): string => `${FRAME}
  const form = document.createElement('form');
  Object.assign(form, { method: '${method}', enctype: '${enctype}', action: TARGET, target: frame.name });
  for (const [name, value] of ${fields}) {
    const input = document.createElement('input'); Object.assign(input, { name, value, type: 'hidden' }); form.append(input);
  }
  document.body.append(form); form.submit();
  frame.onload = () => { try { report('read ' + frame.contentDocument.body.innerText) } catch { report('closed') } };`;

const element = (tag: string, attributes: string): string => `
  const element = document.createElement('${tag}');
  element.onload = () => report('loaded'); element.onerror = () => report('failed');
  Object.assign(element, ${attributes}); document.body.append(element);`;

const fetched = (options: string): string => `
  fetch(TARGET, ${options}).then(async (answer) => report(answer.type === 'opaque' ? 'opaque' : 'read ' + await answer.text()),
    () => report('failed'));`;

const ORDER = `{"prompt":"a cat","size":"1024x1024"}`;
// A form that a careless reader of text/plain takes for JSON.
const JSON_FIELDS = `[['{"prompt":"a cat","size":"1024x1024","x":"', '"}']]`;
const FIELDS = `[['prompt', 'a cat'], ['size', '1024x1024']]`;

/** What a page can do with the address of something to GET. */
export const READS: readonly Attack[] = [
  { name: 'img', code: element('img', '{ src: TARGET }') },
  { name: 'img-crossorigin', code: element('img', `{ crossOrigin: 'anonymous', src: TARGET }`) },
  { name: 'img-credentials', code: element('img', `{ crossOrigin: 'use-credentials', src: TARGET }`) },
  { name: 'img-no-referrer', code: element('img', `{ referrerPolicy: 'no-referrer', src: TARGET }`) },
  { name: 'picture-srcset', code: element('img', `{ srcset: TARGET + ' 1x' }`) },
  { name: 'script', code: element('script', '{ src: TARGET }') },
  { name: 'script-module', code: element('script', `{ type: 'module', src: TARGET }`) },
  { name: 'import', code: `import(TARGET).then(() => report('read a module'), () => report('failed'));` },
  { name: 'stylesheet', code: element('link', `{ rel: 'stylesheet', href: TARGET }`) },
  { name: 'prefetch', code: element('link', `{ rel: 'prefetch', href: TARGET }`) },
  {
    name: 'preload',
    code: element('link', `{ rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: TARGET }`),
  },
  { name: 'video', code: element('video', `{ preload: 'auto', src: TARGET }`) },
  { name: 'audio', code: element('audio', `{ preload: 'auto', src: TARGET }`) },
  {
    name: 'track',
    code: `const video = document.createElement('video'); video.crossOrigin = 'anonymous';
      const track = document.createElement('track'); Object.assign(track, { default: true, src: TARGET });
      video.append(track); document.body.append(video); track.track.mode = 'showing';`,
  },
  { name: 'object', code: element('object', '{ data: TARGET }') },
  // Its load event comes for the browser's own error page too.
  {
    name: 'embed',
    code: `const embed = document.createElement('embed'); embed.src = TARGET; document.body.append(embed);`,
  },
  {
    name: 'iframe',
    code: `${FRAME} frame.onload = () => {
      try { report('read ' + frame.contentDocument.body.innerText) } catch { report('closed') } }; frame.src = TARGET;`,
  },
  {
    name: 'meta-refresh',
    code: `${FRAME} frame.srcdoc = '<meta http-equiv="refresh" content="0;url=' + TARGET + '">';`,
  },
  {
    name: 'css',
    code: `const box = document.createElement('div'); box.style.backgroundImage = 'url("' + TARGET + '")';
      box.append('x'); document.body.append(box);`,
  },
  {
    name: 'font',
    code: `new FontFace('stolen', 'url("' + TARGET + '")').load().then(() => report('read a font'), () => report('failed'));`,
  },
  { name: 'fetch', code: fetched('{}') },
  { name: 'fetch-credentials', code: fetched(`{ credentials: 'include' }`) },
  { name: 'fetch-no-cors', code: fetched(`{ mode: 'no-cors' }`) },
  { name: 'fetch-no-cors-credentials', code: fetched(`{ mode: 'no-cors', credentials: 'include' }`) },
  { name: 'fetch-keepalive', code: fetched(`{ mode: 'no-cors', keepalive: true }`) },
  { name: 'fetch-header', code: fetched(`{ headers: { 'X-Svcd-Fallback': 'off' } }`) },
  { name: 'fetch-token', code: fetched(`{ headers: { Authorization: 'Bearer svcd_guessed' } }`) },
  { name: 'fetch-head', code: fetched(`{ method: 'HEAD' }`) },
  {
    name: 'xhr',
    code: `const xhr = new XMLHttpRequest(); xhr.onload = () => report('read ' + xhr.responseText);
      xhr.onerror = () => report('failed'); xhr.open('GET', TARGET); xhr.send();`,
  },
  {
    name: 'event-source',
    code: `const source = new EventSource(TARGET); source.onopen = () => report('read a stream');
      source.onerror = () => { source.close(); report('failed') };`,
  },
  {
    name: 'web-socket',
    code: `const socket = new WebSocket(TARGET.replace('http', 'ws')); socket.onopen = () => report('read a socket');
      socket.onerror = () => report('failed');`,
  },
  {
    name: 'worker',
    code: `const source = 'try { importScripts(' + JSON.stringify(TARGET) + '); postMessage(1) } catch { postMessage(0) }';
      const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
      worker.onmessage = ({ data }) => report(data ? 'read a script' : 'failed');`,
  },
  {
    name: 'open',
    // Until it has gone where it was sent, the new window is the page's own empty one: that is nothing read.
    code: `const opened = open(TARGET, '_blank'); const look = setInterval(() => {
      try { const text = opened.document.body.innerText; if (opened.location.href !== 'about:blank') tell('read ' + text) }
      catch { tell('closed') } }, 100); const tell = (what) => { clearInterval(look); report(what) };`,
  },
  {
    name: 'form-get',
    code: form('get', 'application/x-www-form-urlencoded', `[['tag', TARGET.split('tag=')[1]]]`),
  },
];

/** What a page can do with an address to send something to. */
export const WRITES: readonly Attack[] = [
  { name: 'form-urlencoded', code: form('post', 'application/x-www-form-urlencoded', FIELDS) },
  { name: 'form-multipart', code: form('post', 'multipart/form-data', FIELDS) },
  { name: 'form-text', code: form('post', 'text/plain', JSON_FIELDS) },
  { name: 'post-text', code: fetched(`{ method: 'POST', body: '${ORDER}' }`) },
  { name: 'post-no-cors', code: fetched(`{ method: 'POST', mode: 'no-cors', body: '${ORDER}' }`) },
  {
    name: 'post-blob',
    code: fetched(`{ method: 'POST', mode: 'no-cors', body: new Blob(['${ORDER}'], { type: 'text/plain' }) }`),
  },
  {
    name: 'post-json',
    code: fetched(`{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '${ORDER}' }`),
  },
  { name: 'put', code: fetched(`{ method: 'PUT', body: '{}' }`) },
  { name: 'delete', code: fetched(`{ method: 'DELETE' }`) },
  { name: 'beacon', code: `navigator.sendBeacon(TARGET, '${ORDER}');` },
  {
    name: 'beacon-json',
    code: `navigator.sendBeacon(TARGET, new Blob(['${ORDER}'], { type: 'application/json' }));`,
  },
  {
    name: 'ping',
    code: `const link = document.createElement('a'); Object.assign(link, { href: '#', ping: TARGET });
      document.body.append(link); link.click();`,
  },
];

/** What works without a page of the attacker's origin: the same in a frame whose origin is `null`. */
export const FRAMED: readonly string[] = [
  'img',
  'script',
  'fetch',
  'fetch-no-cors',
  'xhr',
  'form-get',
  'post-text',
  'form-text',
];
