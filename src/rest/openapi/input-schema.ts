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
import { FIELD_LIMITS, type FieldLimit } from '../../domain/input/field-limits.js';
import {
  BOOLEAN,
  described,
  INTEGER,
  listOf,
  NUMBER,
  oneOf,
  orNull,
  ref,
  TEXT,
  type JsonSchema,
} from '../bodies/json-schema.js';
import { fieldsIn, inputTypesIn, toV1Name } from '../requests/input-words.js';

/** Fields that nullable GraphQL inputs allow to be left out, and v1 never to be null (D20). */
const NEVER_NULL = new Set(['PostPatch.type']);

/** Every scalar inside the update. */
const SCALARS: Readonly<Record<string, JsonSchema>> = {
  String: TEXT,
  ID: TEXT,
  Int: INTEGER,
  Float: NUMBER,
  Boolean: BOOLEAN,
  JSON: {},
};

/** JSON Schemas of what `PUT /v1/posts/{id}` takes, by name, from the same walk that reads it. */
export const inputSchemas = (
  postPatch: GraphQLInputObjectType,
): Readonly<Record<string, JsonSchema>> => ({
  ...Object.fromEntries(inputTypesIn(postPatch).map((type) => [type.name, objectSchema(type)])),
  UpdatePost: {
    type: 'object',
    properties: { post: ref(postPatch.name) },
    required: ['post'],
    additionalProperties: false,
  },
});

function objectSchema(type: GraphQLInputObjectType): JsonSchema {
  const fields = [...fieldsIn(type)];
  const required = fields.filter(([, field]) => isRequiredInputField(field)).map(([name]) => name);
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
  const schema = isNullable ? orNull(typeSchema(type, limit)) : typeSchema(type, limit);
  return description
    ? described(description.replace(/\b[a-z]+[A-Z]\w*/g, toV1Name), schema)
    : schema;
}

/** `LinkInput` has the limits of `link`. */
function limitsOf({ name }: GraphQLInputObjectType): Readonly<Record<string, FieldLimit>> {
  const shape = name.replace(/Input$/, '').replace(/^./, (letter) => letter.toLowerCase());
  return (
    (FIELD_LIMITS as Readonly<Record<string, Readonly<Record<string, FieldLimit>>>>)[shape] ?? {}
  );
}

/** Nothing in a list may be null. */
function typeSchema(type: GraphQLInputType, { items = {}, ...limit }: FieldLimit): JsonSchema {
  if (isNonNullType(type)) return typeSchema(type.ofType, { items, ...limit });
  if (isListType(type)) return { ...listOf(typeSchema(type.ofType, items)), ...limit };
  if (isEnumType(type)) return oneOf(type.getValues().map(({ name }) => name.toLowerCase()));
  if (!isScalarType(type)) return ref(type.name);
  const schema = SCALARS[type.name];
  if (!schema) throw new Error(`v1 has no form for the scalar ${type.name}`);
  return { ...schema, ...limit };
}
