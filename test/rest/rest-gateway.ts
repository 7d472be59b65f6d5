import { BlockList } from 'node:net';
import pino from 'pino';
import { createApp } from '../../src/http/app.js';
import { createFailureThrottle } from '../../src/http/failure-throttle.js';
import { createGate } from '../../src/http/gate.js';
import { createRestFront } from '../../src/http/rest-front.js';
import { openServer } from '../../src/http/server.js';
import { createDirectoryStore } from '../../src/persistence/directory-store.js';
import { createIdempotencyStore } from '../../src/persistence/idempotency-store.js';
import { createJobStore } from '../../src/persistence/job-store.js';
import { createKeyStore } from '../../src/persistence/key-store.js';
import { createPostStore } from '../../src/persistence/post-store.js';
import { createRateCounter } from '../../src/persistence/rate-counter.js';
import { createOpenApiRoute, createRestDoor } from '../../src/rest/door.js';
import { createAccess } from '../../src/services/access.js';
import { createPosts } from '../../src/services/posts.js';
import { createIds, systemClock as clock } from '../../src/services/random-ids.js';
import { createRateLimiter } from '../../src/services/rate-limiter.js';
import { recordsIn } from '../fixtures/records.js';
import { testDatabase } from '../setup/database.js';
import { postPatch } from './post-patch-type.js';

export interface Reply { status: number; headers: Headers; body: any }
export interface Call { apiKey?: string; workspace?: { id: string }; headers?: Record<string, string>; body?: unknown }

/** v1 behind its gate on a real socket and a real database. */
export async function restGateway() {
  const { pool, prisma, drop } = await testDatabase();
  const store = createPostStore(pool);
  const directory = createDirectoryStore(prisma, pool);
  const posts = createPosts({ store, directory, ids: createIds(), idempotency: createIdempotencyStore(pool), clock });
  const log = pino({ level: 'silent' });
  const gate = createGate({
    access: createAccess({ keys: createKeyStore(pool), clock }),
    rateLimiter: createRateLimiter({ counter: createRateCounter({ length: 120_000, maxWindows: 1000 }), clock, defaultLimit: 1000 }),
    failures: createFailureThrottle(createRateCounter({ length: 60_000, maxWindows: 1000 })), trustedProxies: new BlockList(), clock,
  });
  const rest = createRestDoor({ services: { posts, jobs: createJobStore(prisma), directory, postReader: store }, postPatch });
  const app = createApp({ log });
  const front = createRestFront({ gate, rest, openapi: createOpenApiRoute(postPatch), log });
  app.open({ graphql: front, rest: front, isReady: async () => true });
  const server = await openServer(app.listener, { host: '127.0.0.1', port: 0 });

  async function call(method: string, path: string, { apiKey, workspace, headers = {}, body }: Call = {}): Promise<Reply> {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        ...(apiKey && { authorization: `Bearer-API ${apiKey}` }), ...(workspace && { 'service-workspace-id': workspace.id }),
        ...(body !== undefined && { 'content-type': 'application/json' }), ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }

  return { records: recordsIn({ pool, prisma }), prisma, pool, call, url: server.url, async close() { await server.close(100); await drop(); } };
}
