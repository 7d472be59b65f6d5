import {
  dailyCap,
  LABELS,
  mediaLimits,
  onNetwork,
  pollLimits,
  textLimit,
  unpublished,
  type NetworkDefinition,
} from './network-definition.js';

export const linkedin = {
  name: 'LinkedIn',
  description: 'LinkedIn, a professional network.',
  source: 'D1',
  kind: { key: 'professional', description: 'Professional network.', source: 'Update post' },
  accountTypes: ['profile', 'page'],
  postTypes: ['status', 'link', 'photo', 'gif', 'video', 'poll', 'document', 'carousel', 'article'],
  limits: [textLimit(3_000, 'code_points'), ...mediaLimits(20), ...pollLimits(30)],
  files: { document: { formats: ['application/pdf'] } },
  dailyCaps: [
    dailyCap('post', [10, 12, 14], 'Professional network profile posts', {
      accountTypes: ['profile'],
    }),
    dailyCap('post', [12, 18, 24], 'Professional network page posts', { accountTypes: ['page'] }),
  ],
  edits: [onNetwork('text'), LABELS],
  editRate: { maxConcurrent: 2, maxPerMinute: 30 },
  publishing: unpublished('compared'),
  postDomains: ['linkedin.com', 'lnkd.in'],
  adapter: {
    verified: false,
    note: 'Text.',
    credentials: {
      accessToken: {
        description:
          'Access token with the scopes w_member_social, openid and profile or, for a page, w_organization_social and r_organization_social.',
        secret: true,
      },
      organization: {
        description:
          'For a page, the numeric ID of the organization. For a member’s profile, leave it empty.',
        secret: false,
        optional: true,
      },
    },
    remoteId: /^urn:li:(share|ugcPost):\d+$/,
  },
} as const satisfies NetworkDefinition;
