// What differs from run to run in an answer, made the same: secrets, addresses, times, and what a machine is busy with.

/** Fields of JSON whose value says when or where the recording was made, and nothing of svcd. */
const VOLATILE = new Set(
  [
    'pid build uptime_s took_ms ms node secret address pin receipt_key bytes_free free_bytes rss_bytes memory_mb',
    'seen_ago_s age_s spent_ms duration_ms requests_per_minute seconds_left library_bytes owned_bytes bytes_on_disk',
    'age running_by_hand x-svcd-receipt',
  ].flatMap((names) => names.split(' ')),
);

const FORMS: readonly (readonly [RegExp, string])[] = [
  [/svcd_sandbox_[\w-]{20,}/g, '<control token>'],
  [/svcdi_[\w-]{20,}/g, '<code>'],
  [/([?&]code=)[\w-]{20,}/g, '$1<session>'],
  [/\brun-[0-9a-f]{8}\b/g, 'run-<id>'],
  [/(process|进程) \d+/g, '$1 <pid>'],
  [/svcdm?_[\w-]{20,}/g, '<token>'],
  [/svcd-home-[0-9a-f]{8}/g, 'svcd-home-<id>'],
  [/(\/svcd\/images\/)[0-9a-f]{32}/g, '$1<address>'],
  [/\b\d{4,5}(?= is svcd's| 由 svcd)/g, '<port>'],
  [/\b\d\d:\d\d:\d\d (?=\w+: )/g, '<clock> '],
  [/sk-[\w-]{12,}/g, '<Key>'],
  [/\bsk-[\w-]*…\w{4}/g, '<Key>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<uuid>'],
  [/(127\.0\.0\.1|localhost|\[::1\]|0\.0\.0\.0|(?:\d{1,3}\.){3}\d{1,3})(:|%3A)\d{2,5}/g, '$1$2<port>'],
  [/(\w{3}, )?\d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, '<date>'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?/g, '<time>'],
  [/\d{4}-\d\d-\d\d/g, '<day>'],
  [/\d{4}年\d{1,2}月(\d{1,2}日)?/g, '<day>'],
  [/\b\d+(\.\d+)? (ms|seconds?|minutes?|hours?)\b/g, '<n> $2'],
  [/\d+(\.\d+)? ?(毫秒|秒|分钟|小时)/g, '<n> $2'],
  [/\b\d+(\.\d+)? ([MG]i?B)\b/g, '<n> $2'],
  [/v\d+\.\d+\.\d+(?= )/g, 'v<node>'],
];

/** Texts of one run by what stands in their place; longer ones first. */
export class Mask {
  readonly #known = new Map<string, string>();

  /** From now on `text` is shown as `name`. */
  learn(text: string | undefined, name: string): void {
    if (text !== undefined && text.length > 3) this.#known.set(text, `<${name}>`);
  }

  text(text: string): string {
    let masked = text;
    for (const [known, name] of [...this.#known].toSorted(([a], [b]) => b.length - a.length)) {
      masked = masked.replaceAll(known, name);
    }
    for (const [form, shown] of FORMS) masked = masked.replace(form, shown);
    return masked;
  }

  /** Lines as they are printed; how far apart columns stand depends on how long a path or port is. */
  lines(text: string): readonly string[] {
    return this.text(text)
      .replaceAll(/(?<=\S) {2,}/g, '  ')
      .split('\n');
  }

  /** A JSON value, the fields of its objects in alphabetical order. */
  value(value: unknown, name = ''): unknown {
    if (VOLATILE.has(name) && value !== null) return `<${name}>`;
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.value(one));
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value).map(([key, one]) => [this.text(key), this.value(one, key)] as const);
    return Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}
