import { createGoogleBusiness } from '../../../src/networks/google/google.js';
import { createYoutube } from '../../../src/networks/youtube/youtube.js';
import type { NetworkCase } from './network-case.js';
import { reaching } from './official-hosts.js';
import { exactly, listOf, text, type Schema } from './request-schema.js';
import { startStandIn, type Route } from './stand-in.js';
import {
  aLocalPostState,
  LOCATION,
  localPostPublication,
  localPostRoutes,
} from './google-posts.js';

const KEYS = {
  clientId: 'client-1',
  clientSecret: 'google-client-secret',
  refreshToken: 'google-refresh-token',
};
const TOKEN = 'ya29.google-access-token';
const SECRETS = [KEYS.clientSecret, KEYS.refreshToken, TOKEN];
const headers = { authorization: exactly(`Bearer ${TOKEN}`) };
const errorBody: NetworkCase['errorBody'] = (status, message) => ({
  error: {
    code: status,
    message,
    status: 'X',
    errors: [{ message, domain: 'global', reason: 'other' }],
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
  respond: () => ({
    status: 200,
    json: { access_token: TOKEN, expires_in: 3599, token_type: 'Bearer', scope: 'x' },
  }),
};

const NAME = `${LOCATION}/localPosts/33`;

export const googleCase: NetworkCase = {
  network: 'google',
  name: 'Google Business Profile',
  remoteId: NAME,
  secrets: SECRETS,
  errorBody,
  account: { socialId: 'locations/22', name: 'Kiosk', type: 'location', picture: null },
  edits: [
    {
      name: 'the text: its summary',
      changed: ['text'],
      post: { text: 'New' },
      requests: ['POST /token', `PATCH /v4/${NAME}`],
      changedState: { summary: 'New' },
    },
  ],
  publication: localPostPublication,
  async start() {
    const state = { summary: 'Old', topicType: 'STANDARD', ...aLocalPostState() };
    const standIn = await startStandIn(
      [
        TOKENS,
        {
          method: 'PATCH',
          path: new RegExp(`^/v4/${NAME}$`),
          headers,
          query: { updateMask: exactly('summary') },
          json: { summary: text },
          respond({ body }) {
            Object.assign(state, body);
            const { summary, topicType } = state;
            return { status: 200, json: { name: NAME, summary, topicType } };
          },
        },
        {
          method: 'GET',
          path: /^\/v1\/locations\/22$/,
          headers,
          query: { readMask: exactly('name,title') },
          respond: () => ({ status: 200, json: { name: 'locations/22', title: 'Kiosk' } }),
        },
        ...localPostRoutes(state, headers),
      ],
      errorBody,
    );
    return { ...standIn, state: () => state };
  },
  adapter: (http, url) => createGoogleBusiness(reaching(http, url), null),
  credentials: () => ({ ...KEYS, location: LOCATION }),
};

const VIDEO = 'dQw4w9WgXcQ';
const WRITABLE: Schema = {
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
  errorBody,
  account: {
    socialId: 'UC1',
    name: 'Kiosk',
    type: 'channel',
    picture: 'https://media.example/kiosk.jpg',
  },
  edits: [
    {
      name: 'the text: the description; category, tags and languages are kept',
      changed: ['text'],
      post: { type: 'video', text: 'New', title: 'unchanged' },
      requests: ['POST /token', 'GET /youtube/v3/videos', 'PUT /youtube/v3/videos'],
      changedState: { description: 'New' },
    },
    {
      name: 'the title',
      changed: ['title'],
      post: { type: 'short', text: 'unchanged', title: 'Film' },
      requests: ['POST /token', 'GET /youtube/v3/videos', 'PUT /youtube/v3/videos'],
      changedState: { title: 'Film' },
    },
  ],
  async start() {
    const readOnly = {
      publishedAt: '2026-11-20T08:00:00Z',
      channelId: 'UC1',
      channelTitle: 'Kiosk',
      liveBroadcastContent: 'none',
      thumbnails: {},
      localized: { title: 'Old', description: 'Old' },
    };
    let state: object = {
      title: 'Old',
      description: 'Old',
      categoryId: '22',
      tags: ['coffee', 'roast'],
      defaultLanguage: 'en',
      defaultAudioLanguage: 'en',
    };
    const standIn = await startStandIn(
      [
        TOKENS,
        {
          method: 'GET',
          path: /^\/youtube\/v3\/videos$/,
          headers,
          query: { id: exactly(VIDEO), part: exactly('snippet') },
          respond: () => ({
            status: 200,
            json: {
              kind: 'youtube#videoListResponse',
              items: [{ id: VIDEO, snippet: { ...readOnly, ...state } }],
            },
          }),
        },
        {
          // An update clears the fields of the snippet that it omits.
          method: 'PUT',
          path: /^\/youtube\/v3\/videos$/,
          headers,
          query: { part: exactly('snippet') },
          json: { id: exactly(VIDEO), snippet: WRITABLE },
          respond({ body }) {
            state = (body as any).snippet;
            return { status: 200, json: { id: VIDEO, snippet: { ...readOnly, ...state } } };
          },
        },
        {
          method: 'GET',
          path: /^\/youtube\/v3\/channels$/,
          headers,
          query: { mine: exactly('true'), part: exactly('snippet') },
          respond: () => ({
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
      errorBody,
      'youtube',
    );
    return { ...standIn, state: () => state };
  },
  adapter: (http, url) => createYoutube(reaching(http, url), null),
  credentials: () => KEYS,
};
