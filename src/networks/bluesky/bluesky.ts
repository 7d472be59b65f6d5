import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import type { HttpClient } from '../http-client/http-client.js';
import { blueskyErrors } from './bluesky-api.js';
import { BlueskySessions } from './bluesky-session.js';
import { createRecordPublisher, POST_URI } from './record-publisher.js';

/** Bluesky: records of the account's repository, on the service that hosts it. */
export function createBluesky(http: HttpClient): NetworkAdapter {
  const sessions = new BlueskySessions();
  return createAdapter(http, {
    errors: blueskyErrors,
    verified: true,
    note: 'Publishes status, link and photo posts. Published posts cannot be edited on the network; labels can be changed in the gateway.',
    credentials: {
      service: {
        description: 'URL of the service that hosts the account. Default: https://bsky.social.',
        secret: false,
        optional: true,
      },
      handle: { description: 'Handle of the account, such as kiosk.bsky.social.', secret: false },
      appPassword: {
        description:
          'App password of the account (Settings → Privacy and security → App passwords).',
        secret: true,
      },
    },
    remoteId: POST_URI,
    async check(client, credentials) {
      const { did, handle } = await sessions.signIn(client, credentials);
      return { socialId: did, name: handle, type: 'profile', picture: null };
    },
    publisher: createRecordPublisher(sessions),
  });
}
