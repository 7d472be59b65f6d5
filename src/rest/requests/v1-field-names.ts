import {
  getNamedType,
  isInputObjectType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import type { Problem } from '../../domain/errors.js';
import { PATCH_FIELDS, fieldOf } from '../../domain/posts/post-fields.js';
import { toSnakeCase } from '../../domain/snake-case.js';

/** Fields of the GraphQL input that v1 does not have (D29). */
const GRAPHQL_ONLY = new Set<string>(PATCH_FIELDS.filter((field) => fieldOf(field).isGraphqlOnly));

const fieldsByType = new WeakMap<GraphQLInputObjectType, ReadonlyMap<string, GraphQLInputField>>();

/** The fields of an input type by their v1 names. */
export function v1FieldsOf(type: GraphQLInputObjectType): ReadonlyMap<string, GraphQLInputField> {
  const cached = fieldsByType.get(type);
  if (cached) return cached;
  const inV1 = Object.values(type.getFields()).filter(({ name }) => !GRAPHQL_ONLY.has(name));
  const fields = new Map(inV1.map((field) => [toSnakeCase(field.name), field]));
  fieldsByType.set(type, fields);
  return fields;
}

/** The v1 spelling of a camelCase path. Keys inside free-form JSON are not changed. */
export function toV1Path(type: GraphQLInputType, path: Problem['path']): Problem['path'] {
  const [step, ...rest] = path;
  if (step === undefined) return [];
  if (typeof step === 'number') return [step, ...toV1Path(type, rest)];
  const owner = getNamedType(type);
  const field = isInputObjectType(owner) ? owner.getFields()[step] : undefined;
  return field ? [toSnakeCase(step), ...toV1Path(field.type, rest)] : path;
}

/** The input type and all input types that it contains, without duplicates. */
export function inputTypesOf(root: GraphQLInputObjectType): readonly GraphQLInputObjectType[] {
  const types = new Set<GraphQLInputObjectType>();
  const visit = (type: GraphQLInputType): void => {
    const named = getNamedType(type);
    if (!isInputObjectType(named) || types.has(named)) return;
    types.add(named);
    for (const field of v1FieldsOf(named).values()) visit(field.type);
  };
  visit(root);
  return [...types];
}
