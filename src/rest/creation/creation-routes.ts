import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { DRY_RUN, IDEMPOTENCY_KEY, REPLAYED } from '../requests/change-headers.js';
import { CREATE_PARAMS } from '../requests/post-params.js';
import { inWorkspace, type Route, type RouteDefinition } from '../route.js';
import { createPosts } from './create-posts.js';
import type { CreationRoute } from './creation-input.js';

const JOB =
  'Accounts whose posts are rejected are listed in `failures` of the job, and all other accounts get their posts. With `dry_run=true`, the response is 200 and lists what would be created.';

const creationRoute = (
  route: CreationRoute,
  definition: Pick<
    RouteDefinition,
    'path' | 'operationId' | 'summary' | 'description' | 'requestSchema'
  >,
): Route =>
  inWorkspace(
    {
      ...definition,
      method: 'POST',
      tag: 'Posts',
      scopes: [['posts:write']],
      params: CREATE_PARAMS,
      requestHeaders: [IDEMPOTENCY_KEY],
      maxBodyBytes: REQUEST_LIMITS.creationBodyBytes,
      acceptedSchema: 'CreationJob',
      responseSchema: 'CreationPreview',
      responseHeaders: [DRY_RUN, REPLAYED],
      errorCodes: [
        'FORBIDDEN',
        'RULE_VIOLATION',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'IDEMPOTENCY_MISMATCH',
        'IDEMPOTENCY_IN_FLIGHT',
      ],
    },
    createPosts(route),
  );

/** Routes that create posts (D50). */
export const CREATION_ROUTES: readonly Route[] = [
  creationRoute('schedule', {
    path: '/v1/posts/schedule',
    operationId: 'schedulePosts',
    summary: 'Create scheduled posts, series or drafts',
    description: `Creates a post for each account of 1 to ${REQUEST_LIMITS.creationItems} entries, at most ${REQUEST_LIMITS.newPosts} posts in total. The content for the network of the account overrides \`default\`, field by field. The posts exist by the time the response is sent; \`posts\` of the job lists them. ${JOB}`,
    requestSchema: 'SchedulePosts',
  }),
  creationRoute('publish', {
    path: '/v1/posts/schedule/publish',
    operationId: 'publishPosts',
    summary: 'Create posts and publish them',
    description: `Like \`/v1/posts/schedule\`, but publishes the posts immediately. The job ends when each post is published, has failed, or requires someone to act. ${JOB}`,
    requestSchema: 'PublishPosts',
  }),
];
