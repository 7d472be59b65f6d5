import {
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type FieldNode,
  type GraphQLField,
  type GraphQLNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
} from 'graphql';
import { collectSubfields } from '../selection/collect-fields.js';
import type { GatewayContext } from '../context.js';
import { requirementOf } from '../requires-scopes.js';
import { computeOf, dependenciesOf, type Compute } from '../selection/computed-fields.js';
import { createLeafWriter } from './leaf-writers.js';
import { NotCompilableError } from './not-compilable.js';

/** Completes values and writes them as JSON in one step; graphql-js and JSON.stringify take two. */
export interface Writer {
  /** @throws NotCompilableError */
  write(value: unknown, context: GatewayContext): string;
  /** Whether the JSON of a value is the same for every viewer. */
  readonly isViewerIndependent: boolean;
}

/**
 * The parts of an operation that compilation depends on. Of the variables, only those in @include
 * and @skip.
 */
export type OperationInfo = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;

/**
 * Creates the writer of an output type and its selection; null if the selection needs more than the
 * loaded rows.
 */
export function compileWriter(
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  operation: OperationInfo,
): Writer | null {
  const isRequired = isNonNullType(type);
  const nullableWriter = compileNullable(isRequired ? type.ofType : type, nodes, operation);
  return (
    nullableWriter && {
      isViewerIndependent: nullableWriter.isViewerIndependent,
      write(value, context) {
        if (value !== null && value !== undefined) return nullableWriter.write(value, context);
        if (isRequired) throw new NotCompilableError();
        return 'null';
      },
    }
  );
}

function compileNullable(
  type: GraphQLNullableType,
  nodes: readonly FieldNode[],
  operation: OperationInfo,
): Writer | null {
  if (isLeafType(type)) return { isViewerIndependent: true, write: createLeafWriter(type) };
  if (isListType(type))
    return createListWriter(compileWriter(type.ofType as GraphQLOutputType, nodes, operation));
  return isObjectType(type) ? createObjectWriter(type, nodes, operation) : null;
}

const createListWriter = (item: Writer | null): Writer | null =>
  item && {
    isViewerIndependent: item.isViewerIndependent,
    write(list, context) {
      if (!Array.isArray(list)) throw new NotCompilableError();
      let text = '[';
      for (let index = 0; index < list.length; index++)
        text += (index > 0 ? ',' : '') + item.write(list[index], context);
      return `${text}]`;
    },
  };

function createObjectWriter(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  operation: OperationInfo,
): Writer | null {
  const members: { readonly name: string; readonly value: Writer }[] = [];
  for (const [key, fieldNodes] of collectSubfields(
    operation.schema,
    operation.fragments,
    operation.variableValues,
    type,
    nodes,
  )) {
    const value = createMemberWriter(type, fieldNodes, operation);
    if (!value) return null;
    members.push({ name: `${members.length > 0 ? ',' : ''}"${key}":`, value });
  }
  const isViewerIndependent = members.every(({ value }) => value.isViewerIndependent);
  const write = (source: unknown, context: GatewayContext): string => {
    if (source instanceof Promise || source instanceof Error) throw new NotCompilableError();
    let text = '{';
    for (const { name, value } of members) text += name + value.write(source, context);
    return `${text}}`;
  };
  return { isViewerIndependent, write: isViewerIndependent ? memoizeFrozenObjects(write) : write };
}

/** Caches the JSON of frozen objects, such as accounts that many posts share. */
function memoizeFrozenObjects(write: Writer['write']): Writer['write'] {
  const textByObject = new WeakMap<object, string>();
  return (source, context) => {
    if (!Object.isFrozen(source)) return write(source, context);
    const cached = textByObject.get(source as object);
    if (cached !== undefined) return cached;
    const text = write(source, context);
    textByObject.set(source as object, text);
    return text;
  };
}

/** Creates the writer of a field, which reads the value from the object. */
function createMemberWriter(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  operation: OperationInfo,
): Writer | null {
  const name = nodes[0]!.name.value;
  if (name === '__typename') return { isViewerIndependent: true, write: () => `"${type.name}"` };
  const field = type.getFields()[name];
  const read = field && createReader(field);
  const value = read && compileWriter(field.type, nodes, operation);
  return value
    ? {
        isViewerIndependent: value.isViewerIndependent && !dependsOnContext(field),
        write: (source, context) => value.write(read(source, context), context),
      }
    : null;
}

const dependsOnContext = (field: GraphQLField<unknown, GatewayContext>): boolean =>
  computeOf(field)!.length > 1;

/**
 * Creates the reader of a field; null if the field requires scopes, takes arguments or loads other
 * records.
 */
function createReader(field: GraphQLField<unknown, GatewayContext>): Compute<unknown> | null {
  const [read, dependencies] = [computeOf(field), dependenciesOf(field)];
  if (!read || requirementOf(field) || field.args.length > 0) return null;
  if (dependencies.length === 0) return read;
  return (source, context) => {
    for (const name of dependencies)
      if ((source as Record<string, unknown>)[name] === undefined) throw new NotCompilableError();
    return read(source, context);
  };
}
