import { createLinkedin } from '../../../src/networks/linkedin/linkedin.js';
import type { NetworkCase } from './network-case.js';
import { reaching } from './official-hosts.js';
import { exactly, text } from './request-schema.js';
import { startStandIn } from './stand-in.js';
import { aLinkedinState, linkedinPublication, publicationRoutes } from './linkedin-publication.js';

const TOKEN = 'linkedin-access-token';
const URN = 'urn:li:share:7100000000000000001';
const PATH = `/rest/posts/${encodeURIComponent(URN)}`;
const token = { authorization: exactly(`Bearer ${TOKEN}`) };
const versioned = {
  ...token,
  'linkedin-version': exactly('202609'),
  'x-restli-protocol-version': exactly('2.0.0'),
};

export const linkedinCase: NetworkCase = {
  network: 'linkedin',
  name: 'LinkedIn',
  remoteId: URN,
  secrets: [TOKEN],
  account: {
    socialId: 'urn:li:person:782bbtaQ',
    name: 'Ada Lovelace',
    type: 'profile',
    picture: 'https://media.example/ada.jpg',
  },
  edits: [
    {
      name: 'the text, its reserved characters escaped',
      changed: ['text'],
      post: { text: 'Beans (new) by @roaster_one #coffee' },
      requests: [`POST ${PATH}`],
      changedState: { commentary: String.raw`Beans \(new\) by \@roaster\_one #coffee` },
    },
  ],
  errorBody: (status, message) => ({ status, code: 'ACCESS', serviceErrorCode: 100, message }),
  publication: linkedinPublication(false),
  limitPauseMs: 57_600_000,
  async start() {
    const state = { commentary: 'Old', ...aLinkedinState() };
    const standIn = await startStandIn(
      [
        {
          method: 'POST',
          path: new RegExp(`^${PATH}$`),
          headers: { ...versioned, 'x-restli-method': exactly('PARTIAL_UPDATE') },
          json: { patch: { $set: { commentary: text } } },
          respond({ body }) {
            state.commentary = (body as any).patch.$set.commentary;
            return { status: 204 };
          },
        },
        {
          method: 'GET',
          path: /^\/v2\/userinfo$/,
          headers: token,
          respond: () => ({
            status: 200,
            json: {
              sub: '782bbtaQ',
              name: 'Ada Lovelace',
              picture: 'https://media.example/ada.jpg',
            },
          }),
        },
        {
          method: 'GET',
          path: /^\/rest\/organizations\/2414183$/,
          headers: versioned,
          respond: () => ({ status: 200, json: { id: 2414183, localizedName: 'Kiosk' } }),
        },
        ...publicationRoutes(state, { token, versioned }),
      ],
      linkedinCase.errorBody,
    );
    return { ...standIn, state: () => state };
  },
  adapter: (http, url) => createLinkedin(reaching(http, url), { version: '202609' }),
  credentials: () => ({ accessToken: TOKEN }),
};

/** A page: its posts can be read. */
export const linkedinPageCase: NetworkCase = {
  ...linkedinCase,
  publication: linkedinPublication(true),
  credentials: () => ({ accessToken: TOKEN, organization: '2414183' }),
};
