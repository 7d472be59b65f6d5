import {
  dailyCap,
  LABELS,
  mediaLimits,
  onNetwork,
  textLimit,
  unpublished,
  type CredentialRule,
  type NetworkDefinition,
} from './network-definition.js';

/** Credentials of a Google account: an OAuth client, and the user's refresh token for it. */
export const GOOGLE_CREDENTIALS = {
  clientId: { description: 'OAuth client ID.', secret: false },
  clientSecret: { description: 'OAuth client secret.', secret: true },
  refreshToken: {
    description: 'Refresh token that the user granted to this client, with offline access.',
    secret: true,
  },
} as const satisfies Readonly<Record<string, CredentialRule>>;

export const google = {
  name: 'Google Business Profile',
  description: 'Google Business Profile, a business-listing network.',
  source: 'D1',
  kind: {
    key: 'business_listing',
    description: 'Business-listing network.',
    source: 'Update post',
  },
  accountTypes: ['location'],
  postTypes: ['status', 'link', 'photo', 'video'],
  limits: [textLimit(1_500, 'code_points'), ...mediaLimits(1)],
  dailyCaps: [dailyCap('update', [5, 10, 15], 'Business-listing updates')],
  edits: [onNetwork('text', { maxLength: 1500 }), LABELS],
  editRate: { maxConcurrent: 1, maxPerMinute: 10 },
  publishing: unpublished('compared'),
  postDomains: ['google', 'g.page', 'posts.gle', 'goo.gl'],
  adapter: {
    verified: false,
    note: 'Text, up to 1,500 characters.',
    credentials: {
      ...GOOGLE_CREDENTIALS,
      location: {
        description: 'Resource name of the business location, such as locations/1234567890.',
        secret: false,
      },
    },
    remoteId: /^accounts\/\d+\/locations\/\d+\/localPosts\/[\w-]+$/,
  },
} as const satisfies NetworkDefinition;
