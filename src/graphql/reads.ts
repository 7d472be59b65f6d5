import { defaultFieldResolver, type GraphQLField, type GraphQLObjectType } from 'graphql';
import { Extensions } from 'type-graphql';
import { GatewayError } from '../domain/errors.js';
import type { Post } from '../domain/post.js';
import type { PostView } from '../domain/post-query.js';
import type { GatewayContext } from './context.js';

/**
 * Names the properties of Post that a field of the GraphQL type is made from, beside its @Field. The planner reads
 * this entry to select them, and the field's resolver to know whether the row at hand has them.
 */
export const Reads = (...fields: (keyof Post)[]): MethodDecorator & PropertyDecorator => Extensions({ reads: fields }) as MethodDecorator & PropertyDecorator;

/** What a field declared with @Reads; empty for one made of the columns that every row has. */
export const readsOf = ({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>): readonly (keyof Post)[] =>
  (extensions.reads as readonly (keyof Post)[] | undefined) ?? [];

/** Lets every Post field fetch the whole post, in one batch a request, where the row was read without what it needs. */
export function completeReads(postType: GraphQLObjectType<PostView, GatewayContext>): void {
  for (const field of Object.values(postType.getFields())) {
    const reads = readsOf(field);
    if (reads.length === 0) continue;
    const answer = field.resolve ?? defaultFieldResolver;
    field.resolve = (post, args, context, info) =>
      reads.every((name) => post[name] !== undefined)
        ? answer(post, args, context, info)
        : context.loaders.post.load(post.databaseId).then((whole) => answer(present(whole), args, context, info));
  }
}

/** A post can be deleted between two reads of one answer. */
function present(post: Post | null): Post {
  if (!post) throw new GatewayError('POST_NOT_FOUND');
  return post;
}
