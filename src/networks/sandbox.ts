import { setTimeout as sleep } from 'node:timers/promises';
import { liveFields } from '../domain/networks/live-fields.js';
import { NETWORK_FAILURES } from '../domain/networks/network-failures.js';
import {
  sandboxNumbers,
  type SandboxFailure,
  type SandboxFaults,
  type SandboxPublishFault,
  type SandboxRemoveFault,
} from '../domain/networks/sandbox.js';
import type {
  NetworkAdapter,
  NetworkFailure,
  LivePost,
  Publisher,
  PublishResult,
  SentPost,
} from '../services/networks/network-ports.js';
import type { SandboxStore } from '../persistence/networks/sandbox-store.js';
import type { Clock } from '../services/clock.js';
import type { SandboxDeliveryStore } from '../persistence/publishing/sandbox-deliveries.js';
import { sandboxPostUrl } from '../domain/networks/post-urls.js';
import type { Post } from '../domain/posts/post.js';

interface SandboxDependencies {
  readonly store: SandboxStore;
  readonly deliveries: SandboxDeliveryStore;
  readonly clock: Clock;
}

const toFailure = (
  code: SandboxFailure,
  extraFields: Partial<NetworkFailure> = {},
): NetworkFailure => ({
  kind: 'failed',
  code,
  message: `Sandbox network: ${NETWORK_FAILURES[code].description}`,
  ...extraFields,
});

/**
 * The network of sandbox accounts. It sends no requests: it stores posts in the service's own
 * database, changes only the fields that an edit names, and fails as configured.
 */
export function createSandboxNetwork({
  store,
  deliveries,
  clock,
}: SandboxDependencies): NetworkAdapter {
  async function injectedFaults(postId: string): Promise<InjectedFaults> {
    const faults = await store.faults(postId, clock.now());
    return { faults, failure: await failureOf(postId, faults) };
  }
  const injectedFailure = async (postId: string): Promise<NetworkFailure | null> =>
    (await injectedFaults(postId)).failure;

  async function failureOf(postId: string, faults: SandboxFaults): Promise<NetworkFailure | null> {
    const { delayMs, tokenExpired, rateLimitSeconds } = faults;
    if (delayMs !== null) await sleep(delayMs);
    if (tokenExpired) return toFailure('NETWORK_REAUTHORIZATION_NEEDED');
    if (rateLimitSeconds !== null)
      return toFailure('NETWORK_RATE_LIMITED', { retryAfterMs: rateLimitSeconds * 1000 });
    if (!faults.fail) return null;
    const code = await store.consumeFailure(postId);
    if (code === 'NETWORK_POST_DELETED') await store.delete(postId, clock.now());
    return code && toFailure(code);
  }

  return {
    publisher: createSandboxPublisher({ store, deliveries, clock, injectedFaults }),
    async edit({ remoteId, post, changed }) {
      const failure = await injectedFailure(remoteId);
      if (failure) return failure;
      const changedFields = Object.entries(liveFields(post)).filter(([path]) =>
        (changed as ReadonlySet<string>).has(path),
      );
      const isEdited = await store.edit(remoteId, Object.fromEntries(changedFields), clock.now());
      return isEdited ? { kind: 'edited' } : toFailure('NETWORK_POST_DELETED');
    },
    numbers: {
      maxPosts: 100,
      intervalMs: 0,
      async read(_account, _credentials, posts) {
        const { tokenExpired, rateLimitSeconds } = await store.faults(
          posts[0]!.postId,
          clock.now(),
        );
        if (tokenExpired) return toFailure('NETWORK_REAUTHORIZATION_NEEDED');
        if (rateLimitSeconds !== null)
          return toFailure('NETWORK_RATE_LIMITED', { retryAfterMs: rateLimitSeconds * 1000 });
        const deleted = new Set(await store.deletedOf(posts.map(({ postId }) => postId)));
        const counted = posts.filter(({ postId }) => !deleted.has(postId));
        return {
          kind: 'read',
          numbers: new Map(
            counted.map(({ remoteId, postId, ageMs }) => [remoteId, sandboxNumbers(postId, ageMs)]),
          ),
        };
      },
    },
    check: async () => ({
      kind: 'failed',
      code: 'NETWORK_REFUSED',
      message: 'Sandbox accounts do not use credentials.',
    }),
  };
}

/** What is injected into a call of a post. */
interface InjectedFaults {
  readonly faults: SandboxFaults;
  /** The failure that the call ends with before anything else happens; null if there is none. */
  readonly failure: NetworkFailure | null;
}

interface SandboxPublisherDependencies {
  readonly store: SandboxStore;
  readonly deliveries: SandboxDeliveryStore;
  readonly clock: Clock;
  /** Waits for an injected delay, and consumes an injected failure. */
  readonly injectedFaults: (postId: string) => Promise<InjectedFaults>;
}

/** What readers of the network see of a post, and by what two posts are compared. */
const contentOf = ({ type, text, title, url, media, question, options }: Post) => ({
  type,
  text,
  title,
  url,
  media: media.map((item) => item.url),
  ...(type === 'poll' && { question, options }),
});

