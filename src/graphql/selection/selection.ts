import {
  getNamedType,
  isObjectType,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
} from 'graphql';
import { collectSubfields } from './collect-fields.js';
import type { Post } from '../../domain/posts/post.js';
import type { PostSelection } from '../../domain/posts/post-query.js';
import { dependenciesOf } from './computed-fields.js';

/** The parts of an operation that look-ahead needs. */
type Operation = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;
type FieldInfo = Operation & Pick<GraphQLResolveInfo, 'fieldNodes' | 'returnType'>;

/** Selected fields by name, regardless of aliases. */
type FieldNodesByName = ReadonlyMap<string, readonly FieldNode[]>;

/**
 * Fields that are selected on `type` under the given fields, with aliases, fragments, @include and
 * @skip resolved.
 */
function selectedFieldsOf(
  nodes: readonly FieldNode[],
  type: GraphQLObjectType,
  { schema, fragments, variableValues }: Operation,
): FieldNodesByName {
  const selected = new Map<string, FieldNode[]>();
  for (const node of [
    ...collectSubfields(schema, fragments, variableValues, type, nodes).values(),
  ].flat()) {
    selected.set(node.name.value, [...(selected.get(node.name.value) ?? []), node]);
  }
  return selected;
}

const dependenciesOfSelection = (
  nodes: readonly FieldNode[],
  type: GraphQLObjectType,
  operation: Operation,
): Set<keyof Post> => {
  const fields = type.getFields();
  return new Set(
    [...selectedFieldsOf(nodes, type, operation).keys()].flatMap((name) =>
      fields[name] ? dependenciesOf(fields[name]) : [],
    ),
  );
};

const objectType = (type: unknown): GraphQLObjectType => {
  if (!isObjectType(type)) throw new Error('Look-ahead requires an object type.');
  return type;
};
const fieldTypeOf = (type: GraphQLObjectType, field: string): GraphQLObjectType =>
  objectType(getNamedType(type.getFields()[field]?.type));

/**
 * Caches a selection by field nodes: a compiled operation passes the same nodes each time, after
 * @include and @skip.
 */
function memoizeByFieldNodes<T>(select: (info: FieldInfo) => T): (info: FieldInfo) => T {
  const cache = new WeakMap<FieldInfo['fieldNodes'], T>();
  return (info) => {
    const selected = cache.get(info.fieldNodes) ?? select(info);
    cache.set(info.fieldNodes, selected);
    return selected;
  };
}

/** Properties of Post that the selection on a field of type Post needs. */
export const postFields: (info: FieldInfo) => ReadonlySet<keyof Post> = memoizeByFieldNodes(
  (info) =>
    dependenciesOfSelection(info.fieldNodes, objectType(getNamedType(info.returnType)), info),
);

/**
 * Data that a PostConnection has to load: fields of posts under `nodes` and `edges.node`, items,
 * total count, facets.
 */
export const postSelection = memoizeByFieldNodes((info: FieldInfo): PostSelection => {
  const connection = objectType(getNamedType(info.returnType));
  const selected = selectedFieldsOf(info.fieldNodes, connection, info);
  const nodesOf = (name: string): readonly FieldNode[] => selected.get(name) ?? [];
  const edge = fieldTypeOf(connection, 'edges');
  const nodes = [
    ...nodesOf('nodes'),
    ...(selectedFieldsOf(nodesOf('edges'), edge, info).get('node') ?? []),
  ];
  return {
    fields: dependenciesOfSelection(nodes, fieldTypeOf(connection, 'nodes'), info),
    totalCount: selected.has('totalCount'),
    facets: selected.has('facets'),
    items: selected.has('nodes') || selected.has('edges') || selected.has('pageInfo'),
  };
});
