import { createYoutube } from '../../../src/networks/youtube/youtube.js';
import { anAttachment } from '../../fixtures/posts.js';
import {
  GOOGLE_KEYS,
  GOOGLE_SECRETS,
  GOOGLE_TOKENS,
  googleErrorBody,
  googleHeaders as headers,
} from './google.js';
import { NOW, type NetworkCase } from './network-case.js';
import { reaching } from './official-hosts.js';
import { boolean, exactly, listOf, matching, text, type Schema } from './request-schema.js';
import { startStandIn, type Reply } from './stand-in.js';
import { PNG } from './wordpress-server.js';

/** A video that was there before. */
const VIDEO = 'dQw4w9WgXcQ';
const PIECE_UNIT = 262_144;
const WRITABLE: Schema = {
  title: matching(/^[^<>]{1,100}$/s),
  categoryId: matching(/^\d+$/),
  'description?': matching(/^[^<>]*$/),
  'tags?': listOf(text),
  'defaultLanguage?': text,
  'defaultAudioLanguage?': text,
};

/** A resumable upload. */
interface Session {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly parts: Record<string, any>;
  /** Bytes that it has. */
  received: number;
  /** Sizes of the pieces, as they came. */
  readonly pieces: number[];
  /** The video that it became. */
  video: string | null;
}
interface UploadedVideo {
  readonly id: string;
  readonly name: string;
  readonly publishedAt: string;
  readonly parts: Record<string, any>;
  /** How often its status was asked for. */
  asked: number;
  thumbnail: string | null;
}

/** YouTube, as one channel. Tests change it to make it fail as the network does. */
export interface YoutubeState {
  /** The writable fields of the video that was there before. */
  title: string;
  sessions: Session[];
  /** Newest first. */
  videos: UploadedVideo[];
  playlist: { readonly playlistId: string; readonly videoId: string }[];
  /** The answer to the next upload; null opens it. */
  refusal: Reply | null;
  /** How often it is asked for a video until that is processed, and what it says then. */
  processingPolls: number;
  outcome: Record<string, string>;
  /** The privacy of videos, whatever was sent. */
  forcedPrivacy: string | null;
  /** Whether it shows the names of files. */
  showsNames: boolean;
  /** Videos that the list of the channel does not show yet. */
  lagging: number;
  /** Whether sessions have ended. */
  areSessionsLost: boolean;
}
const aYoutubeState = (): YoutubeState & Record<string, unknown> => ({
  title: 'Old',
  description: 'Old',
  categoryId: '22',
  tags: ['coffee', 'roast'],
  defaultLanguage: 'en',
  defaultAudioLanguage: 'en',
  sessions: [],
  videos: [],
  playlist: [],
  refusal: null,
  processingPolls: 0,
  outcome: { uploadStatus: 'processed' },
  forcedPrivacy: null,
  showsNames: true,
  lagging: 0,
  areSessionsLost: false,
});

const READ_ONLY = {
  publishedAt: '2026-11-20T08:00:00Z',
  channelId: 'UC1',
  channelTitle: 'Kiosk',
  liveBroadcastContent: 'none',
  thumbnails: {},
  localized: { title: 'Old', description: 'Old' },
};

export const youtubeError = (status: number, reason: string, message = reason): Reply => ({
  status,
  json: { error: { code: status, message, errors: [{ message, domain: 'youtube', reason }] } },
});
const ok = (json: unknown): Reply => ({ status: 200, json });

