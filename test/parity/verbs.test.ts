import { buildGatewaySchema } from '../../src/graphql/schema/schema.js';
import { ROUTES } from '../../src/rest/routes.js';

/** The route of REST v1 that does what each mutation does. */
const ROUTE_OF_MUTATION: Readonly<Record<string, string>> = {
  checkAccount: 'POST /v1/accounts/{account_id}/check',
  connectAccount: 'POST /v1/accounts/connect',
  copyPost: 'POST /v1/posts/{id}/copy',
  createCalendarFeed: 'POST /v1/calendar-feeds',
  createConnectLink: 'POST /v1/connect-links',
  createMediaUpload: 'POST /v1/media/uploads',
  createPosts: 'POST /v1/posts/schedule',
  createWebhook: 'POST /v1/webhooks',
  deleteLabel: 'DELETE /v1/labels/{id}',
  deleteMedia: 'DELETE /v1/media/{id}',
  deletePosts: 'DELETE /v1/posts',
  deleteWebhook: 'DELETE /v1/webhooks/{webhook_id}',
  disconnectAccount: 'DELETE /v1/accounts/{account_id}/connection',
  finishConnection: 'POST /v1/connections/{connection_id}',
  importMedia: 'POST /v1/media/from-url',
  mergeLabels: 'POST /v1/labels/{id}/merge',
  pausePosts: 'POST /v1/posts/actions/pause',
  redeliverWebhooks: 'POST /v1/webhooks/{webhook_id}/redeliver',
  resolvePublication: 'POST /v1/posts/{id}/resolve',
  restorePosts: 'POST /v1/posts/actions/restore',
  resumePosts: 'POST /v1/posts/actions/resume',
  retryPosts: 'POST /v1/posts/actions/retry',
  revertPost: 'POST /v1/posts/{id}/revert',
  reviewPosts: 'POST /v1/posts/actions/review',
  revokeCalendarFeed: 'DELETE /v1/calendar-feeds/{feed_id}',
  revokeConnectLink: 'DELETE /v1/connect-links/{link_id}',
  rotateWebhookSecret: 'POST /v1/webhooks/{webhook_id}/secret',
  schedulePosts: 'POST /v1/posts/actions/schedule',
  setPostingSchedule: 'PUT /v1/accounts/{account_id}/posting-schedule',
  startConnection: 'POST /v1/connections',
  testWebhook: 'POST /v1/webhooks/{webhook_id}/test',
  unpublishPosts: 'POST /v1/posts/actions/unpublish',
  updateLabel: 'PUT /v1/labels/{id}',
  updateMedia: 'PUT /v1/media/{id}',
  updatePost: 'PUT /v1/posts/{id}',
  updateWebhook: 'PUT /v1/webhooks/{webhook_id}',
};

/** Second routes: createPosts has a mode for posts that are shared now, and a form is its own upload. */
const VARIANTS = ['POST /v1/posts/schedule/publish', 'POST /v1/media'];

const mutations = Object.values(buildGatewaySchema().getMutationType()!.getFields());

it('each mutation has a route of REST v1', () => {
  expect(mutations.map(({ name }) => name).sort()).toEqual(Object.keys(ROUTE_OF_MUTATION).sort());
  const routes = ROUTES.map(({ method, path }) => `${method} ${path}`);
  expect(Object.values(ROUTE_OF_MUTATION).filter((route) => !routes.includes(route))).toEqual([]);
});

it('each route of REST v1 that changes something has a mutation', () => {
  const changes = ROUTES.filter(
    ({ method, path }) => method !== 'GET' && path.startsWith('/v1/'),
  ).map(({ method, path }) => `${method} ${path}`);
  expect(changes.sort()).toEqual([...Object.values(ROUTE_OF_MUTATION), ...VARIANTS].sort());
});

it('a mutation and its route require the same scopes', () => {
  for (const { name, extensions } of mutations) {
    const { scopes } = extensions['requirement'] as { scopes: unknown };
    const route = ROUTES.find(
      ({ method, path }) => `${method} ${path}` === ROUTE_OF_MUTATION[name],
    )!;
    expect([name, route.scopes]).toEqual([name, scopes]);
  }
});
