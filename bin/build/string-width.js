// In place of the package string-width, which asks for tables of Unicode when it is loaded (a fifth of a start): the
// layout of the help measures text as svcd's tables do.

// oxlint-disable-next-line no-default-export -- as the package has it
export { displayWidth as default } from '../../src/cli/terminal/fit-table.ts';