export async function startYoutube() {
  const state = aYoutubeState();
  const snippetOfOld = () =>
    Object.fromEntries(
      Object.keys(WRITABLE)
        .map((key) => key.replace('?', ''))
        .filter((key) => state[key] !== undefined)
        .map((key) => [key, state[key]]),
    );
  const present = (video: UploadedVideo) => ({
    id: video.id,
    snippet: { ...READ_ONLY, ...video.parts.snippet, publishedAt: video.publishedAt },
    status: {
      ...video.parts.status,
      ...(state.forcedPrivacy && { privacyStatus: state.forcedPrivacy }),
      ...(video.asked > state.processingPolls ? state.outcome : { uploadStatus: 'uploaded' }),
    },
    ...(state.showsNames && { fileDetails: { fileName: video.name } }),
  });
  const videoOf = (id: string | undefined) => state.videos.find((video) => video.id === id);

  const standIn = await startStandIn(
    [
      GOOGLE_TOKENS,
      {
        method: 'POST',
        host: 'www.googleapis.com',
        path: /^\/upload\/youtube\/v3\/videos$/,
        headers: {
          ...headers,
          'x-upload-content-length': matching(/^[1-9]\d*$/),
          'x-upload-content-type': matching(/^video\//),
          slug: matching(/^[\da-f]{64}\.mp4$/),
        },
        query: {
          uploadType: exactly('resumable'),
          part: matching(/^snippet,status(,paidProductPlacementDetails)?$/),
        },
        json: {
          snippet: WRITABLE,
          status: {
            privacyStatus: matching(/^(public|unlisted|private)$/),
            selfDeclaredMadeForKids: boolean,
            'containsSyntheticMedia?': boolean,
          },
          'paidProductPlacementDetails?': { hasPaidProductPlacement: boolean },
        },
        respond({ headers: sent, body }) {
          if (state.refusal) return state.refusal;
          const id = `session-${state.sessions.length + 1}`;
          state.sessions.push({
            id,
            name: sent['slug']!,
            size: Number(sent['x-upload-content-length']),
            parts: body as Record<string, any>,
            received: 0,
            pieces: [],
            video: null,
          });
          const address = `https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&upload_id=${id}`;
          return { status: 200, text: '', headers: { Location: address } };
        },
      },
      {
        method: 'PUT',
        host: 'www.googleapis.com',
        path: /^\/upload\/youtube\/v3\/videos$/,
        headers: { ...headers, 'content-range': matching(/^bytes (\d+-\d+|\*)\/\d+$/) },
        query: { uploadType: exactly('resumable'), upload_id: matching(/^session-\d+$/) },
        file: () => null,
        respond({ headers: sent, query, bytes }) {
          const session = state.sessions.find(({ id }) => id === query['upload_id']);
          if (!session || state.areSessionsLost) return { status: 404, text: '' };
          const complete = videoOf(session.video ?? undefined);
          if (complete) return ok(present(complete));
          if (session.video) return { status: 404, text: '' };
          const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(sent['content-range']!);
          if (range) {
            const [first, last, size] = range.slice(1).map(Number) as [number, number, number];
            const isLast = last + 1 === size;
            if (
              size !== session.size ||
              first !== session.received ||
              last - first + 1 !== bytes.length ||
              (!isLast && bytes.length % PIECE_UNIT !== 0)
            )
              return youtubeError(400, 'badRequest', 'The range is not valid.');
            session.received = last + 1;
            session.pieces.push(bytes.length);
          }
          if (session.received < session.size)
            return {
              status: 308,
              text: '',
              headers: {
                ...(session.received > 0 && { Range: `bytes=0-${session.received - 1}` }),
              },
            };
          session.video = `upload-${String(state.videos.length + 1).padStart(4, '0')}`;
          const video: UploadedVideo = {
            id: session.video,
            name: session.name,
            publishedAt: NOW.toISOString(),
            parts: session.parts,
            asked: 0,
            thumbnail: null,
          };
          state.videos.unshift(video);
          return ok(present(video));
        },
      },
      {
        method: 'GET',
        path: /^\/youtube\/v3\/videos$/,
        headers,
        query: {
          id: matching(/^[\w-]+(,[\w-]+){0,49}$/),
          part: matching(/^(snippet|status|snippet,status,fileDetails)$/),
        },
        respond({ query }) {
          const items = query['id']!.split(',').flatMap((id): unknown[] => {
            if (id === VIDEO) return [{ id, snippet: { ...READ_ONLY, ...snippetOfOld() } }];
            const video = videoOf(id);
            if (!video) return [];
            video.asked += 1;
            return [present(video)];
          });
          return ok({ kind: 'youtube#videoListResponse', items });
        },
      },
      {
        // An update clears the fields of the snippet that it omits.
        method: 'PUT',
        path: /^\/youtube\/v3\/videos$/,
        headers,
        query: { part: exactly('snippet') },
        json: { id: exactly(VIDEO), snippet: WRITABLE },
        respond({ body }) {
          for (const key of Object.keys(snippetOfOld())) delete state[key];
          Object.assign(state, (body as any).snippet);
          return ok({ id: VIDEO, snippet: { ...READ_ONLY, ...snippetOfOld() } });
        },
      },
      {
        method: 'DELETE',
        path: /^\/youtube\/v3\/videos$/,
        headers,
        query: { id: matching(/^[\w-]+$/) },
        respond({ query }) {
          if (!videoOf(query['id'])) return youtubeError(404, 'videoNotFound');
          state.videos = state.videos.filter(({ id }) => id !== query['id']);
          return { status: 204, text: '' };
        },
      },
      {
        method: 'GET',
        path: /^\/youtube\/v3\/channels$/,
        headers,
        query: { mine: exactly('true'), part: matching(/^(snippet|contentDetails)$/) },
        respond: () =>
          ok({
            items: [
              {
                id: 'UC1',
                snippet: {
                  title: 'Kiosk',
                  thumbnails: { default: { url: 'https://media.example/kiosk.jpg' } },
                },
                contentDetails: { relatedPlaylists: { uploads: 'UU1' } },
              },
            ],
          }),
      },
      {
        method: 'GET',
        path: /^\/youtube\/v3\/playlistItems$/,
        headers,
        query: {
          playlistId: text,
          part: matching(/^(snippet|contentDetails)$/),
          'maxResults?': exactly('50'),
          'videoId?': text,
        },
        respond({ query }) {
          const { playlistId, videoId } = query;
          if (videoId)
            return ok({
              items: state.playlist.filter(
                (item) => item.playlistId === playlistId && item.videoId === videoId,
              ),
            });
          if (state.videos.length === 0) return youtubeError(404, 'playlistNotFound');
          const items = state.videos
            .slice(state.lagging)
            .map(({ id }) => ({ contentDetails: { videoId: id } }));
          return ok({ items: items.slice(0, 50) });
        },
      },
      {
        method: 'POST',
        path: /^\/youtube\/v3\/playlistItems$/,
        headers,
        query: { part: exactly('snippet') },
        json: {
          snippet: {
            playlistId: text,
            resourceId: { kind: exactly('youtube#video'), videoId: text },
          },
        },
        respond({ body }) {
          const { playlistId, resourceId } = (body as any).snippet;
          if (playlistId === 'PLgone') return youtubeError(404, 'playlistNotFound');
          state.playlist.push({ playlistId, videoId: resourceId.videoId });
          return ok({ id: 'item' });
        },
      },
      {
        method: 'POST',
        host: 'www.googleapis.com',
        path: /^\/upload\/youtube\/v3\/thumbnails\/set$/,
        headers,
        query: { videoId: text, uploadType: exactly('media') },
        file: () => null,
        respond({ query, headers: sent }) {
          videoOf(query['videoId'])!.thumbnail = sent['content-type']!;
          return ok({ items: [{}] });
        },
      },
      {
        method: 'GET',
        headers: {},
        path: /^\/elsewhere\/.*$/,
        respond({ path }) {
          const type = path.endsWith('.png') ? 'image/png' : 'video/mp4';
          return { status: 200, text: PNG, headers: { 'Content-Type': type } };
        },
      },
    ],
    googleErrorBody,
    'youtube',
  );
  return { ...standIn, state: () => state };
}

const TOKEN = 'POST /token';
const FILE = 'GET /elsewhere/roast.mp4';
const STATUS = 'GET /youtube/v3/videos';
const UPLOAD = '/upload/youtube/v3/videos';
/** Opens the upload, publishes the video and asks for it. */
const REQUESTS = [
  TOKEN,
  FILE,
  `POST ${UPLOAD}`,
  TOKEN,
  FILE,
  `PUT ${UPLOAD}`,
  TOKEN,
  `PUT ${UPLOAD}`,
  STATUS,
];
const anUploaded = (url: string) =>
  anAttachment({ type: 'video', url: `${url}/elsewhere/roast.mp4` });

export const youtubeCase: NetworkCase = {
  network: 'youtube',
  name: 'YouTube',
  remoteId: VIDEO,
  secrets: GOOGLE_SECRETS,
  errorBody: googleErrorBody,
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
      requests: [TOKEN, STATUS, 'PUT /youtube/v3/videos'],
      changedState: { description: 'New' },
    },
    {
      name: 'the title',
      changed: ['title'],
      post: { type: 'short', text: 'unchanged', title: 'Film' },
      requests: [TOKEN, STATUS, 'PUT /youtube/v3/videos'],
      changedState: { title: 'Film' },
    },
  ],
  publication: {
    guarantee: 'exact',
    requestsBefore: 2,
    live: {
      remoteId: 'upload-0001',
      url: 'https://www.youtube.com/watch?v=upload-0001',
    },
    cases: [
      {
        name: 'a video with all that it can have',
        post: (url) => ({
          type: 'video',
          title: 'Roasting',
          text: 'How we “roast” & why',
          tags: ['coffee', 'small roastery'],
          details: { privacy: 'unlisted', language: 'en', paid: true },
          networkOptions: {
            category: '26',
            playlistId: 'PL1',
            madeForKids: false,
            syntheticContent: true,
          },
          media: [{ ...anUploaded(url), thumbnails: { real: `${url}/elsewhere/cover.png` } }],
        }),
        requests: [
          ...REQUESTS,
          'GET /elsewhere/cover.png',
          'POST /upload/youtube/v3/thumbnails/set',
          'GET /youtube/v3/playlistItems',
          'POST /youtube/v3/playlistItems',
        ],
        published: {
          snippet: {
            title: 'Roasting',
            description: 'How we “roast” & why',
            tags: ['coffee', 'small roastery'],
            categoryId: '26',
            defaultLanguage: 'en',
          },
          status: {
            privacyStatus: 'unlisted',
            selfDeclaredMadeForKids: false,
            containsSyntheticMedia: true,
          },
          paidProductPlacementDetails: { hasPaidProductPlacement: true },
          thumbnail: 'image/png',
          playlists: ['PL1'],
        },
      },
      {
        name: 'a short with its defaults',
        post: (url) => ({
          type: 'short',
          title: 'Beans',
          text: '',
          tags: [],
          details: null,
          networkOptions: null,
          media: [anUploaded(url)],
        }),
        requests: REQUESTS,
        published: {
          snippet: { title: 'Beans', description: '', categoryId: '22' },
          status: { privacyStatus: 'public', selfDeclaredMadeForKids: false },
          thumbnail: null,
          playlists: [],
        },
      },
    ],
    published(state) {
      const { videos, playlist } = state as YoutubeState;
      return videos.map(({ id, parts, thumbnail }) => ({
        ...parts,
        thumbnail,
        playlists: playlist.filter(({ videoId }) => videoId === id).map((item) => item.playlistId),
      }));
    },
  },
  start: startYoutube,
  adapter: (http, url) => createYoutube(reaching(http, url), null),
  credentials: () => GOOGLE_KEYS,
};
