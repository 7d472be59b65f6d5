import { createGoogleBusiness } from '../../../src/networks/google/google.js';
import type { NetworkCase } from './network-case.js';
import { reaching } from './official-hosts.js';
import { exactly, text } from './request-schema.js';
import { startStandIn, type Route } from './stand-in.js';
import {
  aLocalPostState,
  LOCATION,
  localPostPublication,
  localPostRoutes,
} from './google-posts.js';

export const GOOGLE_KEYS = {
  clientId: 'client-1',
  clientSecret: 'google-client-secret',
  refreshToken: 'google-refresh-token',
};
const TOKEN = 'ya29.google-access-token';
export const GOOGLE_SECRETS = [GOOGLE_KEYS.clientSecret, GOOGLE_KEYS.refreshToken, TOKEN];
export const googleHeaders = { authorization: exactly(`Bearer ${TOKEN}`) };
export const googleErrorBody: NetworkCase['errorBody'] = (status, message) => ({
  error: {
    code: status,
    message,
    status: 'X',
    errors: [{ message, domain: 'global', reason: 'other' }],
  },
});

/** RFC 6749, section 6. */
export const GOOGLE_TOKENS: Route = {
  method: 'POST',
  path: /^\/token$/,
  headers: {},
  form: {
    client_id: exactly(GOOGLE_KEYS.clientId),
    client_secret: exactly(GOOGLE_KEYS.clientSecret),
    refresh_token: exactly(GOOGLE_KEYS.refreshToken),
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
  secrets: GOOGLE_SECRETS,
  errorBody: googleErrorBody,
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
        GOOGLE_TOKENS,
        {
          method: 'PATCH',
          path: new RegExp(`^/v4/${NAME}$`),
          headers: googleHeaders,
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
          headers: googleHeaders,
          query: { readMask: exactly('name,title') },
          respond: () => ({ status: 200, json: { name: 'locations/22', title: 'Kiosk' } }),
        },
        ...localPostRoutes(state, googleHeaders),
      ],
      googleErrorBody,
    );
    return { ...standIn, state: () => state };
  },
  adapter: (http, url) => createGoogleBusiness(reaching(http, url), null),
  credentials: () => ({ ...GOOGLE_KEYS, location: LOCATION }),
};
