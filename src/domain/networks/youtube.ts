import { GOOGLE_OAUTH, googleCredentials } from './google.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  onNetwork,
  textLimit,
  TITLE_NEED,
  type ContentNeed,
  type NetworkDefinition,
  type PostContent,
} from './network-definition.js';

const POST_TYPES = ['video', 'short'] as const;

/** People & Blogs, YouTube’s own default. */
const DEFAULT_CATEGORY = '22';

/** The privacy that a video is uploaded with. */
export const videoPrivacyOf = ({ details }: Pick<PostContent, 'details'>): string =>
  details?.privacy ?? 'public';

/** The parts of a video that YouTube gets (D87). Their names are the value of `part`. */
export const videoOf = ({
  title,
  text,
  tags,
  details,
  networkOptions,
}: Pick<PostContent, 'title' | 'text' | 'tags' | 'details' | 'networkOptions'>) => ({
  snippet: {
    title: title ?? '',
    description: text,
    ...(tags.length > 0 && { tags }),
    categoryId: networkOptions?.category ?? DEFAULT_CATEGORY,
    ...(details?.language && { defaultLanguage: details.language }),
  },
  status: {
    // Always sent: YouTube has changed its defaults.
    privacyStatus: videoPrivacyOf({ details }),
    selfDeclaredMadeForKids: networkOptions?.madeForKids ?? false,
    ...(networkOptions?.syntheticContent && { containsSyntheticMedia: true }),
  },
  ...(details?.paid && { paidProductPlacementDetails: { hasPaidProductPlacement: true } }),
});

const withoutBrackets = (field: 'title' | 'text'): ContentNeed => ({
  path: [field],
  isMet: (post) => !/[<>]/.test(post[field] ?? ''),
  message: 'must not contain < or >, which YouTube does not take.',
});

export const youtube = {
  name: 'YouTube',
  description: 'YouTube, a video network.',
  source: 'D1',
  kind: { key: 'video', description: 'Video network.', source: 'Update post' },
  accountTypes: ['channel'],
  postTypes: POST_TYPES,
  privacy: ['public', 'unlisted', 'private'],
  textIsDescription: true,
  needs: [TITLE_NEED],
  values: [
    withoutBrackets('title'),
    withoutBrackets('text'),
    {
      path: ['networkOptions', 'category'],
      isMet: ({ networkOptions }) => /^\d+$/.test(networkOptions?.category ?? DEFAULT_CATEGORY),
      message: 'must consist of digits: the ID of a category that YouTube’s API lists.',
    },
    {
      path: ['networkOptions', 'playlistId'],
      isMet: ({ networkOptions }) => /^[\w-]+$/.test(networkOptions?.playlistId ?? 'PL'),
      message: 'must be the ID of a playlist: letters, digits, _ and -.',
    },
  ],
  limits: [
    { field: 'title', max: 100, unit: 'code_points' },
    textLimit(5_000, 'bytes'),
    { field: 'tags', max: 500, unit: 'code_points' },
    ...mediaLimits(1),
  ],
  files: { video: { ofTypes: { short: { maxSeconds: 180, maxAspect: 1 } } } },
  dailyCaps: [dailyCap('video', [5, 10, 15], 'Video network videos and shorts')],
  edits: [onNetwork('title', { maxLength: 100 }), onNetwork('text', { maxLength: 5000 }), LABELS],
  editRate: { maxConcurrent: 1, maxPerMinute: 6 },
  publishing: {
    publishes: true,
    unpublishes: true,
    guarantee: 'exact',
    guaranteeReason:
      'The session of an upload tells whether the video exists; otherwise it is found by the name of its file.',
    postTypes: POST_TYPES,
    mediaTypes: ['video'],
  },
  postDomains: ['youtube.com', 'youtu.be'],
  adapter: {
    verified: false,
    note: 'Edits of the title and the description; the category, tags and languages do not change. YouTube may keep videos private that apps upload which Google has not audited. It takes 100 uploads of an app each day.',
    credentials: googleCredentials('YOUTUBE'),
    remoteId: /^[\w-]{6,64}$/,
  },
  oauth: {
    own: { ...GOOGLE_OAUTH, app: 'YOUTUBE', scopes: ['https://www.googleapis.com/auth/youtube'] },
  },
} as const satisfies NetworkDefinition;
