import {
  isCompositeType,
  Kind,
  getNamedType,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';
import { PAGE_SIZE } from '../connection/connection.js';

/** Number of items that a variable requests; undefined if it has no value. */
type SizeOfVariable = (name: string) => number | undefined;
/** A number, or a function of the list sizes in variables. */
export type Amount = number | ((sizeOf: SizeOfVariable) => number);

/** Cost of a selection: a fixed part, and a part per item of a connection. */
export interface Cost {
  readonly once: Amount;
  readonly perItem: Amount;
}
export const FREE: Cost = { once: 0, perItem: 0 };
const ONE: Cost = { once: 1, perItem: 0 };

const valueOf = (amount: Amount, sizeOf: SizeOfVariable): number =>
  typeof amount === 'number' ? amount : amount(sizeOf);
const calculate = (a: Amount, b: Amount, operator: (a: number, b: number) => number): Amount =>
  typeof a === 'number' && typeof b === 'number'
    ? operator(a, b)
    : (sizeOf) => operator(valueOf(a, sizeOf), valueOf(b, sizeOf));
const add = (a: Amount, b: Amount): Amount => calculate(a, b, (x, y) => x + y);
const multiply = (a: Amount, b: Amount): Amount => calculate(a, b, (x, y) => x * y);

/** Cost of selections side by side. */
export const sumCosts = (costs: readonly Cost[]): Cost => ({
  once: costs.map(({ once }) => once).reduce(add, 0),
  perItem: costs.map(({ perItem }) => perItem).reduce(add, 0),
});

const isConnection = (type: GraphQLNamedType | undefined): boolean =>
  type?.name.endsWith('Connection') ?? false;

/**
 * Cost of a field with the selection under it: 1, and under a list the cost of an item multiplied by
 * the number of items. Introspection is free.
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
  if (isConnection(parent) && (name === 'nodes' || name === 'edges'))
    return { once: 1, perItem: selection.once };
  const items = listSize(node, field);
  const under = isConnection(type)
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
  const size: Exclude<Amount, number> = (sizeOf) => {
    const requested = values
      .map((value) =>
        value?.kind === Kind.VARIABLE ? sizeOf(value.name.value) : sizeOfLiteral(value),
      )
      .find((requestedSize) => requestedSize !== undefined);
    return Math.min(Math.max(requested ?? defaultSize ?? PAGE_SIZE.default, 1), max);
  };
  return values.some((value) => value?.kind === Kind.VARIABLE) ? size : size(() => undefined);
}

function sizeOfLiteral(value: ValueNode | undefined): number | undefined {
  if (value?.kind === Kind.INT) return Number(value.value);
  return value?.kind === Kind.LIST ? value.values.length : undefined;
}

/**
 * Creates the function that returns the cost of an operation (D40) with the given variables, as
 * sent.
 */
export function createCostOf(
  { variableDefinitions = [] }: OperationDefinitionNode,
  { once: cost }: Cost,
): (variables: Readonly<Record<string, unknown>>) => number {
  const defaultSizes = new Map(
    variableDefinitions.map(({ variable, defaultValue }) => [
      variable.name.value,
      sizeOfLiteral(defaultValue),
    ]),
  );
  return (variables) =>
    valueOf(cost, (name) => {
      const value = variables[name] ?? defaultSizes.get(name);
      if (Array.isArray(value)) return value.length;
      return typeof value === 'number' ? value : undefined;
    });
}
