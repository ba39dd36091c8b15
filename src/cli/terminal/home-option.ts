// Commands that a sentence names, with the home that the user typed: without it they would speak of another home.

let typed: string | undefined;

/** Remembers the `--home` of a command line; the last one counts, as for the parser. */
export function rememberHome(args: readonly string[]): void {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  typed = own
    .flatMap((arg, i) => (arg === '--home' ? (own[i + 1] ?? []) : (/^--home=(.+)$/s.exec(arg)?.[1] ?? [])))
    .at(-1);
}

/** ` --home DIR` for a command line to paste, where it was typed; else nothing. */
export function homeOption(): string {
  if (typed === undefined) return '';
  return ` --home ${/^[\w@%+=:,./~-]+$/.test(typed) ? typed : `'${typed.replaceAll("'", String.raw`'\''`)}'`}`;
}

/** A text in which each command of svcd in quotation marks names the home, where one was typed. */
export function namingHome(text: string): string {
  const option = homeOption();
  if (option === '') return text;
  return text
    .split('\n')
    .map((line) => namingIn(line, option))
    .join('\n');
}

/** What follows these words is to be run elsewhere, where the hub or its machines are, on a home that is not known here. */
const AT_HUB = /(?:\b(?:on|at) the hub|在集线器上|在每台机器上)[:, ]?.*?(?=; here|$)/i;

function namingIn(line: string, option: string): string {
  const elsewhere = AT_HUB.exec(line);
  if (elsewhere !== null) {
    const [said] = elsewhere;
    const end = elsewhere.index + said.length;
    return namingIn(line.slice(0, elsewhere.index), option) + said + namingIn(line.slice(end), option);
  }
  return line.replace(/(["“])(svcd (?!--|completion|help)[^"“”\n]*)(["”])/g, (quoted, open, command: string, close) => {
    if (/ --(?:home|help)\b/.test(command)) return quoted;
    // What follows is for the command that svcd runs.
    const [own = '', ...rest] = command.split(/(?= -- )/);
    return `${open}${own}${option}${rest.join('')}${close}`;
  });
}
