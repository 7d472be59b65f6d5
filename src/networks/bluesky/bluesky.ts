import { bluesky } from '../../domain/networks/bluesky.js';
import { sumOf, type PostNumbers } from '../../domain/numbers/numbers.js';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import type { HttpClient } from '../http-client/http-client.js';
import { listAt, numberAt, textAt, valueAt } from '../http-client/json-path.js';
import { blueskyErrors, BlueskySessions, openBlueskyApi } from './bluesky-api.js';
import { createRecordPublisher } from './record-publisher.js';

const toNumbers = (post: unknown): PostNumbers => ({
  likes: numberAt(post, 'likeCount'),
  comments: numberAt(post, 'replyCount'),
  shares: sumOf([numberAt(post, 'repostCount'), numberAt(post, 'quoteCount')]),
  saves: numberAt(post, 'bookmarkCount'),
});

/** Bluesky: records of the account's repository, on the service that hosts it. */
export function createBluesky(http: HttpClient): NetworkAdapter {
  const sessions = new BlueskySessions();
  return createAdapter(http, bluesky, {
    errors: blueskyErrors,
    async check(client, credentials) {
      const { did, handle } = await sessions.signIn(client, credentials);
      return { socialId: did, name: handle, type: 'profile', picture: null };
    },
    publisher: createRecordPublisher(sessions),
    numbers: {
      maxPosts: 25,
      intervalMs: 5_000,
      async read(client, credentials, uris) {
        const api = await openBlueskyApi(client, { sessions, credentials });
        const found = await api.query('app.bsky.feed.getPosts', { uris });
        if (!Array.isArray(valueAt(found, 'posts'))) client.throwMissing('list of posts');
        return new Map(
          listAt(found, 'posts').map((post) => [textAt(post, 'uri') ?? '', toNumbers(post)]),
        );
      },
    },
  });
}
