// The one byte range of a request (RFC 9110, section 14).

export interface ByteRange {
  readonly start: number;
  /** The last byte, itself included. */
  readonly end: number;
}

/**
 * The part of a file of `size` bytes that a Range header asks for. Undefined when the whole is to be sent: for
 * several ranges, other units and what cannot be read. `unsatisfiable` when it lies beyond the end.
 */
export function parseRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const parts = /^bytes=(\d*)-(\d*)$/i.exec(header.replace(/[ \t]/g, ''));
  const [from, to] = [parts?.[1] ?? '', parts?.[2] ?? ''];
  if (from === '' && to === '') return undefined;
  const wanted = from === '' ? lastBytes(Number(to), size) : { start: Number(from), end: lastOf(to, size) };
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  return wanted.start < size && wanted.start <= wanted.end ? wanted : 'unsatisfiable';
}

function lastBytes(count: number, size: number): ByteRange {
  return { start: count === 0 ? size : Math.max(0, size - count), end: size - 1 };
}

function lastOf(to: string, size: number): number {
  return to === '' ? size - 1 : Math.min(Number(to), size - 1);
}
