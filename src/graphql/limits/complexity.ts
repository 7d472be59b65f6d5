import {
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { PAGE_SIZE } from '../connection/connection.js';

interface OperationRequest {
  readonly schema: GraphQLSchema;
  /** A valid document. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Variables as sent. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Cost of a selection: a fixed part, and a part per item of a connection. */
interface Cost {
  readonly once: number;
  readonly perItem: number;
}
const FREE: Cost = { once: 0, perItem: 0 };
const sum = (costs: readonly Cost[]): Cost =>
  costs.reduce((a, b) => ({ once: a.once + b.once, perItem: a.perItem + b.perItem }), FREE);

/** Resolvers reject longer lists, with a clearer message than the cost. */
const MAX_LIST_SIZE = 1_000;
const isConnection = (type: GraphQLNamedType): boolean => type.name.endsWith('Connection');
const isItemsField = (parent: GraphQLNamedType, name: string): boolean =>
  isConnection(parent) && (name === 'nodes' || name === 'edges');

/**
 * Costs of operations whose list sizes do not depend on variables. Apollo Server caches parsed
 * documents.
 */
const costByOperation = new WeakMap<OperationDefinitionNode, number>();

/**
 * Cost of an operation (D40): 1 per field, multiplied under a list by the `first`, `last` or number
 * of `ids` requested, 20 by default. Introspection is free. Each fragment is measured once, so that
 * computing the cost is cheap.
 */
export function complexityOf(request: OperationRequest): number {
  const cached = costByOperation.get(request.operation);
  if (cached !== undefined) return cached;
  const { cost, isSizedByVariables } = computeCost(request);
  if (!isSizedByVariables) costByOperation.set(request.operation, cost);
  return cost;
}

function computeCost({ schema, document, operation, variables }: OperationRequest): {
  cost: number;
  isSizedByVariables: boolean;
} {
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION
        ? [[definition.name.value, definition] as const]
        : [],
    ),
  );
  const { listSize, isSizedByVariables } = createListSizes(operation, variables);
  const costByFragment = new Map<string, Cost>();

  const fragmentCost = (name: string): Cost => {
    const fragment = fragments.get(name);
    if (!fragment) return FREE;
    const cost =
      costByFragment.get(name) ??
      selectionSetCost(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value));
    costByFragment.set(name, cost);
    return cost;
  };
  const fieldCost = (node: FieldNode, parent: GraphQLNamedType): Cost => {
    if (node.name.value === '__typename') return { once: 1, perItem: 0 };
    const field =
      isObjectType(parent) || isInterfaceType(parent)
        ? parent.getFields()[node.name.value]
        : undefined;
    if (!field) return FREE;
    const type = getNamedType(field.type);
    if (!node.selectionSet || !isCompositeType(type)) return { once: 1, perItem: 0 };
    const selectionCost = selectionSetCost(node.selectionSet, type);
    if (isItemsField(parent, node.name.value)) return { once: 1, perItem: selectionCost.once };
    const items = listSize(node, field);
    return {
      once:
        1 +
        (isConnection(type)
          ? selectionCost.once + items * selectionCost.perItem
          : items * selectionCost.once),
      perItem: 0,
    };
  };
  const nodeCost = (node: SelectionNode, parent: GraphQLNamedType): Cost => {
    if (node.kind === Kind.FIELD) return fieldCost(node, parent);
    if (node.kind === Kind.FRAGMENT_SPREAD) return fragmentCost(node.name.value);
    return selectionSetCost(
      node.selectionSet,
      node.typeCondition ? schema.getType(node.typeCondition.name.value) : parent,
    );
  };
  const selectionSetCost = (set: SelectionSetNode, parent: GraphQLNamedType | undefined): Cost =>
    parent ? sum(set.selections.map((node) => nodeCost(node, parent))) : FREE;

  const { once: cost } = selectionSetCost(
    operation.selectionSet,
    schema.getRootType(operation.operation) ?? undefined,
  );
  return { cost, isSizedByVariables: isSizedByVariables() };
}

/**
 * Creates a function that returns the number of items a field requests: 1 unless the field has a
 * size argument.
 */
function createListSizes(
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
) {
  const defaults = new Map(
    operation.variableDefinitions?.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue,
    ]),
  );
  let isSizedByVariables = false;
  const sizeOf = (node: FieldNode, name: string): number | undefined => {
    const argument = node.arguments?.find(({ name: { value } }) => value === name)?.value;
    isSizedByVariables ||= argument?.kind === Kind.VARIABLE;
    const value =
      argument?.kind === Kind.VARIABLE
        ? (variables[argument.name.value] ?? defaults.get(argument.name.value))
        : argument;
    if (Array.isArray(value)) return value.length;
    if (typeof value === 'number') return value;
    const literal = value as typeof argument;
    if (literal?.kind === Kind.INT) return Number(literal.value);
    return literal?.kind === Kind.LIST ? literal.values.length : undefined;
  };
  const listSize = (node: FieldNode, { args }: GraphQLField<unknown, unknown>): number => {
    const sizes = args.filter(({ name }) => name === 'first' || name === 'last' || name === 'ids');
    if (sizes.length === 0) return 1;
    const requested = sizes
      .map(({ name }) => sizeOf(node, name))
      .find((size) => size !== undefined);
    const defaultSize = sizes
      .map(({ defaultValue }) => defaultValue as unknown)
      .find((value) => typeof value === 'number');
    const max = defaultSize === undefined ? PAGE_SIZE.max : MAX_LIST_SIZE;
    return Math.min(Math.max(requested ?? defaultSize ?? PAGE_SIZE.default, 1), max);
  };
  return { listSize, isSizedByVariables: () => isSizedByVariables };
}
