import { createFacebook } from '../../../src/networks/facebook/facebook.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { anAttachment } from '../../fixtures/posts.js';
import { FILE } from './meta-containers.js';
import { standInClock, type NetworkCase } from './network-case.js';
import { reaching } from './official-hosts.js';
import { exactly, matching, text, type Check, type Schema } from './request-schema.js';
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

/** A video of the page, as far as Facebook has it. */
interface PageVideo {
  readonly id: string;
  /** The edge that it was created with. */
  readonly edge: 'videos' | 'video_reels' | 'video_stories';
  /** Bytes that have arrived. */
  bytes: number;
  uploading: 'not_started' | 'in_progress' | 'complete';
  /** What it was published with; null before. */
  sent: Record<string, string> | null;
  createdTime: string;
  /** How often it was asked for since it was published. */
  asked: number;
}
/** A story of the page. */
interface PageStory {
  readonly postId: string;
  readonly mediaId: string;
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
  videos: PageVideo[];
  /** Newest first. */
  stories: PageStory[];
  /** How often a published video is asked for until it is processed, and what it is then. */
  processingPolls: number;
  outcome: 'ready' | 'error' | 'expired';
  /** Bytes of an upload that arrive before its connection breaks; null for all. */
  breaksAfter: number | null;
  /** Files of videos that were uploaded, by their handle, and what has arrived of the open one. */
  files: Map<string, number>;
  fileOffset: number;
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
  videos: [],
  stories: [],
  processingPolls: 1,
  outcome: 'ready',
  breaksAfter: null,
  files: new Map(),
  fileOffset: 0,
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
const graphTime = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, '+0000');
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? null : check(value);
const digits = matching(/^\d+$/);
const uploadHeaders = { authorization: exactly(`OAuth ${TOKEN}`) };
const anyBytes: Check = () => null;
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
        const createdTime = graphTime(standInClock.now());
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

/** How far a video is, as the API presents it. */
function presentVideo(state: FacebookState, video: PageVideo) {
  const isProcessed = video.asked >= state.processingPolls;
  const published = video.sent === null ? 'not_started' : isProcessed ? 'complete' : 'in_progress';
  const errors = [{ code: 1_363_030, message: 'The video is too short' }];
  const outcome = isProcessed ? state.outcome : 'processing';
  return {
    id: video.id,
    permalink_url: `/${video.edge === 'videos' ? 'watch' : 'reel'}/${video.id}/`,
    status: {
      video_status: video.sent === null ? 'upload_complete' : outcome,
      uploading_phase: { status: video.uploading, bytes_transfered: video.bytes },
      processing_phase: {
        status: outcome === 'error' ? 'error' : published,
        ...(outcome === 'error' && { errors }),
      },
      publishing_phase: { status: outcome === 'ready' ? published : 'not_started' },
    },
    ...(video.sent?.title && { title: video.sent.title }),
    ...(video.sent?.description && { description: video.sent.description }),
    created_time: video.createdTime,
  };
}

