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

interface Asked {
  readonly schema: GraphQLSchema;
  /** A valid one. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** As they were sent. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What a selection costs once, and once more for each item where it is that of a connection. */
interface Cost {
  readonly once: number;
  readonly perItem: number;
}
const FREE: Cost = { once: 0, perItem: 0 };
const sum = (costs: readonly Cost[]): Cost =>
  costs.reduce((a, b) => ({ once: a.once + b.once, perItem: a.perItem + b.perItem }), FREE);

/** A larger list is refused where it is read, with a clearer word than its cost. */
const MAX_FACTOR = 1_000;
const isConnection = (type: GraphQLNamedType): boolean => type.name.endsWith('Connection');
const leadsToItems = (parent: GraphQLNamedType, name: string): boolean =>
  isConnection(parent) && (name === 'nodes' || name === 'edges');

/** What operations cost that no variable sizes: their documents are kept, and sent again. */
const known = new WeakMap<OperationDefinitionNode, number>();

/**
 * What an operation costs (D40): one for each field, and under a list once for every item that `first`, `last` or
 * `ids` asks for, 20 where nothing does. Introspection is free. Each fragment is counted once, so that it is cheap.
 */
export function complexityOf(asked: Asked): number {
  const before = known.get(asked.operation);
  if (before !== undefined) return before;
  const { cost, isSizedByVariables } = count(asked);
  if (!isSizedByVariables) known.set(asked.operation, cost);
  return cost;
}

function count({ schema, document, operation, variables }: Asked): {
  cost: number;
  isSizedByVariables: boolean;
} {
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
    ),
  );
  const { factor, isSizedByVariables } = createFactor(operation, variables);
  const counted = new Map<string, Cost>();

  const ofFragment = (name: string): Cost => {
    const fragment = fragments.get(name);
    if (!fragment) return FREE;
    const cost =
      counted.get(name) ??
      ofSet(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value));
    counted.set(name, cost);
    return cost;
  };
  const ofField = (node: FieldNode, parent: GraphQLNamedType): Cost => {
    if (node.name.value === '__typename') return { once: 1, perItem: 0 };
    const field =
      isObjectType(parent) || isInterfaceType(parent)
        ? parent.getFields()[node.name.value]
        : undefined;
    if (!field) return FREE;
    const type = getNamedType(field.type);
    if (!node.selectionSet || !isCompositeType(type)) return { once: 1, perItem: 0 };
    const under = ofSet(node.selectionSet, type);
    if (leadsToItems(parent, node.name.value)) return { once: 1, perItem: under.once };
    const items = factor(node, field);
    return {
      once: 1 + (isConnection(type) ? under.once + items * under.perItem : items * under.once),
      perItem: 0,
    };
  };
  const ofNode = (node: SelectionNode, parent: GraphQLNamedType): Cost => {
    if (node.kind === Kind.FIELD) return ofField(node, parent);
    if (node.kind === Kind.FRAGMENT_SPREAD) return ofFragment(node.name.value);
    return ofSet(
      node.selectionSet,
      node.typeCondition ? schema.getType(node.typeCondition.name.value) : parent,
    );
  };
  const ofSet = (set: SelectionSetNode, parent: GraphQLNamedType | undefined): Cost =>
    parent ? sum(set.selections.map((node) => ofNode(node, parent))) : FREE;

  const { once: cost } = ofSet(
    operation.selectionSet,
    schema.getRootType(operation.operation) ?? undefined,
  );
  return { cost, isSizedByVariables: isSizedByVariables() };
}

/** How many items a field asks for: 1 where it is no list that a caller sizes. */
function createFactor(
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
) {
  const presets = new Map(
    operation.variableDefinitions?.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue,
    ]),
  );
  let isSizedByVariables = false;
  const sizeOf = (node: FieldNode, name: string): number | undefined => {
    const given = node.arguments?.find((argument) => argument.name.value === name)?.value;
    isSizedByVariables ||= given?.kind === Kind.VARIABLE;
    const value =
      given?.kind === Kind.VARIABLE
        ? (variables[given.name.value] ?? presets.get(given.name.value))
        : given;
    if (Array.isArray(value)) return value.length;
    if (typeof value === 'number') return value;
    const literal = value as typeof given;
    if (literal?.kind === Kind.INT) return Number(literal.value);
    return literal?.kind === Kind.LIST ? literal.values.length : undefined;
  };
  const factor = (node: FieldNode, { args }: GraphQLField<unknown, unknown>): number => {
    const sizes = args.filter(({ name }) => name === 'first' || name === 'last' || name === 'ids');
    if (sizes.length === 0) return 1;
    const asked = sizes.map(({ name }) => sizeOf(node, name)).find((size) => size !== undefined);
    const preset = sizes
      .map(({ defaultValue }) => defaultValue as unknown)
      .find((value) => typeof value === 'number');
    const most = preset === undefined ? PAGE_SIZE.max : MAX_FACTOR;
    return Math.min(Math.max(asked ?? preset ?? PAGE_SIZE.default, 1), most);
  };
  return { factor, isSizedByVariables: () => isSizedByVariables };
}
