// Whether a request without a token may come from a web browser: such a one is never trusted with money, because
// it does what pages tell it.

// Browsers send Site, Mode and Dest with every request to this machine; the fetch of Node.js sends Mode alone.
const BROWSERS_OWN = ['origin', 'referer', 'cookie', 'sec-fetch-site', 'sec-fetch-dest', 'sec-fetch-user'];

/** Whether any header is one that browsers add, or names one. */
export function looksLikeBrowser(headers: Headers): boolean {
  if (BROWSERS_OWN.some((name) => headers.has(name))) return true;
  if (headers.has('sec-ch-ua') || headers.has('access-control-request-method')) return true;
  const mode = headers.get('sec-fetch-mode');
  if (mode !== null && mode !== 'cors') return true;
  return /^mozilla\//i.test(headers.get('user-agent') ?? '');
}
