import openapi from '../../src/rest/openapi.json' with { type: 'json' };

/** A value that a caller of REST v1 or the sandbox chooses: a parameter, or a field of a body. */
export interface RestInput {
  /** For example `GET /v1/posts/{id}: path id` or `PUT /v1/posts/{id}: body post.media.id`. */
  readonly name: string;
  readonly method: string;
  /** The request that passes `value` in this input. */
  request(value: string): RestRequest;
}

export interface RestRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Values of other inputs that an operation needs. */
export interface RestFixedValues {
  /**
   * By name if the parameter is required, otherwise by operation and name: `PUT /v1/posts/{id}
   * dry_run`.
   */
  readonly parameters: Readonly<Record<string, string>>;
  /** Required fields of bodies: `LabelInput.name`, or `.state` in a schema without a name. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Fields that objects of a schema have besides the chosen one, although they are not required. */
  readonly companions: Readonly<Record<string, object>>;
  /** Bodies by operation, for requests whose input is a parameter. */
  readonly bodies: Readonly<Record<string, unknown>>;
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
  requestBody?: { content: { 'application/json'?: { schema: Schema } } };
}

const COMMON_PARAMETERS = openapi.components.parameters as unknown as Record<string, Parameter>;
const SCHEMAS = openapi.components.schemas as unknown as Record<string, Schema>;
const nameIn = ($ref: string): string => $ref.split('/').at(-1)!;
const toParameter = (parameter: Parameter | { $ref: string }): Parameter =>
  '$ref' in parameter ? COMMON_PARAMETERS[nameIn(parameter.$ref)]! : parameter;

/**
 * Lists all parameters of all operations of the OpenAPI document, and all fields of their bodies.
 */
export function listRestInputs(fixed: RestFixedValues): RestInput[] {
  return Object.entries(openapi.paths).flatMap(([path, operations]) =>
    Object.entries(operations as unknown as Record<string, Operation>).flatMap(
      ([method, operation]) => inputsOf({ path, method: method.toUpperCase(), operation }, fixed),
    ),
  );
}

function inputsOf(
  { path, method, operation }: { path: string; method: string; operation: Operation },
  fixed: RestFixedValues,
): RestInput[] {
  const operationName = `${method} ${path}`;
  const parameters = (operation.parameters ?? []).map(toParameter);
  /** The parameters to send: the fixed ones, and `chosen` with its value. */
  const withValues = (chosen: Parameter | null, chosenValue: string): ParameterValue[] =>
    parameters.flatMap((parameter) => {
      const { name, required } = parameter;
      const fixedValue =
        fixed.parameters[`${operationName} ${name}`] ??
        (required ? fixed.parameters[name] : undefined);
      const value = parameter === chosen ? chosenValue : fixedValue;
      return value === undefined ? [] : [{ ...parameter, value }];
    });
  const schema = operation.requestBody?.content['application/json']?.schema;
  return [
    ...parameters.map((parameter): RestInput => ({
      name: `${operationName}: ${parameter.in} ${parameter.name}`,
      method,
      request: (value) =>
        buildRequest(path, withValues(parameter, value), fixed.bodies[operationName]),
    })),
    ...(schema ? leavesOf(schema, fixed) : []).map((leaf): RestInput => ({
      name: `${operationName}: body ${leaf.keys.join('.')}`,
      method,
      request: (value) => buildRequest(path, withValues(null, ''), leaf.bodyWith(value)),
    })),
  ];
}

interface ParameterValue extends Parameter {
  readonly value: string;
}

function buildRequest(
  path: string,
  parameters: readonly ParameterValue[],
  body: unknown,
): RestRequest {
  const valuesIn = (location: Parameter['in']): [string, string][] =>
    parameters
      .filter((parameter) => parameter.in === location)
      .map(({ name, value }) => [name, value]);
  const query = new URLSearchParams(valuesIn('query'));
  const filledPath = valuesIn('path').reduce(
    (partial, [name, value]) => partial.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  return {
    path: filledPath + (query.size > 0 ? `?${query}` : ''),
    headers: Object.fromEntries(valuesIn('header')),
    ...(body !== undefined && { body }),
  };
}

/** A value inside a body that is not an object. */
interface Leaf {
  readonly keys: readonly string[];
  /** A body with the value at the keys. Lists have one item. */
  bodyWith(value: string): unknown;
}

/** The properties, with one of those that have the same schema, such as contents of networks. */
function withoutEqualProperties(properties: Readonly<Record<string, Schema>>) {
  const refs = new Set<string>();
  return Object.entries(properties).filter(([, { $ref }]) => {
    const isEqual = $ref !== undefined && refs.has($ref);
    if ($ref !== undefined) refs.add($ref);
    return !isEqual;
  });
}

function leavesOf(
  { $ref, type, anyOf, items, properties, required = [] }: Schema,
  fixed: Pick<RestFixedValues, 'fields' | 'companions'>,
  schemaName = '',
): Leaf[] {
  if ($ref !== undefined) return leavesOf(SCHEMAS[nameIn($ref)]!, fixed, nameIn($ref));
  if (anyOf) return leavesOf(anyOf[0]!, fixed); // the other one is null
  if (items)
    return leavesOf(items, fixed).map(({ keys, bodyWith }) => ({
      keys,
      bodyWith: (value) => [bodyWith(value)],
    }));
  if (!properties) return [{ keys: [], bodyWith: (value) => toJsonValue(type, value) }];
  return withoutEqualProperties(properties).flatMap(([key, schema]) => {
    const otherFields = Object.fromEntries(
      required
        .filter((other) => other !== key)
        .map((other) => [other, fixed.fields[`${schemaName}.${other}`]]),
    );
    return leavesOf(schema, fixed).map(({ keys, bodyWith }): Leaf => ({
      keys: [key, ...keys],
      bodyWith: (value) => ({
        ...fixed.companions[schemaName],
        ...otherFields,
        [key]: bodyWith(value),
      }),
    }));
  });
}

/** Digits are sent as a number if the schema expects one. */
const toJsonValue = (type: Schema['type'], value: string): string | number =>
  /integer|number/.test(String(type)) && /^\d+$/.test(value) ? Number(value) : value;
