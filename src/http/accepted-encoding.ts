// Which of the forms of a file a client gets, by its Accept-Encoding (RFC 9110, section 12.5.3).

/** Smallest first: what is taken when a client likes several as much. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * The form liked best among those there are, identity always being one. Identity too when nothing is
 * acceptable: a client is better off with the bytes than without.
 */
export function chooseEncoding(header: string | undefined, isThere: (encoding: Encoding) => boolean): Encoding {
  if (header === undefined || header === '') return 'identity';
  const qualities = parse(header);
  let [best, bestQuality]: [Encoding, number] = ['identity', 0];
  for (const encoding of ENCODINGS) {
    if (encoding !== 'identity' && !isThere(encoding)) continue;
    const quality = qualities.get(encoding) ?? qualities.get('*') ?? (encoding === 'identity' ? UNNAMED : 0);
    if (quality > bestQuality) [best, bestQuality] = [encoding, quality];
  }
  return best;
}

/** Whether a client that says this must not be sent the plain form. */
export function forbidsIdentity(header: string | undefined): boolean {
  if (header === undefined) return false;
  const qualities = parse(header);
  return (qualities.get('identity') ?? qualities.get('*') ?? UNNAMED) === 0;
}

// Identity is acceptable without being named, but less than anything that is.
const UNNAMED = 0.0001;

function parse(header: string): Map<string, number> {
  const qualities = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    qualities.set(name, q === undefined ? 1 : qualityOf(q.slice(2)));
  }
  return qualities;
}

function qualityOf(text: string): number {
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
