import { createMastodon } from '../../../src/networks/mastodon/mastodon.js';
import {
  mastodonPublication,
  publicationRoutes,
  type PublishedStatus,
} from './mastodon-publication.js';
import type { NetworkCase } from './network-case.js';
import { exactly, boolean, matching, listOf, text, integerFrom } from './request-schema.js';
import { startStandIn, type Route } from './stand-in.js';

const TOKEN = 'mastodon-access-token';
const ID = '113490000000000001';
const headers = { authorization: exactly(`Bearer ${TOKEN}`) };

/** A status and its source, as the API returns them. */
export interface MastodonState {
  status: Record<string, any>;
  source: { id: string; text: string; spoiler_text: string };
  /** Newest first. */
  published: PublishedStatus[];
  /** Descriptions of the uploaded media. */
  media: string[];
  /** How often it is asked for a file until it has processed it. */
  processingPolls: number;
}

export const aStatus = (overrides: { status?: object; source?: object } = {}): MastodonState => ({
  status: {
    id: ID,
    created_at: '2026-11-20T08:00:00.000Z',
    edited_at: null,
    sensitive: true,
    spoiler_text: 'Spoiler',
    language: 'en',
    content: '<p>Old &amp; gold</p>',
    poll: null,
    media_attachments: [
      {
        id: '22',
        type: 'image',
        url: 'https://files.example/22.png',
        preview_url: 'https://files.example/s22.png',
        description: 'A roaster',
        meta: { focus: { x: -0.42, y: 0.69 } },
      },
      {
        id: '23',
        type: 'image',
        url: 'https://files.example/23.png',
        preview_url: 'https://files.example/s23.png',
        description: null,
        meta: {},
      },
    ],
    ...overrides.status,
  },
  source: { id: ID, text: 'Old & gold', spoiler_text: 'Spoiler', ...overrides.source },
  published: [],
  media: [],
  processingPolls: 1,
});

export const aPoll = (overrides: object = {}) => ({
  id: '34',
  expires_at: '2026-11-23T08:00:00.000Z',
  expired: false,
  multiple: true,
  votes_count: 3,
  voters_count: 2,
  emojis: [],
  voted: false,
  own_votes: [],
  options: [
    { title: 'Chaff', votes_count: null },
    { title: 'Bean', votes_count: null },
  ],
  ...overrides,
});

/**
 * Starts the API of an instance. Its update removes media and poll that it does not receive, like
 * UpdateStatusService.
 */
export function startMastodon(state: MastodonState) {
  const status = { method: 'GET', headers };
  const routes: Route[] = [
    ...publicationRoutes(state, headers),
    {
      ...status,
      path: new RegExp(`^/api/v1/statuses/${ID}$`),
      respond: () => ({ status: 200, json: state.status }),
    },
    {
      ...status,
      path: new RegExp(`^/api/v1/statuses/${ID}/source$`),
      respond: () => ({ status: 200, json: state.source }),
    },
    {
      method: 'PUT',
      headers,
      path: new RegExp(`^/api/v1/statuses/${ID}$`),
      json: {
        'status?': text,
        'spoiler_text?': text,
        'sensitive?': boolean,
        'language?': matching(/^[a-z]{2,3}(-\w+)?$/),
        'media_ids?': listOf(text),
        'media_attributes?': listOf({
          id: text,
          'description?': text,
          'focus?': matching(/^-?[\d.]+,-?[\d.]+$/),
        }),
        'poll?': {
          options: listOf(text),
          expires_in: integerFrom(300),
          'multiple?': boolean,
          'hide_totals?': boolean,
        },
      },
      respond({ body }) {
        const sent = body as any;
        const attributes = new Map((sent.media_attributes ?? []).map((one: any) => [one.id, one]));
        state.source = {
          ...state.source,
          text: sent.status ?? '',
          spoiler_text: sent.spoiler_text ?? '',
        };
        state.status = {
          ...state.status,
          spoiler_text: sent.spoiler_text ?? '',
          sensitive: sent.sensitive ?? false,
          language: sent.language ?? state.status.language,
          edited_at: '2026-11-21T08:00:00.000Z',
          media_attachments: state.status.media_attachments
            .filter(({ id }: any) => (sent.media_ids ?? []).includes(id))
            .map((media: any) => ({
              ...media,
              description: (attributes.get(media.id) as any)?.description ?? null,
            })),
          poll:
            sent.poll && state.status.poll
              ? {
                  ...state.status.poll,
                  multiple: sent.poll.multiple ?? false,
                  expires_at: new Date(
                    Date.parse('2026-11-21T08:00:00Z') + sent.poll.expires_in * 1000,
                  ).toISOString(),
                  options: sent.poll.options.map((title: string) => ({
                    title,
                    votes_count: sent.poll.hide_totals ? null : 0,
                  })),
                }
              : null,
        };
        return { status: 200, json: state.status };
      },
    },
    {
      method: 'GET',
      headers,
      path: /^\/api\/v1\/accounts\/verify_credentials$/,
      respond: () => ({
        status: 200,
        json: {
          id: '109348274',
          username: 'kiosk',
          acct: 'kiosk',
          display_name: 'Kiosk',
          avatar: 'https://files.example/kiosk.png',
        },
      }),
    },
  ];
  return startStandIn(routes, mastodonCase.errorBody);
}

const ROUND = [
  `GET /api/v1/statuses/${ID}`,
  `GET /api/v1/statuses/${ID}/source`,
  `PUT /api/v1/statuses/${ID}`,
];
const { status: before } = aStatus();

export const mastodonCase: NetworkCase = {
  network: 'mastodon',
  name: 'Mastodon',
  remoteId: ID,
  secrets: [TOKEN],
  account: {
    socialId: expect.stringMatching(/^109348274@127\.0\.0\.1:\d+$/),
    name: expect.stringMatching(/^@kiosk@127\.0\.0\.1:\d+$/),
    type: 'profile',
    picture: 'https://files.example/kiosk.png',
  },
  edits: [
    {
      name: 'only the text: media, their descriptions, content warning and language are kept',
      changed: ['text'],
      post: { type: 'photo', text: 'New & bold' },
      requests: ROUND,
      changedState: {
        source: { id: ID, text: 'New & bold', spoiler_text: 'Spoiler' },
        status: { ...before, edited_at: '2026-11-21T08:00:00.000Z' },
      },
    },
    {
      name: 'title and language',
      changed: ['title', 'details.language'],
      post: { type: 'photo', title: null, text: 'unchanged', details: { language: 'de' } },
      requests: ROUND,
      changedState: {
        source: { id: ID, text: 'Old & gold', spoiler_text: '' },
        status: {
          ...before,
          spoiler_text: '',
          language: 'de',
          edited_at: '2026-11-21T08:00:00.000Z',
        },
      },
    },
    {
      name: 'the title of a post with a content warning of its own, which is kept',
      changed: ['title'],
      post: {
        type: 'photo',
        title: 'Internal title',
        text: 'unchanged',
        networkOptions: { spoilerText: 'Spoiler' },
      },
      requests: ROUND,
      changedState: {
        source: { id: ID, text: 'Old & gold', spoiler_text: 'Spoiler' },
        status: { ...before, edited_at: '2026-11-21T08:00:00.000Z' },
      },
    },
  ],
  publication: mastodonPublication,
  errorBody: (_status, message) => ({ error: message }),
  async start() {
    const state = aStatus();
    return { ...(await startMastodon(state)), state: () => state };
  },
  adapter: (http) => createMastodon(http),
  credentials: (url) => ({ instance: url, accessToken: TOKEN }),
};
