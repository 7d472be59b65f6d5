import fc from 'fast-check';
import { Agent } from 'undici';
import { KEYS, type DemoKeyName } from '../../src/demo/cast.js';
import { headersIn, holdToReference } from '../fixtures/described.js';
import type { World } from './world.js';

/** Who asks, and in which workspace; null says nothing of it. */
export interface Asker {
  readonly key: DemoKeyName | 'nonsense' | null;
  readonly workspace: 'main' | 'other' | 'nonsense' | null;
}

/** A request before keys and workspaces have their values. */
export interface Ask extends Asker {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** What came back. `text` is empty where there was no body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export type Sender = (ask: Ask) => Promise<Answer>;

/** Nothing that is asked here has a reason to take longer. */
const BOUND_MS = 10_000;

/** Mostly somebody who may do everything. */
export const askers: fc.Arbitrary<Asker> = fc.record({
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
        ...(Object.keys(KEYS) as DemoKeyName[]),
        'nonsense' as const,
        null,
      ),
    },
  ),
  workspace: fc.oneof(
    { weight: 8, arbitrary: fc.constant('main' as const) },
    { weight: 3, arbitrary: fc.constant('other' as const) },
    { weight: 1, arbitrary: fc.constantFrom('nonsense' as const, null) },
  ),
});

/** The headers that say who asks. */
export function credentialsOf({ demo }: World, { key, workspace }: Asker): Record<string, string> {
  const ids = { main: demo.workspaceId, other: demo.otherWorkspaceId, nonsense: 'wks_nonsense' };
  return {
    ...(key !== null && {
      authorization: `Bearer-API ${key === 'nonsense' ? 'spk_live_nonsense' : demo.keys[key]}`,
    }),
    ...(workspace !== null && { 'service-workspace-id': ids[workspace] }),
  };
}

/** Sends over connections that stay. @throws Error where no answer comes within the bound, or one of v1 or the sandbox that the reference does not describe */
export function createSender(url: string, world: World): { send: Sender; close(): Promise<void> } {
  const agent = new Agent({ pipelining: 1 });
  return {
    async send({ method, path, headers, body, ...asker }) {
      const reply = await agent.request({
        origin: url,
        path,
        method: method as 'GET',
        headers: { ...credentialsOf(world, asker), ...headers },
        body: body ?? null,
        signal: AbortSignal.timeout(BOUND_MS),
      });
      const text = await reply.body.text();
      const answer = { status: reply.statusCode, headers: headersIn(reply.headers), text };
      await holdToReference({ ...answer, method, path, text: () => text });
      return answer;
    },
    close: () => agent.close(),
  };
}