/** The routes that upload and publish videos and stories. */
function videoRoutes(state: FacebookState): Route[] {
  const form = (bytes: Buffer): Record<string, string> =>
    Object.fromEntries(new URLSearchParams(bytes.toString()));
  const videoOf = (id: string | undefined): PageVideo | undefined =>
    state.videos.find((video) => video.id === id);
  const create = (edge: PageVideo['edge'], sent: PageVideo['sent'] = null): PageVideo => {
    const video: PageVideo = {
      id: String(7_001 + state.videos.length),
      edge,
      bytes: 0,
      uploading: 'not_started',
      sent,
      createdTime: graphTime(standInClock.now()),
      asked: 0,
    };
    state.videos.push(video);
    return video;
  };
  const addStory = (mediaId: string): Reply => {
    const postId = `${8_001 + state.stories.length}`;
    state.stories.unshift({ postId, mediaId });
    return { status: 200, json: { success: true, post_id: postId } };
  };
  const list =
    (edges: readonly string[]): Route['respond'] =>
    () => ({
      status: 200,
      json: {
        data: state.videos
          .filter((video) => edges.includes(video.edge) && video.sent !== null)
          .toReversed()
          .slice(state.lagging)
          .map((video) => {
            video.asked += 1;
            return presentVideo(state, video);
          }),
      },
    });
  return [
    ...(['video_reels', 'video_stories'] as const).map((edge): Route => ({
      method: 'POST',
      path: new RegExp(`^/v25\\.0/1/${edge}$`),
      headers,
      form: {
        upload_phase: matching(/^(start|finish)$/),
        'video_id?': digits,
        'video_state?': exactly('PUBLISHED'),
        'description?': text,
      },
      respond({ bytes }) {
        const { upload_phase: phase, video_id: id, ...sent } = form(bytes);
        if (phase === 'start') {
          const { id: created } = create(edge);
          const address = `https://rupload.facebook.com/video-upload/v25.0/${created}`;
          return { status: 200, json: { video_id: created, upload_url: address } };
        }
        const video = videoOf(id);
        if (video?.uploading !== 'complete') return failure(100, 'The upload is not complete');
        const fault = state.publishFault;
        if (fault && !fault.takes) return fault.reply;
        const isAgain = video.sent !== null;
        video.sent = sent;
        video.createdTime = graphTime(standInClock.now());
        const done =
          edge === 'video_stories' && !isAgain
            ? addStory(video.id)
            : { status: 200, json: { success: true } };
        return fault?.reply ?? done;
      },
    })),
    {
      method: 'POST',
      host: 'rupload.facebook.com',
      path: /^\/video-upload\/v25\.0\/(\d+)$/,
      headers: {
        ...uploadHeaders,
        offset: optional(digits),
        file_size: optional(digits),
        file_url: optional(matching(FILE)),
      },
      file: anyBytes,
      respond({ bytes, headers: sent }, match) {
        const video = videoOf(match[1])!;
        if (sent.file_url !== undefined) {
          video.uploading = 'complete';
          return { status: 200, json: { success: true } };
        }
        if (Number(sent.offset) !== video.bytes) return failure(100, 'Wrong offset');
        const arrived = Math.min(bytes.length, state.breaksAfter ?? bytes.length);
        video.bytes += arrived;
        video.uploading = video.bytes === Number(sent.file_size) ? 'complete' : 'in_progress';
        if (arrived === bytes.length) return { status: 200, json: { success: true } };
        state.breaksAfter = null;
        return { status: 503, json: { error: { message: 'Broken', code: 2 } } };
      },
    },
    {
      method: 'POST',
      path: /^\/v25\.0\/app\/uploads$/,
      headers,
      form: { file_length: digits, file_type: matching(/^video\/(mp4|quicktime)$/) },
      respond: () => ({ status: 200, json: { id: 'upload:MTph?sig=x' } }),
    },
    {
      method: 'GET',
      path: /^\/v25\.0\/upload:MTph$/,
      headers: uploadHeaders,
      query: { sig: exactly('x') },
      respond: () => ({ status: 200, json: { file_offset: state.fileOffset } }),
    },
    {
      method: 'POST',
      path: /^\/v25\.0\/upload:MTph$/,
      headers: { ...uploadHeaders, file_offset: digits },
      query: { sig: exactly('x') },
      file: anyBytes,
      respond({ bytes, headers: sent }) {
        if (Number(sent.file_offset) !== state.fileOffset) return failure(100, 'Wrong offset');
        const arrived = Math.min(bytes.length, state.breaksAfter ?? bytes.length);
        state.fileOffset += arrived;
        if (arrived < bytes.length) {
          state.breaksAfter = null;
          return { status: 503, json: { error: { message: 'Broken', code: 2 } } };
        }
        const h = `4:file-${state.files.size + 1}`;
        state.files.set(h, state.fileOffset);
        state.fileOffset = 0;
        return { status: 200, json: { h } };
      },
    },
    {
      method: 'POST',
      path: /^\/v25\.0\/1\/videos$/,
      headers,
      form: {
        'title?': text,
        'description?': text,
        'file_url?': matching(FILE),
        'fbuploader_video_file_chunk?': text,
      },
      respond({ bytes }) {
        const { fbuploader_video_file_chunk: file, ...sent } = form(bytes);
        if (file === undefined ? !sent.file_url : !state.files.has(file))
          return failure(100, 'There is no file');
        const fault = state.publishFault;
        if (fault && !fault.takes) return fault.reply;
        const { id } = create('videos', sent);
        return fault?.reply ?? { status: 200, json: { id } };
      },
    },
    ...(['videos', 'video_reels'] as const).map((edge): Route => ({
      method: 'GET',
      path: new RegExp(`^/v25\\.0/1/${edge}$`),
      headers,
      query: {
        fields: exactly('id,permalink_url,status,title,description,created_time'),
        limit: exactly('50'),
      },
      respond: list([edge]),
    })),
    {
      method: 'POST',
      path: /^\/v25\.0\/1\/photo_stories$/,
      headers,
      form: { photo_id: digits },
      respond({ bytes }) {
        const photo = form(bytes).photo_id!;
        if (!state.photos.includes(photo))
          return failure(1, 'The photo was already posted.', 1_366_051);
        const fault = state.publishFault;
        if (fault && !fault.takes) return fault.reply;
        state.photos = state.photos.filter((id) => id !== photo);
        const done = addStory(photo);
        return fault?.reply ?? done;
      },
    },
    {
      method: 'GET',
      path: /^\/v25\.0\/1\/stories$/,
      headers,
      query: { fields: exactly('post_id,media_id,creation_time,url') },
      respond: () => ({
        status: 200,
        json: {
          data: state.stories.slice(state.lagging).map(({ postId, mediaId }) => ({
            post_id: postId,
            media_id: mediaId,
            creation_time: String(Math.floor(standInClock.now().getTime() / 1_000)),
            url: `https://www.facebook.com/stories/1/${postId}/`,
          })),
        },
      }),
    },
    {
      method: 'GET',
      path: /^\/v25\.0\/(7\d{3})$/,
      headers,
      query: { fields: exactly('id,permalink_url,status') },
      respond(_request, match) {
        const video = videoOf(match[1]);
        if (!video) return failure(100, 'Object does not exist', 33);
        if (video.sent !== null) video.asked += 1;
        return { status: 200, json: presentVideo(state, video) };
      },
    },
    {
      method: 'DELETE',
      path: /^\/v25\.0\/([78]\d{3})$/,
      headers,
      respond(_request, match) {
        const id = match[1]!;
        if (!videoOf(id) && !state.stories.some(({ postId }) => postId === id))
          return failure(100, 'Object does not exist', 33);
        state.videos = state.videos.filter((video) => video.id !== id);
        state.stories = state.stories.filter(({ postId }) => postId !== id);
        return { status: 200, json: { success: true } };
      },
    },
  ];
}

