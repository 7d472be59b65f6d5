import type { Network } from '../../src/domain/networks/networks.js';
import type { Post } from '../../src/domain/posts/post.js';
import type { Credentials, NetworkAdapter } from '../../src/services/networks/network-ports.js';
import type {
  LivePost,
  PreparedPost,
  Publisher,
  SentPost,
} from '../../src/services/publishing/publisher-ports.js';
import { aPost } from '../fixtures/posts.js';

/** The calls of an adapter, as the publication of a post makes them. */
export interface AdapterPublishing {
  readonly publisher: Publisher;
  prepare(post: Partial<Post>): Promise<SentPost>;
  /** Publishes the post. @throws Error if it is not live afterwards */
  publish(sent: SentPost): Promise<LivePost>;
  remove(remoteId: string): ReturnType<Publisher['remove']>;
}

export function adapterPublishing(
  network: Network,
  adapter: NetworkAdapter,
  credentials: Credentials,
): AdapterPublishing {
  const account = { ...aPost().account!, network };
  const publisher = adapter.publisher!;
  return {
    publisher,
    async prepare(post) {
      const target = {
        account,
        credentials,
        post: aPost({ network, account, scheduledAt: new Date(), ...post }),
      };
      const prepared = await publisher.prepare(target);
      if (prepared.kind === 'failed') throw new Error(prepared.message);
      return { ...target, handle: (prepared satisfies PreparedPost).handle, sentAt: new Date() };
    },
    async publish(sent) {
      const result = await publisher.publish(sent);
      if (result.kind !== 'live') throw new Error(JSON.stringify(result));
      return result;
    },
    remove: (remoteId) => publisher.remove({ account, credentials, remoteId }),
  };
}
