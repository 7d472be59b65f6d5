import {
  Kind,
  type DocumentNode,
  type FragmentDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * Size of a selection with fragments expanded. Sums can grow to Infinity for nested fragments that
 * multiply.
 */
export interface Size {
  depth: number;
  fields: number;
  aliases: number;
  directives: number;
  /** Fields on the top level of the selection. */
  rootFields: number;
  introspections: number;
  introspectionDepth: number;
  introspectionFields: number;
}
const EMPTY_SIZE: Size = {
  depth: 0,
  fields: 0,
  aliases: 0,
  directives: 0,
  rootFields: 0,
  introspections: 0,
  introspectionDepth: 0,
  introspectionFields: 0,
};
const DEPTH_KEYS = new Set<keyof Size>(['depth', 'introspectionDepth']);

const combine = (a: Size, b: Size): Size =>
  Object.fromEntries(
    (Object.keys(a) as (keyof Size)[]).map((key) => [
      key,
      DEPTH_KEYS.has(key) ? Math.max(a[key], b[key]) : a[key] + b[key],
    ]),
  ) as unknown as Size;

const INTROSPECTION_FIELDS = new Set(['__schema', '__type']);

function fieldSize(name: string, selection: Size): Size {
  const { aliases, directives } = selection;
  if (INTROSPECTION_FIELDS.has(name)) {
    return {
      ...EMPTY_SIZE,
      aliases,
      directives,
      rootFields: 1,
      introspections: 1,
      introspectionDepth: selection.depth + 1,
      introspectionFields: selection.fields + 1,
    };
  }
  return { ...selection, depth: selection.depth + 1, fields: selection.fields + 1, rootFields: 1 };
}

/**
 * Creates functions that measure a document, each fragment once, and find fragments that spread
 * themselves.
 */
export function createSizeMeasure(document: DocumentNode) {
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION
        ? [[definition.name.value, definition] as const]
        : [],
    ),
  );
  const sizeByFragment = new Map<string, Size>();
  const visiting = new Set<string>();
  const circularFragments = new Set<string>();

  const fragmentSize = (fragment: FragmentDefinitionNode): Size => {
    const name = fragment.name.value;
    if (visiting.has(name)) circularFragments.add(name);
    const cached = visiting.has(name) ? EMPTY_SIZE : sizeByFragment.get(name);
    if (cached) return cached;
    visiting.add(name);
    const size = addDirectives(fragment.directives, selectionSetSize(fragment.selectionSet));
    visiting.delete(name);
    sizeByFragment.set(name, size);
    return size;
  };
  const addDirectives = (directives: readonly unknown[] = [], size: Size): Size => ({
    ...size,
    directives: size.directives + directives.length,
  });
  const nodeSize = (node: SelectionNode): Size => {
    if (node.kind === Kind.INLINE_FRAGMENT) return selectionSetSize(node.selectionSet);
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = fragments.get(node.name.value);
      return fragment ? fragmentSize(fragment) : EMPTY_SIZE;
    }
    const size = fieldSize(
      node.name.value,
      node.selectionSet ? selectionSetSize(node.selectionSet) : EMPTY_SIZE,
    );
    return node.alias ? { ...size, aliases: size.aliases + 1 } : size;
  };
  const selectionSetSize = (set: SelectionSetNode): Size =>
    set.selections.reduce(
      (sum, node) => combine(sum, addDirectives(node.directives, nodeSize(node))),
      EMPTY_SIZE,
    );
  return { selectionSetSize, addDirectives, circularFragments };
}
