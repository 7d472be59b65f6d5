import openapi from '../../src/rest/openapi.json' with { type: 'json' };

/** What a caller of REST v1, or of the sandbox, chooses: a parameter, or a field of a body. */
export interface V1Place {
  /** As `GET /v1/posts/{id}: path id`, or `PUT /v1/posts/{id}: body post.media.id`. */
  readonly name: string;
  readonly method: string;
  /** Where to, with this in the place, and what the headers and the body say. */
  request(inPlace: string): {
    path: string;
    headers: Readonly<Record<string, string>>;
    body?: unknown;
  };
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
}
interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
}
interface Operation {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
}

const COMMON = openapi.components.parameters as unknown as Record<string, Parameter>;
const SCHEMAS = openapi.components.schemas as unknown as Record<string, Schema>;
const nameIn = ($ref: string): string => $ref.split('/').at(-1)!;
const toParameter = (one: Parameter | { $ref: string }): Parameter =>
  '$ref' in one ? COMMON[nameIn(one.$ref)]! : one;

/** What else has to be sent for an operation to run. */
export interface V1Surroundings {
  /** By name where it is required, else by operation and name: `PUT /v1/posts/{id} dry_run`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Fields that have to stand beside the one in question: `LabelInput.name`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Of operations, while the place is a parameter. */
  readonly bodies: Readonly<Record<string, unknown>>;
}

/** Every parameter of every operation of the OpenAPI document, and every field of its body. */
export function v1Places({ parameters: given, fields, bodies }: V1Surroundings): V1Place[] {
  const operations = Object.entries(openapi.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs as unknown as Record<string, Operation>).map(([verb, operation]) => ({
      path,
      method: verb.toUpperCase(),
      operation,
    })),
  );
  return operations.flatMap(({ path, method, operation }) => {
    const name = `${method} ${path}`;
    const all = (operation.parameters ?? []).map(toParameter);
    const sentWith = (place: Parameter | null, inPlace: string) =>
      all.flatMap((one) => {
        const value =
          one === place
            ? inPlace
            : (given[`${name} ${one.name}`] ?? (one.required ? given[one.name] : undefined));
        return value === undefined ? [] : [{ ...one, value }];
      });
    const requestOf = (sent: ReturnType<typeof sentWith>, body: unknown) => {
      const of = (kind: Parameter['in']) => sent.filter((one) => one.in === kind);
      const query = new URLSearchParams(
        of('query').map((one): [string, string] => [one.name, one.value]),
      );
      return {
        path:
          of('path').reduce(
            (rest, one) => rest.replace(`{${one.name}}`, encodeURIComponent(one.value)),
            path,
          ) + (query.size > 0 ? `?${query}` : ''),
        headers: Object.fromEntries(of('header').map((one) => [one.name, one.value])),
        ...(body !== undefined && { body }),
      };
    };
    const schema = operation.requestBody?.content['application/json'].schema;
    return [
      ...all.map((place): V1Place => ({
        name: `${name}: ${place.in} ${place.name}`,
        method,
        request: (inPlace) => requestOf(sentWith(place, inPlace), bodies[name]),
      })),
      ...(schema ? leavesOf(schema, fields) : []).map((leaf): V1Place => ({
        name: `${name}: body ${leaf.path.join('.')}`,
        method,
        request: (inPlace) => requestOf(sentWith(null, ''), leaf.bodyWith(inPlace)),
      })),
    ];
  });
}

/** What in a body is no object itself, and the body with this in its place, in lists of one. */
interface Leaf {
  readonly path: readonly string[];
  bodyWith(inPlace: string): unknown;
}

function leavesOf(
  { $ref, type, anyOf, items, properties, required = [] }: Schema,
  fields: V1Surroundings['fields'],
  owner = '',
): Leaf[] {
  if ($ref !== undefined) return leavesOf(SCHEMAS[nameIn($ref)]!, fields, nameIn($ref));
  if (anyOf) return leavesOf(anyOf[0]!, fields); // the other one is null
  if (items)
    return leavesOf(items, fields).map(({ path, bodyWith }) => ({
      path,
      bodyWith: (inPlace) => [bodyWith(inPlace)],
    }));
  if (!properties)
    return [
      {
        path: [],
        bodyWith: (inPlace) =>
          /integer|number/.test(String(type)) && /^\d+$/.test(inPlace) ? Number(inPlace) : inPlace,
      },
    ];
  return Object.entries(properties).flatMap(([name, schema]) => {
    const others = Object.fromEntries(
      required.filter((one) => one !== name).map((one) => [one, fields[`${owner}.${one}`]]),
    );
    return leavesOf(schema, fields).map(({ path, bodyWith }): Leaf => ({
      path: [name, ...path],
      bodyWith: (inPlace) => ({ ...others, [name]: bodyWith(inPlace) }),
    }));
  });
}
