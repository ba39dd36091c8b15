// Whether a web browser sends a request. It guards what is granted without a credential (`--trust-loopback`): a page can
// make a browser send nearly anything and must not spend by it, even from a browser too old to say where a request
// comes from.

/** By what browsers add and no page can take away: Fetch Metadata, Origin, Referer, cookies, or a User-Agent like every browser's. */
export function comesFromBrowser(headers: Headers): boolean {
  if (TELLTALE.some((name) => headers.has(name))) return true;
  // The fetch of Node.js sends Mode too, and alone.
  const mode = headers.get('sec-fetch-mode');
  if (mode !== null && mode !== 'cors') return true;
  return /^\s*mozilla\//i.test(headers.get('user-agent') ?? '');
}

const TELLTALE = [
  'sec-fetch-site',
  'sec-fetch-dest',
  'sec-fetch-user',
  'origin',
  'referer',
  'cookie',
  'sec-ch-ua',
  'access-control-request-method',
] as const;
