import type { Post } from '../domain/posts/post.js';
import type { PostView, PostWith } from '../domain/posts/post-query.js';
import { objectOf, type JsonSchema } from '../http/json-schema.js';

/** One field of a response body: its JSON Schema and how it is read from a record. */
interface BodyField<T> {
  readonly schema: JsonSchema;
  present(record: T): unknown;
}

/** The fields of a body, in the order of the interface document. */
type BodyFields<T> = Readonly<Record<string, BodyField<T>>>;

/** Creates a field of a body. */
export const field = <T>(schema: JsonSchema, present: (record: T) => unknown): BodyField<T> => ({
  schema,
  present,
});

/**
 * A field of a post's body. `selects` lists the post fields to load in addition to the columns that
 * are always read.
 */
export interface PostBodyField extends BodyField<Post> {
  readonly selects: readonly (keyof Post)[];
}
/**
 * Creates a field of a post's body, which reads only the fields in `selects` and the columns that
 * are always read.
 */
export const postField = <F extends keyof Post = never>(
  schema: JsonSchema,
  selects: readonly F[],
  present: (post: PostWith<F>) => unknown,
): PostBodyField => ({ schema, selects, present });

/** JSON Schema of an object with these fields. */
export const schemaOf = (fields: BodyFields<never>): JsonSchema =>
  objectOf(Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])));

/** Presents a record as an object with these fields. */
export function presentFields<T>(fields: BodyFields<T>, record: T): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { present }]) => [name, present(record)]),
  );
}

/**
 * Presents a post that was loaded with `selectionOf(fields)`: no field reads more than it selects.
 */
export const presentPost = (
  fields: Readonly<Record<string, PostBodyField>>,
  post: PostView,
): Record<string, unknown> => presentFields(fields, post as Post);

/** Post fields to load for these body fields. */
export const selectionOf = (
  fields: Readonly<Record<string, PostBodyField>>,
): ReadonlySet<keyof Post> => new Set(Object.values(fields).flatMap(({ selects }) => selects));
