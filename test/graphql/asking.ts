import { openWeb } from '../../src/networks/http-client/web.js';
import { createNetworks } from '../../src/networks/registry.js';
import { adapterFacts } from '../../src/services/networks/adapter-facts.js';
import { blogHtml } from '../../src/services/posts/blog-html.js';
import { createContext, type GatewayContext } from '../../src/graphql/context.js';
import { createGraphqlDoor } from '../../src/graphql/server.js';
import { createJobStore } from '../../src/persistence/jobs/job-store.js';
import { createStandingStore } from '../../src/persistence/networks/account-status-store.js';
import { createStandings } from '../../src/services/accounts/account-status.js';
import { createSandboxStore } from '../../src/persistence/networks/sandbox-store.js';
import { createSandbox } from '../../src/services/networks/sandbox.js';
import type { Viewer } from '../../src/domain/access/viewer.js';
import type { Admission } from '../../src/services/access/access.js';
import { aWorkshop } from '../fixtures/services.js';

export interface Reply {
  status: number;
  headers: Readonly<Record<string, string>>;
  data: any;
  errors: any;
  extensions: any;
  codes: string[];
}

export const admitted = (
  viewer: Viewer,
  workspace: Admission['workspace'] = { kind: 'member', viewer },
): Admission => ({
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

/** The door over a real database: `ask` goes the way of a request that passed the gate. */
export async function openDoor() {
  const {
    database,
    posts,
    store,
    clock,
    parts: { directory },
    ...records
  } = await aWorkshop();
  const faults: { details: object; message: string }[] = [];
  const note = (details: object, message: string): void => void faults.push({ details, message });
  const networks = createNetworks(openWeb({ allowLoopback: false, clock }), {
    linkedinVersion: '202609',
    facebookVersion: 'v25.0',
    blogHtml,
  });
  const standings = createStandings({ accounts: createStandingStore(database.pool), store, clock });
  const sandbox = createSandbox({
    posts,
    store: createSandboxStore(database.pool),
    standings,
    clock,
  });
  const services = {
    posts,
    adapters: adapterFacts(networks),
    jobs: createJobStore(database.prisma),
    directory,
    postReader: store,
    blogHtml,
    sandbox,
  };
  const door = createGraphqlDoor({ services, clock, log: { error: note, warn: note } });

  async function send(
    admission: Admission,
    request: Partial<Parameters<typeof door.handle>[0]>,
  ): Promise<Reply> {
    const headers = {
      'content-type': 'application/json',
      authorization: 'Bearer-API x',
      'x-request-id': 'r-1',
      ...request.headers,
    };
    const { body, ...answer } = await door.handle(
      { method: 'POST', search: '', body: undefined, ...request, headers },
      admission,
    );
    const { data, errors, extensions } = JSON.parse(body) as Pick<
      Reply,
      'data' | 'errors' | 'extensions'
    >;
    return {
      ...answer,
      data,
      errors,
      extensions,
      codes: (errors ?? []).map((error: { extensions: { code: string } }) => error.extensions.code),
    };
  }
  const ask = (viewer: Viewer, query: string, variables?: object): Promise<Reply> =>
    send(admitted(viewer), { body: { query, ...(variables && { variables }) } });
  /** `more` stands in the place of the services' own. */
  const context = (
    viewer: Viewer,
    workspace?: Admission['workspace'],
    more: Partial<typeof services> = {},
  ): GatewayContext =>
    createContext({
      services: { ...services, ...more },
      clock,
      admission: admitted(viewer, workspace),
      requestId: 'r-1',
    });
  return { ask, send, context, door, faults, records, database, posts };
}
