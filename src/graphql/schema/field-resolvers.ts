import {
  defaultFieldResolver,
  isObjectType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';
import { assertScopes, viewerOf } from '../../domain/access/workspace-access.js';
import { GatewayError } from '../../domain/errors.js';
import type { Post } from '../../domain/posts/post.js';
import { ALWAYS_READ_FIELDS } from '../../domain/posts/post-query.js';
import type { GatewayContext } from '../context.js';
import {
  requirementOf,
  type FieldRequirement,
  computeOf,
  dependenciesOf,
  type Compute,
} from './field-decorators.js';

type Field = GraphQLField<unknown, GatewayContext>;
type Resolver = GraphQLFieldResolver<unknown, GatewayContext>;

/**
 * Completes the resolver of every field. Each part runs only if the field has it, in this order:
 *
 * 1. `@RequiresScopes`: checks the workspace, then the scopes (D35). First, so that a request that
 *    is not allowed causes no query.
 * 2. `@DependsOn`: loads the complete post if the row of the object lacks a property, in one batch
 *    per request, so that the value can be computed.
 * 3. The value: the function of `@Computed`, the method of a resolver class, or the property of the
 *    object. The function and the property are also recorded for compiled execution.
 *
 * @throws Error if a root field has no `@requiresScopes`, or if a property of Post is not in every
 * row and has no `@DependsOn`
 */
export function completeResolvers(schema: GraphQLSchema): void {
  const roots = new Set([
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ]);
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields()) as Field[]) {
      if (roots.has(type) && !requirementOf(field))
        throw new Error(`Missing @requiresScopes on ${type.name}.${field.name}`);
      if (type.name === 'Post') assertInRow(field);
      completeResolver(field);
    }
  }
}

/** @throws Error for a property that is not in every row and has no @DependsOn */
function assertInRow(field: Field): void {
  const isAlwaysRead = (ALWAYS_READ_FIELDS as readonly string[]).includes(field.name);
  const isProperty = !field.resolve && !computeOf(field);
  if (isProperty && !isAlwaysRead && dependenciesOf(field).length === 0)
    throw new Error(`Post.${field.name} is not in every row and needs @DependsOn`);
}

function completeResolver(field: Field): void {
  const [compute, requirement, dependencies] = [
    computeOf(field),
    requirementOf(field),
    dependenciesOf(field),
  ];
  if (compute) field.resolve = (source, _args, context) => compute(source, context);
  else if (!field.resolve)
    field.extensions = { ...field.extensions, compute: readProperty(field.name) };
  if (dependencies.length > 0)
    field.resolve = loadDependencies(dependencies, field.resolve ?? defaultFieldResolver);
  if (requirement)
    field.resolve = requireScopes(requirement, field.resolve ?? defaultFieldResolver);
  if (requirement && field.subscribe) field.subscribe = requireScopes(requirement, field.subscribe);
}

/** Reads a property like graphql-js: methods are called. */
const readProperty =
  (name: string): Compute<unknown> =>
  (source) => {
    const value = (source as Record<string, unknown>)[name];
    return typeof value === 'function' ? (source as Record<string, () => unknown>)[name]!() : value;
  };

const loadDependencies =
  (dependencies: readonly (keyof Post)[], resolve: Resolver): Resolver =>
  (source, args, context, info) => {
    const post = source as Post;
    return dependencies.every((name) => post[name] !== undefined)
      ? resolve(post, args, context, info)
      : context.loaders.post
          .load(post.databaseId)
          .then((loaded) => resolve(assertFound(loaded), args, context, info));
  };

/** @throws GatewayError POST_NOT_FOUND if the post was deleted between two reads of the request */
function assertFound(post: Post | null): Post {
  if (!post) throw new GatewayError('POST_NOT_FOUND');
  return post;
}

const requireScopes =
  ({ workspace, scopes }: FieldRequirement, resolve: Resolver): Resolver =>
  (source, args, context, info) => {
    if (workspace) viewerOf(context.authentication);
    assertScopes(context.authentication.caller, scopes);
    return resolve(source, args, context, info);
  };
