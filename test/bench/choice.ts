// What a bench is asked to run: `--json`, and names; all where none is named.

export interface Choice {
  readonly json: boolean;
  readonly chosen: readonly string[];
}

/** Reads the arguments of this process, and ends it with 2 for a name that there is not. */
export function readChoice(all: readonly string[]): Choice {
  const args = process.argv.slice(2);
  const names = args.filter((arg) => arg !== '--json');
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) {
    process.stderr.write(`There is no benchmark ${unknown}: there are ${all.join(', ')}.\n`);
    process.exit(2);
  }
  return { json: args.includes('--json'), chosen: names.length === 0 ? all : names };
}
