import { setTimeout as sleep } from 'node:timers/promises';
import { DELETIONS, UPDATES, versionOf, type UpdateInput } from './change-formats.js';
import { createChangeSender } from './change-sender.js';
import { toAttempt, type GatewayClient } from './gateway-client.js';
import type { Random } from './random.js';
import type { RequestHistory } from './request-history.js';
import { labelsOf } from './stored-posts.js';
import { dayAhead, type ClientPosts, type TestPosts } from './test-posts.js';

const MAX_PAUSE_MS = 30;
/** How many posts a request deletes. */
export const POSTS_PER_DELETION = 3;
const DAY_MS = 86_400_000;
const MAX_DAYS_AHEAD = 40;
/** Range of the last day of a series, in days from now. */
const SERIES_DAYS = [3, 9] as const;
/** Fields that only GraphQL has by these names. */
const GRAPHQL_ONLY_FIELDS = ['scheduledAt', 'recurring'];

let marks = 0;

interface LoadOptions {
  readonly gatewayClient: GatewayClient;
  readonly history: RequestHistory;
  readonly testPosts: TestPosts;
  readonly random: Random;
  isOver(): boolean;
}

/** A client that changes its own posts and shared ones through both APIs of both gateways. */
export interface LoadClient {
  /** Sends each kind of change once, and a deletion if there are posts to delete. */
  sendEachKind(): Promise<void>;
  /** Sends changes of random kinds, and reads in between, until the load is over. */
  sendUntilOver(): Promise<void>;
}

export function createLoadClient(
  { gatewayClient, history, testPosts, random, isOver }: LoadOptions,
  ownPosts: ClientPosts,
): LoadClient {
  const { fraction, oneOf, between } = random;
  const { send, sendChange } = createChangeSender(gatewayClient, history, random);

  async function update(
    kind: string,
    id: string,
    patchOf: (mark: string) => UpdateInput['patch'],
    options: Partial<UpdateInput> = {},
  ): Promise<void> {
    const mark = `mark ${++marks}`;
    const key = fraction() < 0.5 ? mark : null;
    const patch = patchOf(mark);
    const { endDate = null } = (patch.recurring ?? {}) as { endDate?: string };
    const format =
      UPDATES[
        GRAPHQL_ONLY_FIELDS.some((field) => field in patch)
          ? 'graphql'
          : oneOf(['graphql', 'v1'] as const)
      ];
    await sendChange({
      kind,
      mark,
      posts: [id],
      key,
      scheduledAt: (patch.scheduledAt as string | undefined) ?? null,
      endDate,
      expectedVersion: options.expectedVersion ?? null,
      request: format.toRequest({ id, patch, key, ...options }),
      readResult: format.readResult,
    });
  }

  async function remove(): Promise<void> {
    const ids = testPosts.toDelete.splice(0, POSTS_PER_DELETION);
    if (ids.length < POSTS_PER_DELETION) return;
    const mark = `mark ${++marks}`;
    const key = fraction() < 0.5 ? mark : null;
    const format = DELETIONS[oneOf(['graphql', 'v1'] as const)];
    await sendChange({
      kind: 'delete',
      mark,
      posts: ids,
      key,
      scheduledAt: null,
      endDate: null,
      expectedVersion: null,
      request: format.toRequest({ ids, key }),
      readResult: format.readResult,
    });
  }

  /**
   * Reads one post through v1, or all published ones through GraphQL. No version may be lower than
   * one that was acknowledged before the request.
   */
  async function read(): Promise<void> {
    const versionsBefore = new Map(history.acknowledgedVersions);
    const record = (post: string, version: number, text: string): void =>
      void history.readings.push({
        post,
        version,
        text,
        minVersion: versionsBefore.get(post) ?? 0,
      });
    const isList = fraction() < 0.5;
    const id = oneOf([...ownPosts.scheduled, ...ownPosts.published, ...testPosts.shared]);
    const response = await send(
      isList
        ? {
            method: 'POST',
            path: '/graphql',
            body: {
              query:
                '{ posts(first: 50, filter: {states: [PUBLISHED]}) { totalCount nodes { id version text } } }',
            },
          }
        : { method: 'GET', path: `/v1/posts/${id}` },
    );
    const { status, code, body } = response;
    history.attempts.push(toAttempt(response));
    if (code !== 'OK') {
      if (status !== null && code !== 'UNAVAILABLE')
        history.violations.push(`the response to a read is ${status} ${code}`);
      return;
    }
    if (!isList) {
      record(id, versionOf(response.headers['etag']), body.text);
      return;
    }
    for (const post of body.data.posts.nodes) record(post.id, post.version, post.text);
    const { totalCount, nodes } = body.data.posts;
    if (totalCount !== testPosts.publishedCount || nodes.length !== testPosts.publishedCount)
      history.violations.push(
        `a list has totalCount ${totalCount} and ${nodes.length} nodes; there are ${testPosts.publishedCount} published posts`,
      );
  }

  /** Expects the latest known version. Another client may be faster. */
  async function updateShared(): Promise<void> {
    const id = oneOf(testPosts.shared);
    await update('versioned', id, (mark) => ({ text: mark }), {
      expectedVersion: history.acknowledgedVersions.get(id) ?? 1,
    });
  }

  const randomDate = (): string =>
    new Date(Math.floor(Date.now() / 1000) * 1000 + DAY_MS * (1 + fraction() * MAX_DAYS_AHEAD))
      .toISOString()
      .replace(/\.\d+/, '');
  const changeDate = (id: string): Promise<void> =>
    update('date', id, (mark) => ({ text: mark, scheduledAt: randomDate() }));
  const changes: readonly (() => Promise<void>)[] = [
    () => update('text', oneOf(ownPosts.scheduled), (mark) => ({ text: mark })),
    () =>
      update('labels', oneOf(ownPosts.scheduled), (mark) => ({
        labels: labelsOf(mark).map((name) => ({ name })),
      })),
    () => changeDate(oneOf(ownPosts.scheduled)),
    () => update('published', oneOf(ownPosts.published), (mark) => ({ text: mark })),
    () => update('series', ownPosts.series, (mark) => ({ text: mark })),
    () =>
      update('rule', ownPosts.ruleSeries, (mark) => ({
        text: mark,
        recurring: { repeat: 'daily', endDate: dayAhead(Math.round(between(SERIES_DAYS))) },
      })),
    () =>
      update('forbidden', oneOf(ownPosts.published), (mark) => ({
        text: mark,
        link: { title: mark },
      })),
    updateShared,
  ];
  const actions = [...changes, () => (fraction() < 0.3 ? remove() : read())];
  return {
    async sendEachKind() {
      // Two changes of one date: the second must start from what the first has set.
      for (let count = 0; count < 2; count++) await changeDate(ownPosts.scheduled[0]!);
      for (const change of [...changes, remove]) await change();
    },
    async sendUntilOver() {
      while (!isOver()) {
        await oneOf(actions)();
        await read();
        await sleep(fraction() * MAX_PAUSE_MS);
      }
    },
  };
}
