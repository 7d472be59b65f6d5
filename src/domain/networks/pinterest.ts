import { MEGABYTE } from '../media/media-content.js';
import { hasVisibleText } from '../input/readers.js';
import type { Attachment } from '../posts/post-content.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  textLimit,
  type ContentNeed,
  type NetworkDefinition,
  type PostContent,
} from './network-definition.js';

const numericOption = (option: 'boardId' | 'boardSectionId'): ContentNeed => ({
  path: ['networkOptions', option],
  isMet: ({ networkOptions }) => {
    const id = networkOptions?.[option];
    return !hasVisibleText(id) || /^\d+$/.test(id!);
  },
  message: 'must consist of digits: the ID that Pinterest’s API lists.',
});

/** The picture that readers see before a video plays; null for its first frame. */
export const coverOf = ({
  thumbnails,
  defaultThumbnail,
}: Pick<Attachment, 'thumbnails' | 'defaultThumbnail'>): string | null =>
  thumbnails?.real ?? defaultThumbnail;

const POST_TYPES = ['photo', 'video', 'carousel'] as const;

export const pinterest = {
  name: 'Pinterest',
  description: 'Pinterest, a pin board network.',
  source: 'D1',
  kind: { key: 'pin_board', description: 'Pin board network.', source: 'Update post' },
  accountTypes: ['profile', 'business'],
  postTypes: POST_TYPES,
  needs: [
    {
      path: ['networkOptions', 'boardId'],
      isMet: ({ networkOptions }: PostContent) => hasVisibleText(networkOptions?.boardId),
      message: 'is required: the ID of the board to pin to.',
    },
  ],
  values: [
    numericOption('boardId'),
    numericOption('boardSectionId'),
    {
      path: ['media'],
      isMet: ({ type, mediaFiles }) =>
        type !== 'carousel' ||
        new Set(mediaFiles.map(({ size }) => size && `${size.width} ${size.height}`)).size <= 1,
      message: 'of a carousel must be pictures of the same width and height.',
    },
  ],
  limits: [
    { field: 'title', max: 100, unit: 'code_points' },
    textLimit(800, 'code_points'),
    { field: 'url', max: 2_048, unit: 'code_points' },
    { field: 'media.altText', max: 500, unit: 'code_points' },
    ...mediaLimits(1, 5),
  ],
  mediaKinds: { carousel: ['photo'] },
  files: {
    photo: { maxBytes: 20 * MEGABYTE, formats: ['image/jpeg', 'image/png'] },
    video: { formats: ['video/mp4', 'video/quicktime'], minSeconds: 4, maxSeconds: 900 },
  },
  dailyCaps: [dailyCap('pin', [12, 24, 36], 'Pin board pins')],
  edits: [LABELS],
  editRate: null,
  publishing: {
    publishes: true,
    unpublishes: true,
    guarantee: 'compared',
    guaranteeReason:
      'Pinterest knows no key of its clients: pins of the board are compared by title, description, link and alternative text.',
    postTypes: POST_TYPES,
    mediaTypes: ['photo', 'video'],
  },
  numbers: {
    sources: {
      likes: '`GET /v5/pins/{id}`: `pin_metrics.lifetime_metrics.reaction`',
      comments: '`GET /v5/pins/{id}`: `pin_metrics.lifetime_metrics.comment`',
      saves: '`GET /v5/pins/{id}`: `pin_metrics.lifetime_metrics.save`',
      linkClicks: '`GET /v5/pins/{id}`: `pin_metrics.lifetime_metrics.clickthrough`',
      postClicks: '`GET /v5/pins/{id}`: `pin_metrics.lifetime_metrics.pin_click`',
    },
    missing:
      'Pinterest does not report shares, and counts how often a pin or video was seen, not by how many people. It has no polls.',
  },
  postDomains: ['pinterest', 'pin.it'],
  adapter: {
    verified: false,
    note: 'Pins with a title, a description, a link and an alternative text, on a board or in a section of it. The cover of a video is its thumbnail, or else its first frame. Published pins cannot be edited on the network; labels can be changed in the gateway.',
    credentials: {
      accessToken: {
        description:
          'Access token with the scopes boards:read, pins:read, pins:write and user_accounts:read.',
        secret: true,
      },
    },
    remoteId: /^\d{1,30}$/,
  },
  oauth: {
    own: {
      app: 'PINTEREST',
      authorizeUrl: 'https://www.pinterest.com/oauth/',
      tokenUrl: 'https://api.pinterest.com/v5/oauth/token',
      scopes: ['boards:read', 'pins:read', 'pins:write', 'user_accounts:read'],
      scopeSeparator: ',',
      pkce: false,
      client: 'basic',
      renewal: { by: 'refresh_token' },
    },
  },
} as const satisfies NetworkDefinition;
