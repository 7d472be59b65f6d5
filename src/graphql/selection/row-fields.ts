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
import { NARROW_FIELDS, type PostView, type PostWith } from '../../domain/posts/post-query.js';
import type { GatewayContext } from '../context.js';

/** Makes a field's value from the object it is on; one that takes no context makes the same for everybody. */
export type Make<S = never> = (source: S, context: GatewayContext) => unknown;

type Described = Pick<GraphQLField<unknown, unknown>, 'extensions'>;
type FieldDecorator = MethodDecorator & PropertyDecorator;

/**
 * Names the properties of Post that a field of the GraphQL type needs beyond the narrow ones, beside its @Field. The
 * look-ahead reads this entry to select them, and the field's resolver to know whether the row at hand has them.
 */
export const Reads = (...fields: (keyof Post)[]): FieldDecorator =>
  Extensions({ reads: fields }) as FieldDecorator;

/** A field that is no property of its object, but made from it. */
export const Made = <S>(make: Make<S>): PropertyDecorator =>
  Extensions({ make }) as PropertyDecorator;

/** The same on a post, with the properties that it is made from beyond the narrow ones. */
export const MadeOfPost = <F extends keyof Post = never>(
  make: Make<PostWith<F>>,
  ...fields: F[]
): PropertyDecorator => Extensions({ make, reads: fields }) as PropertyDecorator;

/** The properties of Post that a field declared to read; empty for one that the narrow columns are enough for. */
export const readsOf = ({ extensions }: Described): readonly (keyof Post)[] =>
  (extensions.reads as readonly (keyof Post)[] | undefined) ?? [];

/** How a field is made from its object alone; undefined for one that asks more. */
export const makeOf = ({ extensions }: Described): Make<unknown> | undefined =>
  extensions.make as Make<unknown> | undefined;

/** As graphql-js reads a property: a method is called. */
const property =
  (name: string): Make<unknown> =>
  (source) => {
    const value = (source as Record<string, unknown>)[name];
    return typeof value === 'function' ? (source as Record<string, () => unknown>)[name]!() : value;
  };

/** Notes how every field is made: those declared with @Made get a resolver, those without any are properties. */
export function noteMakes(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields()) as GraphQLField<
      unknown,
      GatewayContext
    >[]) {
      const make = makeOf(field);
      if (make) field.resolve = (source, _args, context) => make(source, context);
      else if (!field.resolve)
        field.extensions = { ...field.extensions, make: property(field.name) };
    }
  }
}

/**
 * Lets every Post field fetch the whole post, in one batch a request, where the row was read without what it needs.
 * @throws Error where a property that not every row has is not declared to be read
 */
export function completeReads(postType: GraphQLObjectType<PostView, GatewayContext>): void {
  for (const field of Object.values(postType.getFields())) {
    const reads = readsOf(field);
    const isNarrow = (NARROW_FIELDS as readonly string[]).includes(field.name);
    if (!field.resolve && !isNarrow && reads.length === 0)
      throw new Error(`Post.${field.name} is a property that not every row has, without @Reads`);
    if (reads.length === 0) continue;
    const answer = field.resolve ?? defaultFieldResolver;
    field.resolve = (post, args, context, info) =>
      reads.every((name) => post[name] !== undefined)
        ? answer(post, args, context, info)
        : context.loaders.post
            .load(post.databaseId)
            .then((whole) => answer(present(whole), args, context, info));
  }
}

/** A post can be deleted between two reads of one answer. */
function present(post: Post | null): Post {
  if (!post) throw new GatewayError('POST_NOT_FOUND');
  return post;
}
