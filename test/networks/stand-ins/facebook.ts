import { createFacebook } from '../../../src/networks/facebook/facebook.js';
import { anAttachment } from '../../fixtures/posts.js';
import { FILE } from './meta-containers.js';
import { NOW, type NetworkCase } from './network-case.js';
import { reaching } from './official-hosts.js';
import { exactly, matching, text, type Schema } from './request-schema.js';
import { startStandIn, type Reply, type Route } from './stand-in.js';

const TOKEN = 'facebook-page-token';
const ID = '1001_2002';
/** Videos have IDs without the page. */
const VIDEO_ID = '3003';
const headers = { authorization: exactly(`Bearer ${TOKEN}`) };
const roundOf = (id: string): string[] => [`GET /v25.0/${id}`, `POST /v25.0/${id}`];

/** A post of the page, as it was sent. */
interface PagePost {
  readonly id: string;
  readonly createdTime: string;
  readonly sent: Record<string, string>;
  readonly photos: string[];
}

/** A page. Tests change it to make it fail as Facebook does. */
export interface FacebookState {
  message: string;
  description: string;
  name: string;
  text_format_preset_id: string;
  /** IDs of photos that are part of no post yet. */
  photos: string[];
  /** Newest first. */
  posts: PagePost[];
  /** Posts that the list does not show yet. */
  lagging: number;
  /** The answer to a post, and whether it is taken nevertheless. */
  publishFault: { readonly reply: Reply; readonly takes: boolean } | null;
}
const aFacebookState = (): FacebookState => ({
  message: 'Old',
  description: 'Old',
  name: 'Old',
  text_format_preset_id: '1',
  photos: [],
  posts: [],
  lagging: 0,
  publishFault: null,
});

const addressOf = ({ id }: { id: string }): string => `https://www.facebook.com/kiosk/posts/${id}`;
const photo = (id: string) => ({ media_type: 'photo', target: { id } });
const attachmentsOf = ({ photos, sent }: PagePost): object[] => {
  if (photos.length > 1)
    return [{ media_type: 'album', subattachments: { data: photos.map(photo) } }];
  if (photos.length === 1) return [photo(photos[0]!)];
  return sent.link ? [{ media_type: 'link', target: { url: sent.link } }] : [];
};
const failure = (code: number, message: string, subcode?: number): Reply => ({
  status: 400,
  json: { error: { message, code, ...(subcode && { error_subcode: subcode }) } },
});

/** The routes that publish, list and delete posts. */
function publicationRoutes(state: FacebookState): Route[] {
  const form = (bytes: Buffer): Record<string, string> =>
    Object.fromEntries(new URLSearchParams(bytes.toString()));
  let uploaded = 0;
  return [
    {
      method: 'POST',
      path: /^\/v25\.0\/1\/photos$/,
      headers,
      form: { url: matching(FILE), published: exactly('false'), 'alt_text_custom?': text },
      respond() {
        uploaded += 1;
        const id = String(500 + uploaded);
        state.photos.push(id);
        return { status: 200, json: { id } };
      },
    },
    {
      method: 'POST',
      path: /^\/v25\.0\/1\/feed$/,
      headers,
      form: {
        'message?': text,
        'link?': matching(/^https?:/),
        'text_format_preset_id?': matching(/^\d+$/),
        'attached_media[0]?': matching(/^\{"media_fbid":"\d+"\}$/),
        'attached_media[1]?': matching(/^\{"media_fbid":"\d+"\}$/),
        fields: exactly('id,permalink_url'),
      },
      respond({ bytes }) {
        const { fields: _fields, ...sent } = form(bytes);
        const photos = Object.entries(sent)
          .filter(([name]) => name.startsWith('attached_media'))
          .map(([, value]) => (JSON.parse(value) as { media_fbid: string }).media_fbid);
        if (photos.some((id) => !state.photos.includes(id)))
          return failure(1, 'The photos were already posted.', 1_366_051);
        const fault = state.publishFault;
        if (fault && !fault.takes) return fault.reply;
        state.photos = state.photos.filter((id) => !photos.includes(id));
        const id = `1_${9_001 + state.posts.length}`;
        const createdTime = NOW.toISOString().replace(/\.\d+Z$/, '+0000');
        state.posts.unshift({ id, createdTime, sent, photos });
        return fault?.reply ?? { status: 200, json: { id, permalink_url: addressOf({ id }) } };
      },
    },
    {
      method: 'GET',
      path: /^\/v25\.0\/1\/published_posts$/,
      headers,
      query: {
        fields: exactly(
          'id,message,created_time,permalink_url,attachments{media_type,target,subattachments}',
        ),
        limit: exactly('50'),
      },
      respond: () => ({
        status: 200,
        json: {
          data: state.posts.slice(state.lagging, state.lagging + 50).map((post) => ({
            id: post.id,
            ...(post.sent.message && { message: post.sent.message }),
            created_time: post.createdTime,
            permalink_url: addressOf(post),
            attachments: { data: attachmentsOf(post) },
          })),
        },
      }),
    },
    {
      method: 'DELETE',
      path: /^\/v25\.0\/(1_\d+)$/,
      headers,
      respond(_request, match) {
        if (!state.posts.some(({ id }) => id === match[1]))
          return failure(100, 'Object does not exist', 33);
        state.posts = state.posts.filter(({ id }) => id !== match[1]);
        return { status: 200, json: { success: true } };
      },
    },
  ];
}

