// The part of Node.js's `assert` that yargs uses, without what that loads to show differences in colour.

export function strictEqual(one, other, message) {
  if (!Object.is(one, other)) throw new Error(message);
}

export function notStrictEqual(one, other, message) {
  if (Object.is(one, other)) throw new Error(message);
}
