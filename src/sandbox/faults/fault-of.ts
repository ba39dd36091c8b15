// From the words of a rule or a header to what is to go wrong.

import { SvcdError } from '../../model/errors.js';
import { codeOfStatus } from '../wire/status-codes.js';
import type { FaultSpec } from './fault-spec.js';
import type { Fault } from './fault.js';

const MEDIAN_MS = 200;
const SIGMA = 0.5;
const LENGTH_OFF_BY = 100;
const SLOW_BYTES_PER_S = 1000;
/** A log-normal draw can be any number; this is the longest wait it can ask for. */
const LATENCY_MAX_MS = 600_000;

/** The fault of a specification; `draw` gives numbers from 0 to below 1 to those that depend on chance. */
export function faultOf(spec: FaultSpec, draw: (place: string) => number): Fault {
  return { name: spec.kind, ...partsOf(spec, draw) };
}

function partsOf(spec: FaultSpec, draw: (place: string) => number): Fault {
  switch (spec.kind) {
    case 'latency':
      return { latencyMs: spec.ms ?? logNormal(spec.median_ms ?? MEDIAN_MS, spec.sigma ?? SIGMA, draw) };
    case 'status':
      return {
        instead: () => answerOf(spec.status, spec.code ?? codeOfStatus(spec.status), spec.retry_after_s),
      };
    case 'reset':
      return {
        transfer: { kind: 'reset', atByte: spec.at_byte, work: spec.work ?? spec.at_byte !== undefined },
      };
    case 'black-hole':
      return { transfer: { kind: 'black-hole', work: spec.work ?? false } };
    case 'wrong-length':
      return { transfer: { kind: 'wrong-length', byBytes: spec.by ?? LENGTH_OFF_BY, work: true } };
    case 'slow-body':
      return { transfer: { kind: 'slow-body', bytesPerS: spec.bytes_per_s ?? SLOW_BYTES_PER_S, work: true } };
    case 'bad-json':
      return { replace: breakJson };
    case 'no-credits':
      return { refuse: new SvcdError('insufficient_credits', 'There are no credits left.') };
    case 'busy':
      return {
        refuse: new SvcdError('busy', 'Image generation is busy.', { retryAfterS: spec.retry_after_s ?? 1 }),
      };
    case 'size':
      return { imageSize: spec.size ?? 'other' };
  }
}

/** Whose logarithm is spread as a bell: most near the median, a few very late, as answers of a service are. */
function logNormal(medianMs: number, sigma: number, draw: (place: string) => number): number {
  const bell = Math.sqrt(-2 * Math.log(1 - draw('radius'))) * Math.cos(2 * Math.PI * draw('angle'));
  return Math.min(LATENCY_MAX_MS, medianMs * Math.exp(sigma * bell));
}

function answerOf(status: number, code: string, retryAfterS: number | undefined): Response {
  const headers: Record<string, string> =
    retryAfterS === undefined ? {} : { 'Retry-After': `${retryAfterS}` };
  return Response.json({ code, message: `The sandbox was told to answer ${status}.` }, { status, headers });
}

/** The first half of the body, and what cannot follow in any JSON. */
async function breakJson(answer: Response): Promise<Response> {
  const whole = await answer.text();
  const headers = new Headers(answer.headers);
  headers.delete('Content-Length');
  return new Response(`${whole.slice(0, Math.floor(whole.length / 2))}}{`, {
    status: answer.status,
    headers,
  });
}
