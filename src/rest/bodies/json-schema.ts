/** A JSON Schema of the dialect that OpenAPI 3.1 uses, as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export const TEXT: JsonSchema = { type: 'string' };
export const BOOLEAN: JsonSchema = { type: 'boolean' };
export const INTEGER: JsonSchema = { type: 'integer' };
export const NUMBER: JsonSchema = { type: 'number' };
/** Always in UTC and whole seconds (D8). */
export const TIMESTAMP: JsonSchema = {
  type: 'string',
  format: 'date-time',
  pattern: 'T\\d\\d:\\d\\d:\\d\\d\\+00:00$',
  examples: ['2026-11-21T09:30:00+00:00'],
};

export const oneOf = (words: readonly string[]): JsonSchema => ({ type: 'string', enum: words });
export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
export const described = (description: string, schema: JsonSchema): JsonSchema => ({
  ...schema,
  description,
});

/** The same, or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const words = Array.isArray(schema.enum) ? { enum: [...(schema.enum as unknown[]), null] } : {};
  return { ...schema, ...words, type: [schema.type, 'null'] };
}

/** An object with exactly these keys, always there but for those named optional (D46). */
export const objectOf = (
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((key) => !optional.includes(key)),
  additionalProperties: false,
});
