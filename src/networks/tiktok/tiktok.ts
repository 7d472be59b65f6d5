import { tiktok } from '../../domain/networks/tiktok.js';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import type { HttpClient } from '../http-client/http-client.js';
import { textAt } from '../http-client/json-path.js';
import { POST_PUBLISHER } from './post-publisher.js';
import { openTiktokApi, TIKTOK_ERRORS } from './tiktok-api.js';

/** TikTok: the Content Posting API, with direct posts. */
export const createTiktok = (http: HttpClient): NetworkAdapter =>
  createAdapter(http, tiktok, {
    errors: TIKTOK_ERRORS,
    async check(client, credentials) {
      const me = await openTiktokApi(client, credentials).request(
        'GET',
        '/user/info/?fields=open_id,display_name,avatar_url',
      );
      const socialId = textAt(me, 'data', 'user', 'open_id') ?? client.throwMissing('open_id');
      return {
        socialId,
        name: textAt(me, 'data', 'user', 'display_name') ?? socialId,
        type: 'profile',
        picture: textAt(me, 'data', 'user', 'avatar_url'),
      };
    },
    publisher: POST_PUBLISHER,
  });
