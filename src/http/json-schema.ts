/** A JSON Schema, as OpenAPI 3.1 uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Schemas of the primitive types. */
export const TEXT: JsonSchema = { type: 'string' };
export const BOOLEAN: JsonSchema = { type: 'boolean' };
export const INTEGER: JsonSchema = { type: 'integer' };
export const NUMBER: JsonSchema = { type: 'number' };
/** Schema of a time, which is always in UTC and whole seconds (D8). */
export const TIMESTAMP: JsonSchema = {
  type: 'string',
  format: 'date-time',
  pattern: 'T\\d\\d:\\d\\d:\\d\\d\\+00:00$',
  examples: ['2026-11-21T09:30:00+00:00'],
};

/** Schema of a string with one of these values. */
export const enumOf = (values: readonly string[]): JsonSchema => ({ type: 'string', enum: values });
/** Schema of an array. */
export const arrayOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
/** Reference to a schema in the components of the document. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
/** The schema with a description. */
export const withDescription = (description: string, schema: JsonSchema): JsonSchema => ({
  ...schema,
  description,
});

/** The schema, extended to allow null. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const values = Array.isArray(schema.enum) ? { enum: [...(schema.enum as unknown[]), null] } : {};
  return { ...schema, ...values, type: [schema.type, 'null'] };
}

/** An object with exactly these properties. All are required except those in `optional` (D46). */
export const objectOf = (
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((key) => !optional.includes(key)),
  additionalProperties: false,
});
