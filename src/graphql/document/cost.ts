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

/**
 * Cost of a field with the selection under it: 1, and under a list the cost of an item multiplied
 * by the number of items. Introspection is free.
 */
export function fieldCost(
  node: FieldNode,
  { field, parent }: { field: Field | undefined; parent: GraphQLNamedType | undefined },
  selection: Cost,
): Cost {
  const name = node.name.value;
  if (name === '__typename') return ONE;
  if (!field) return FREE;
  const type = getNamedType(field.type);
  if (!isCompositeType(type)) return ONE;
  const isPerItem = isConnection(parent)
    ? name === 'nodes' || name === 'edges'
    : isPayload(parent) && isListType(getNullableType(field.type));
  if (isPerItem) return { once: 1, perItem: selection.once };
  const items = isPayload(type) ? inputSize(node) : listSize(node, field);
  const under =
    isConnection(type) || isPayload(type)
      ? add(selection.once, multiply(items, selection.perItem))
      : multiply(items, selection.once);
  return { once: add(1, under), perItem: 0 };
}

type Field = GraphQLField<unknown, unknown>;

const SIZE_ARGUMENTS = new Set(['first', 'last', 'ids']);
/** Resolvers reject longer lists, with a clearer message than the cost. */
const MAX_LIST_SIZE = 1_000;

/** Number of items that a field requests: 1 unless the field has a size argument. */
function listSize(node: FieldNode, { args }: Field): Amount {
  const sizeArguments = args.filter(({ name }) => SIZE_ARGUMENTS.has(name));
  if (sizeArguments.length === 0) return 1;
  const values = sizeArguments.map(
    ({ name }) => node.arguments?.find((argument) => argument.name.value === name)?.value,
  );
  const defaultSize = sizeArguments
    .map(({ defaultValue }) => defaultValue as unknown)
    .find((value) => typeof value === 'number');
  const max = defaultSize === undefined ? PAGE_SIZE.max : MAX_LIST_SIZE;
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
