import fc from 'fast-check';
import { Agent } from 'undici';
import { DEMO_KEYS, type DemoKeyName } from '../../src/demo/demo-users.js';
import { fromHeaderRecord, assertMatchesOpenApi } from '../fixtures/described-response.js';
import type { FuzzDatabase } from './fuzz-database.js';

/** Key and workspace that a request names. null: the header is missing. */
export interface Caller {
  readonly key: DemoKeyName | 'invalid' | null;
  readonly workspace: 'main' | 'other' | 'invalid' | null;
}

/** A request with symbolic keys and workspaces, independent of a database. */
export interface FuzzRequest extends Caller {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** A response as received. `text` is empty if there was no body. */
export interface FuzzResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export type Sender = (request: FuzzRequest) => Promise<FuzzResponse>;

/** Maximum time to a response: none of the generated requests has a reason to take longer. */
const TIMEOUT_MS = 10_000;

/** Mostly callers with all permissions. */
export const callers: fc.Arbitrary<Caller> = fc.record({
  key: fc.oneof(
    { weight: 8, arbitrary: fc.constant('owner' as const) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        'editor' as const,
        'editorWithPostActions' as const,
        'admin' as const,
      ),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...(Object.keys(DEMO_KEYS) as DemoKeyName[]),
        'invalid' as const,
        null,
      ),
    },
  ),
  workspace: fc.oneof(
    { weight: 8, arbitrary: fc.constant('main' as const) },
    { weight: 3, arbitrary: fc.constant('other' as const) },
    { weight: 1, arbitrary: fc.constantFrom('invalid' as const, null) },
  ),
});

/** Authentication and workspace headers. */
export function credentialHeaders(
  { demo }: FuzzDatabase,
  { key, workspace }: Caller,
): Record<string, string> {
  const ids = { main: demo.workspaceId, other: demo.otherWorkspaceId, invalid: 'wks_invalid' };
  return {
    ...(key !== null && {
      authorization: `Bearer-API ${key === 'invalid' ? 'spk_live_invalid' : demo.keys[key]}`,
    }),
    ...(workspace !== null && { 'service-workspace-id': ids[workspace] }),
  };
}

/**
 * Sends requests over persistent connections.
 * @throws Error if no response arrives within `TIMEOUT_MS`, or a response of v1 or the sandbox does
 * not match the OpenAPI document
 */
export function createSender(
  url: string,
  database: FuzzDatabase,
): { send: Sender; close(): Promise<void> } {
  const agent = new Agent({ pipelining: 1 });
  return {
    async send({ method, path, headers, body, ...caller }) {
      const received = await agent.request({
        origin: url,
        path,
        method: method as 'GET',
        headers: { ...credentialHeaders(database, caller), ...headers },
        body: body ?? null,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await received.body.text();
      const response = {
        status: received.statusCode,
        headers: fromHeaderRecord(received.headers),
        text,
      };
      await assertMatchesOpenApi({ ...response, method, path, text: () => text });
      return response;
    },
    close: () => agent.close(),
  };
}
