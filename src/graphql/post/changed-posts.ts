import type { GraphQLResolveInfo } from 'graphql';
import { viewerOf } from '../../domain/access/viewer.js';
import type { Post } from '../../domain/posts/post.js';
import type { GatewayContext } from '../context.js';
import { payloadPostFields } from '../document/look-ahead.js';

/** What a mutation has changed, or would have (dry run). */
interface ChangedPosts {
  readonly dryRun: boolean;
  readonly info: GraphQLResolveInfo;
  readonly posts: readonly (Post | null)[];
}

/**
 * The posts of a payload. If fields are selected that depend on other records, such as
 * `stateReason`, these are read again: the fields are the same as in a query that follows.
 */
export async function changedPosts(
  context: GatewayContext,
  { dryRun, info, posts }: ChangedPosts,
): Promise<readonly (Post | null)[]> {
  const fields = payloadPostFields(context, info);
  const isAffected = fields.has('publicationHold') || fields.has('missingFiles');
  const existing = posts.filter((post) => post !== null);
  if (!isAffected || existing.length === 0) return posts;
  const viewer = viewerOf(context.authentication);
  const current = await context.services.posts.withCircumstances(viewer, existing, dryRun);
  const postOf = new Map(existing.map((post, index) => [post, current[index]!]));
  return posts.map((post) => post && postOf.get(post)!);
}
