import {
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  Kind,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type InlineFragmentNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import {
  FREE,
  fieldCost,
  sumCosts,
  type Cost,
  EMPTY_SIZE,
  fieldSize,
  sumSizes,
  type Size,
} from './limits.js';

/** A selection set: its size and cost with fragments expanded, and what it contains. */
export interface Selection {
  readonly size: Size;
  readonly cost: Cost;
  readonly items: readonly SelectionItem[];
}

/** A field or a fragment of a selection set. */
export interface SelectionItem {
  /** Null for a fragment. */
  readonly field: FieldNode | null;
  /** @include and @skip: the item is selected if all of them are met. */
  readonly conditions: readonly Condition[];
  /** Object types that the item applies to; null for all. */
  readonly types: readonly GraphQLObjectType[] | null;
  /** Selection under the field, or of the fragment. */
  readonly selection: Selection;
}

/** Requires that a literal, or the value of a variable, is the expected value. */
export interface Condition {
  readonly value: boolean | { readonly variable: string };
  readonly expected: boolean;
}

export type Definition = OperationDefinitionNode | FragmentDefinitionNode;

/** What a document contains, regardless of the values of its variables. */
export interface WalkedDocument {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Selections of operations and fragments. */
  readonly selections: ReadonlyMap<Definition, Selection>;
  /** Names of fragments that spread themselves. */
  readonly circularFragments: ReadonlySet<string>;
  /** Variables in @include and @skip. */
  readonly conditionVariables: ReadonlySet<string>;
}

interface Walk extends WalkedDocument {
  readonly schema: GraphQLSchema;
  readonly maxFirst: number;
  readonly selections: Map<Definition, Selection>;
  /** Definitions that are being walked. */
  readonly open: Set<Definition>;
  readonly circularFragments: Set<string>;
  readonly conditionVariables: Set<string>;
}
type ParentType = GraphQLNamedType | undefined;

/** A field or fragment with its size and cost, which for a field are more than its selection's. */
interface WalkedNode {
  readonly selection: Selection;
  readonly size: Size;
  readonly cost: Cost;
  readonly types: SelectionItem['types'];
}

const EMPTY: Selection = { size: EMPTY_SIZE, cost: FREE, items: [] };

/**
 * Walks every selection set of a document once. Fragments are shared, not expanded, so that nested
 * fragments that multiply take no more time. The document can be invalid: it is walked before it is
 * validated, because validation is slow for documents that exceed the limits. Costs are those with at
 * most `maxFirst` items in each list that has the argument `first`.
 */
export function walkDocument(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  maxFirst = Infinity,
): WalkedDocument {
  const fragments = definitions.filter(
    (definition) => definition.kind === Kind.FRAGMENT_DEFINITION,
  );
  const walk: Walk = {
    schema,
    maxFirst,
    fragments: new Map(fragments.map((fragment) => [fragment.name.value, fragment])),
    selections: new Map(),
    open: new Set(),
    circularFragments: new Set(),
    conditionVariables: new Set(),
  };
  for (const definition of definitions)
    if (
      definition.kind === Kind.OPERATION_DEFINITION ||
      definition.kind === Kind.FRAGMENT_DEFINITION
    )
      walkDefinition(walk, definition);
  return walk;
}

function walkDefinition(walk: Walk, definition: Definition): Selection {
  const known = walk.selections.get(definition);
  if (known) return known;
  walk.open.add(definition);
  const type =
    definition.kind === Kind.OPERATION_DEFINITION
      ? (walk.schema.getRootType(definition.operation) ?? undefined)
      : walk.schema.getType(definition.typeCondition.name.value);
  const selection = walkSelectionSet(walk, definition.selectionSet, type);
  const directives = [definition, ...(definition.variableDefinitions ?? [])].flatMap(
    (node) => node.directives ?? [],
  );
  const walked = { ...selection, size: addDirectives(selection.size, directives) };
  walk.open.delete(definition);
  walk.selections.set(definition, walked);
  return walked;
}

function walkSelectionSet(walk: Walk, set: SelectionSetNode, parent: ParentType): Selection {
  const walked = set.selections.map((node) => ({ node, ...walkNode(walk, node, parent) }));
  return {
    size: sumSizes(walked.map(({ node: { directives }, size }) => addDirectives(size, directives))),
    cost: sumCosts(walked.map(({ cost }) => cost)),
    items: walked.map(({ node, types, selection }) => ({
      field: node.kind === Kind.FIELD ? node : null,
      conditions: readConditions(walk, node.directives),
      types,
      selection,
    })),
  };
}

const walkNode = (walk: Walk, node: SelectionNode, parent: ParentType): WalkedNode =>
  node.kind === Kind.FIELD ? walkField(walk, node, parent) : walkFragment(walk, node, parent);

function walkField(walk: Walk, node: FieldNode, parent: ParentType): WalkedNode {
  const name = node.name.value;
  const field =
    isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
  const selection = node.selectionSet
    ? walkSelectionSet(walk, node.selectionSet, field && getNamedType(field.type))
    : EMPTY;
  const size = fieldSize(name, selection.size);
  return {
    selection,
    size: node.alias ? { ...size, aliases: size.aliases + 1 } : size,
    cost: fieldCost(node, { field, parent, maxFirst: walk.maxFirst }, selection.cost),
    types: null,
  };
}

function walkFragment(
  walk: Walk,
  node: InlineFragmentNode | FragmentSpreadNode,
  parent: ParentType,
): WalkedNode {
  const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : walk.fragments.get(node.name.value);
  const condition = fragment?.typeCondition?.name.value;
  const type = condition === undefined ? parent : walk.schema.getType(condition);
  const selection =
    fragment?.kind === Kind.INLINE_FRAGMENT
      ? walkSelectionSet(walk, fragment.selectionSet, type)
      : walkSpread(walk, fragment);
  const types = condition === undefined ? null : objectTypes(walk.schema, type);
  return { selection, size: selection.size, cost: selection.cost, types };
}

function walkSpread(walk: Walk, fragment: FragmentDefinitionNode | undefined): Selection {
  if (!fragment) return EMPTY;
  if (!walk.open.has(fragment)) return walkDefinition(walk, fragment);
  walk.circularFragments.add(fragment.name.value);
  return EMPTY;
}

function objectTypes(schema: GraphQLSchema, type: ParentType): readonly GraphQLObjectType[] {
  if (isAbstractType(type)) return schema.getPossibleTypes(type);
  return isObjectType(type) ? [type] : [];
}

const addDirectives = (size: Size, directives: readonly DirectiveNode[] = []): Size =>
  directives.length > 0 ? { ...size, directives: size.directives + directives.length } : size;

function readConditions(
  { conditionVariables }: Walk,
  directives: readonly DirectiveNode[] = [],
): Condition[] {
  return directives.flatMap(({ name, arguments: args = [] }): Condition[] => {
    const value = args.find((argument) => argument.name.value === 'if')?.value;
    if (name.value !== 'include' && name.value !== 'skip') return [];
    const expected = name.value === 'include';
    if (value?.kind === Kind.BOOLEAN) return [{ value: value.value, expected }];
    if (value?.kind !== Kind.VARIABLE) return [];
    conditionVariables.add(value.name.value);
    return [{ value: { variable: value.name.value }, expected }];
  });
}
