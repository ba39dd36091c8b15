// In place of pgpass: a password comes with the address of the database or from its file, never from ~/.pgpass.

// oxlint-disable-next-line no-default-export -- in place of a module that is one function
export default function noPassword(_parameters, answer) {
  answer(undefined);
}
