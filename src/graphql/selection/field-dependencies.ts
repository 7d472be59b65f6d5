import type { GraphQLField } from 'graphql';
import { Extensions } from 'type-graphql';
import type { Post } from '../../domain/posts/post.js';
import type { PostWith } from '../../domain/posts/post-query.js';
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
