// Joins chunks that are always loaded together into one file each: finding and opening some seventy files is most of what
// a short command waits for. What a worker or a child process loads stays apart, as it needs little of the rest.

import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';

/** What each command loads, and which modules of Node.js wait there. */
const SHORT = new Set(['main.js', 'shared.js', 'commands.js', 'assistant.js', 'video.js']);
const LATE = new Set(
  ['child_process', 'crypto', 'fs/promises', 'readline', 'readline/promises', 'zlib'].map((name) => `node:${name}`),
);

const STATIC = /(?<=^|[;}\n])import(\{[^}]*\}from)?"\.\/([\w-]+\.js)"/g;
const LAZY = /\bimport\("\.\/([\w-]+\.js)"\)/g;
const EXPORTS = /(?<=^|[;}\n])export\{([^}]*)\};?\s*$/;

/**
 * Each group is a file to write and the entries, by their source, that it is made of, with all that they import and no
 * earlier group has, and of a third name what the next group needs too; `apart` are entries of processes of their own. `banner` is what each chunk begins with.
 */
export async function joinChunks(dist, { outputs }, groups, apart, banner) {
  const fileOf = (source) => {
    const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source);
    if (found === undefined) throw new Error(`${source} is no entry of the build`);
    return found[0].replace(/^dist\//, '');
  };
  const text = (file) => readFileSync(join(dist, file), 'utf8');
  const files = Object.keys(outputs).map((path) => path.replace(/^dist\//, ''));
  const apartToo = reach(apart.map(fileOf), text);
  const taken = new Set();
  /** Where each joined chunk is now, and what its exports begin with there. */
  const moved = new Map();
  const plan = (name, members) => {
    for (const member of members) {
      taken.add(member);
      moved.set(member, { to: name, prefix: `c${moved.size}_` });
    }
    return { name, members };
  };
  // What commands and a process of its own both need is little.
  const first = groups.slice(0, 2).flatMap(([, sources]) => sources);
  const plans = [
    plan(
      'shared.js',
      [...reach(first.map(fileOf), text)].filter((file) => apartToo.has(file)),
    ),
  ];
  for (const file of apartToo) taken.add(file);
  for (const [nth, [name, sources, between]] of groups.entries()) {
    const mine = [...reach(sources.map(fileOf), text)].filter((file) => !taken.has(file));
    if (between !== undefined) {
      // Else the one would load all of the other.
      const theirs = reach((groups[nth + 1]?.[1] ?? []).map(fileOf), text);
      plans.push(
        plan(
          between,
          mine.filter((file) => theirs.has(file)),
        ),
      );
    }
    plans.push(
      plan(
        name,
        mine.filter((file) => !taken.has(file)),
      ),
    );
  }
  const lazy = new Set(files.flatMap((file) => [...text(file).matchAll(LAZY)].map(([, target]) => target)));
  const joined = [];
  for (const { name, members } of plans) {
    const lines = members.flatMap((file) => {
      const { prefix } = moved.get(file);
      const names = exportsOf(text(file));
      const each = names.map((one) => `${one} as ${prefix}${one}`).join(',');
      const whole = lazy.has(file) ? [`export*as ${prefix} from"./${file}";`] : [];
      return [`export{${each}}from"./${file}";`, ...(name === file ? [`export*from"./${file}";`] : []), ...whole];
    });
    const { outputFiles } = await build({
      stdin: { contents: lines.join('\n'), resolveDir: dist },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      minifyWhitespace: true,
      minifySyntax: true,
      legalComments: 'none',
      plugins: [
        {
          name: 'members-alone',
          setup: (pass) => {
            pass.onResolve({ filter: /.*/ }, ({ path, kind }) => {
              const isMember = kind !== 'dynamic-import' && members.includes(path.replace('./', ''));
              return isMember ? undefined : { path, external: true };
            });
            pass.onLoad({ filter: /\.js$/ }, ({ path }) => {
              const code = readFileSync(path, 'utf8');
              const bare = code.replace(banner, '');
              // Each `require` made costs as much as a small module, and few chunks want one.
              return { contents: /\brequire\b/.test(bare) ? code : bare, resolveDir: dist };
            });
          },
        },
      ],
    });
    joined.push([name, outputFiles[0].text]);
  }
  const others = files.filter((file) => file.endsWith('.js') && !moved.has(file)).map((file) => [file, text(file)]);
  const after = [...others, ...joined].map(([file, code]) => [
    file,
    fetchBuiltins(redirect(code, moved), SHORT.has(file)),
  ]);
  for (const file of [...moved.keys(), ...others.map(([other]) => other)]) rmSync(join(dist, file));
  const named = nameByBuild(after);
  for (const [file, code] of after) {
    const renamed = code.replace(/(?<=["']\.\/)[\w-]+\.js(?=["'])/g, (name) => named.get(name) ?? name);
    writeFileSync(join(dist, named.get(file) ?? file), renamed);
  }
}

/**
 * Names for chunks that no other build has: a process whose files were replaced while it ran must not find one of another
 * build under the name that it knows.
 */
function nameByBuild(files) {
  const hash = (text) => createHash('sha256').update(text).digest('hex').toUpperCase();
  const all = hash(files.map(([file, code]) => `${file}\n${code}`).join('\n'));
  const chunks = files
    .map(([file]) => file)
    .filter((file) => /^(?:chunk-\w+|shared|commands|assistant|video|daemon)\.js$/.test(file));
  return new Map(chunks.map((file) => [file, `chunk-${hash(all + file).slice(0, 8)}.js`]));
}

/** The chunks that these load at once, with themselves. */
function reach(files, text) {
  const found = new Set(files);
  for (const file of found) for (const [, , other] of text(file).matchAll(STATIC)) found.add(other);
  return found;
}

function exportsOf(code) {
  const [, list = ''] = EXPORTS.exec(code) ?? [];
  return list.split(',').flatMap((one) => one.split(' as ').at(-1).trim() || []);
}

/** Imports of a chunk that was joined become imports of the file that holds it. */
function redirect(code, moved) {
  return code
    .replace(STATIC, (whole, names, file) => {
      const place = moved.get(file);
      if (place === undefined) return whole;
      if (names === undefined) return `import"./${place.to}"`;
      const renamed = names
        .slice(1, -5)
        .split(',')
        .map((one) => {
          const [from, to = from] = one.split(' as ');
          return `${place.prefix}${from} as ${to}`;
        });
      return `import{${renamed.join(',')}}from"./${place.to}"`;
    })
    .replace(LAZY, (whole, file) => {
      const place = moved.get(file);
      return place === undefined ? whole : `import("./${place.to}").then(all=>all.${place.prefix})`;
    });
}

/**
 * An import of a module of Node.js reads all that it exports. Getters are among it that load WebSocket and fetch (node:http)
 * or Web Crypto, 40 ms that nobody asked for; this reads the names that are used. What a short command seldom comes to is
 * loaded when its functions are called: another 10 of 110 ms.
 */
function fetchBuiltins(code, isShort) {
  return code.replace(/(?<=^|[;}\n])import(\{[^}]*\}|[\w$]+)\s?from["']([\w:/]+)["']/g, (whole, names, module) => {
    if (!isBuiltin(module)) return whole;
    const got = `process.getBuiltinModule("${module}")`;
    // Digests wait everywhere: a chunk that workers need too has them, and node:crypto takes 15 ms.
    const isLate = LATE.has(module) && (isShort || /^\{createHash\b[^,]*\}$/.test(names));
    if (!isLate) return `const ${names.replaceAll(' as ', ':')}=${got}`;
    return names
      .slice(1, -1)
      .split(',')
      .map((one) => {
        const [from, to = from] = one.split(' as ');
        const isFunction = /^[a-z]/.test(from) && from !== 'constants';
        return `const ${to}=${isFunction ? `(...given)=>${got}.${from}(...given)` : `${got}.${from}`}`;
      })
      .join(';');
  });
}
