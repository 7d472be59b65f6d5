import { NETWORKS } from '../domain/networks/networks.js';
import type { Credentials, PublicationHandle } from '../domain/networks/network-definition.js';
import type {
  LookResult,
  NetworkFailure,
  PublicationTarget,
  Publisher,
  PublishResult,
  SentPost,
} from '../services/networks/network-ports.js';
import type { NetworkClient } from './http-client/network-client.js';

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
  /** @throws NetworkRequestError */
  prepare(api: Api, target: PublicationTarget): Promise<PublicationHandle>;
  /** One request. @throws NetworkRequestError */
  publish(api: Api, sent: SentPost): Promise<Exclude<PublishResult, NetworkFailure>>;
  /** @throws NetworkRequestError */
  look(api: Api, sent: SentPost): Promise<Exclude<LookResult, NetworkFailure>>;
  /** @throws NetworkRequestError NETWORK_POST_DELETED if the post is no longer there */
  remove(api: Api, remoteId: string): Promise<void>;
}

/** Runs calls with a client for these credentials. Returns the failure that ended them. */
type RunCalls<Field extends string> = <T>(
  values: Credentials,
  remoteId: string | null,
  work: (client: NetworkClient, credentials: Record<Field, string>) => Promise<T>,
) => Promise<T | NetworkFailure>;

/** Differences between the clocks of the database and of the process. */
const CLOCK_TOLERANCE_MS = 5_000;

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

const isFailure = (result: { readonly kind: string }): result is NetworkFailure =>
  result.kind === 'failed';

/** Creates the publisher of a network. Failures are returned, not thrown. */
export const createPublisher = <Field extends string, Api>(
  { connect, ...network }: PublisherDefinition<Field, Api>,
  run: RunCalls<Field>,
): Publisher => ({
  prepare: (target) =>
    run(target.credentials, null, async (client, credentials) => ({
      kind: 'prepared' as const,
      handle: await network.prepare(await connect(client, credentials), target),
      guarantee: NETWORKS[target.account.network].publishing.guarantee,
    })),
  async publish(sent) {
    let isUnsent = true;
    const result = await run(sent.credentials, null, async (client, credentials) => {
      const api = await connect(client, credentials);
      isUnsent = false;
      return network.publish(api, sent);
    });
    return isFailure(result) && isUnsent ? { ...result, isUnsent } : result;
  },
  look: (sent) =>
    run(sent.credentials, null, async (client, credentials) =>
      network.look(await connect(client, credentials), sent),
    ),
  async remove({ credentials: values, remoteId }) {
    const result = await run(values, remoteId, async (client, credentials) => {
      await network.remove(await connect(client, credentials), remoteId);
      return { kind: 'removed' as const };
    });
    return isFailure(result) && result.code === 'NETWORK_POST_DELETED'
      ? { kind: 'removed' }
      : result;
  },
});
