import { createHash } from 'node:crypto';
import { isConverted } from '../domain/media/media-file.js';
import { sentMedia } from '../domain/media/media-validity.js';
import { guaranteeOf } from '../domain/networks/networks.js';
import type {
  Credentials,
  DeliveryGuarantee,
  PublicationHandle,
} from '../domain/networks/network-definition.js';
import type { Post } from '../domain/posts/post.js';
import type {
  LookResult,
  NetworkFailure,
  PublicationTarget,
  Publisher,
  PublishResult,
  SentPost,
} from '../services/networks/network-ports.js';
import type { NetworkClient } from './http-client/network-client.js';
import { NetworkRequestError, throwRequestError } from './http-client/network-response.js';

/**
 * How posts are published on a network; see `Publisher`. `Api` is the network's API with the
 * credentials of an account. The methods return a result or throw a failure.
 */
export interface PublisherDefinition<Field extends string, Api> {
  /**
   * Opens the API; changes nothing on the network, so that a post is not sent if this fails.
   * @throws NetworkRequestError
   */
  connect(client: NetworkClient, credentials: Readonly<Record<Field, string>>): Promise<Api>;
  /** What the network allows to find out about posts of this account, where that differs. */
  guaranteeOf?(api: Api): DeliveryGuarantee;
  /** @throws NetworkRequestError */
  prepare(
    api: Api,
    target: PublicationTarget,
    started: PublicationHandle | null,
  ): Promise<PublicationHandle | StillPreparing>;
  /** One request. @throws NetworkRequestError */
  publish(api: Api, sent: SentPost): Promise<Exclude<PublishResult, NetworkFailure>>;
  /** @throws NetworkRequestError */
  look(api: Api, sent: SentPost): Promise<Exclude<LookResult, NetworkFailure>>;
  /**
   * Absent if the network does not let apps remove posts.
   * @throws NetworkRequestError NETWORK_POST_DELETED if the post is no longer there
   */
  remove?(api: Api, remoteId: string): Promise<void>;
}

/** What `prepare` returns while the network needs more time. */
export interface StillPreparing {
  readonly kind: 'preparing';
  readonly handle: PublicationHandle;
  readonly againInMs: number;
}
const isPreparing = (result: PublicationHandle | StillPreparing): result is StillPreparing =>
  typeof result.handle === 'object';

/** Runs calls with a client for these credentials. Returns the failure that ended them. */
type RunCalls<Field extends string> = <T>(
  values: Credentials,
  remoteId: string | null,
  work: (client: NetworkClient, credentials: Record<Field, string>) => Promise<T>,
) => Promise<T | NetworkFailure>;

/** Differences between the clocks of the database and of the process. */
const CLOCK_TOLERANCE_MS = 5_000;

/**
 * The same for every attempt at a post at one time, and for no other post: 64 hexadecimal digits by
 * which a network knows the post again.
 */
export const publicationKey = ({ id, scheduledAt }: Pick<Post, 'id' | 'scheduledAt'>): string =>
  createHash('sha256')
    .update(`${id} ${scheduledAt?.toISOString() ?? ''}`)
    .digest('hex');

/** When a post was prepared, as a part of its handle. */
export const preparedNow = (client: NetworkClient): { readonly preparedAt: string } => ({
  preparedAt: client.http.clock.now().toISOString(),
});

/**
 * Whether a post was prepared before it may have been published. It was not if the attempt that
 * sent it is lost because a backup was restored (D56): what the network showed at its preparation
 * does not tell it from other posts then.
 */
export const wasPreparedBefore = ({ handle, sentAt }: SentPost): boolean =>
  Date.parse(handle.preparedAt ?? '') <= sentAt.getTime() + CLOCK_TOLERANCE_MS;

/** A network deletes files that no post uses, and one that is stuck never ends. */
const MAX_PROCESSING_MS = 3_600_000;
const PROCESSING_PAUSE_MS = { min: 1_000, max: 15_000 } as const;

/**
 * Milliseconds until a network is asked again whether it has processed a file: the pauses grow with
 * the time that it has taken.
 * @throws NetworkRequestError NETWORK_REFUSED after an hour
 */
