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
import { readsOf } from './row-fields.js';

/** The parts of an operation that looking ahead needs. */
type Operation = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;
type FieldInfo = Operation & Pick<GraphQLResolveInfo, 'fieldNodes' | 'returnType'>;

/** What is selected under some fields: by the field's own name, whatever its aliases. */
type Selected = ReadonlyMap<string, readonly FieldNode[]>;

/** Everything that is selected on `type` under the given fields: aliases, fragments, @include and @skip understood. */
function selectedUnder(
  nodes: readonly FieldNode[],
  type: GraphQLObjectType,
  { schema, fragments, variableValues }: Operation,
): Selected {
  const selected = new Map<string, FieldNode[]>();
  for (const node of [
    ...collectSubfields(schema, fragments, variableValues, type, nodes).values(),
  ].flat()) {
    selected.set(node.name.value, [...(selected.get(node.name.value) ?? []), node]);
  }
  return selected;
}

const readsUnder = (
  nodes: readonly FieldNode[],
  type: GraphQLObjectType,
  operation: Operation,
): Set<keyof Post> => {
  const fields = type.getFields();
  return new Set(
    [...selectedUnder(nodes, type, operation).keys()].flatMap((name) =>
      fields[name] ? readsOf(fields[name]) : [],
    ),
  );
};

const objectType = (type: unknown): GraphQLObjectType => {
  if (!isObjectType(type)) throw new Error('looking ahead needs an object type');
  return type;
};
const typeUnder = (type: GraphQLObjectType, field: string): GraphQLObjectType =>
  objectType(getNamedType(type.getFields()[field]?.type));

/** A plan asks with the same field nodes each time, and they tell the fields that @include and @skip left: so what they select is worked out once. */
function remembered<T>(select: (info: FieldInfo) => T): (info: FieldInfo) => T {
  const known = new WeakMap<FieldInfo['fieldNodes'], T>();
  return (info) => {
    const selected = known.get(info.fieldNodes) ?? select(info);
    known.set(info.fieldNodes, selected);
    return selected;
  };
}

/** The properties of Post that a field of type Post needs for what is selected on it. */
export const postFields: (info: FieldInfo) => ReadonlySet<keyof Post> = remembered((info) =>
  readsUnder(info.fieldNodes, objectType(getNamedType(info.returnType)), info),
);

/** What a PostConnection has to read: the fields of its posts by way of `nodes` and of `edges.node`, and which of its other parts. */
export const postSelection = remembered((info: FieldInfo): PostSelection => {
  const connection = objectType(getNamedType(info.returnType));
  const selected = selectedUnder(info.fieldNodes, connection, info);
  const under = (name: string): readonly FieldNode[] => selected.get(name) ?? [];
  const edge = typeUnder(connection, 'edges');
  const nodes = [
    ...under('nodes'),
    ...(selectedUnder(under('edges'), edge, info).get('node') ?? []),
  ];
  return {
    fields: readsUnder(nodes, typeUnder(connection, 'nodes'), info),
    totalCount: selected.has('totalCount'),
    facets: selected.has('facets'),
    items: selected.has('nodes') || selected.has('edges') || selected.has('pageInfo'),
  };
});
