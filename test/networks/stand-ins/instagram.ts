import { createInstagram } from '../../../src/networks/instagram/instagram.js';
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

const TOKEN = 'instagram-page-token';
const headers = { authorization: exactly(`Bearer ${TOKEN}`) };
const [CREATE, PUBLISH] = ['POST /v25.0/1/media', 'POST /v25.0/1/media_publish'];
const ask = (id: number): string => `GET /v25.0/${id}`;
const ONE = [CREATE, ask(17001), ask(17001), PUBLISH, ask(18001)];

const addressOf = ({ id }: { id: string }): string => `https://www.instagram.com/p/${id}/`;
const kindOf = ({
  media_type: type = 'IMAGE',
  video_url: video,
}: Record<string, string>): string =>
  type === 'CAROUSEL' ? 'CAROUSEL_ALBUM' : video ? 'VIDEO' : 'IMAGE';

export const startInstagram = async (state: ContainerState) => ({
  state: () => state,
  ...(await startStandIn(
    [
      ...containerRoutes(state, {
        base: '/v25.0',
        userId: '1',
        headers,
        edges: { create: 'media', publish: 'media_publish', lists: ['media', 'stories'] },
        create: {
          'media_type?': matching(/^(VIDEO|REELS|STORIES|CAROUSEL)$/),
          'caption?': text,
          'image_url?': matching(FILE),
          'video_url?': matching(FILE),
          'alt_text?': text,
          'is_carousel_item?': exactly('true'),
          'children?': matching(/^\d+(,\d+){1,9}$/),
          'cover_url?': text,
          'share_to_feed?': matching(/^(true|false)$/),
          'audio_name?': text,
          'user_tags?': text,
          'collaborators?': text,
        },
        containerFields: 'id,status_code,status',
        listFields: exactly('id,caption,timestamp,permalink,media_type,media_product_type'),
        presentContainer: ({ id, status }) => ({
          id,
          status_code: status,
          status:
            status === 'ERROR'
              ? 'Error: Media upload has failed with error code 2207026'
              : `${status}: The media is ready.`,
        }),
        presentPost: (post) => ({
          id: post.id,
          timestamp: post.timestamp,
          ...(post.params.caption && { caption: post.params.caption }),
          media_type: kindOf(post.params),
          media_product_type: 'FEED',
          permalink: addressOf(post),
        }),
        addressOf,
      }),
      {
        method: 'GET',
        path: /^\/v25\.0\/me$/,
        headers,
        query: {
          fields: matching(
            /^(user_id,username,account_type,profile_picture_url|instagram_business_account\{id,username,profile_picture_url\})$/,
          ),
        },
        respond({ query }) {
          const known = {
            username: 'kiosk',
            profile_picture_url: 'https://media.example/kiosk.jpg',
          };
          return {
            status: 200,
            json: query.fields!.startsWith('user_id')
              ? { ...known, user_id: '1', account_type: 'MEDIA_CREATOR' }
              : { id: '1001', instagram_business_account: { ...known, id: '1' } },
          };
        },
      },
    ],
    graphErrorBody,
    'instagram',
  )),
});

export const instagramCase: NetworkCase = {
  network: 'instagram',
  name: 'Instagram',
  remoteId: '18001',
  secrets: [TOKEN],
  account: {
    socialId: '1',
    name: '@kiosk',
    type: 'business',
    picture: 'https://media.example/kiosk.jpg',
  },
  edits: [],
  publication: {
    guarantee: 'exact',
    live: { remoteId: '18001', url: 'https://www.instagram.com/p/18001/' },
    cases: [
      {
        name: 'a picture with its description and its tags',
        post: (url) => ({
          type: 'photo',
          text: 'Fresh beans & more #coffee',
          media: [
            anAttachment({
              url: `${url}/elsewhere/beans.jpg`,
              altText: 'Beans',
              userTags: [{ name: 'ada', x: 0.5, y: 0.25 }],
              collaboratorTags: [{ name: 'roaster' }],
            }),
          ],
        }),
        requests: ONE,
        published: {
          image_url: expect.stringMatching(/beans\.jpg$/),
          caption: 'Fresh beans & more #coffee',
          alt_text: 'Beans',
          user_tags: '[{"username":"ada","x":0.5,"y":0.25}]',
          collaborators: '["roaster"]',
        },
      },
      {
        name: 'a reel with its settings',
        post: (url) => ({
          type: 'reel',
          text: 'Roasting',
          media: [
            anAttachment({
              type: 'video',
              url: `${url}/elsewhere/roasting.mp4`,
              altText: 'Roasting',
              defaultThumbnail: 'https://media.example/cover.jpg',
            }),
          ],
          details: { feed: false, audio: 'Kiosk sounds' },
        }),
        requests: ONE,
        published: {
          media_type: 'REELS',
          video_url: expect.stringMatching(/roasting\.mp4$/),
          caption: 'Roasting',
          cover_url: 'https://media.example/cover.jpg',
          share_to_feed: 'false',
          audio_name: 'Kiosk sounds',
        },
      },
      {
        name: 'a story without its text',
        post: (url) => ({
          type: 'story',
          text: 'Not shown',
          media: [anAttachment({ url: `${url}/elsewhere/beans.jpg`, altText: 'Beans' })],
        }),
        requests: ONE,
        published: { media_type: 'STORIES', image_url: expect.stringMatching(/beans\.jpg$/) },
      },
      {
        name: 'a carousel of files that are processed first',
        post: (url) => ({
          type: 'carousel',
          text: 'Both',
          media: [
            anAttachment({ url: `${url}/elsewhere/beans.jpg`, altText: 'Beans' }),
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
        published: { media_type: 'CAROUSEL', children: '17001,17002', caption: 'Both' },
      },
    ],
    published: (state) => (state as ContainerState).published.map(({ params }) => params),
  },
  errorBody: graphErrorBody,
  start: () => startInstagram(aContainerState()),
  adapter: (http, url) => createInstagram(reaching(http, url), { version: 'v25.0' }),
  credentials: () => ({ accessToken: TOKEN, login: 'facebook' }),
};
