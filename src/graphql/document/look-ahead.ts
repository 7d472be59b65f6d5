import {
  getNamedType,
  isObjectType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import type { Post } from '../../domain/posts/post.js';
import type { PostSelection } from '../../domain/posts/post-query.js';
import type { GatewayContext } from '../context.js';
import type { SelectedField, SelectedFields } from './selected-fields.js';
import { dependenciesOf } from '../schema/field-decorators.js';

type FieldInfo = Pick<GraphQLResolveInfo, 'path' | 'returnType' | 'schema' | 'variableValues'>;

const fieldsNamed = (fields: SelectedFields, name: string): readonly SelectedField[] =>
  [...fields.values()].filter((field) => field.name === name);

/** Properties of Post that the selections on fields of type Post need. */
const dependenciesOfPosts = (
  posts: readonly SelectedField[],
  type: GraphQLObjectType,
): Set<keyof Post> =>
  new Set(
    posts
      .flatMap((post) => [...post.fieldsOf(type).values()])
      .flatMap(({ name }) => {
        const field = type.getFields()[name];
        return field ? dependenciesOf(field) : [];
      }),
  );

const objectType = (type: unknown): GraphQLObjectType => {
  if (!isObjectType(type)) throw new Error('Look-ahead requires an object type.');
  return type;
};
const fieldTypeOf = (type: GraphQLObjectType, field: string): GraphQLObjectType =>
  objectType(getNamedType(type.getFields()[field]?.type));

/** The field at a path of the response. @throws Error if it is not selected */
function fieldAt(
  root: SelectedFields,
  path: GraphQLResolveInfo['path'],
  schema: GraphQLSchema,
): SelectedField {
  const { key, prev, typename } = path;
  if (typeof key === 'number') return fieldAt(root, prev!, schema);
  const fields = prev
    ? fieldAt(root, prev, schema).fieldsOf(schema.getType(typename!) as GraphQLObjectType)
    : root;
  const field = fields.get(key);
  if (!field) throw new Error(`The operation does not select ${key}.`);
  return field;
}

/** Creates look-ahead of a resolver. Its result is cached with the operation. */
export function createLookAhead<T>(
  select: (field: SelectedField, type: GraphQLObjectType, schema: GraphQLSchema) => T,
) {
  const cache = new WeakMap<SelectedField, T>();
  return (
    { state: { operation } }: Pick<GatewayContext, 'state'>,
    { path, returnType, schema, variableValues }: FieldInfo,
  ): T => {
    if (!operation) throw new Error('Look-ahead requires a prepared operation.');
    const field = fieldAt(operation.rootFields(variableValues), path, schema);
    const selected =
      cache.get(field) ?? select(field, objectType(getNamedType(returnType)), schema);
    cache.set(field, selected);
    return selected;
  };
}

/** Properties of Post that the selection on a field of type Post needs. */
export const postFields = createLookAhead((post, type): ReadonlySet<keyof Post> =>
  dependenciesOfPosts([post], type),
);

function dependenciesUnder(field: SelectedField, type: GraphQLObjectType): (keyof Post)[] {
  if (type.name === 'Post') return [...dependenciesOfPosts([field], type)];
  return [...field.fieldsOf(type).values()].flatMap((nested) => {
    const nestedType = getNamedType(type.getFields()[nested.name]?.type);
    return isObjectType(nestedType) ? dependenciesUnder(nested, nestedType) : [];
  });
}

/** Properties of Post that the posts in the payload of a mutation need. */
export const payloadPostFields = createLookAhead(
  (payload, type): ReadonlySet<keyof Post> => new Set(dependenciesUnder(payload, type)),
);

/** Properties of Post that a ChangePage has to load: those of the posts, and their version. */
export const changedPostFields = createLookAhead((page, type): ReadonlySet<keyof Post> => {
  const changeType = fieldTypeOf(type, 'nodes');
  const posts = fieldsNamed(page.fieldsOf(type), 'nodes').flatMap((change) =>
    fieldsNamed(change.fieldsOf(changeType), 'post'),
  );
  return dependenciesOfPosts(posts, fieldTypeOf(changeType, 'post')).add('version');
});

/** Properties of Post that a subscription to events has to load; none without posts. */
export const eventPostFields = createLookAhead((event, type): ReadonlySet<keyof Post> =>
  dependenciesOfPosts(fieldsNamed(event.fieldsOf(type), 'post'), fieldTypeOf(type, 'post')),
);

/**
 * Data that a PostConnection has to load: fields of posts under `nodes` and `edges.node`, items,
 * total count, facets.
 */
export const postSelection = createLookAhead((connection, type): PostSelection => {
  const fields = connection.fieldsOf(type);
  const edges = fieldsNamed(fields, 'edges');
  const nodes = fieldsNamed(fields, 'nodes');
  const edgeType = fieldTypeOf(type, 'edges');
  const posts = [
    ...nodes,
    ...edges.flatMap((edge) => fieldsNamed(edge.fieldsOf(edgeType), 'node')),
  ];
  const selects = (name: string): boolean => fieldsNamed(fields, name).length > 0;
  return {
    fields: dependenciesOfPosts(posts, fieldTypeOf(type, 'nodes')),
    totalCount: selects('totalCount'),
    facets: selects('facets'),
    items: selects('nodes') || selects('edges') || selects('pageInfo'),
  };
});