/** Differences between the clocks of the service and of a network. */
const CLOCK_TOLERANCE_MS = 5_000;
/**
 * When the call was really made, in milliseconds: the sandbox clock makes it older, and the handle
 * tells by how much.
 */
const sentAtOf = ({ sentAt, handle }: SentPost): number =>
  sentAt.getTime() + Number(handle['agedSeconds'] ?? 0) * 1000;
/** Longer than the service waits for a call. */
const HANG_MS = 29_000;

const failed = (
  code: NetworkFailure['code'],
  reason: string,
): Extract<PublishResult, { kind: 'failed' }> => ({
  kind: 'failed',
  code,
  message: `Sandbox network: ${reason}.`,
});

const NO_RESPONSE = {
  cut: failed('NETWORK_UNAVAILABLE', 'the connection was interrupted'),
  error: failed('NETWORK_UNAVAILABLE', 'internal error (500)'),
  hang: failed('NETWORK_UNAVAILABLE', 'it did not respond in time'),
};

/** What an injected fault does before and after the network takes the post. */
const FAULTS: Readonly<
  Record<SandboxPublishFault, { takes: boolean; hangs?: true; result: NetworkFailure }>
> = {
  refuse: { takes: false, result: failed('NETWORK_REFUSED', 'the post was rejected') },
  duplicate: {
    takes: false,
    result: failed('NETWORK_DUPLICATE', 'the account already has a post with this content'),
  },
  cut_before: { takes: false, result: NO_RESPONSE.cut },
  cut_after: { takes: true, result: NO_RESPONSE.cut },
  error_after: { takes: true, result: NO_RESPONSE.error },
  hang_before: { takes: false, hangs: true, result: NO_RESPONSE.hang },
  hang_after: { takes: true, hangs: true, result: NO_RESPONSE.hang },
};

/** What an injected fault does before and after the network removes the post. */
const REMOVE_FAULTS: Readonly<
  Record<SandboxRemoveFault, { removes: boolean; hangs?: true; result: NetworkFailure }>
> = {
  refuse: { removes: false, result: failed('NETWORK_REFUSED', 'the removal was rejected') },
  cut_before: { removes: false, result: NO_RESPONSE.cut },
  cut_after: { removes: true, result: NO_RESPONSE.cut },
  error_before: { removes: false, result: NO_RESPONSE.error },
  error_after: { removes: true, result: NO_RESPONSE.error },
  hang_before: { removes: false, hangs: true, result: NO_RESPONSE.hang },
  hang_after: { removes: true, hangs: true, result: NO_RESPONSE.hang },
};

const toLivePost = ({ account }: SentPost, deliveryId: string): LivePost => ({
  kind: 'live',
  remoteId: deliveryId,
  url: sandboxPostUrl(account, deliveryId),
});

/**
 * Publishes on the sandbox network, which keeps its own record of what it has taken. Each account
 * can have any of the three guarantees.
 */
function createSandboxPublisher({
  store,
  deliveries,
  clock,
  injectedFaults,
}: SandboxPublisherDependencies): Publisher {
  const take = async (sent: SentPost): Promise<LivePost> =>
    toLivePost(
      sent,
      await deliveries.take({
        accountId: sent.account.id,
        postId: sent.post.id,
        handle: sent.handle.key!,
        content: contentOf(sent.post),
        at: clock.now(),
      }),
    );

  return {
    async prepare({ account, post }) {
      const guarantee = await deliveries.guaranteeOf(account.id);
      return {
        kind: 'prepared',
        guarantee,
        handle: { key: `${post.id}-${post.scheduledAt!.getTime()}` },
      };
    },
    async publish(sent) {
      const { failure, faults } = await injectedFaults(sent.post.id);
      if (failure) return failure;
      const name = faults.publish && (await store.consumePublishFault(sent.post.id));
      if (name === null) return take(sent);
      const { takes, hangs, result } = FAULTS[name];
      if (takes) await take(sent);
      if (hangs) await sleep(HANG_MS);
      return result;
    },
    async look(sent) {
      const guarantee = await deliveries.guaranteeOf(sent.account.id);
      if (guarantee === 'cannot_tell') return { kind: 'cannot_tell' };
      const deliveryId =
        guarantee === 'exact'
          ? await deliveries.findByHandle(sent.account.id, sent.handle.key!)
          : await deliveries.findByContent(sent.account.id, {
              content: contentOf(sent.post),
              since: new Date(sentAtOf(sent) - CLOCK_TOLERANCE_MS),
              at: clock.now(),
            });
      return deliveryId === null ? { kind: 'not_there' } : toLivePost(sent, deliveryId);
    },
    async remove({ account, remoteId, postId }) {
      const { failure, faults } = await injectedFaults(postId);
      if (failure) return failure;
      const name = faults.remove && (await store.consumeRemoveFault(postId));
      const fault = name && REMOVE_FAULTS[name];
      if (!fault || fault.removes) {
        await deliveries.remove(account.id, remoteId, clock.now());
        await store.delete(postId, clock.now());
      }
      if (fault?.hangs) await sleep(HANG_MS);
      return fault?.result ?? { kind: 'removed' };
    },
  };
}
