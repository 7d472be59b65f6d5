import { createGoogleBusiness } from '../../../src/networks/google/google-business.js';
import type { GoogleRoots } from '../../../src/networks/google/google-oauth.js';
import { createYoutube } from '../../../src/networks/google/youtube.js';
import type { NetworkCase } from './network-case.js';
import { exactly, listOf, text, type Shape } from './shape.js';
import { openStandIn, type Route } from './stand-in.js';

const KEYS = {
  clientId: 'client-1',
  clientSecret: 'google-client-secret',
  refreshToken: 'google-refresh-token',
};
const TOKEN = 'ya29.google-access-token';
const SECRETS = [KEYS.clientSecret, KEYS.refreshToken, TOKEN];
const headers = { authorization: exactly(`Bearer ${TOKEN}`) };
const rootsAt = (url: string): GoogleRoots => ({
  oauth: url,
  posts: url,
  places: url,
  videos: url,
});
const refusal: NetworkCase['refusal'] = (status, words) => ({
  error: {
    code: status,
    message: words,
    status: 'X',
    errors: [{ message: words, domain: 'global', reason: 'other' }],
  },
});

/** RFC 6749, section 6. */
const TOKENS: Route = {
  method: 'POST',
  path: /^\/token$/,
  headers: {},
  form: {
    client_id: exactly(KEYS.clientId),
    client_secret: exactly(KEYS.clientSecret),
    refresh_token: exactly(KEYS.refreshToken),
    grant_type: exactly('refresh_token'),
  },
  answer: () => ({
    status: 200,
    json: { access_token: TOKEN, expires_in: 3599, token_type: 'Bearer', scope: 'x' },
  }),
};

const NAME = 'accounts/11/locations/22/localPosts/33';

export const googleCase: NetworkCase = {
  network: 'google',
  name: 'Google Business Profile',
  remoteId: NAME,
  secrets: SECRETS,
  refusal,
  account: { socialId: 'locations/22', name: 'Kiosk', type: 'location', picture: null },
  edits: [
    {
      name: 'the text: its summary',
      changed: ['text'],
      post: { text: 'New' },
      requests: ['POST /token', `PATCH /v4/${NAME}`],
      shown: { summary: 'New' },
    },
  ],
  async open() {
    const shown = { summary: 'Old', topicType: 'STANDARD' };
    const standIn = await openStandIn(
      [
        TOKENS,
        {
          method: 'PATCH',
          path: new RegExp(`^/v4/${NAME}$`),
          headers,
          query: { updateMask: exactly('summary') },
          json: { summary: text },
          answer({ body }) {
            Object.assign(shown, body);
            return { status: 200, json: { name: NAME, ...shown } };
          },
        },
        {
          method: 'GET',
          path: /^\/v1\/locations\/22$/,
          headers,
          query: { readMask: exactly('name,title') },
          answer: () => ({ status: 200, json: { name: 'locations/22', title: 'Kiosk' } }),
        },
      ],
      refusal,
    );
    return { ...standIn, shown: () => shown };
  },
  adapter: (web, url) => createGoogleBusiness(web, rootsAt(url)),
  credentials: () => ({ ...KEYS, location: 'accounts/11/locations/22' }),
};

const VIDEO = 'dQw4w9WgXcQ';
const WRITABLE: Shape = {
  title: text,
  categoryId: text,
  'description?': text,
  'tags?': listOf(text),
  'defaultLanguage?': text,
  'defaultAudioLanguage?': text,
};

export const youtubeCase: NetworkCase = {
  network: 'youtube',
  name: 'YouTube',
  remoteId: VIDEO,
  secrets: SECRETS,
  refusal,
  account: {
    socialId: 'UC1',
    name: 'Kiosk',
    type: 'channel',
    picture: 'https://media.example/kiosk.jpg',
  },
  edits: [
    {
      name: 'the text: the description; category, tags and languages stay',
      changed: ['text'],
      post: { type: 'video', text: 'New', title: 'not asked for' },
      requests: ['POST /token', 'GET /youtube/v3/videos', 'PUT /youtube/v3/videos'],
      shown: { description: 'New' },
    },
    {
      name: 'the title',
      changed: ['title'],
      post: { type: 'short', text: 'not asked for', title: 'Film' },
      requests: ['POST /token', 'GET /youtube/v3/videos', 'PUT /youtube/v3/videos'],
      shown: { title: 'Film' },
    },
  ],
  async open() {
    const readOnly = {
      publishedAt: '2026-11-20T08:00:00Z',
      channelId: 'UC1',
      channelTitle: 'Kiosk',
      liveBroadcastContent: 'none',
      thumbnails: {},
      localized: { title: 'Old', description: 'Old' },
    };
    let shown: object = {
      title: 'Old',
      description: 'Old',
      categoryId: '22',
      tags: ['coffee', 'roast'],
      defaultLanguage: 'en',
      defaultAudioLanguage: 'en',
    };
    const standIn = await openStandIn(
      [
        TOKENS,
        {
          method: 'GET',
          path: /^\/youtube\/v3\/videos$/,
          headers,
          query: { id: exactly(VIDEO), part: exactly('snippet') },
          answer: () => ({
            status: 200,
            json: {
              kind: 'youtube#videoListResponse',
              items: [{ id: VIDEO, snippet: { ...readOnly, ...shown } }],
            },
          }),
        },
        {
          // What an update leaves out of the snippet is emptied.
          method: 'PUT',
          path: /^\/youtube\/v3\/videos$/,
          headers,
          query: { part: exactly('snippet') },
          json: { id: exactly(VIDEO), snippet: WRITABLE },
          answer({ body }) {
            shown = (body as any).snippet;
            return { status: 200, json: { id: VIDEO, snippet: { ...readOnly, ...shown } } };
          },
        },
        {
          method: 'GET',
          path: /^\/youtube\/v3\/channels$/,
          headers,
          query: { mine: exactly('true'), part: exactly('snippet') },
          answer: () => ({
            status: 200,
            json: {
              items: [
                {
                  id: 'UC1',
                  snippet: {
                    title: 'Kiosk',
                    thumbnails: { default: { url: 'https://media.example/kiosk.jpg' } },
                  },
                },
              ],
            },
          }),
        },
      ],
      refusal,
    );
    return { ...standIn, shown: () => shown };
  },
  adapter: (web, url) => createYoutube(web, rootsAt(url)),
  credentials: () => KEYS,
};
