import { setTimeout as sleep } from 'node:timers/promises';
import { STREAM_LIMITS } from '../../src/domain/events/stream-limits.js';
import { recordsIn, type KeyedViewer } from '../../test/fixtures/records.js';
import { waitFor } from '../../test/fixtures/wait-for.js';
import { openSubscribers } from '../streams/subscribers.js';
import { EVENTS_PER_SECOND, SUBSCRIBERS } from './load-settings.js';
import type { LoadedGateway } from './loaded-gateway.js';

/** What the subscribers received while the gateway was under load. */
export interface ReceivedEvents {
  /** Changes that were saved, each of which is one event. */
  readonly saved: number;
  /** Changes that were refused. */
  readonly refused: readonly string[];
  /** How many events each subscriber received. */
  readonly counts: readonly number[];
  /** See `Subscribers`. */
  readonly faults: readonly string[];
}

/**
 * Opens subscribers in a workspace of their own and changes one post of it at an even rate, until
 * `stop`.
 */
export async function startSteadyEvents({
  url,
  database,
}: Pick<LoadedGateway, 'url' | 'database'>): Promise<{ stop(): Promise<ReceivedEvents> }> {
  const records = recordsIn(database);
  const owner = await records.aViewer({ rateLimitOverride: 1_000_000_000 });
  const draft = await records.aPost({ by: owner, storedState: 'draft_undated' });
  const members: KeyedViewer[] = [];
  for (let n = 0; n < SUBSCRIBERS; n += STREAM_LIMITS.perKey)
    members.push(await records.aViewer({ workspaceId: owner.workspace.id, role: 'admin' }));
  const subscribers = await openSubscribers(url, members, { each: STREAM_LIMITS.perKey });

  const refused: string[] = [];
  let saved = 0;
  async function change(): Promise<void> {
    const response = await fetch(`${url}/v1/posts/${draft.id}`, {
      method: 'PUT',
      headers: {
        Authorization: `Bearer-API ${owner.apiKey}`,
        'Service-Workspace-Id': owner.workspace.id,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ post: { text: `Text ${saved}` } }),
    });
    const body = await response.text();
    if (response.status === 200) saved += 1;
    else refused.push(`${response.status} ${body}`);
  }

  const aborting = new AbortController();
  const { signal } = aborting;
  const changing = (async () => {
    while (!signal.aborted) {
      await change();
      await sleep(1_000 / EVENTS_PER_SECOND, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      aborting.abort();
      await changing;
      await waitFor(() => subscribers.counts.every((count) => count >= saved));
      const { counts, faults } = subscribers;
      subscribers.close();
      return { saved, refused, counts, faults };
    },
  };
}
