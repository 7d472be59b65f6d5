import bestPosts from './examples/best-posts.graphql?raw';
import createPosts from './examples/create-posts.graphql?raw';
import deletePosts from './examples/delete-posts.graphql?raw';
import failedPosts from './examples/failed-posts.graphql?raw';
import jobStatus from './examples/job-status.graphql?raw';
import liveEvents from './examples/live-events.graphql?raw';
import listPosts from './examples/list-posts.graphql?raw';
import postRights from './examples/post-rights.graphql?raw';
import retryPosts from './examples/retry-posts.graphql?raw';
import reviewPosts from './examples/review-posts.graphql?raw';
import ruleTables from './examples/rule-tables.graphql?raw';
import updatePost from './examples/update-post.graphql?raw';
import webhooks from './examples/webhooks.graphql?raw';
import type { PlaygroundStartQuery } from './operations/graphql.js';

/** A tab of GraphiQL. */
export interface Example {
  readonly query: string;
  readonly variables?: string;
}

/** Posts of this many past days are in the example list. */
const LIST_DAYS = 60;
const UNKNOWN_POST_ID = 'ffffffffffffffffffffffff';
const UNKNOWN_POST = { id: UNKNOWN_POST_ID, version: 1 };
const withVariables = (query: string, variables: unknown): Example => ({
  query,
  variables: JSON.stringify(variables, null, 2),
});

/** The networks on which every account can have a post without media. */
const TEXT_NETWORKS: ReadonlySet<string | null> = new Set([
  'MASTODON',
  'BLUESKY',
  'LINKEDIN',
  'TWITTER',
  'FACEBOOK',
  'THREADS',
  'TELEGRAM',
]);
const DAY_MS = 24 * 60 * 60 * 1000;

/** An account of each of two networks, of posts of the workspace. */
function exampleAccounts(scheduled: PlaygroundStartQuery['scheduled']) {
  const nodes = scheduled?.nodes.filter(({ network }) => TEXT_NETWORKS.has(network)) ?? [];
  return nodes
    .filter(({ network }, index) => nodes.findIndex((one) => one.network === network) === index)
    .flatMap(({ network, account }) => (account ? [{ network, accountId: account.id }] : []))
    .slice(0, 2);
}

/** Two posts with a common content, and another text on the second network. */
function creationInput(scheduled: PlaygroundStartQuery['scheduled']) {
  const accounts = exampleAccounts(scheduled);
  const [, second] = accounts;
  return {
    targets: accounts.map(({ accountId }) => ({ accountId })),
    post: { type: 'STATUS', text: 'We are open until 10 p.m. today.' },
    variants: second ? [{ network: second.network, post: { text: 'Open until 10 p.m.!' } }] : [],
    mode: accounts.length > 0 ? 'SCHEDULE' : 'DRAFT',
    scheduledAt: new Date(Math.floor(Date.now() / 1000) * 1000 + 7 * DAY_MS).toISOString(),
    dryRun: true,
  };
}

/** Creates the examples, with posts of the workspace if the key can read them. */
export function createExamples({
  published,
  scheduled,
  pending,
  failed,
}: PlaygroundStartQuery): Example[] {
  const syncedPost = published?.nodes.find(({ networkSync }) => networkSync?.job);
  const postId = (syncedPost ?? published?.nodes[0])?.id ?? UNKNOWN_POST_ID;
  const deletable =
    scheduled?.nodes.filter(({ deletability }) => deletability.allowed).slice(0, 2) ?? [];
  const rejected =
    scheduled?.nodes.filter(({ deletability }) => !deletability.allowed).slice(0, 1) ?? [];
  const from = new Date(Date.now() - LIST_DAYS * DAY_MS).toISOString();
  return [
    withVariables(listPosts, {
      first: 5,
      filter: { states: ['PUBLISHED', 'SCHEDULED'], types: ['STATUS', 'PHOTO', 'VIDEO'], from },
    }),
    withVariables(bestPosts, { first: 5, filter: { minEngagement: 1 } }),
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
    withVariables(createPosts, { input: creationInput(scheduled) }),
    withVariables(reviewPosts, {
      input: {
        posts: (pending?.nodes.length ? pending.nodes.slice(0, 2) : [UNKNOWN_POST]).map(
          ({ id, version: expectedVersion }) => ({ id, expectedVersion }),
        ),
        decision: 'APPROVE',
        dryRun: true,
      },
    }),
    withVariables(failedPosts, { first: 5 }),
    withVariables(retryPosts, {
      input: { ids: [failed?.nodes[0]?.id ?? UNKNOWN_POST_ID], dryRun: true },
    }),
    withVariables(deletePosts, {
      input: {
        ids: [...deletable.map(({ id }) => id), ...rejected.map(({ id }) => id), UNKNOWN_POST_ID],
        dryRun: true,
      },
    }),
    withVariables(jobStatus, { id: syncedPost?.networkSync?.job?.id ?? 'job_' }),
    withVariables(liveEvents, { types: null }),
    { query: webhooks },
    { query: ruleTables },
  ];
}
