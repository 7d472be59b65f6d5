import { execute } from './execute.js';
import type { Credentials } from './credentials.js';
import deletePosts from './examples/delete-posts.graphql?raw';
import jobStatus from './examples/job-status.graphql?raw';
import listPosts from './examples/list-posts.graphql?raw';
import postRights from './examples/post-rights.graphql?raw';
import ruleTables from './examples/rule-tables.graphql?raw';
import start from './examples/start.graphql?raw';
import updatePost from './examples/update-post.graphql?raw';
import type { PlaygroundStartQuery } from './operations/graphql.js';

/** A tab of GraphiQL. */
export interface Example {
  readonly query: string;
  readonly variables?: string;
}

/**
 * Result of connecting with a key: its user and examples with posts of the workspace, or the reason
 * for a rejection.
 */
export type ConnectionState =
  | { readonly kind: 'connected'; readonly caller: string; readonly examples: Example[] }
  | { readonly kind: 'rejected'; readonly reason: string };

/** Checks a key, and creates examples from posts that it can read. */
export async function connect(credentials: Credentials): Promise<ConnectionState> {
  const { data, errors } = await execute<PlaygroundStartQuery>(credentials, { query: start });
  if (data) {
    const { user, role, workspace } = data.viewer;
    return {
      kind: 'connected',
      caller: [user.name, role?.toLowerCase(), workspace?.name].filter(Boolean).join(', '),
      examples: createExamples(data),
    };
  }
  const [error] = errors ?? [];
  // A key without POSTS_READ can still use other fields.
  if (error?.extensions?.code === 'MISSING_SCOPE')
    return { kind: 'connected', caller: 'API key without POSTS_READ', examples: createExamples() };
  return { kind: 'rejected', reason: error?.message ?? 'The gateway returned an empty response.' };
}

/** Posts of this many past days are in the example list. */
const LIST_DAYS = 60;
const UNKNOWN_POST_ID = 'ffffffffffffffffffffffff';
const withVariables = (query: string, variables: unknown): Example => ({
  query,
  variables: JSON.stringify(variables, null, 2),
});

function createExamples({ published, scheduled }: Partial<PlaygroundStartQuery> = {}): Example[] {
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
