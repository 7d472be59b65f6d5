import { createPinterest } from '../../../src/networks/pinterest/pinterest.js';
import { anAttachment } from '../../fixtures/posts.js';
import { standInClock, type NetworkCase } from './network-case.js';
import { reaching } from './official-hosts.js';
import type { PublishedCase } from './publication-case.js';
import { exactly, listOf, matching, text, type Check, type Schema } from './request-schema.js';
import { startStandIn, type Route } from './stand-in.js';
import { PNG } from './wordpress-server.js';

const TOKEN = 'pinterest-access-token';
const BOARD = '549755885175';
const SECTION = '5258814934636085108';
const UPLOADS = 'https://pinterest-media-upload.s3-accelerate.amazonaws.com/';
const headers = { authorization: exactly(`Bearer ${TOKEN}`) };
const upTo =
  (maximum: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= maximum ? null : `is longer than ${maximum}`;
const digits = matching(/^\d+$/);
const picture: Schema = {
  content_type: matching(/^image\/(jpeg|png)$/),
  data: exactly(PNG.toString('base64')),
};
const SOURCES: Readonly<Record<string, Schema>> = {
  image_base64: { source_type: text, ...picture },
  multiple_image_base64: {
    source_type: text,
    items: listOf({ ...picture, 'title?': text, 'link?': text }),
  },
  video_id: {
    source_type: text,
    media_id: digits,
    'cover_image_url?': matching(/^https:/),
    'cover_image_key_frame_time?': exactly(0),
  },
};
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  image_base64: 'image',
  multiple_image_base64: 'multiple_images',
  video_id: 'video',
};

/** A pin as it was sent, with its ID and the time that Pinterest shows, without a zone. */
export interface PublishedPin {
  readonly id: string;
  readonly created_at: string;
  readonly sent: Record<string, any>;
}

/** What the stand-in keeps, and how it fails. */
export interface PinterestState {
  readonly published: PublishedPin[];
  /** Videos by ID: whether their bytes have arrived, and how often they were asked for. */
  readonly videos: Record<string, { arrived: boolean; asked: number }>;
  /** Whether new pins are left out of lists. */
  lists: 'at once' | 'never';
  uploadUrl: string;
  /** The last status of a video that was processed. */
  outcome: 'succeeded' | 'failed';
}

const FIRST_ID = 999658448514149000n;

