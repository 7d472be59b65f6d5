import { createLabelStore } from '../../src/persistence/workspaces/label-store.js';
import { createLabels } from '../../src/services/workspaces/labels.js';
import { composeCalendarFeeds } from '../../src/composition/calendar-feeds.js';
import { composeLiveEvents } from '../../src/composition/services.js';
import { createHttpClient } from '../../src/networks/http-client/http-client.js';
import { createNetworks } from '../../src/networks/registry.js';
import { createJobPayloads } from '../../src/services/jobs/job-payload.js';
import { adapterCapabilities } from '../../src/services/networks/adapter-capabilities.js';
import { blogHtml, blogHtmlInSlices } from '../../src/services/posts/blog-html/blog-html.js';
import type { Plugin } from '../../src/graphql/apollo-server.js';
import { GatewayContext } from '../../src/graphql/context.js';
import { createGraphqlServer } from '../../src/graphql/server.js';
import { createJobStore } from '../../src/persistence/jobs/job-store.js';
import { createAccountStatusStore } from '../../src/persistence/workspaces/suspension-store.js';
import { createAccountStatusService } from '../../src/services/accounts/account-status.js';
import { createSandboxStore } from '../../src/persistence/networks/sandbox-store.js';
import { createSandboxTimelineStore } from '../../src/persistence/networks/sandbox-timelines.js';
import { createSandbox } from '../../src/services/networks/sandbox.js';
import type { Viewer } from '../../src/domain/access/viewer.js';
import type { Authentication } from '../../src/services/access/access-control.js';
import { connectionsOn } from '../fixtures/connections.js';
import { webhooksOn } from '../fixtures/webhooks.js';
import { mediaLibraryOn } from '../fixtures/media-library.js';
import { testServices } from '../fixtures/services.js';
import { forAllTests } from '../fixtures/lifecycle.js';
import { silentLog } from '../setup/test-server.js';

export interface Reply {
  status: number;
  /** Name of the operation in metrics. */
  operation: string | null;
  headers: Readonly<Record<string, string>>;
  data: any;
  errors: any;
  extensions: any;
  codes: string[];
}

export const authenticatedAs = (
  viewer: Viewer,
  workspace: Authentication['workspace'] = { kind: 'member', viewer },
): Authentication => ({
  caller: viewer,
  workspace,
  rate: {
    allowed: true,
    isShared: false,
    limit: 100,
    remaining: 93,
    retryAfter: 120,
    resetAt: new Date('2026-11-21T12:00:00Z'),
  },
});

/**
 * The GraphQL server on a real database, with the plugins. `execute` and `send` start after
 * authentication.
 */
export async function openTestApi({ plugins = [] }: { plugins?: readonly Plugin[] } = {}) {
  const {
    database,
    posts,
    postingSchedules,
    store,
    clock,
    dependencies: { workspaceRecords },
    changes,
    history,
    analytics,
    ...records
  } = await testServices();
  const loggedErrors: { details: object; message: string }[] = [];
  const log = (details: object, message: string): void =>
    void loggedErrors.push({ details, message });
  const networks = createNetworks(createHttpClient({ allowLoopback: false, clock }), {
    linkedinVersion: '202609',
    facebookVersion: 'v25.0',
    appClient: () => null,
    blogHtml,
  });
  const accountStatus = createAccountStatusService({
    accounts: createAccountStatusStore(database),
    store,
    clock,
  });
  const sandbox = createSandbox({
    posts,
    store: createSandboxStore(database),
    timelines: createSandboxTimelineStore(database),
    accountStatus,
    clock,
  });
  const services = {
    posts,
    changes,
    history,
    analytics,
    adapters: adapterCapabilities(networks),
    jobs: createJobStore(database),
    jobPayloads: createJobPayloads(store),
    workspaceRecords,
    labels: createLabels({
      labels: createLabelStore(database),
      store,
      workspaceRecords,
      clock,
    }),
    visiblePosts: store,
    blogHtml: blogHtmlInSlices,
    media: mediaLibraryOn(database, clock),
    sandbox,
    postingSchedules,
    liveEvents: composeLiveEvents(
      { eventRetentionDays: 90 },
      { database, clock, log: silentLog, streamCounts: null },
    ),
    webhooks: webhooksOn(database, clock),
    calendarFeeds: composeCalendarFeeds(
      { publicUrl: undefined },
      { database, workspaceRecords, ids: records.ids, clock, url: () => 'http://localhost' },
    ),
    ...connectionsOn(database, {
      clock,
      networks,
      accountStatus,
      ids: records.ids,
    }),
  };
  const options = { services, clock, log: { error: log, warn: log } };
  const server = createGraphqlServer({ ...options, plugins });
  /** The same server without compiled execution. */
  const interpreter = createGraphqlServer({ ...options, compiles: false });

  async function send(
    authentication: Authentication,
    request: Partial<Parameters<typeof server.handle>[0]>,
    by = server,
  ): Promise<Reply> {
    const headers = {
      'content-type': 'application/json',
      authorization: 'Bearer-API x',
      'x-request-id': 'r-1',
      ...request.headers,
    };
    const { body, ...response } = await by.handle(
      { method: 'POST', search: '', body: undefined, ...request, headers },
      authentication,
    );
    const { data, errors, extensions } = JSON.parse(body) as Pick<
      Reply,
      'data' | 'errors' | 'extensions'
    >;
    return {
      ...response,
      data,
      errors,
      extensions,
      codes: (errors ?? []).map((error: { extensions: { code: string } }) => error.extensions.code),
    };
  }
  const execute = (viewer: Viewer, query: string, variables?: object): Promise<Reply> =>
    send(authenticatedAs(viewer), { body: { query, ...(variables && { variables }) } });
  /** `overrides` replace services of the API. */
  const context = (
    viewer: Viewer,
    workspace?: Authentication['workspace'],
    overrides: Partial<typeof services> = {},
  ): GatewayContext =>
    new GatewayContext({
      services: { ...services, ...overrides },
      clock,
      authentication: authenticatedAs(viewer, workspace),
      requestId: 'r-1',
      document: null,
    });
  return {
    execute,
    send,
    server,
    interpreter,
    context,
    loggedErrors,
    records,
    database,
    services,
    options,
  };
}
export type TestApi = Awaited<ReturnType<typeof openTestApi>>;

/** The same for all tests of a file. */
export function withApi(options?: Parameters<typeof openTestApi>[0]): TestApi {
  const api = forAllTests(() => openTestApi(options));
  afterAll(() => api.database?.drop());
  return api;
}