/** The routes that read and edit one object with these fields. */
const editRoutes = (state: FacebookState, id: string, json: Schema): Route[] => {
  const path = new RegExp(`^/v25.0/${id}$`);
  const query = { fields: exactly('id') };
  return [
    { method: 'GET', path, headers, query, respond: () => ({ status: 200, json: { id } }) },
    {
      method: 'POST',
      path,
      headers,
      json,
      respond({ body }) {
        Object.assign(state, body);
        return { status: 200, json: { success: true } };
      },
    },
  ];
};

const FEED = 'POST /v25.0/1/feed';

export const facebookCase: NetworkCase = {
  network: 'facebook',
  name: 'Facebook',
  remoteId: ID,
  secrets: [TOKEN],
  account: {
    socialId: '1001',
    name: 'Kiosk',
    type: 'page',
    picture: 'https://media.example/kiosk.jpg',
  },
  edits: [
    {
      name: 'the text of a post: its message',
      changed: ['text'],
      post: { type: 'photo', text: 'New' },
      requests: roundOf(ID),
      changedState: { message: 'New' },
    },
    {
      name: 'text and background',
      changed: ['text', 'details.textFormatPresetId'],
      post: { type: 'status', text: 'New', details: { textFormatPresetId: '901751159967576' } },
      requests: roundOf(ID),
      changedState: { message: 'New', text_format_preset_id: '901751159967576' },
    },
    {
      name: 'background removed',
      changed: ['details.textFormatPresetId'],
      post: { type: 'status', details: null },
      requests: roundOf(ID),
      changedState: { text_format_preset_id: '0' },
    },
    {
      name: 'title and text of a video: name and description',
      changed: ['text', 'title'],
      post: { type: 'video', text: 'New', title: 'Film' },
      remoteId: VIDEO_ID,
      requests: roundOf(VIDEO_ID),
      changedState: { description: 'New', name: 'Film' },
    },
  ],
  publication: {
    guarantee: 'compared',
    live: { remoteId: '1_9001', url: 'https://www.facebook.com/kiosk/posts/1_9001' },
    cases: [
      {
        name: 'a text on a background',
        post: () => ({
          type: 'status',
          text: 'Fresh beans & more',
          details: { textFormatPresetId: '901751159967576' },
        }),
        requests: [FEED],
        published: {
          message: 'Fresh beans & more',
          text_format_preset_id: '901751159967576',
        },
      },
      {
        name: 'a link',
        post: () => ({ type: 'link', text: 'Read', url: 'https://kiosk.example/a' }),
        requests: [FEED],
        published: { message: 'Read', link: 'https://kiosk.example/a' },
      },
      {
        name: 'photos, one with its description',
        post: (url) => ({
          type: 'photo',
          text: '',
          media: [
            anAttachment({ url: `${url}/elsewhere/a.jpg`, altText: 'Beans' }),
            anAttachment({ url: `${url}/elsewhere/b.jpg` }),
          ],
        }),
        requests: ['POST /v25.0/1/photos', 'POST /v25.0/1/photos', FEED],
        published: {
          'attached_media[0]': '{"media_fbid":"501"}',
          'attached_media[1]': '{"media_fbid":"502"}',
        },
      },
    ],
    published: (state) => (state as FacebookState).posts.map(({ sent }) => sent),
  },
  errorBody: (status, message) => ({
    error: {
      message,
      type: 'OAuthException',
      code: status === 401 ? 190 : 100_000,
      fbtrace_id: 'A1',
    },
  }),
  async start() {
    const state = aFacebookState();
    const standIn = await startStandIn(
      [
        ...publicationRoutes(state),
        ...editRoutes(state, ID, { 'message?': text, 'text_format_preset_id?': text }),
        ...editRoutes(state, VIDEO_ID, { 'description?': text, 'name?': text }),
        {
          method: 'GET',
          path: /^\/v25\.0\/me$/,
          headers,
          query: { fields: exactly('id,name,picture{url}'), metadata: exactly('1') },
          respond: () => ({
            status: 200,
            json: {
              id: '1001',
              name: 'Kiosk',
              picture: { data: { url: 'https://media.example/kiosk.jpg' } },
              metadata: { type: 'page' },
            },
          }),
        },
      ],
      facebookCase.errorBody,
    );
    return { ...standIn, state: () => state };
  },
  adapter: (http, url) => createFacebook(reaching(http, url), { version: 'v25.0' }),
  credentials: () => ({ accessToken: TOKEN }),
};
