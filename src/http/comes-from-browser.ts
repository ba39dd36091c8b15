// Whether a web browser sends a request. For what is granted without any credential (`--trust-loopback`): a page can
// make a browser send nearly anything, and must not spend by it, not even from a browser too old to say where
// a request comes from.

/** By what browsers add and no page can take away: Fetch Metadata, Origin, Referer, or a User-Agent like every browser's. */
export function comesFromBrowser(header: (name: string) => string | undefined): boolean {
  return (
    TELLTALE.some((name) => header(name) !== undefined) || /^\s*mozilla\//i.test(header('user-agent') ?? '')
  );
}

// Not Sec-Fetch-Mode: Node's own fetch sends that too.
const TELLTALE = ['sec-fetch-site', 'sec-fetch-dest', 'origin', 'referer'] as const;