const FEED = 'POST /v25.0/1/feed';
const video = (url: string): Partial<Post> => ({
  media: [anAttachment({ type: 'video', url: `${url}/elsewhere/v.mp4` })],
});
const VIDEO = 'GET /v25.0/7001';
const UPLOAD = 'POST /video-upload/v25.0/7001';

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
      {
        name: 'a video with its title',
        post: (url) => ({ type: 'video', text: 'Fresh', title: 'Film', ...video(url) }),
        requests: ['POST /v25.0/1/videos', VIDEO],
        published: {
          title: 'Film',
          description: 'Fresh',
          file_url: expect.stringContaining('/elsewhere/v.mp4'),
        },
      },
      {
        name: 'a reel',
        post: (url) => ({ type: 'reel', text: 'Short', ...video(url) }),
        requests: [
          'POST /v25.0/1/video_reels',
          VIDEO,
          UPLOAD,
          VIDEO,
          'POST /v25.0/1/video_reels',
          VIDEO,
        ],
        published: { video_state: 'PUBLISHED', description: 'Short' },
        guarantee: 'exact',
      },
      {
        name: 'a story with a photo',
        post: (url) => ({
          type: 'story',
          text: '',
          media: [anAttachment({ url: `${url}/elsewhere/a.jpg` })],
        }),
        requests: ['POST /v25.0/1/photos', 'POST /v25.0/1/photo_stories', 'GET /v25.0/1/stories'],
        published: { mediaId: '501' },
        guarantee: 'exact',
      },
      {
        name: 'a story with a video',
        post: (url) => ({ type: 'story', text: '', ...video(url) }),
        requests: [
          'POST /v25.0/1/video_stories',
          VIDEO,
          UPLOAD,
          VIDEO,
          'POST /v25.0/1/video_stories',
          VIDEO,
          'GET /v25.0/1/stories',
        ],
        published: { mediaId: '7001' },
        guarantee: 'exact',
      },
    ],
    published: (state) => {
      const { posts, videos, stories } = state as FacebookState;
      return [
        ...posts.map(({ sent }) => sent),
        ...videos.flatMap(({ edge, sent }) =>
          sent === null || edge === 'video_stories' ? [] : [sent],
        ),
        ...stories.map(({ mediaId }) => ({ mediaId })),
      ];
    },
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
        ...videoRoutes(state),
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
