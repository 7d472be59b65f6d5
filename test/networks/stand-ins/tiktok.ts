import { createTiktok } from '../../../src/networks/tiktok/tiktok.js';
import { anAttachment } from '../../fixtures/posts.js';
import { NOW, type NetworkCase } from './network-case.js';
import { reaching } from './official-hosts.js';
import { boolean, exactly, integerFrom, listOf, matching, type Schema } from './request-schema.js';
import { startStandIn, type Reply } from './stand-in.js';
import { PNG } from './wordpress-server.js';

const TOKEN = 'act.tiktok-access-token';
const headers = { authorization: exactly(`Bearer ${TOKEN}`) };
const MEGABYTES = 1_000_000;

/** A publication, from its first call on. */
interface Publication {
  readonly id: string;
  readonly info: Record<string, any>;
  readonly images: readonly string[];
  /** Of a video. */
  readonly size: number;
  readonly pieceSize: number;
  readonly count: number;
  /** Bytes of each piece. */
  readonly pieces: number[];
  /** How often its status was asked for since it was complete. */
  asked: number;
}

/** TikTok, as one person. Tests change it to make it fail as the network does. */
export interface TiktokState {
  publications: Publication[];
  privacyLevels: string[];
  disabled: Record<'comment_disabled' | 'duet_disabled' | 'stitch_disabled', boolean>;
  /** The answer to calls with this path. */
  refusal: { readonly path: RegExp; readonly reply: Reply } | null;
  /** How often it is asked for a publication until that has ended, and how it ends. */
  processingPolls: number;
  /** Why publications fail; null if they do not. */
  failReason: string | null;
  /** Whether TikTok tells IDs of public posts already. */
  tellsIds: boolean;
  /** The status of the answer to each piece; null takes it. */
  uploadStatus: number | null;
}
const aTiktokState = (): TiktokState => ({
  publications: [],
  privacyLevels: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
  disabled: { comment_disabled: false, duet_disabled: false, stitch_disabled: false },
  refusal: null,
  processingPolls: 0,
  failReason: null,
  tellsIds: true,
  uploadStatus: null,
});

export const tiktokError = (status: number, code: string, message = code): Reply => ({
  status,
  json: { data: {}, error: { code, message, log_id: 'L1' } },
});
const ok = (data: unknown): Reply => ({
  status: 200,
  // IDs of posts are numbers that JavaScript does not hold.
  text: JSON.stringify({ data, error: { code: 'ok', message: '', log_id: 'L1' } }).replace(
    /"#(\d+)"/g,
    '$1',
  ),
  headers: { 'Content-Type': 'application/json; charset=utf-8' },
});

const received = ({ pieces }: Publication): number => pieces.reduce((sum, size) => sum + size, 0);
const isComplete = (one: Publication): boolean =>
  one.images.length > 0 || received(one) === one.size;
const FIRST_ID = 7_123_456_789_012_345_678n;

const PRIVACY = matching(
  /^(PUBLIC_TO_EVERYONE|MUTUAL_FOLLOW_FRIENDS|FOLLOWER_OF_CREATOR|SELF_ONLY)$/,
);
const SHARED_INFO: Schema = {
  privacy_level: PRIVACY,
  disable_comment: boolean,
  brand_content_toggle: boolean,
  brand_organic_toggle: boolean,
};

/** Whether TikTok takes pieces of this size of a video of this size. */
const areValidPieces = ({ size, pieceSize, count }: Publication): boolean =>
  count === Math.floor(size / pieceSize) &&
  (pieceSize === size || pieceSize >= 5 * MEGABYTES) &&
  pieceSize <= 64 * MEGABYTES;

