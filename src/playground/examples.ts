import { ask } from './ask.js';
import type { Credentials } from './credentials.js';
import deletePosts from './examples/delete-posts.graphql?raw';
import jobStatus from './examples/job-status.graphql?raw';
import listPosts from './examples/list-posts.graphql?raw';
import postRights from './examples/post-rights.graphql?raw';
import ruleTables from './examples/rule-tables.graphql?raw';
import start from './examples/start.graphql?raw';
import updatePost from './examples/update-post.graphql?raw';
import type { PlaygroundStartQuery } from './operations/graphql.js';

/** A tab as GraphiQL takes it. */
export interface Example {
  readonly query: string;
  readonly variables?: string;
}

/** What a key opens: whom it stands for and examples on posts of the workspace, or why it opens nothing. */
export type Opening =
  | { readonly kind: 'open'; readonly caller: string; readonly examples: Example[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** Asks with a key, and makes the examples from what it may see. */
export async function openWith(credentials: Credentials): Promise<Opening> {
  const { data, errors } = await ask<PlaygroundStartQuery>(credentials, { query: start });
  if (data) {
    const { user, role, workspace } = data.viewer;
    return {
      kind: 'open',
      caller: [user.name, role?.toLowerCase(), workspace?.name].filter(Boolean).join(', '),
      examples: examplesOn(data),
    };
  }
  const [error] = errors ?? [];
  // A key without the scope for posts still has much to ask.
  if (error?.extensions?.code === 'MISSING_SCOPE')
    return { kind: 'open', caller: 'a key without the scope for posts', examples: examplesOn() };
  return { kind: 'refused', reason: error?.message ?? 'The gateway gave no answer.' };
}

const DAYS_BACK = 60;
const UNKNOWN_POST = 'ffffffffffffffffffffffff';
const withVariables = (query: string, variables: unknown): Example => ({
  query,
  variables: JSON.stringify(variables, null, 2),
});

function examplesOn({ published, scheduled }: Partial<PlaygroundStartQuery> = {}): Example[] {
  const changed = published?.nodes.find(({ networkSync }) => networkSync?.job);
  const post = (changed ?? published?.nodes[0])?.id ?? UNKNOWN_POST;
  const deletable =
    scheduled?.nodes.filter(({ deletability }) => deletability.allowed).slice(0, 2) ?? [];
  const refused =
    scheduled?.nodes.filter(({ deletability }) => !deletability.allowed).slice(0, 1) ?? [];
  const from = new Date(Date.now() - DAYS_BACK * 24 * 60 * 60 * 1000).toISOString();
  return [
    withVariables(listPosts, {
      first: 5,
      filter: { states: ['PUBLISHED', 'SCHEDULED'], types: ['STATUS', 'PHOTO', 'VIDEO'], from },
    }),
    withVariables(postRights, { id: post }),
    withVariables(updatePost, {
      input: {
        id: post,
        dryRun: true,
        post: {
          text: 'Edited in the playground.',
          labels: [{ name: 'Playground', color: '#2f6f4f' }],
        },
      },
    }),
    withVariables(deletePosts, {
      input: {
        ids: [...deletable.map(({ id }) => id), ...refused.map(({ id }) => id), UNKNOWN_POST],
        dryRun: true,
      },
    }),
    withVariables(jobStatus, { id: changed?.networkSync?.job?.id ?? 'job_' }),
    { query: ruleTables },
  ];
}
