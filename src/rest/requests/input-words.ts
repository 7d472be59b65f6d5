import {
  getNamedType,
  isInputObjectType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import type { Problem } from '../../domain/errors.js';

/** Fields of the GraphQL input that v1 does not have: `scheduledAt` (D29). */
const NOT_IN_V1 = new Set(['scheduledAt']);

/** `featuredMedia` → `featured_media`: a name as v1 writes it. */
export const toV1Name = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const fieldsByType = new WeakMap<GraphQLInputObjectType, ReadonlyMap<string, GraphQLInputField>>();

/** The fields of an input type by the names they have in v1. */
export function fieldsIn(type: GraphQLInputObjectType): ReadonlyMap<string, GraphQLInputField> {
  const known = fieldsByType.get(type);
  if (known) return known;
  const inV1 = Object.values(type.getFields()).filter(({ name }) => !NOT_IN_V1.has(name));
  const fields = new Map(inV1.map((one) => [toV1Name(one.name), one]));
  fieldsByType.set(type, fields);
  return fields;
}

/** A path in camelCase as v1 writes it; keys inside free JSON stay as they are. */
export function toV1Path(type: GraphQLInputType, path: Problem['path']): Problem['path'] {
  const [step, ...rest] = path;
  if (step === undefined) return [];
  if (typeof step === 'number') return [step, ...toV1Path(type, rest)];
  const owner = getNamedType(type);
  const field = isInputObjectType(owner) ? owner.getFields()[step] : undefined;
  return field ? [toV1Name(step), ...toV1Path(field.type, rest)] : path;
}

/** The input type and all that it holds, each once. */
export function inputTypesIn(root: GraphQLInputObjectType): readonly GraphQLInputObjectType[] {
  const found = new Set<GraphQLInputObjectType>();
  const visit = (type: GraphQLInputType): void => {
    const named = getNamedType(type);
    if (!isInputObjectType(named) || found.has(named)) return;
    found.add(named);
    for (const field of fieldsIn(named).values()) visit(field.type);
  };
  visit(root);
  return [...found];
}
