import { setTimeout as sleep } from 'node:timers/promises';
import type { Post } from '../domain/posts/post.js';
import type { SandboxPublishFault } from '../domain/networks/sandbox.js';
import type { Clock } from '../services/clock.js';
import type { NetworkFailure, SandboxStore } from '../services/networks/network-ports.js';
import type { SandboxDeliveryStore } from '../services/publishing/sandbox-ports.js';
import type {
  LivePost,
  Publisher,
  PublishResult,
  SentPost,
} from '../services/publishing/publisher-ports.js';

interface SandboxPublisherDependencies {
  readonly store: SandboxStore;
  readonly deliveries: SandboxDeliveryStore;
  readonly clock: Clock;
  /** The failure that is injected into calls of the post, if any. */
  readonly injectedFailure: (postId: string) => Promise<NetworkFailure | null>;
}

/** What readers of the network see of a post, and by what two posts are compared. */
const contentOf = ({ type, text, title, url, media }: Post) => ({
  type,
  text,
  title,
  url,
  media: media.map((item) => item.url),
});

/** Differences between the clocks of the service and of a network. */
const CLOCK_TOLERANCE_MS = 5_000;
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

/** What an injected fault does before and after the network takes the post. */
const FAULTS: Readonly<
  Record<SandboxPublishFault, { takes: boolean; hangs?: true; result: NetworkFailure }>
> = {
  refuse: { takes: false, result: failed('NETWORK_REFUSED', 'the post was rejected') },
  duplicate: {
    takes: false,
    result: failed('NETWORK_DUPLICATE', 'the account already has a post with this content'),
  },
  cut_before: {
    takes: false,
    result: failed('NETWORK_UNAVAILABLE', 'the connection was interrupted'),
  },
  cut_after: {
    takes: true,
    result: failed('NETWORK_UNAVAILABLE', 'the connection was interrupted'),
  },
  error_after: { takes: true, result: failed('NETWORK_UNAVAILABLE', 'internal error (500)') },
  hang_before: {
    takes: false,
    hangs: true,
    result: failed('NETWORK_UNAVAILABLE', 'it did not respond in time'),
  },
  hang_after: {
    takes: true,
    hangs: true,
    result: failed('NETWORK_UNAVAILABLE', 'it did not respond in time'),
  },
};

const toLivePost = ({ account }: SentPost, deliveryId: string): LivePost => ({
  kind: 'live',
  remoteId: deliveryId,
  url: `https://${account.network}.sandbox.example/${account.id}/${deliveryId}`,
});

/**
 * Publishes on the sandbox network, which keeps its own record of what it has taken. Each account
 * can have any of the three guarantees.
 */
export function createSandboxPublisher({
  store,
  deliveries,
  clock,
  injectedFailure,
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
      const failure = await injectedFailure(sent.post.id);
      if (failure) return failure;
      const name = await store.consumePublishFault(sent.post.id);
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
              since: new Date(sent.sentAt.getTime() - CLOCK_TOLERANCE_MS),
              at: clock.now(),
            });
      return deliveryId === null ? { kind: 'not_there' } : toLivePost(sent, deliveryId);
    },
    async remove({ remoteId }) {
      await deliveries.remove(remoteId, clock.now());
      return { kind: 'removed' };
    },
  };
}
