// Lets the MCP SDK make each of its schemas when it is first used: it makes some 600, a third of the time until `svcd mcp`
// answered, and a conversation uses thirty.

import { readFileSync } from 'node:fs';

const FILES = /@modelcontextprotocol[\\/](?:core|server)[\\/]dist[\\/](?:schemas|auth|src)-[\w-]+\.mjs$/;
/** A constant of a module, or of the function that makes those of an era; what follows it is indented as it is. */
const SCHEMA =
  /^(\t?)const (\w+Schemas?(?:\$\d)?|[A-Z_]+_(?:KEYS|BY_TYPE|FORMATS)) = (?=z\.|\w+Schema(?:\$\d)?\.|wire\w+\(|new Set\(|\{\n)([\s\S]*?);\n(?=\n|\1[^\s})\]])/gm;
/** Tables of them all, which nothing here asks for. */
const TABLES = /^for \(const .* register\(key, .*\);$/gm;
/** Of each file at least; else the SDK is written in another way, and this is to be looked at again. */
const LEAST = 10;

/**
 * Stands for a schema, whose members are bound to it. Code made for each object schema (`jitless`) and the walk through all that it
 * holds for values that hold themselves (`memoizer`) cost more than they bring: what comes is JSON, of a few fields.
 */
const LATE = `
function makeLate(make) {
  let made;
  const use = (what, ...given) => Reflect[what]((made ??= make()), ...given);
  return new Proxy({}, {
    get: (_, key) => ((made ??= make()) instanceof Set ? made[key].bind(made) : made[key]),
    has: (_, key) => use('has', key),
    ownKeys: () => use('ownKeys'),
    getOwnPropertyDescriptor: (_, key) => use('getOwnPropertyDescriptor', key),
  });
}
z.config({ jitless: true, memoizer: { attach: () => {}, guard: () => {}, alloc: (_schema, _payload, empty) => empty } });
`;

export const lazySchemas = {
  name: 'lazy-schemas',
  setup: (pass) => {
    pass.onLoad({ filter: FILES }, ({ path }) => {
      let count = 0;
      const code = readFileSync(path, 'utf8').replace(SCHEMA, (_, indent, name, value) => {
        count += 1;
        return `${indent}const ${name} = /* @__PURE__ */ makeLate(() => (${value}));\n`;
      });
      if (count < LEAST) throw new Error(`${path} makes its schemas in another way: see bin/build/lazy-schemas.js`);
      return { contents: code.replace(TABLES, '') + LATE };
    });
  },
};
