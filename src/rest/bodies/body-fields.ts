import type { Post } from '../../domain/posts/post.js';
import type { PostView, PostWith } from '../../domain/posts/post-query.js';
import { objectOf, type JsonSchema } from './json-schema.js';

/** One key of a body: where its value comes from, and what the reference says of it. */
interface BodyField<T> {
  readonly schema: JsonSchema;
  of(record: T): unknown;
}

/** The keys of a body in the document's order. */
type BodyFields<T> = Readonly<Record<string, BodyField<T>>>;

export const field = <T>(schema: JsonSchema, of: (record: T) => unknown): BodyField<T> => ({
  schema,
  of,
});

/** A key of a post's body; `needs` names what has to be selected beyond the narrow columns. */
export interface PostBodyField extends BodyField<Post> {
  readonly needs: readonly (keyof Post)[];
}
export const postField = <F extends keyof Post = never>(
  schema: JsonSchema,
  needs: readonly F[],
  of: (post: PostWith<F>) => unknown,
): PostBodyField => ({ schema, needs, of });

export const schemaOf = (fields: BodyFields<never>): JsonSchema =>
  objectOf(Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])));

export function presentFields<T>(fields: BodyFields<T>, record: T): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one.of(record)]));
}

/** A post has been read as far as its fields' `needs` say, and no field touches more. */
export const presentPost = (
  fields: Readonly<Record<string, PostBodyField>>,
  post: PostView,
): Record<string, unknown> => presentFields(fields, post as Post);

export const selectionOf = (
  fields: Readonly<Record<string, PostBodyField>>,
): ReadonlySet<keyof Post> => new Set(Object.values(fields).flatMap(({ needs }) => needs));

/** `2026-11-21T09:30:00+00:00`: UTC in whole seconds, and never `Z` (D8). */
export const timestamp = (at: Date): string => at.toISOString().replace(/\.\d{3}Z$/, '+00:00');
export const timestampOrNull = (at: Date | null): string | null => at && timestamp(at);
