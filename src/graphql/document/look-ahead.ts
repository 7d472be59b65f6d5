import {
  getNamedType,
  isObjectType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
} from 'graphql';
import type { Post } from '../../domain/posts/post.js';
import type { PostSelection } from '../../domain/posts/post-query.js';
import type { GatewayContext } from '../context.js';
import { fieldAt, type SelectedField, type SelectedFields } from './selected-fields.js';
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

/** Creates look-ahead of a resolver. Its result is cached with the operation. */
function createLookAhead<T>(select: (field: SelectedField, type: GraphQLObjectType) => T) {
  const cache = new WeakMap<SelectedField, T>();
  return (
    { state: { operation } }: Pick<GatewayContext, 'state'>,
    { path, returnType, schema, variableValues }: FieldInfo,
  ): T => {
    if (!operation) throw new Error('Look-ahead requires a prepared operation.');
    const field = fieldAt(operation.rootFields(variableValues), path, schema);
    const selected = cache.get(field) ?? select(field, objectType(getNamedType(returnType)));
    cache.set(field, selected);
    return selected;
  };
}

/** Properties of Post that the selection on a field of type Post needs. */
export const postFields = createLookAhead((post, type): ReadonlySet<keyof Post> =>
  dependenciesOfPosts([post], type),
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
