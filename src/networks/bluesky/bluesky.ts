import { bluesky } from '../../domain/networks/bluesky.js';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import type { HttpClient } from '../http-client/http-client.js';
import { blueskyErrors, BlueskySessions } from './bluesky-api.js';
import { createRecordPublisher } from './record-publisher.js';

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
  });
}
