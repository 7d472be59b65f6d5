import { Extensions } from 'type-graphql';
import type { Post } from '../domain/post.js';

/**
 * Names the properties of Post that a field of the GraphQL type is made from, beside its @Field. The planner reads
 * this entry to select them, and the field's resolver to know whether the row at hand has them.
 */
export const Reads = (...fields: (keyof Post)[]): MethodDecorator & PropertyDecorator => Extensions({ reads: fields }) as MethodDecorator & PropertyDecorator;

/** What a field declared with @Reads; empty for one made of the columns that every row has. */
export const readsOf = (extensions: Readonly<Record<string, unknown>>): readonly (keyof Post)[] =>
  (extensions.reads as readonly (keyof Post)[] | undefined) ?? [];