function routesOf(state: PinterestState): Route[] {
  const { published, videos } = state;
  const present = ({ id, created_at, sent }: PublishedPin) => ({
    id,
    created_at,
    board_id: sent['board_id'],
    title: sent['title'] ?? null,
    description: sent['description'] ?? null,
    // Pinterest may add a slash to the link, and a space to the text.
    link: sent['link'] ? `${sent['link']}/` : null,
    alt_text: sent['alt_text'] ?? null,
    media: { media_type: MEDIA_TYPES[sent['media_source'].source_type] },
  });
  return [
    {
      method: 'POST',
      path: /^\/v5\/pins$/,
      headers,
      json: {
        board_id: exactly(BOARD),
        'board_section_id?': exactly(SECTION),
        'title?': upTo(100),
        'description?': upTo(800),
        'link?': upTo(2_048),
        'alt_text?': upTo(500),
        media_source: (value) =>
          SOURCES[(value as any)?.source_type] ? null : 'is not a source of media',
      },
      respond({ body }) {
        const sent = body as PublishedPin['sent'];
        const { source_type, media_id, ...source } = sent['media_source'];
        const hasCover = 'cover_image_url' in source || 'cover_image_key_frame_time' in source;
        if (source_type === 'video_id' && !(videos[media_id]?.arrived && hasCover))
          return { status: 400, json: { code: 1, message: 'The video has no cover.' } };
        const pin = {
          id: String(FIRST_ID + BigInt(published.length + 1)),
          created_at: standInClock.now().toISOString().replace(/\..*/, ''),
          sent,
        };
        published.unshift(pin);
        return { status: 201, json: present(pin) };
      },
    },
    {
      method: 'GET',
      path: new RegExp(`^/v5/boards/${BOARD}(/sections/${SECTION})?/pins$`),
      headers,
      query: { page_size: exactly('250'), 'bookmark?': text },
      respond: ({ path }) => ({
        status: 200,
        json: {
          items:
            state.lists === 'never'
              ? []
              : published
                  .filter(({ sent }) => !path.includes('sections') || sent['board_section_id'])
                  .map(present),
          bookmark: null,
        },
      }),
    },
    {
      method: 'DELETE',
      path: /^\/v5\/pins\/(\d+)$/,
      headers,
      respond(_request, match) {
        const index = published.findIndex(({ id }) => id === match[1]);
        if (index === -1) return { status: 404, json: { code: 50, message: 'Pin not found.' } };
        published.splice(index, 1);
        return { status: 204 };
      },
    },
    {
      method: 'POST',
      path: /^\/v5\/media$/,
      headers,
      json: { media_type: exactly('video') },
      respond() {
        const id = String(5_000 + Object.keys(videos).length);
        videos[id] = { arrived: false, asked: 0 };
        return {
          status: 201,
          json: {
            media_id: id,
            media_type: 'video',
            upload_url: state.uploadUrl,
            upload_parameters: {
              key: `uploads/${id}`,
              policy: 'eyJ=',
              'x-amz-algorithm': 'AWS4-HMAC-SHA256',
              'x-amz-credential': 'ASIA/20261121/us-east-1/s3/aws4_request',
              'x-amz-date': '20261121T080000Z',
              'x-amz-security-token': 'IQoJ',
              'x-amz-signature': 'fcd6',
              'Content-Type': 'multipart/form-data',
            },
          },
        };
      },
    },
    {
      // Amazon S3: a token would be refused, as any other header of that kind.
      method: 'POST',
      path: /^\/$/,
      headers: {},
      file: (bytes) =>
        /name="key"[^]*name="x-amz-signature"[^]*name="file"/.test((bytes as Buffer).toString())
          ? null
          : 'has no file after the parameters',
      respond({ bytes }) {
        const id = /uploads\/(\d+)/.exec(bytes.toString())![1]!;
        videos[id]!.arrived = true;
        return { status: 204 };
      },
    },
    {
      method: 'GET',
      path: /^\/v5\/media\/(\d+)$/,
      headers,
      respond(_request, match) {
        const video = videos[match[1]!]!;
        video.asked += 1;
        const status = video.asked < 2 ? 'processing' : state.outcome;
        return {
          status: 200,
          json: {
            media_id: match[1],
            media_type: 'video',
            status: video.arrived ? status : 'registered',
          },
        };
      },
    },
    {
      method: 'GET',
      path: /^\/v5\/user_account$/,
      headers,
      respond: () => ({
        status: 200,
        json: {
          id: '2783136121146311751',
          account_type: 'BUSINESS',
          username: 'kiosk',
          business_name: 'Kiosk',
          profile_image: 'https://media.example/kiosk.jpg',
        },
      }),
    },
    {
      method: 'GET',
      headers: {},
      path: /^\/elsewhere\/(beans\.png|beans\.mp4)$/,
      respond: (_request, match) => ({
        status: 200,
        text: PNG,
        headers: { 'Content-Type': match[1]!.endsWith('png') ? 'image/png' : 'video/mp4' },
      }),
    },
  ];
}

const LIST = `GET /v5/boards/${BOARD}/pins`;
const PICTURE = { content_type: 'image/png', data: PNG.toString('base64') };
const onBoard = { networkOptions: { boardId: BOARD } };

