import { GatewayError, type ErrorCode } from '../../domain/errors.js';
import {
  isCompositeType,
  isListType,
  Kind,
  getNamedType,
  getNullableType,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';
import { PAGE_SIZE } from '../schema/connection.js';

/** Maximum size of a GraphQL operation (D40). */
export const LIMITS = {
  depth: 12,
  fields: 300,
  aliases: 30,
  rootFields: 30,
  mutations: 10,
  directives: 20,
  tokens: 2_000,
  cost: 5_000,
  /** Of the `data` in an answer, and of each event of a stream. */
  answerBytes: 10_000_000,
  /**
   * For `__schema` and `__type`, which are measured separately so that the introspection query of
   * graphql-js passes.
   */
  introspectionDepth: 16,
  introspections: 1,
  /**
   * Errors in variables that are reported. Each message contains the whole value, which can be 1
   * MB.
   */
  variableErrors: 10,
} as const;

/**
 * Size of a selection with fragments expanded. Sums can grow to Infinity for nested fragments that
 * multiply.
 */
export interface Size {
  readonly depth: number;
  readonly fields: number;
  readonly aliases: number;
  readonly directives: number;
  /** Fields on the top level of the selection. */
  readonly rootFields: number;
  readonly introspections: number;
  readonly introspectionDepth: number;
  readonly introspectionFields: number;
}
export const EMPTY_SIZE: Size = {
  depth: 0,
  fields: 0,
  aliases: 0,
  directives: 0,
  rootFields: 0,
  introspections: 0,
  introspectionDepth: 0,
  introspectionFields: 0,
};
const SIZE_KEYS = Object.keys(EMPTY_SIZE) as (keyof Size)[];
const DEPTH_KEYS: ReadonlySet<keyof Size> = new Set(['depth', 'introspectionDepth']);

/** Size of selections side by side. */
export function sumSizes(sizes: readonly Size[]): Size {
  const sum = { ...EMPTY_SIZE };
  for (const size of sizes)
    for (const key of SIZE_KEYS)
      sum[key] = DEPTH_KEYS.has(key) ? Math.max(sum[key], size[key]) : sum[key] + size[key];
  return sum;
}

/** Size of a field with the selection under it. */
export function fieldSize(name: string, { aliases, directives, ...selection }: Size): Size {
  const { depth, fields } = selection;
  return name === '__schema' || name === '__type'
    ? {
        ...EMPTY_SIZE,
        aliases,
        directives,
        rootFields: 1,
        introspections: 1,
        introspectionDepth: depth + 1,
        introspectionFields: fields + 1,
      }
    : { ...selection, aliases, directives, depth: depth + 1, fields: fields + 1, rootFields: 1 };
}

/** Kind of a definition, by which limits apply. */
export type DefinitionKind = 'query' | 'mutation' | 'subscription' | 'fragment';
const OPERATIONS: readonly DefinitionKind[] = ['query', 'mutation', 'subscription'];

/**
 * A limit of operations, and of unused fragments where `kinds` includes them: those are validated,
 * too.
 */
interface LimitRow {
  readonly measure: keyof Size;
  readonly limit: number;
  readonly code: ErrorCode;
  readonly unit: string;
  /** Definitions that the limit applies to. Defaults to operations of every kind. */
  readonly kinds?: readonly DefinitionKind[];
}
const LIMIT_ROWS: readonly LimitRow[] = [
  { measure: 'depth', limit: LIMITS.depth, code: 'QUERY_TOO_DEEP', unit: 'levels of fields' },
  {
    measure: 'introspectionDepth',
    limit: LIMITS.introspectionDepth,
    code: 'QUERY_TOO_DEEP',
    unit: 'levels of introspection',
  },
  {
    measure: 'fields',
    limit: LIMITS.fields,
    code: 'TOO_MANY_FIELDS',
    unit: 'fields with fragments expanded',
    kinds: [...OPERATIONS, 'fragment'],
  },
  {
    measure: 'introspectionFields',
    limit: LIMITS.fields,
    code: 'TOO_MANY_FIELDS',
    unit: 'introspection fields with fragments expanded',
  },
  {
    measure: 'introspections',
    limit: LIMITS.introspections,
    code: 'TOO_MANY_FIELDS',
    unit: '`__schema` or `__type` per operation',
  },
  { measure: 'rootFields', limit: LIMITS.rootFields, code: 'TOO_MANY_FIELDS', unit: 'root fields' },
  {
    measure: 'rootFields',
    limit: LIMITS.mutations,
    code: 'TOO_MANY_FIELDS',
    unit: 'mutations',
    kinds: ['mutation'],
  },
  { measure: 'aliases', limit: LIMITS.aliases, code: 'TOO_MANY_ALIASES', unit: 'aliases' },
  {
    measure: 'directives',
    limit: LIMITS.directives,
    code: 'TOO_MANY_DIRECTIVES',
    unit: 'directives',
  },
];

/** Errors for the limits that a definition exceeds. */
export const limitErrors = (kind: DefinitionKind, size: Size): GatewayError[] =>
  LIMIT_ROWS.filter(
    ({ measure, limit, kinds = OPERATIONS }) => kinds.includes(kind) && size[measure] > limit,
  ).map(({ code, limit, unit }) => new GatewayError(code, `The maximum is ${limit} ${unit}.`));

/** The error of an operation that costs too much, with the `first` that fits; null if none does. */
export function costError(cost: number, fittingFirst: number | null): GatewayError {
  const cure =
    fittingFirst === null
      ? 'Select fewer lists and fields, or split the operation.'
      : `To stay below it, set \`first\` to at most ${fittingFirst} in every list.`;
  return new GatewayError(
    'QUERY_TOO_COMPLEX',
    `The operation costs ${cost}; the maximum is ${LIMITS.cost}. ${cure}`,
  );
}

/**
 * The largest `first` with which an operation costs at most the maximum; null if there is none.
 * `costWith` returns the cost of the operation if no list has a larger `first`.
 */
export function findFittingFirst(costWith: (first: number) => number): number | null {
  let fitting = 0;
  let exceeding = MAX_LIST_SIZE + 1;
  while (exceeding - fitting > 1) {
    const first = Math.floor((fitting + exceeding) / 2);
    if (costWith(first) <= LIMITS.cost) fitting = first;
    else exceeding = first;
  }
  return fitting === 0 ? null : fitting;
}

/** The value of a variable; undefined if it has none. */
type ValueOfVariable = (name: string) => unknown;
/** A number, or a function of the list sizes in variables. */
type Amount = number | ((variable: ValueOfVariable) => number);

/** Cost of a selection: a fixed part, and a part per item of a connection. */
export interface Cost {
  readonly once: Amount;
  readonly perItem: Amount;
}
export const FREE: Cost = { once: 0, perItem: 0 };
const ONE: Cost = { once: 1, perItem: 0 };

const valueOf = (amount: Amount, variable: ValueOfVariable): number =>
  typeof amount === 'number' ? amount : amount(variable);
const calculate = (a: Amount, b: Amount, operator: (a: number, b: number) => number): Amount =>
  typeof a === 'number' && typeof b === 'number'
    ? operator(a, b)
    : (variable) => operator(valueOf(a, variable), valueOf(b, variable));
const add = (a: Amount, b: Amount): Amount => calculate(a, b, (x, y) => x + y);
const multiply = (a: Amount, b: Amount): Amount => calculate(a, b, (x, y) => x * y);

/** Cost of selections side by side. */
export const sumCosts = (costs: readonly Cost[]): Cost => ({
  once: costs.map(({ once }) => once).reduce(add, 0),
  perItem: costs.map(({ perItem }) => perItem).reduce(add, 0),
});

/** Result of a mutation, whose lists have an item for each item of the input. */
const isPayload = (type: GraphQLNamedType | undefined): boolean =>
  type?.name.endsWith('Payload') ?? false;
/** A page of a list: its items are in `nodes` or `edges`. */
const isConnection = (type: GraphQLNamedType | undefined): boolean =>
  /(Connection|Page)$/.test(type?.name ?? '');

/** What the cost of a field depends on besides its selection. */
interface CostContext {
  readonly field: Field | undefined;
  readonly parent: GraphQLNamedType | undefined;
  /** Lists with a larger `first` or `last` count as if they had this one. */
  readonly maxFirst: number;
}

/**
 * Cost of a field with the selection under it: 1, and under a list the cost of an item multiplied
 * by the number of items. Introspection is free.
 */
export function fieldCost(
  node: FieldNode,
  { field, parent, maxFirst }: CostContext,
  selection: Cost,
): Cost {
  const name = node.name.value;
  if (name === '__typename') return ONE;
  if (!field) return FREE;
  const type = getNamedType(field.type);
  if (!isCompositeType(type))
    return { once: multiply(listSize(node, field, maxFirst), costOf(field)), perItem: 0 };
  const isPerItem = isConnection(parent)
    ? name === 'nodes' || name === 'edges'
    : isPayload(parent) && isListType(getNullableType(field.type));
  if (isPerItem) return { once: 1, perItem: selection.once };
  const items = isPayload(type) ? inputSize(node) : listSize(node, field, maxFirst);
  const under =
    isConnection(type) || isPayload(type)
      ? add(selection.once, multiply(items, selection.perItem))
      : multiply(items, selection.once);
  return { once: add(1, under), perItem: 0 };
}

type Field = GraphQLField<unknown, unknown>;

/** Cost of a field without a selection, or of an item of its list. */
const costOf = ({ extensions }: Field): number => (extensions.cost as number | undefined) ?? 1;

const SIZE_ARGUMENTS = new Set(['first', 'last', 'ids']);
/** Resolvers reject longer lists, with a clearer message than the cost. */
const MAX_LIST_SIZE = 1_000;

/** Number of items that a field requests: 1 unless the field has a size argument. */
function listSize(node: FieldNode, { args }: Field, maxFirst: number): Amount {
  const sizeArguments = args.filter(({ name }) => SIZE_ARGUMENTS.has(name));
  if (sizeArguments.length === 0) return 1;
  const values = sizeArguments.map(
    ({ name }) => node.arguments?.find((argument) => argument.name.value === name)?.value,
  );
  const defaultSize = sizeArguments
    .map(({ defaultValue }) => defaultValue as unknown)
    .find((value) => typeof value === 'number');
  const isPage = sizeArguments.some(({ name }) => name === 'first');
  const max = Math.min(
    defaultSize === undefined ? PAGE_SIZE.max : MAX_LIST_SIZE,
    isPage ? maxFirst : Infinity,
  );
  const size: Exclude<Amount, number> = (variable) => {
    const requested = values
      .map((value) => sizeOf(value && untypedValue(value, variable)))
      .find((requestedSize) => requestedSize !== undefined);
    return Math.min(Math.max(requested ?? defaultSize ?? PAGE_SIZE.default, 1), max);
  };
  return values.some((value) => value?.kind === Kind.VARIABLE) ? size : size(() => undefined);
}

/** Lists of the input of a mutation, each item of which is a record to change or to create. */
const INPUT_LISTS = ['targets', 'ids', 'posts', 'urls'] as const;

/** Number of records that the input of a mutation concerns: at least 1. */
function inputSize({ arguments: args = [] }: FieldNode): Amount {
  const input = args.find(({ name }) => name.value === 'input')?.value;
  if (!input) return 1;
  return (variable) => {
    const value = untypedValue(input, variable);
    const sizes = INPUT_LISTS.map((name) =>
      sizeOf((value as Readonly<Record<string, unknown>> | null | undefined)?.[name]),
    );
    return Math.min(Math.max(1, ...sizes.map((size) => size ?? 1)), MAX_LIST_SIZE);
  };
}

/** The value of a literal or variable, unchecked; of an object only the lists of an input. */
function untypedValue(node: ValueNode, variable: ValueOfVariable): unknown {
  if (node.kind === Kind.VARIABLE) return variable(node.name.value);
  if (node.kind === Kind.LIST) return node.values;
  if (node.kind === Kind.INT) return Number(node.value);
  if (node.kind !== Kind.OBJECT) return undefined;
  const lists = node.fields.filter(({ name }) =>
    (INPUT_LISTS as readonly string[]).includes(name.value),
  );
  return Object.fromEntries(
    lists.map(({ name, value }) => [name.value, untypedValue(value, variable)]),
  );
}

function sizeOf(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' ? value : undefined;
}

/**
 * Creates the function that returns the cost of an operation (D40) with the given variables, as
 * sent.
 */
export function createCostOf(
  { variableDefinitions = [] }: OperationDefinitionNode,
  { once: cost }: Cost,
): (variables: Readonly<Record<string, unknown>>) => number {
  const defaults = new Map(
    variableDefinitions.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue && untypedValue(defaultValue, () => undefined),
    ]),
  );
  return (variables) => valueOf(cost, (name) => variables[name] ?? defaults.get(name));
}