export async function startTiktok() {
  const state = aTiktokState();
  const idOf = (one: Publication): string =>
    String(FIRST_ID + BigInt(state.publications.indexOf(one)));
  const isPublic = ({ info }: Publication): boolean =>
    info['privacy_level'] === 'PUBLIC_TO_EVERYONE';
  const hasEnded = (one: Publication): boolean =>
    isComplete(one) && one.asked >= state.processingPolls;
  const add = (given: Partial<Publication> & Pick<Publication, 'info'>): Publication => {
    const id = `v_pub_file~v2.${state.publications.length + 1}`;
    const one = { images: [], size: 0, pieceSize: 0, count: 0, pieces: [], asked: 0, ...given, id };
    state.publications.push(one);
    return one;
  };
  const refused = (path: string): Reply | null =>
    state.refusal?.path.test(path) ? state.refusal.reply : null;

  const standIn = await startStandIn(
    [
      {
        method: 'POST',
        host: 'open.tiktokapis.com',
        path: /^\/v2\/post\/publish\/creator_info\/query\/$/,
        headers,
        respond: ({ path }) =>
          refused(path) ??
          ok({
            creator_username: 'kiosk',
            creator_nickname: 'Kiosk',
            privacy_level_options: state.privacyLevels,
            max_video_post_duration_sec: 600,
            ...state.disabled,
          }),
      },
      {
        method: 'POST',
        host: 'open.tiktokapis.com',
        path: /^\/v2\/post\/publish\/video\/init\/$/,
        headers,
        json: {
          post_info: {
            ...SHARED_INFO,
            title: matching(/^.{0,2200}$/s),
            disable_duet: boolean,
            disable_stitch: boolean,
            is_aigc: boolean,
          },
          source_info: {
            source: exactly('FILE_UPLOAD'),
            video_size: integerFrom(1),
            chunk_size: integerFrom(1),
            total_chunk_count: integerFrom(1),
          },
        },
        respond({ path, body }) {
          const refusal = refused(path);
          if (refusal) return refusal;
          const { post_info: info, source_info: source } = body as Record<string, any>;
          const one = add({
            info,
            size: source.video_size,
            pieceSize: source.chunk_size,
            count: source.total_chunk_count,
          });
          if (!areValidPieces(one)) return tiktokError(400, 'invalid_params', 'Invalid chunks');
          return ok({
            publish_id: one.id,
            upload_url: `https://open-upload.tiktokapis.com/video/?upload_id=${one.id}&upload_token=t`,
          });
        },
      },
      {
        method: 'PUT',
        host: 'open-upload.tiktokapis.com',
        path: /^\/video\/$/,
        // The address replaces the token.
        headers: { 'content-range': matching(/^bytes \d+-\d+\/\d+$/) },
        query: { upload_id: matching(/^v_pub_file/), upload_token: exactly('t') },
        file: () => null,
        respond({ query, headers: sent, bytes }) {
          if (state.uploadStatus !== null) return { status: state.uploadStatus, text: '' };
          const one = state.publications.find(({ id }) => id === query['upload_id']);
          const [first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/
            .exec(sent['content-range']!)!
            .slice(1)
            .map(Number) as [number, number, number];
          if (!one) return { status: 404, text: '' };
          if (first !== received(one) || size !== one.size) return { status: 416, text: '' };
          if (last - first + 1 !== bytes.length) return { status: 400, text: '' };
          one.pieces.push(bytes.length);
          return { status: isComplete(one) ? 201 : 206, text: '' };
        },
      },
      {
        method: 'POST',
        host: 'open.tiktokapis.com',
        path: /^\/v2\/post\/publish\/content\/init\/$/,
        headers,
        json: {
          post_info: {
            ...SHARED_INFO,
            'title?': matching(/^.{1,90}$/s),
            description: matching(/^.{0,4000}$/s),
            auto_add_music: boolean,
          },
          source_info: {
            source: exactly('PULL_FROM_URL'),
            photo_images: listOf(matching(/^https:\/\/.+\.(jpe?g|webp)$/)),
            photo_cover_index: exactly(0),
          },
          post_mode: exactly('DIRECT_POST'),
          media_type: exactly('PHOTO'),
        },
        respond({ path, body }) {
          const refusal = refused(path);
          if (refusal) return refusal;
          const { post_info: info, source_info: source } = body as Record<string, any>;
          return ok({ publish_id: add({ info, images: source.photo_images }).id });
        },
      },
      {
        method: 'POST',
        host: 'open.tiktokapis.com',
        path: /^\/v2\/post\/publish\/status\/fetch\/$/,
        headers,
        json: { publish_id: matching(/^.{1,64}$/) },
        respond({ path, body }) {
          const refusal = refused(path);
          if (refusal) return refusal;
          const one = state.publications.find(({ id }) => id === (body as any).publish_id);
          if (!one) return tiktokError(400, 'invalid_publish_id');
          const bytes = { uploaded_bytes: received(one) };
          const processing = one.images.length > 0 ? 'PROCESSING_DOWNLOAD' : 'PROCESSING_UPLOAD';
          if (isComplete(one)) one.asked += 1;
          if (!isComplete(one) || one.asked <= state.processingPolls)
            return ok({ status: processing, ...bytes });
          if (state.failReason) return ok({ status: 'FAILED', fail_reason: state.failReason });
          const isTold = isPublic(one) && state.tellsIds;
          return ok({
            status: 'PUBLISH_COMPLETE',
            publicaly_available_post_id: isTold ? [`#${idOf(one)}`] : [],
            ...bytes,
          });
        },
      },
      {
        method: 'POST',
        host: 'open.tiktokapis.com',
        path: /^\/v2\/video\/list\/$/,
        headers,
        query: { fields: exactly('id,create_time,share_url,title,video_description') },
        json: { max_count: exactly(20) },
        respond({ path }) {
          const videos = state.publications
            .filter((one) => one.images.length === 0 && isPublic(one) && hasEnded(one))
            .map((one) => ({
              id: idOf(one),
              create_time: NOW.getTime() / 1_000,
              share_url: `https://www.tiktok.com/@kiosk/video/${idOf(one)}`,
              title: '',
              video_description: one.info['title'] as string,
            }));
          return refused(path) ?? ok({ videos, cursor: 1, has_more: false });
        },
      },
      {
        method: 'GET',
        host: 'open.tiktokapis.com',
        path: /^\/v2\/user\/info\/$/,
        headers,
        query: { fields: exactly('open_id,display_name,avatar_url') },
        respond: () =>
          ok({
            user: {
              open_id: 'open-1',
              display_name: 'Kiosk',
              avatar_url: 'https://media.example/kiosk.jpg',
            },
          }),
      },
      {
        method: 'GET',
        headers: {},
        path: /^\/elsewhere\/.*$/,
        respond: () => ({ status: 200, text: PNG, headers: { 'Content-Type': 'video/mp4' } }),
      },
    ],
    tiktokCase.errorBody,
  );
  return { ...standIn, state: () => state };
}

const CREATOR = 'POST /v2/post/publish/creator_info/query/';
const STATUS = 'POST /v2/post/publish/status/fetch/';
const FILE = 'GET /elsewhere/roast.mp4';
const INFO = {
  disable_comment: false,
  brand_content_toggle: false,
  brand_organic_toggle: false,
};
const VIDEO_REQUESTS = [
  FILE,
  CREATOR,
  'POST /v2/post/publish/video/init/',
  FILE,
  'PUT /video/',
  STATUS,
];

export const tiktokCase: NetworkCase = {
  network: 'tiktok',
  name: 'TikTok',
  remoteId: '7123456789012345678',
  secrets: [TOKEN],
  account: {
    socialId: 'open-1',
    name: 'Kiosk',
    type: 'profile',
    picture: 'https://media.example/kiosk.jpg',
  },
  edits: [],
  publication: {
    guarantee: 'exact',
    requestsBefore: 1,
    keepsPosts: true,
    live: {
      remoteId: '7123456789012345678',
      url: 'https://www.tiktok.com/@kiosk/video/7123456789012345678',
    },
    cases: [
      {
        name: 'a video, with what others may do',
        post: (url) => ({
          type: 'video',
          text: 'Roasting #beans',
          details: {
            privacy: 'PUBLIC_TO_EVERYONE',
            comment: true,
            duet: false,
            stitch: false,
            promotional: true,
          },
          networkOptions: { syntheticContent: true },
          media: [anAttachment({ type: 'video', url: `${url}/elsewhere/roast.mp4` })],
        }),
        requests: VIDEO_REQUESTS,
        published: {
          ...INFO,
          title: 'Roasting #beans',
          privacy_level: 'PUBLIC_TO_EVERYONE',
          disable_duet: true,
          disable_stitch: true,
          brand_organic_toggle: true,
          is_aigc: true,
          images: [],
        },
      },
      {
        name: 'a paid video for the person alone',
        post: (url) => ({
          type: 'video',
          text: '',
          details: { privacy: 'SELF_ONLY', paid: true },
          networkOptions: null,
          media: [anAttachment({ type: 'video', url: `${url}/elsewhere/roast.mp4` })],
        }),
        requests: VIDEO_REQUESTS,
        published: {
          ...INFO,
          title: '',
          privacy_level: 'SELF_ONLY',
          disable_duet: false,
          disable_stitch: false,
          brand_content_toggle: true,
          is_aigc: false,
          images: [],
        },
      },
    ],
    published: (state) =>
      (state as TiktokState).publications
        .filter(isComplete)
        .map(({ info, images }) => ({ ...info, images })),
  },
  errorBody: (status, message) => ({
    data: {},
    error: {
      code:
        { 401: 'access_token_invalid', 429: 'rate_limit_exceeded' }[status] ??
        (status >= 500 ? 'internal_error' : 'invalid_params'),
      message,
      log_id: 'L1',
    },
  }),
  start: startTiktok,
  adapter: (http, url) => createTiktok(reaching(http, url)),
  credentials: () => ({ accessToken: TOKEN }),
};
