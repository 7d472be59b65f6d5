import { randomBytes } from 'node:crypto';
import type {
  Credentials,
  PublicationHandle,
} from '../../src/domain/networks/network-definition.js';
import type { Network } from '../../src/domain/networks/networks.js';
import type { Post } from '../../src/domain/posts/post.js';
import type {
  LivePost,
  NetworkAdapter,
  PublicationTarget,
  Publisher,
  SentPost,
} from '../../src/services/networks/network-ports.js';
import { aPost } from '../../test/fixtures/posts.js';

/** The calls of an adapter, as the publication of a post makes them. */
export interface AdapterPublishing {
  readonly publisher: Publisher;
  prepare(post: Partial<Post>): Promise<SentPost>;
  /** Publishes the post. @throws Error if it is not live afterwards, with an ID */
  publish(sent: SentPost): Promise<LivePost & { readonly remoteId: string }>;
  /** Looks for the post as after the restore of a backup in which the attempt is missing. */
  lookWithoutAttempt(sent: SentPost): ReturnType<Publisher['look']>;
  remove(remoteId: string): ReturnType<Publisher['remove']>;
}

const MINUTE_MS = 60_000;

export function adapterPublishing(
  network: Network,
  adapter: NetworkAdapter,
  credentials: Credentials,
): AdapterPublishing {
  const account = { ...aPost().account!, network };
  const publisher = adapter.publisher!;
  const handleOf = async (target: PublicationTarget): Promise<PublicationHandle> => {
    const prepared = await publisher.prepare(target);
    if (prepared.kind === 'failed') throw new Error(prepared.message);
    return prepared.handle;
  };
  return {
    publisher,
    async prepare(post) {
      const target = {
        account,
        credentials,
        post: aPost({
          network,
          account,
          id: randomBytes(12).toString('hex'),
          scheduledAt: new Date(),
          ...post,
        }),
      };
      return { ...target, handle: await handleOf(target), sentAt: new Date() };
    },
    async lookWithoutAttempt(sent) {
      const sentAt = new Date(sent.sentAt.getTime() - MINUTE_MS);
      return publisher.look({ ...sent, handle: await handleOf(sent), sentAt });
    },
    async publish(sent) {
      const result = await publisher.publish(sent);
      if (result.kind !== 'live' || result.remoteId === null)
        throw new Error(JSON.stringify(result));
      return { ...result, remoteId: result.remoteId };
    },
    remove: (remoteId) => publisher.remove({ account, credentials, remoteId, postId: 'unknown' }),
  };
}