export function processingPauseMs(
  client: NetworkClient,
  { preparedAt = '' }: PublicationHandle,
  { min, max }: { readonly min: number; readonly max: number } = PROCESSING_PAUSE_MS,
): number {
  const sinceMs = client.http.clock.now().getTime() - Date.parse(preparedAt);
  if (sinceMs > MAX_PROCESSING_MS)
    throwRequestError(
      'NETWORK_REFUSED',
      `${client.networkName} has not processed a media item within an hour.`,
    );
  return Math.min(Math.max(sinceMs / 4, min), max);
}

/** How often an upload goes on after a network did not take a piece, until one is taken. */
const MAX_INTERRUPTIONS = 6;
const INTERRUPTION_PAUSE_MS = 5_000;

/**
 * Sends more of a file that a network keeps while it is uploaded: if the connection breaks, the
 * upload goes on later, with what the network has got. `handle.interruptions` counts the failures;
 * `send` returns handles without it.
 * @throws NetworkRequestError after six failures in a row, and for refusals
 */
export async function goOnUploading<Handle extends PublicationHandle>(
  handle: Handle,
  send: () => Promise<Handle | StillPreparing>,
): Promise<Handle | StillPreparing> {
  try {
    return await send();
  } catch (error) {
    const interruptions = Number(handle['interruptions'] ?? 0) + 1;
    const isInterrupted =
      error instanceof NetworkRequestError && error.failure.code === 'NETWORK_UNAVAILABLE';
    if (!isInterrupted || interruptions > MAX_INTERRUPTIONS) throw error;
    return {
      kind: 'preparing',
      handle: { ...handle, interruptions: String(interruptions) },
      againInMs: error.failure.retryAfterMs ?? INTERRUPTION_PAUSE_MS * 2 ** (interruptions - 1),
    };
  }
}

/** How often an upload begins anew because the network has lost it. */
const MAX_RESTARTS = 3;

/**
 * Counts that an upload begins anew, as a part of its handle.
 * @throws NetworkRequestError NETWORK_UNAVAILABLE after three times
 */
export function countRestart(
  { networkName }: NetworkClient,
  handle: PublicationHandle,
): { readonly restarts: string } {
  const restarts = Number(handle['restarts'] ?? 0) + 1;
  if (restarts > MAX_RESTARTS)
    throwRequestError('NETWORK_UNAVAILABLE', `${networkName} loses the upload again and again.`);
  return { restarts: String(restarts) };
}

const isFailure = (result: { readonly kind: string }): result is NetworkFailure =>
  result.kind === 'failed';

/** The post with its files as the network gets them. */
const withSentMedia = <Target extends PublicationTarget>(target: Target): Target => ({
  ...target,
  post: { ...target.post, media: sentMedia(target.post, target.account.network) },
});

/** Creates the publisher of a network. Failures are returned, not thrown. */
export const createPublisher = <Field extends string, Api>(
  { connect, ...network }: PublisherDefinition<Field, Api>,
  run: RunCalls<Field>,
): Publisher => ({
  prepare: (target, started = null) =>
    run(target.credentials, null, async (client, credentials) => {
      const api = await connect(client, credentials);
      const sent = withSentMedia(target);
      // They are made and kept before a network fetches them.
      if (!started)
        for (const media of sent.post.media)
          if (isConverted(media.url)) await client.openStoredMedia(media);
      const result = await network.prepare(api, sent, started);
      if (isPreparing(result)) return result;
      const guarantee =
        network.guaranteeOf?.(api) ??
        guaranteeOf(target.account.network, target.post.type).guarantee;
      return { kind: 'prepared' as const, handle: result, guarantee };
    }),
  async publish(sent) {
    let isUnsent = true;
    const result = await run(sent.credentials, null, async (client, credentials) => {
      const api = await connect(client, credentials);
      isUnsent = false;
      return network.publish(api, withSentMedia(sent));
    });
    return isFailure(result) && isUnsent ? { ...result, isUnsent } : result;
  },
  look: (sent) =>
    run(sent.credentials, null, async (client, credentials) =>
      network.look(await connect(client, credentials), sent),
    ),
  async remove({ account, credentials: values, remoteId }) {
    if (!network.remove)
      return {
        kind: 'failed',
        code: 'NETWORK_REFUSED',
        message: `The gateway cannot remove posts from ${account.network}.`,
      };
    const result = await run(values, remoteId, async (client, credentials) => {
      await network.remove!(await connect(client, credentials), remoteId);
      return { kind: 'removed' as const };
    });
    return isFailure(result) && result.code === 'NETWORK_POST_DELETED'
      ? { kind: 'removed' }
      : result;
  },
});
