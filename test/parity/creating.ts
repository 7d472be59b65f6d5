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
            networkOptions: { boardId: '101' },
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
  [
    'content that networks do not accept, beside content that they accept',
    ['ok', 'ok', 'ok'],
    async ({ owner, account, create }) => {
      const olga = await owner();
      const networks = [
        'facebook',
        'mastodon',
        'bluesky',
        'twitter',
        'pinterest',
        'youtube',
      ] as const;
      const targets = [];
      for (const network of networks)
        targets.push({
          accountId: (await account(olga, { network, sandbox: true })).id,
          scheduledAt: inDays(1),
        });
      await create(olga, { mode: 'schedule', targets, post: { ...STATUS, text: 'x'.repeat(501) } });
      await create(olga, {
        mode: 'schedule',
        targets,
        post: STATUS,
        variants: {
          youtube: { type: 'video' },
          pinterest: { type: 'photo' },
          bluesky: { text: '' },
        },
      });
      // A draft may be incomplete.
      await create(olga, { mode: 'draft', targets: targets.slice(0, 1), post: { type: 'video' } });
    },
  ],
  [
    'posts of a member who cannot approve wait for approval, drafts do not',
    ['ok', 'ok', 'ok', 'ok'],
    async ({ owner, member, account, create }) => {
      const olga = await owner({ requiresApproval: true });
      const mia = await member(olga, 'editor', true);
      const { id: accountId } = await account(olga, { sandbox: true });
      const schedule = (post: object) =>
        create(mia, {
          mode: 'schedule',
          targets: [{ accountId, scheduledAt: inDays(2) }],
          post: { ...STATUS, ...post },
        });
      await schedule({ text: 'Once' });
      await schedule({ text: 'Recycled', recycling: { gap: 1, gapFreq: 'weeks' } });
      await create(mia, {
        mode: 'schedule',
        targets: [{ accountId }],
        post: {
          ...STATUS,
          recurring: { startDate: '2030-06-20', repeat: 'daily', endDate: '2030-06-22' },
        },
      });
      await create(mia, { mode: 'draft', targets: [{ accountId }], post: STATUS });
    },
  ],
  [
    'accounts that accept drafts and reminders only',
    ['ok', 'ok', 'ok'],
    async ({ owner, account, create }) => {
      const olga = await owner();
      const { id: accountId } = await account(olga, { sandbox: true, needsReauth: true });
      const targets = [{ accountId, scheduledAt: inDays(1) }];
      await create(olga, { mode: 'schedule', targets, post: STATUS });
      await create(olga, {
        mode: 'schedule',
        targets,
        post: { ...STATUS, details: { reminder: true } },
      });
      await create(olga, { mode: 'draft', targets, post: STATUS });
    },
  ],
  [
    'posts for the queues of accounts, and one that its queue has no time for',
    ['ok', 'ok', 'ok'],
    async ({ owner, account, queue, create }) => {
      const olga = await owner();
      const daily = await account(olga, { sandbox: true });
      const weekly = await account(olga, { sandbox: true });
      const none = await account(olga, { sandbox: true });
      await queue(
        daily,
        Array.from({ length: 7 }, (_, day) => day * 1_440 + 600),
      );
      await queue(weekly, [600]);
      const targets = [daily, weekly, none].map(({ id: accountId }) => ({ accountId }));
      for (const [text, dryRun] of [
        ['First', true],
        ['First', false],
        ['Second', false],
      ] as const)
        await create(
          olga,
          { mode: 'add_to_queue', targets, post: { ...STATUS, text } },
          { dryRun },
        );
    },
  ],
];
