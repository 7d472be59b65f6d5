import {
  defaultFieldResolver,
  isObjectType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { Extensions } from 'type-graphql';
import { GatewayError } from '../../domain/errors.js';
import type { Post } from '../../domain/posts/post.js';
import { ALWAYS_READ_FIELDS, type PostView, type PostWith } from '../../domain/posts/post-query.js';
import type { GatewayContext } from '../context.js';

/**
 * Computes a field from its object. Without a context parameter, the value is the same for every
 * viewer.
 */
export type Compute<S = never> = (source: S, context: GatewayContext) => unknown;

type FieldWithExtensions = Pick<GraphQLField<unknown, unknown>, 'extensions'>;
type FieldDecorator = MethodDecorator & PropertyDecorator;

/**
 * Lists the properties of Post that a GraphQL field needs besides ALWAYS_READ_FIELDS. Look-ahead
 * selects them, and the resolver of the field checks whether the row has them.
 */
export const DependsOn = (...fields: (keyof Post)[]): FieldDecorator =>
  Extensions({ dependencies: fields }) as FieldDecorator;

/** Marks a field that is computed from its object. */
export const Computed = <S>(compute: Compute<S>): PropertyDecorator =>
  Extensions({ compute }) as PropertyDecorator;

/**
 * Marks a field that is computed from a post, and lists the properties that it needs besides
 * ALWAYS_READ_FIELDS.
 */
export const ComputedFromPost = <F extends keyof Post = never>(
  compute: Compute<PostWith<F>>,
  ...fields: F[]
): PropertyDecorator => Extensions({ compute, dependencies: fields }) as PropertyDecorator;

/** Properties of Post that a field depends on; empty if ALWAYS_READ_FIELDS suffice. */
export const dependenciesOf = ({ extensions }: FieldWithExtensions): readonly (keyof Post)[] =>
  (extensions.dependencies as readonly (keyof Post)[] | undefined) ?? [];

/** Computation of a field from its object; undefined for a field that needs more. */
export const computeOf = ({ extensions }: FieldWithExtensions): Compute<unknown> | undefined =>
  extensions.compute as Compute<unknown> | undefined;

/** Reads a property like graphql-js: methods are called. */
const readProperty =
  (name: string): Compute<unknown> =>
  (source) => {
    const value = (source as Record<string, unknown>)[name];
    return typeof value === 'function' ? (source as Record<string, () => unknown>)[name]!() : value;
  };

/**
 * Records the computation of every field: @Computed fields get a resolver; fields without a
 * resolver are properties.
 */
export function attachComputedFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields()) as GraphQLField<
      unknown,
      GatewayContext
    >[]) {
      const compute = computeOf(field);
      if (compute) field.resolve = (source, _args, context) => compute(source, context);
      else if (!field.resolve)
        field.extensions = { ...field.extensions, compute: readProperty(field.name) };
    }
  }
}

/**
 * Makes every Post field load the complete post if its row lacks a dependency, in one batch per
 * request.
 * @throws Error for a property that is not in every row and has no @DependsOn
 */
export function loadMissingDependencies(
  postType: GraphQLObjectType<PostView, GatewayContext>,
): void {
  for (const field of Object.values(postType.getFields())) {
    const dependencies = dependenciesOf(field);
    const isAlwaysRead = (ALWAYS_READ_FIELDS as readonly string[]).includes(field.name);
    if (!field.resolve && !isAlwaysRead && dependencies.length === 0)
      throw new Error(`Post.${field.name} is not in every row and needs @DependsOn`);
    if (dependencies.length === 0) continue;
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = (post, args, context, info) =>
      dependencies.every((name) => post[name] !== undefined)
        ? resolve(post, args, context, info)
        : context.loaders.post
            .load(post.databaseId)
            .then((loaded) => resolve(assertFound(loaded), args, context, info));
  }
}

/** @throws GatewayError POST_NOT_FOUND if the post was deleted between two reads of the request */
function assertFound(post: Post | null): Post {
  if (!post) throw new GatewayError('POST_NOT_FOUND');
  return post;
}