/** A video pin with all of its texts, and these settings of its cover. */
const video = (
  name: string,
  cover: Partial<ReturnType<typeof anAttachment>>,
  sent: object,
): PublishedCase => ({
  name,
  post: (url) => ({
    type: 'video',
    title: 'Beans',
    text: 'New “beans”',
    url: 'https://kiosk.example/a?b=1',
    ...onBoard,
    media: [
      anAttachment({
        type: 'video',
        url: `${url}/elsewhere/beans.mp4`,
        altText: 'A bag',
        ...cover,
      }),
    ],
  }),
  requests: [
    LIST,
    'GET /elsewhere/beans.mp4',
    'POST /v5/media',
    'POST /',
    'GET /v5/media/5000',
    'GET /v5/media/5000',
    'POST /v5/pins',
  ],
  published: {
    board_id: BOARD,
    title: 'Beans',
    description: 'New “beans”',
    link: 'https://kiosk.example/a?b=1',
    alt_text: 'A bag',
    media_source: { source_type: 'video_id', media_id: '5000', ...sent },
  },
});

export const pinterestCase: NetworkCase = {
  network: 'pinterest',
  name: 'Pinterest',
  remoteId: '999658448514149001',
  secrets: [TOKEN],
  account: {
    socialId: '2783136121146311751',
    name: 'Kiosk',
    type: 'business',
    picture: 'https://media.example/kiosk.jpg',
  },
  edits: [],
  // a board that is not there
  unknownPathCode: 'NETWORK_REFUSED',
  errorBody: (_status, message) => ({ code: 1, message }),
  publication: {
    guarantee: 'compared',
    live: {
      remoteId: '999658448514149001',
      url: 'https://www.pinterest.com/pin/999658448514149001/',
    },
    cases: [
      video('a video, whose cover is its first frame', {}, { cover_image_key_frame_time: 0 }),
      video(
        'a video with its cover',
        { thumbnails: { real: 'https://files.example/cover.jpg' } },
        { cover_image_url: 'https://files.example/cover.jpg' },
      ),
      {
        name: 'a picture',
        post: (url) => ({
          type: 'photo',
          text: 'Beans',
          ...onBoard,
          media: [anAttachment({ url: `${url}/elsewhere/beans.png`, altText: null })],
        }),
        requests: [LIST, 'GET /elsewhere/beans.png', 'POST /v5/pins'],
        published: {
          board_id: BOARD,
          description: 'Beans',
          media_source: { source_type: 'image_base64', ...PICTURE },
        },
      },
      {
        name: 'a carousel in a section, with titles and the link at each picture',
        post: (url) => ({
          type: 'carousel',
          text: '',
          url: 'https://kiosk.example/a',
          networkOptions: { boardId: BOARD, boardSectionId: SECTION },
          media: [
            anAttachment({ url: `${url}/elsewhere/beans.png`, title: 'One' }),
            anAttachment({ url: `${url}/elsewhere/beans.png`, title: null }),
          ],
        }),
        requests: [
          `GET /v5/boards/${BOARD}/sections/${SECTION}/pins`,
          'GET /elsewhere/beans.png',
          'GET /elsewhere/beans.png',
          'POST /v5/pins',
        ],
        published: {
          board_id: BOARD,
          board_section_id: SECTION,
          link: 'https://kiosk.example/a',
          media_source: {
            source_type: 'multiple_image_base64',
            items: [
              { ...PICTURE, title: 'One', link: 'https://kiosk.example/a' },
              { ...PICTURE, link: 'https://kiosk.example/a' },
            ],
          },
        },
      },
    ],
    published: (state) => (state as PinterestState).published.map(({ sent }) => sent),
  },
  async start() {
    const state: PinterestState = {
      published: [],
      videos: {},
      lists: 'at once',
      uploadUrl: UPLOADS,
      outcome: 'succeeded',
    };
    return {
      ...(await startStandIn(routesOf(state), pinterestCase.errorBody)),
      state: () => state,
    };
  },
  adapter: (http, url) => createPinterest(reaching(http, url)),
  credentials: () => ({ accessToken: TOKEN }),
};
