// The declarations of what svcd answers, for programs that import the client: written out from the schemas of api/, so that no
// library's types reach them. `test/client/published-types.d.ts` is what came of it, for a person to review.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const SCHEMAS = `
export { toJsonSchema } from '@valibot/to-json-schema';
export { spending, status } from './src/api/answers.ts';
export { completeAnswerSchema, findAnswerSchema, relatedAnswerSchema } from './src/api/find.ts';
export { factsSchema } from './src/api/library.ts';
export { lockShape } from './src/api/lock.ts';
export { planSchema } from './src/api/plan.ts';
export { prefetchEventSchema } from './src/api/prefetch.ts';
export { STATUS_OF } from './src/api/refusal.ts';
export { candidateSchema, matchAnswerSchema } from './src/contract/candidate.ts';
`;

const WIDTH = 110;

/** What a reader of the types would not guess. */
const NOTES = {
  Cost: 'Credits; `unknown` while it cannot be told whether something was charged.',
  PrefetchEvent: '`place` is the number of a thing in `presets` and then `images`, from 0.',
  Lock: 'The content of `assets.lock.json`, for programs that read it themselves; `assets` by the name of the slot.',
  KnownErrorCode: 'Codes of src/http/REFERENCE.md, and `no_svcd`.',
  duration: 'Seconds.',
  next: 'Offset of the next page; null on the last.',
  dropped: 'Words of the query that nothing had, and that were left out.',
  score: 'For ordering only.',
  left: 'Credits left by each limit; null for none.',
  uncertain: 'Places whose cost is not known.',
  slot_sha256: 'Of what the slot asked for.',
  building: 'How much of the index is built anew, from 0 to 1; null while none is built.',
};

/** The text of the declarations; `folder` is for a file that is needed meanwhile. */
export async function declareAnswers(root, folder) {
  const outfile = join(folder, 'schemas.mjs');
  const stdin = { contents: SCHEMAS, resolveDir: root };
  await build({
    stdin,
    absWorkingDir: root,
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
  });
  const { toJsonSchema, STATUS_OF, ...schemas } = await import(pathToFileURL(outfile).href);
  // What a schema also checks is no part of the type.
  const of = (schema) => toJsonSchema(schema, { errorMode: 'ignore', typeMode: 'output' });
  const search = of(schemas.findAnswerSchema);
  const plan = of(schemas.planSchema);
  const lock = of(schemas.lockShape);
  const events = alternatives(of(schemas.prefetchEventSchema)).filter(
    ({ properties }) => properties.event.const !== 'error',
  );
  const [sticker, image, music] = alternatives(plan.properties.slots.items);
  const [lockedSticker, lockedImage, lockedMusic] = alternatives(lock.properties.assets.additionalProperties);
  const asset = events.find(({ properties }) => properties.event.const === 'asset');
  // What stands in others comes before them.
  return declare({
    Cost: asset.properties.cost,
    FallbackReason: asset.properties.reason,
    KnownErrorCode: { enum: [...Object.keys(STATUS_OF), 'no_svcd'] },
    Candidate: of(schemas.candidateSchema),
    FoundSticker: search.properties.results.items,
    SearchAnswer: search,
    RelatedAnswer: of(schemas.relatedAnswerSchema),
    CompleteAnswer: of(schemas.completeAnswerSchema),
    MatchAnswer: of(schemas.matchAnswerSchema),
    PlannedSticker: sticker,
    PlannedImage: image,
    PlannedMusic: music,
    Plan: plan,
    PrefetchEvent: { anyOf: events },
    Facts: of(schemas.factsSchema),
    LockedSticker: lockedSticker,
    LockedImage: lockedImage,
    LockedMusic: lockedMusic,
    Lock: lock,
    Status: of(schemas.status),
    Spending: of(schemas.spending),
  });
}

function declare(types) {
  const names = new Map();
  const texts = Object.entries(types).map(([name, schema]) => {
    const text = print(schema, '', names);
    names.set(keyOf(schema), name);
    const note = NOTES[name] === undefined ? '' : `/** ${NOTES[name]} */\n`;
    const isObject = schema.type === 'object';
    return `${note}export ${isObject ? `interface ${name} ${text}` : `type ${name} = ${text};`}\n`;
  });
  return `// Written by bin/build/client-types.js.\n\n${texts.join('\n')}`;
}

/** The type that a schema describes; one that has a name already by that name. */
function print(schema, indent, names) {
  const name = names.get(keyOf(schema));
  if (name !== undefined) return name;
  const several = alternatives(schema);
  if (several.length > 1)
    return printUnion(
      several.map((one) => print(one, indent, names)),
      indent,
    );
  if ('const' in schema) return quote(schema.const);
  if (schema.enum !== undefined) return printUnion(schema.enum.map(quote), indent);
  if (schema.type === 'array') {
    const item = print(schema.items, indent, names);
    return item.includes(' | ') && !item.startsWith('{') ? `readonly (${item})[]` : `readonly ${item}[]`;
  }
  if (schema.type === 'object') return printObject(schema, indent, names);
  return (
    { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' }[schema.type] ??
    'unknown'
  );
}

/** As many to a line as it holds. */
function printUnion(types, indent) {
  const lines = [''];
  for (const type of types) {
    const last = `${lines.at(-1)}${lines.at(-1) === '' ? '' : ' | '}${type}`;
    if (last.length > WIDTH - indent.length && lines.at(-1) !== '') lines.push(type);
    else lines[lines.length - 1] = last;
  }
  return lines.length === 1 ? lines[0] : lines.map((line) => `\n${indent}  | ${line}`).join('');
}

function printObject({ properties = {}, required = [], additionalProperties }, indent, names) {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([field, schema]) => {
    const note = NOTES[field] === undefined ? '' : `${inner}/** ${NOTES[field]} */\n`;
    return `${note}${inner}readonly ${field}${required.includes(field) ? '' : '?'}: ${print(schema, inner, names)};`;
  });
  if (typeof additionalProperties === 'object') {
    fields.push(`${inner}readonly [name: string]: ${print(additionalProperties, inner, names)};`);
  }
  const inLine = `{ ${fields
    .map((field) => field.trim())
    .join(' ')
    .replace(/;$/, '')} }`;
  const isShort = indent !== '' && !/\n|\/\*/.test(inLine) && inLine.length < WIDTH / 2;
  return isShort ? inLine : `{\n${fields.join('\n')}\n${indent}}`;
}

function alternatives({ anyOf, oneOf }) {
  return anyOf ?? oneOf ?? [];
}

function keyOf(schema) {
  return JSON.stringify({ ...schema, $schema: undefined });
}

function quote(value) {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
