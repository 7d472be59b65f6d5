import deletePosts from './examples/delete-posts.graphql?raw';
import jobStatus from './examples/job-status.graphql?raw';
import listPosts from './examples/list-posts.graphql?raw';
import postRights from './examples/post-rights.graphql?raw';
import ruleTables from './examples/rule-tables.graphql?raw';
import updatePost from './examples/update-post.graphql?raw';
import type { PlaygroundStartQuery } from './operations/graphql.js';

/** A tab of GraphiQL. */
export interface Example {
  readonly query: string;
  readonly variables?: string;
}

/** Posts of this many past days are in the example list. */
const LIST_DAYS = 60;
const UNKNOWN_POST_ID = 'ffffffffffffffffffffffff';
const withVariables = (query: string, variables: unknown): Example => ({
  query,
  variables: JSON.stringify(variables, null, 2),
});

/** Creates the examples, with posts of the workspace if the key can read them. */
export function createExamples({ published, scheduled }: PlaygroundStartQuery): Example[] {
  const syncedPost = published?.nodes.find(({ networkSync }) => networkSync?.job);
  const postId = (syncedPost ?? published?.nodes[0])?.id ?? UNKNOWN_POST_ID;
  const deletable =
    scheduled?.nodes.filter(({ deletability }) => deletability.allowed).slice(0, 2) ?? [];
  const rejected =
    scheduled?.nodes.filter(({ deletability }) => !deletability.allowed).slice(0, 1) ?? [];
  const from = new Date(Date.now() - LIST_DAYS * 24 * 60 * 60 * 1000).toISOString();
  return [
    withVariables(listPosts, {
      first: 5,
      filter: { states: ['PUBLISHED', 'SCHEDULED'], types: ['STATUS', 'PHOTO', 'VIDEO'], from },
    }),
    withVariables(postRights, { id: postId }),
    withVariables(updatePost, {
      input: {
        id: postId,
        dryRun: true,
        post: {
          text: 'Edited in the playground.',
          labels: [{ name: 'Playground', color: '#2f6f4f' }],
        },
      },
    }),
    withVariables(deletePosts, {
      input: {
        ids: [...deletable.map(({ id }) => id), ...rejected.map(({ id }) => id), UNKNOWN_POST_ID],
        dryRun: true,
      },
    }),
    withVariables(jobStatus, { id: syncedPost?.networkSync?.job?.id ?? 'job_' }),
    { query: ruleTables },
  ];
}
