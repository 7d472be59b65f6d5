import {
  isEnumType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import { FIELD_LIMITS } from '../../domain/changes/patch-limits.js';
import type { FieldLimit } from '../../domain/input/field-limits.js';
import { PATCH_FIELDS, fieldOf } from '../../domain/posts/post-fields.js';
import { toSnakeCase } from '../../domain/snake-case.js';
import {
  BOOLEAN,
  withDescription,
  INTEGER,
  arrayOf,
  NUMBER,
  enumOf,
  nullable,
  ref,
  TEXT,
  type JsonSchema,
} from '../bodies/json-schema.js';
import { v1FieldsOf, inputTypesOf } from '../requests/v1-field-names.js';

/**
 * Fields that are nullable in GraphQL so that they can be omitted, but that v1 does not allow to be
 * null (D20).
 */
const NEVER_NULL = new Set(
  PATCH_FIELDS.filter((field) => fieldOf(field).empty === undefined).map(
    (field) => `PostPatch.${field}`,
  ),
);

/** Fields that GraphQL requires, but that v1 keeps if they are absent (D20). */
const KEPT_IN_V1 = new Set(['LocationInput.id']);

/** JSON Schemas of the GraphQL scalars that an update contains. */
const SCALARS: Readonly<Record<string, JsonSchema>> = {
  String: TEXT,
  ID: TEXT,
  Int: INTEGER,
  Float: NUMBER,
  Boolean: BOOLEAN,
  JSON: {},
};

/**
 * JSON Schemas of the body of `PUT /v1/posts/{id}`, by name. Derived from the input type that also
 * reads the body.
 */
export const inputSchemas = (
  postPatch: GraphQLInputObjectType,
): Readonly<Record<string, JsonSchema>> => ({
  ...Object.fromEntries(inputTypesOf(postPatch).map((type) => [type.name, objectSchema(type)])),
  UpdatePost: {
    type: 'object',
    properties: { post: ref(postPatch.name) },
    required: ['post'],
    additionalProperties: false,
  },
});

function objectSchema(type: GraphQLInputObjectType): JsonSchema {
  const fields = [...v1FieldsOf(type)];
  const required = fields
    .filter(([, f]) => isRequiredInputField(f) && !KEPT_IN_V1.has(`${type.name}.${f.name}`))
    .map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(type, field)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function fieldSchema(
  owner: GraphQLInputObjectType,
  { name, type, description }: GraphQLInputField,
): JsonSchema {
  const limit = limitsOf(owner)[name] ?? {};
  const isNullable = !isNonNullType(type) && !NEVER_NULL.has(`${owner.name}.${name}`);
  const schema = isNullable ? nullable(typeSchema(type, limit)) : typeSchema(type, limit);
  return description
    ? withDescription(description.replace(/\b[a-z]+[A-Z]\w*/g, toSnakeCase), schema)
    : schema;
}

/** The limits of an input type: those of `link` for `LinkInput`. */
function limitsOf({ name }: GraphQLInputObjectType): Readonly<Record<string, FieldLimit>> {
  const shape = name.replace(/Input$/, '').replace(/^./, (letter) => letter.toLowerCase());
  return (
    (FIELD_LIMITS as Readonly<Record<string, Readonly<Record<string, FieldLimit>>>>)[shape] ?? {}
  );
}

/** The schema of a GraphQL type. List items are never null. */
function typeSchema(type: GraphQLInputType, { items = {}, ...limit }: FieldLimit): JsonSchema {
  if (isNonNullType(type)) return typeSchema(type.ofType, { items, ...limit });
  if (isListType(type)) return { ...arrayOf(typeSchema(type.ofType, items)), ...limit };
  if (isEnumType(type)) return enumOf(type.getValues().map(({ name }) => name.toLowerCase()));
  if (!isScalarType(type)) return ref(type.name);
  const schema = SCALARS[type.name];
  if (!schema) throw new Error(`No JSON Schema for the scalar ${type.name}`);
  return { ...schema, ...limit };
}
