// Writes an OpenAPI 3.1 document from a list of calls: svcd's own and the sandbox's are written here, each from its own
// table. Schemas come as JSON Schema; of operations, refusals and money nothing is known here.

export type Json = Record<string, unknown>;

export interface DocumentedCall {
  readonly id: string;
  readonly method: string;
  /** What stands in braces is a parameter. */
  readonly path: string;
  readonly summary: string;
  /** Further fields: a description, tags, security, marks of one's own. */
  readonly more?: Json;
  /** Those beside the ones in the path. */
  readonly parameters?: readonly Json[];
  /** The body by its content type; undefined for none. */
  readonly body?: Json | undefined;
  readonly responses: Json;
}

export interface DocumentParts {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Where the service is. */
  readonly origin: string;
  readonly calls: readonly DocumentedCall[];
  readonly components: Json;
  /** Further fields of the document: tags, security. */
  readonly more?: Json;
  /** Descriptions of parameters in paths, by their names. */
  readonly inPaths?: Readonly<Record<string, string>>;
}

/** The document; calls of one path stand together. */
export function writeOpenApi(parts: DocumentParts): Json {
  const { title, version, description, origin, calls, components, more = {}, inPaths = {} } = parts;
  const paths: Record<string, Json> = {};
  for (const call of calls) {
    paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operationOf(call, inPaths) };
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: origin }],
    ...more,
    paths,
    components,
  };
}

/** A reference to a schema of the document, or to another component. */
export function refTo(name: string, kind: 'schemas' | 'headers' | 'responses' = 'schemas'): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Headers of an answer, each described in the document's components. */
export function headersOf(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, refTo(name, 'headers')]));
}

/** Content of JSON with this schema. */
export function jsonContent(schema: unknown): Json {
  return { 'application/json': { schema } };
}

function operationOf(call: DocumentedCall, inPaths: Readonly<Record<string, string>>): Json {
  const { id, summary, more, path, body, responses } = call;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(inPaths[name] !== undefined && { description: inPaths[name] }),
  }));
  const parameters = [...inPath, ...(call.parameters ?? [])];
  return {
    operationId: id,
    summary,
    ...more,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content: body } }),
    responses,
  };
}
