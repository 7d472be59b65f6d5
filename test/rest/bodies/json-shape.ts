import type { JsonSchema } from '../../../src/rest/bodies/json-schema.js';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Where a value departs from a schema of the kind the reference is made of: a small reader of it, to hold bodies to the reference. */
export function departures(value: unknown, schema: JsonSchema, schemas: Schemas, path = '$'): string[] {
  if (typeof schema.$ref === 'string') {
    const named = schemas[schema.$ref.replace('#/components/schemas/', '')];
    return named ? departures(value, named, schemas, path) : [`${path}: unknown ${schema.$ref}`];
  }
  if (Array.isArray(schema.anyOf)) {
    const each = (schema.anyOf as JsonSchema[]).map((one) => departures(value, one, schemas, path));
    return each.some((one) => one.length === 0) ? [] : each.flat();
  }
  const types = schema.type === undefined ? [] : [schema.type].flat() as string[];
  if (types.length > 0 && !types.includes(typeOf(value)) && !(types.includes('number') && typeOf(value) === 'integer')) {
    return [`${path}: ${typeOf(value)} is not ${types.join('|')}`];
  }
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return [`${path}: ${String(value)} is not among the words`];
  if (schema.const !== undefined && schema.const !== value) return [`${path}: not ${String(schema.const)}`];
  if (schema.format === 'date-time' && typeof value === 'string' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/.test(value)) return [`${path}: ${value}`];
  if (Array.isArray(value)) return schema.items ? value.flatMap((item, place) => departures(item, schema.items as JsonSchema, schemas, `${path}[${place}]`)) : [];
  return typeOf(value) === 'object' ? inObject(value as Record<string, unknown>, schema, schemas, path) : [];
}

function inObject(value: Record<string, unknown>, schema: JsonSchema, schemas: Schemas, path: string): string[] {
  const { properties = {}, required = [], additionalProperties } = schema as {
    properties?: Schemas; required?: readonly string[]; additionalProperties?: boolean | JsonSchema;
  };
  const missing = required.filter((key) => !Object.hasOwn(value, key)).map((key) => `${path}.${key}: missing`);
  const inside = Object.entries(value).flatMap(([key, one]) => {
    const own = properties[key] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (own) return departures(one, own, schemas, `${path}.${key}`);
    return additionalProperties === false ? [`${path}.${key}: not in the document`] : [];
  });
  return [...missing, ...inside];
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};
