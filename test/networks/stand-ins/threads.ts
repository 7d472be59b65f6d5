import { createThreads } from '../../../src/networks/threads/threads.js';
import { anAttachment } from '../../fixtures/posts.js';
import {
  aContainerState,
  containerRoutes,
  type ContainerState,
  FILE,
  graphErrorBody,
} from './meta-containers.js';
import type { NetworkCase } from './network-case.js';
import { reaching } from './official-hosts.js';
import { exactly, matching, text } from './request-schema.js';
import { startStandIn } from './stand-in.js';

const TOKEN = 'threads-access-token';
const headers = { authorization: exactly(`Bearer ${TOKEN}`) };
const [CREATE, PUBLISH] = ['POST /v1.0/1/threads', 'POST /v1.0/1/threads_publish'];
const ask = (id: number): string => `GET /v1.0/${id}`;
/** A container that is asked for until it is finished, its publication, and its address. */
const ONE = [CREATE, ask(17001), ask(17001), PUBLISH, ask(18001)];

const LISTED_TYPES: Readonly<Record<string, string>> = {
  TEXT: 'TEXT_POST',
  CAROUSEL: 'CAROUSEL_ALBUM',
};

export const startThreads = async (state: ContainerState) => ({
  state: () => state,
  ...(await startStandIn(
    [
      ...containerRoutes(state, {
        base: '/v1.0',
        userId: '1',
        headers,
        edges: { create: 'threads', publish: 'threads_publish', lists: ['threads'] },
        create: {
          media_type: matching(/^(TEXT|IMAGE|VIDEO|CAROUSEL)$/),
          'text?': text,
          'image_url?': matching(FILE),
          'video_url?': matching(FILE),
          'alt_text?': text,
          'is_carousel_item?': exactly('true'),
          'children?': matching(/^\d+(,\d+){1,19}$/),
          'link_attachment?': text,
          'poll_attachment?': text,
          'reply_control?': matching(
            /^(everyone|accounts_you_follow|mentioned_only|parent_post_author_only|followers_only)$/,
          ),
          'is_spoiler_media?': exactly('true'),
        },
        containerFields: 'id,status,error_message',
        listFields: exactly('id,text,timestamp,permalink,media_type'),
        presentContainer: ({ id, status }) => ({
          id,
          status,
          ...(status === 'ERROR' && { error_message: 'INVALID_DURATION' }),
        }),
        presentPost: ({ id, timestamp, params }) => ({
          id,
          timestamp,
          text: params.text,
          media_type: LISTED_TYPES[params.media_type!] ?? params.media_type,
          permalink: `https://www.threads.com/@kiosk/post/${id}`,
        }),
        addressOf: ({ id }) => `https://www.threads.com/@kiosk/post/${id}`,
      }),
      {
        method: 'GET',
        path: /^\/v1\.0\/me$/,
        headers,
        query: { fields: exactly('id,username,threads_profile_picture_url') },
        respond: () => ({
          status: 200,
          json: {
            id: '1',
            username: 'kiosk',
            threads_profile_picture_url: 'https://media.example/kiosk.jpg',
          },
        }),
      },
    ],
    graphErrorBody,
    'threads',
  )),
});

export const threadsCase: NetworkCase = {
  network: 'threads',
  name: 'Threads',
  remoteId: '18001',
  secrets: [TOKEN],
  account: {
    socialId: '1',
    name: '@kiosk',
    type: 'profile',
    picture: 'https://media.example/kiosk.jpg',
  },
  edits: [],
  publication: {
    guarantee: 'exact',
    live: { remoteId: '18001', url: 'https://www.threads.com/@kiosk/post/18001' },
    cases: [
      {
        name: 'a text, with who may reply',
        post: () => ({
          type: 'status',
          text: 'Fresh beans & more',
          networkOptions: { replySettings: 'mentioned_only', sensitive: true },
        }),
        requests: ONE,
        published: {
          media_type: 'TEXT',
          text: 'Fresh beans & more',
          reply_control: 'mentioned_only',
        },
      },
      {
        name: 'a link',
        post: () => ({ type: 'link', text: 'Read', url: 'https://kiosk.example/a' }),
        requests: ONE,
        published: { media_type: 'TEXT', text: 'Read', link_attachment: 'https://kiosk.example/a' },
      },
      {
        name: 'a hidden picture with its description and no text',
        post: (url) => ({
          type: 'photo',
          text: '',
          media: [anAttachment({ url: `${url}/elsewhere/beans.png`, altText: 'Beans' })],
          networkOptions: { sensitive: true },
        }),
        requests: ONE,
        published: {
          media_type: 'IMAGE',
          image_url: expect.stringMatching(/beans\.png$/),
          alt_text: 'Beans',
          is_spoiler_media: 'true',
        },
      },
      {
        name: 'a video',
        post: (url) => ({
          type: 'video',
          text: 'Roasting',
          media: [anAttachment({ type: 'video', url: `${url}/elsewhere/roasting.mp4` })],
        }),
        requests: ONE,
        published: {
          media_type: 'VIDEO',
          video_url: expect.stringMatching(/roasting\.mp4$/),
          text: 'Roasting',
        },
      },
      {
        name: 'a carousel of files that are processed first',
        post: (url) => ({
          type: 'carousel',
          text: 'Both',
          media: [
            anAttachment({ url: `${url}/elsewhere/beans.png`, altText: 'Beans' }),
            anAttachment({ type: 'video', url: `${url}/elsewhere/roasting.mp4` }),
          ],
        }),
        requests: [
          CREATE,
          CREATE,
          ...[17001, 17001, 17002, 17002].map(ask),
          CREATE,
          ask(17003),
          ask(17003),
          PUBLISH,
          ask(18001),
        ],
        published: { media_type: 'CAROUSEL', children: '17001,17002', text: 'Both' },
      },
      {
        name: 'a poll',
        post: () => ({ type: 'poll', question: 'Which?', text: '', options: ['Bean', 'Leaf'] }),
        requests: ONE,
        published: {
          media_type: 'TEXT',
          text: 'Which?',
          poll_attachment: '{"option_a":"Bean","option_b":"Leaf"}',
        },
      },
    ],
    published: (state) => (state as ContainerState).published.map(({ params }) => params),
  },
  errorBody: graphErrorBody,
  start: () => startThreads(aContainerState()),
  adapter: (http, url) => createThreads(reaching(http, url)),
  credentials: () => ({ accessToken: TOKEN }),
};
