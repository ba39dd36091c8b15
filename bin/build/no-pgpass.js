// In place of pgpass: a password comes with the address of the database or from its file, never from ~/.pgpass.

export default function noPassword(_parameters, answer) {
  answer(undefined);
}
