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
import { makeOf, readsOf, type Make } from '../selection/row-fields.js';
import { leafWriter } from './leaf-writers.js';
import { NotPlanned } from './not-planned.js';

/** Completes values and writes them as JSON text: what graphql-js and JSON.stringify do in two steps. */
export interface Writer {
  /** @throws NotPlanned */
  write(value: unknown, context: GatewayContext): string;
  /** Whether a value is written alike for everybody. */
  readonly isForAll: boolean;
}

/** The parts of an operation that a plan depends on; of the variables, those of @include and @skip alone. */
export type Operation = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;

/** The writer of an output type with what is selected under it; null where that needs more than the rows at hand. */
export function compileWriter(
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  operation: Operation,
): Writer | null {
  const isRequired = isNonNullType(type);
  const inner = compileNullable(isRequired ? type.ofType : type, nodes, operation);
  return (
    inner && {
      isForAll: inner.isForAll,
      write(value, context) {
        if (value !== null && value !== undefined) return inner.write(value, context);
        if (isRequired) throw new NotPlanned();
        return 'null';
      },
    }
  );
}

function compileNullable(
  type: GraphQLNullableType,
  nodes: readonly FieldNode[],
  operation: Operation,
): Writer | null {
  if (isLeafType(type)) return { isForAll: true, write: leafWriter(type) };
  if (isListType(type))
    return listWriter(compileWriter(type.ofType as GraphQLOutputType, nodes, operation));
  return isObjectType(type) ? objectWriter(type, nodes, operation) : null;
}

const listWriter = (item: Writer | null): Writer | null =>
  item && {
    isForAll: item.isForAll,
    write(list, context) {
      if (!Array.isArray(list)) throw new NotPlanned();
      let text = '[';
      for (let index = 0; index < list.length; index++)
        text += (index > 0 ? ',' : '') + item.write(list[index], context);
      return `${text}]`;
    },
  };

function objectWriter(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  operation: Operation,
): Writer | null {
  const members: { readonly name: string; readonly value: Writer }[] = [];
  for (const [key, fieldNodes] of collectSubfields(
    operation.schema,
    operation.fragments,
    operation.variableValues,
    type,
    nodes,
  )) {
    const value = memberWriter(type, fieldNodes, operation);
    if (!value) return null;
    members.push({ name: `${members.length > 0 ? ',' : ''}"${key}":`, value });
  }
  const isForAll = members.every(({ value }) => value.isForAll);
  const write = (source: unknown, context: GatewayContext): string => {
    if (source instanceof Promise || source instanceof Error) throw new NotPlanned();
    let text = '{';
    for (const { name, value } of members) text += name + value.write(source, context);
    return `${text}}`;
  };
  return { isForAll, write: isForAll ? frozenOnce(write) : write };
}

/** Writes an object that never changes once, however many posts lead to it. */
function frozenOnce(write: Writer['write']): Writer['write'] {
  const known = new WeakMap<object, string>();
  return (source, context) => {
    if (!Object.isFrozen(source)) return write(source, context);
    const before = known.get(source as object);
    if (before !== undefined) return before;
    const text = write(source, context);
    known.set(source as object, text);
    return text;
  };
}

/** A field of an object: read from it, then written. */
function memberWriter(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  operation: Operation,
): Writer | null {
  const name = nodes[0]!.name.value;
  if (name === '__typename') return { isForAll: true, write: () => `"${type.name}"` };
  const field = type.getFields()[name];
  const read = field && readerOf(field);
  const value = read && compileWriter(field.type, nodes, operation);
  return value
    ? {
        isForAll: value.isForAll && !asksContext(field),
        write: (source, context) => value.write(read(source, context), context),
      }
    : null;
}

const asksContext = (field: GraphQLField<unknown, GatewayContext>): boolean =>
  makeOf(field)!.length > 1;

/** How a field is read from its object; null for one that is authorized on its own, takes arguments or has to be fetched. */
function readerOf(field: GraphQLField<unknown, GatewayContext>): Make<unknown> | null {
  const [read, reads] = [makeOf(field), readsOf(field)];
  if (!read || requirementOf(field) || field.args.length > 0) return null;
  if (reads.length === 0) return read;
  return (source, context) => {
    for (const name of reads)
      if ((source as Record<string, unknown>)[name] === undefined) throw new NotPlanned();
    return read(source, context);
  };
}
