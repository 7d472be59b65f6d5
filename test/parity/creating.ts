import type { Creation } from './api.js';
import { inDays } from './environment.js';
import type { Scenario } from './scenario.js';

const STATUS = { type: 'status', text: 'Hi' } as const;

/** Scenarios of creations. */
export const CREATING: readonly Scenario[] = [
  [
    'scheduled posts with variants, labels and options of networks',
    ['ok', 'ok'],
    async ({ owner, account, create }) => {
      const olga = await owner();
      const [mastodon, pinterest] = [
        await account(olga, { network: 'mastodon', sandbox: true }),
        await account(olga, { network: 'pinterest', sandbox: true }),
      ];
      const creation: Creation = {
        mode: 'schedule',
        targets: [
          { accountId: mastodon.id, scheduledAt: inDays(1), labels: [{ name: 'Spring' }] },
          { accountId: pinterest.id, scheduledAt: inDays(2) },
        ],
        post: { ...STATUS, title: 'Title', link: { callToAction: 'BOOK' } },
        variants: {
          mastodon: { networkOptions: { spoilerText: 'CW' } },
          pinterest: {
            type: 'photo',
            media: [{ path: 'https://e.com/1.jpg', caption: 'A leaf' }],
            networkOptions: { boardId: 'b1' },
          },
        },
      };
      await create(olga, creation, { dryRun: true });
      await create(olga, creation);
    },
  ],
  [
    'drafts, with and without an account',
    ['ok', 'ok', 'ok'],
    async ({ owner, account, create }) => {
      const olga = await owner();
      const { id: accountId } = await account(olga);
      for (const visibility of ['account', 'public', 'private'] as const)
        await create(olga, {
          mode: 'draft',
          visibility,
          targets: visibility === 'account' ? [] : [{ accountId, scheduledAt: inDays(3) }],
          post: STATUS,
        });
    },
  ],
  [
    'series and recycling posts',
    ['ok', 'ok'],
    async ({ owner, account, create }) => {
      const olga = await owner();
      const { id: accountId } = await account(olga, { network: 'wordpress', sandbox: true });
      const post = { type: 'article', title: 'T', text: 'Hi' } as const;
      await create(olga, {
        mode: 'schedule',
        targets: [{ accountId }],
        post: {
          ...post,
          recurring: { startDate: '2030-06-20', repeat: 'weekly', endDate: '2030-07-20' },
        },
      });
      await create(olga, {
        mode: 'schedule',
        targets: [{ accountId, scheduledAt: inDays(4) }],
        post: { ...post, recycling: { gap: 2, gapFreq: 'weeks' } },
      });
    },
  ],
  [
    'posts that are shared now, by members with and without approval rights',
    ['ok', 'ok', 'FORBIDDEN'],
    async ({ owner, member, account, create }) => {
      const olga = await owner({ requiresApproval: true });
      const { id: accountId } = await account(olga, { sandbox: true });
      const creation = { mode: 'share_now', targets: [{ accountId }], post: STATUS } as const;
      await create(olga, creation);
      await create(await member(olga, 'editor'), creation);
      await create(await member(olga, 'viewer'), creation);
    },
  ],
  [
    'accounts that are refused beside others',
    ['ok', 'ok'],
    async ({ owner, account, create }) => {
      const olga = await owner();
      const fine = await account(olga, { sandbox: true });
      const [expired, foreign] = [
        await account(olga, { needsReauth: true, sandbox: true }),
        await account(await owner()),
      ];
      await create(olga, {
        mode: 'schedule',
        targets: [
          { accountId: fine.id, scheduledAt: inDays(1) },
          { accountId: fine.id, scheduledAt: inDays(-1) },
          { accountId: expired.id, scheduledAt: inDays(1) },
          { accountId: foreign.id, scheduledAt: inDays(1) },
        ],
        post: STATUS,
      });
      // The account has no slots.
      await create(olga, {
        mode: 'add_to_queue',
        targets: [{ accountId: fine.id }],
        post: STATUS,
      });
    },
  ],
];
