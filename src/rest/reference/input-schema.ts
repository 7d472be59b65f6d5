import { isEnumType, isListType, isNonNullType, isRequiredInputField, isScalarType, type GraphQLInputField, type GraphQLInputObjectType, type GraphQLInputType } from 'graphql';
import { fieldsIn, inputTypesIn, scalarIn, toV1Name } from '../reading/input-words.js';
import { described, listOf, oneOf, orNull, ref, type JsonSchema } from '../bodies/json-schema.js';

/** Fields that nullable GraphQL inputs allow to be left out, and v1 never to be null (D20). */
const NEVER_NULL = new Set(['PostPatch.type']);

/** JSON Schemas of what `PUT /v1/posts/{id}` takes, by name, from the same walk that reads it. */
export const inputSchemas = (postPatch: GraphQLInputObjectType): Readonly<Record<string, JsonSchema>> => ({
  ...Object.fromEntries(inputTypesIn(postPatch).map((type) => [type.name, objectSchema(type)])),
  UpdatePost: { type: 'object', properties: { post: ref(postPatch.name) }, required: ['post'], additionalProperties: false },
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

function fieldSchema(owner: GraphQLInputObjectType, { name, type, description }: GraphQLInputField): JsonSchema {
  const schema = NEVER_NULL.has(`${owner.name}.${name}`) ? typeSchema(type) : nullableSchema(type);
  return description ? described(description.replace(/\b[a-z]+[A-Z]\w*/g, toV1Name), schema) : schema;
}

const nullableSchema = (type: GraphQLInputType): JsonSchema => (isNonNullType(type) ? typeSchema(type.ofType) : orNull(typeSchema(type)));

function typeSchema(type: GraphQLInputType): JsonSchema {
  if (isNonNullType(type)) return typeSchema(type.ofType);
  if (isListType(type)) return listOf(nullableSchema(type.ofType));
  if (isScalarType(type)) return scalarIn(type).schema;
  if (isEnumType(type)) return oneOf(type.getValues().map(({ name }) => name.toLowerCase()));
  return ref(type.name);
}
