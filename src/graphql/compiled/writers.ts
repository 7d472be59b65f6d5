import {
  GraphQLBoolean,
  GraphQLID,
  GraphQLInt,
  GraphQLString,
  isEnumType,
  type GraphQLLeafType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import { assertMayFit } from '../answer-size.js';
import { DateTime } from '../schema/enums.js';
import type { GatewayContext } from '../context.js';
import type { SelectedField } from '../document/selected-fields.js';
import {
  requirementOf,
  computeOf,
  dependenciesOf,
  type Compute,
} from '../schema/field-decorators.js';

/**
 * Thrown where compiled execution cannot write a value; graphql-js then executes the operation.
 * Never reaches a client.
 */
export class NotCompilableError extends Error {}

/**
 * Writes a non-null value as the JSON that graphql-js would produce.
 * @throws if graphql-js would reject the value
 */
type LeafWriter = (value: unknown) => string;

const INT_LIMIT = 2 ** 31;

const MAX_SCANNED_LENGTH = 48;
const [SPACE, QUOTE, BACKSLASH, SURROGATES] = [0x20, 0x22, 0x5c, 0xd800];

/** Same result as JSON.stringify, but faster for short strings without special characters. */
function quote(text: string): string {
  if (text.length > MAX_SCANNED_LENGTH) return JSON.stringify(text);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < SPACE || code === QUOTE || code === BACKSLASH || code >= SURROGATES)
      return JSON.stringify(text);
  }
  return `"${text}"`;
}

/**
 * Writers for the usual JavaScript type of each scalar; undefined for other values, which
 * `serialize` converts as in graphql-js.
 */
const FAST_WRITERS: ReadonlyMap<GraphQLLeafType, (value: unknown) => string | undefined> = new Map<
  GraphQLLeafType,
  (value: unknown) => string | undefined
>([
  [GraphQLString, (value) => (typeof value === 'string' ? quote(value) : undefined)],
  [GraphQLID, (value) => (typeof value === 'string' ? quote(value) : undefined)],
  [GraphQLBoolean, (value) => (typeof value === 'boolean' ? String(value) : undefined)],
  [
    GraphQLInt,
    (value) =>
      Number.isInteger(value) && Math.abs(value as number) < INT_LIMIT ? String(value) : undefined,
  ],
  [
    DateTime,
    (value) =>
      value instanceof Date && !Number.isNaN(value.getTime())
        ? `"${value.toISOString()}"`
        : undefined,
  ],
]);

const serializingWriter =
  (type: GraphQLLeafType): LeafWriter =>
  (value) => {
    if (value instanceof Promise || value instanceof Error) throw new NotCompilableError();
    const text = JSON.stringify(type.serialize(value)) as string | undefined;
    if (text === undefined || text === 'null') throw new NotCompilableError();
    return text;
  };

/** Creates the writer of a scalar or enum type. */
function createLeafWriter(type: GraphQLLeafType): LeafWriter {
  if (isEnumType(type)) {
    const names = new Map(
      type.getValues().map(({ value, name }) => [value as unknown, `"${name}"`]),
    );
    return (value) => names.get(value) ?? serializingWriter(type)(value);
  }
  const [writeFast, writeSerialized] = [FAST_WRITERS.get(type), serializingWriter(type)];
  return writeFast ? (value) => writeFast(value) ?? writeSerialized(value) : writeSerialized;
}

/** Completes values and writes them as JSON in one step; graphql-js and JSON.stringify take two. */
export interface Writer {
  /** @throws NotCompilableError, AnswerTooLargeError */
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
      for (let index = 0; index < list.length; index++) {
        text += (index > 0 ? ',' : '') + item.write(list[index], context);
        assertMayFit(text);
      }
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
    for (const { name, value } of members) {
      text += name + value.write(source, context);
      assertMayFit(text);
    }
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
