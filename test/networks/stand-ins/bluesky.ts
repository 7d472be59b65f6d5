import { createBluesky } from '../../../src/networks/bluesky/bluesky.js';
import { anAttachment } from '../../fixtures/posts.js';
import {
  APP_PASSWORD,
  aService,
  BLOB,
  COLLECTION,
  DID,
  errorBody,
  startBluesky,
  type BlueskyState,
} from './bluesky-server.js';
import { NOW, type NetworkCase } from './network-case.js';

const SIGN_IN = 'POST /xrpc/com.atproto.server.createSession';
const PUT = 'POST /xrpc/com.atproto.repo.putRecord';
const RESOLVE = 'GET /xrpc/com.atproto.identity.resolveHandle';

export const blueskyCase: NetworkCase = {
  network: 'bluesky',
  name: 'Bluesky',
  remoteId: `at://${DID}/${COLLECTION}/3kabcdefghij2`,
  secrets: [APP_PASSWORD],
  account: { socialId: DID, name: 'kiosk.example', type: 'profile', picture: null },
  edits: [],
  publication: {
    guarantee: 'exact',
    live: {
      remoteId: expect.stringMatching(new RegExp(`^at://${DID}/${COLLECTION}/[2-7a-z]{13}$`)),
      url: expect.stringMatching(
        new RegExp(`^https://bsky\\.app/profile/${DID}/post/[2-7a-z]{13}$`),
      ),
    },
    cases: [
      {
        name: 'a text with a mention of an account that exists, and of some that do not',
        post: () => ({
          type: 'status',
          text: 'Für @roaster.example und @nobody.example, @gone.example',
          details: { language: 'de' },
        }),
        requests: [SIGN_IN, RESOLVE, RESOLVE, RESOLVE, PUT],
        published: {
          $type: COLLECTION,
          text: 'Für @roaster.example und @nobody.example, @gone.example',
          createdAt: NOW.toISOString(),
          langs: ['de'],
          facets: [
            {
              index: { byteStart: 5, byteEnd: 21 },
              features: [{ $type: 'app.bsky.richtext.facet#mention', did: 'did:plc:roaster' }],
            },
          ],
        },
      },
      {
        name: 'a link with its card',
        post: () => ({ type: 'link', text: '', url: 'https://kiosk.example/a' }),
        requests: [SIGN_IN, PUT],
        published: {
          $type: COLLECTION,
          text: '',
          createdAt: NOW.toISOString(),
          embed: {
            $type: 'app.bsky.embed.external',
            external: {
              uri: 'https://kiosk.example/a',
              title: 'https://kiosk.example/a',
              description: '',
            },
          },
        },
      },
      {
        name: 'a picture with its description',
        post: (url) => ({
          type: 'photo',
          text: 'Beans',
          media: [anAttachment({ url: `${url}/elsewhere/beans.png`, altText: 'A bean' })],
        }),
        requests: [
          SIGN_IN,
          'GET /elsewhere/beans.png',
          'POST /xrpc/com.atproto.repo.uploadBlob',
          PUT,
        ],
        published: {
          $type: COLLECTION,
          text: 'Beans',
          createdAt: NOW.toISOString(),
          embed: { $type: 'app.bsky.embed.images', images: [{ image: BLOB, alt: 'A bean' }] },
        },
      },
    ],
    published: (state) => [...(state as BlueskyState).records.values()],
  },
  errorBody,
  start: () => startBluesky(aService()),
  adapter: (http) => createBluesky(http),
  credentials: (url) => ({ service: url, handle: '@kiosk.example', appPassword: APP_PASSWORD }),
};
