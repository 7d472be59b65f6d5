import {
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import type { GatewayContext } from '../context.js';
import type { SelectedField } from '../document/selected-fields.js';
import { requirementOf } from '../requires-scopes.js';
import { computeOf, dependenciesOf, type Compute } from '../selection/field-dependencies.js';
import { createLeafWriter, NotCompilableError } from './leaf-writers.js';

/** Completes values and writes them as JSON in one step; graphql-js and JSON.stringify take two. */
export interface Writer {
  /** @throws NotCompilableError */
  write(value: unknown, context: GatewayContext): string;
  /** Whether the JSON of a value is the same for every viewer. */
  readonly isViewerIndependent: boolean;
}

/**
 * Creates the writer of a selected field of this type; null if its selection needs more than the
 * loaded rows.
 */
export function compileWriter(type: GraphQLOutputType, selected: SelectedField): Writer | null {
  const isRequired = isNonNullType(type);
  const nullableWriter = compileNullable(isRequired ? type.ofType : type, selected);
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

function compileNullable(type: GraphQLNullableType, selected: SelectedField): Writer | null {
  if (isLeafType(type)) return { isViewerIndependent: true, write: createLeafWriter(type) };
  if (isListType(type))
    return createListWriter(compileWriter(type.ofType as GraphQLOutputType, selected));
  return isObjectType(type) ? createObjectWriter(type, selected) : null;
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

function createObjectWriter(type: GraphQLObjectType, selected: SelectedField): Writer | null {
  const members: { readonly name: string; readonly value: Writer }[] = [];
  for (const [key, member] of selected.fieldsOf(type)) {
    const value = createMemberWriter(type, member);
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
function createMemberWriter(type: GraphQLObjectType, member: SelectedField): Writer | null {
  const { name } = member;
  if (name === '__typename') return { isViewerIndependent: true, write: () => `"${type.name}"` };
  const field = type.getFields()[name];
  const read = field && createReader(field);
  const value = read && compileWriter(field.type, member);
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
