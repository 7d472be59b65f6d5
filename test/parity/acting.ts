import { inDays } from './environment.js';
import { UNKNOWN, type Scenario } from './scenario.js';

const time = (days: number): string => inDays(days).toISOString();

/** Scenarios of actions on posts. */
export const ACTING: readonly Scenario[] = [
  [
    'scheduling drafts, and posts that cannot be scheduled',
    ['ok', 'ok', 'ok', 'BAD_USER_INPUT', 'BAD_USER_INPUT', 'POST_NOT_FOUND', 'ok', 'ok'],
    async ({ owner, account, post, act }) => {
      const olga = await owner();
      const own = await account(olga, { sandbox: true });
      const draft = { account: own, storedState: 'draft_undated' } as const;
      const ids = [
        await post(olga, draft),
        await post(olga, { account: own, storedState: 'published_posted' }),
      ].map(({ id }) => id);
      const schedule = { mode: 'schedule', scheduled_at: time(2) };
      await act(olga, { name: 'schedule', ids, input: schedule }, { dryRun: true });
      await act(olga, { name: 'schedule', ids: [...ids, UNKNOWN], input: schedule });
      await act(olga, {
        name: 'schedule',
        ids: [(await post(olga, draft)).id],
        input: { mode: 'draft', visibility: 'private' },
      });
      await act(olga, { name: 'schedule', ids, input: { ...schedule, visibility: 'private' } });
      await act(olga, { name: 'schedule', ids, input: { ...schedule, mode: 'share_now' } });
      await act(olga, { name: 'schedule', ids: [UNKNOWN], input: schedule });
      await act(olga, {
        name: 'schedule',
        ids: [(await post(olga, { ...draft, text: 'Now' })).id],
        input: { mode: 'share_now' },
      });
      await act(olga, {
        name: 'schedule',
        ids: [(await post(olga, { ...draft, text: 'Later' })).id, UNKNOWN],
        input: { ...schedule, policy: 'skip_refused', allow_duplicate: true },
      });
    },
  ],
  [
    'reviews of posts that need approval',
    ['ok', 'RULE_VIOLATION', 'FORBIDDEN', 'CONFLICT', 'ok', 'ok', 'ok'],
    async ({ owner, member, post, act }) => {
      const olga = await owner({ requiresApproval: true });
      const mia = await member(olga, 'editor');
      const pending = { storedState: 'scheduled_pending', scheduledAt: inDays(1) } as const;
      const draft = await post(mia, { storedState: 'scheduled_declined', scheduledAt: inDays(1) });
      const [one, two] = [await post(mia, pending), await post(mia, { ...pending, text: 'Two' })];
      const review = (decision: string, more: object = {}) => ({ decision, ...more });
      await act(mia, { name: 'review', ids: [draft.id], input: review('request') });
      await act(olga, { name: 'review', ids: [one.id], input: review('approve') });
      await act(mia, {
        name: 'review',
        ids: [one.id],
        input: review('approve', { versions: [1] }),
      });
      await act(olga, {
        name: 'review',
        ids: [one.id],
        input: review('approve', { versions: [7] }),
      });
      await act(olga, {
        name: 'review',
        ids: [one.id],
        input: review('approve', { versions: [1] }),
      });
      await act(olga, {
        name: 'review',
        ids: [two.id],
        input: review('decline', { note: 'Not yet.' }),
      });
      await act(olga, { name: 'review', ids: [two.id, one.id], input: review('decline') });
    },
  ],
  [
    'retries, and what a person found',
    ['ok', 'RULE_VIOLATION', 'BAD_USER_INPUT', 'BAD_USER_INPUT', 'ok', 'RULE_VIOLATION'],
    async ({ owner, account, post, act }) => {
      const olga = await owner();
      const own = await account(olga, { sandbox: true });
      const failed = await post(olga, { account: own, storedState: 'failed' });
      const reminded = await post(olga, {
        account: own,
        scheduledAt: inDays(-1),
        queuedAt: inDays(-1),
        reminder: true,
        details: { reminder: true },
      });
      const scheduled = await post(olga, { account: own, scheduledAt: inDays(1) });
      await act(olga, { name: 'retry', ids: [failed.id], input: { confirm_not_live: true } });
      await act(olga, { name: 'retry', ids: [scheduled.id] });
      const url = `https://mastodon.sandbox.example/${own.id}/1`;
      await act(olga, { name: 'resolve', ids: [reminded.id], input: { url, not_live: true } });
      await act(olga, { name: 'resolve', ids: [reminded.id], input: {} });
      await act(olga, { name: 'resolve', ids: [reminded.id], input: { url } });
      await act(olga, { name: 'resolve', ids: [scheduled.id], input: { not_live: true } });
    },
  ],
  [
    'pauses, removals, restoring and reverting',
    [
      'ok',
      'ok',
      'ok',
      'RULE_VIOLATION',
      'ok',
      'ok',
      'ok',
      'ok',
      'CONFLICT',
      'RULE_VIOLATION',
      'ok',
    ],
    async ({ owner, account, post, act, remove, update }) => {
      const olga = await owner();
      const own = await account(olga, { sandbox: true });
      const recycling = await post(olga, {
        account: own,
        storedState: 'recycling_active',
        scheduledAt: inDays(1),
        recycling: { gap: 1, gapFreq: 'days' },
      });
      await act(olga, { name: 'pause', ids: [recycling.id] });
      await act(olga, { name: 'pause', ids: [recycling.id] }, { dryRun: true });
      await act(olga, { name: 'resume', ids: [recycling.id] });
      const one = await post(olga, { account: own, scheduledAt: inDays(2) });
      await act(olga, { name: 'unpublish', ids: [one.id] });
      const published = await post(olga, { account: own, storedState: 'published_posted' });
      await act(olga, { name: 'unpublish', ids: [published.id] }, { key: 'k' });
      await remove(olga, [one.id]);
      await act(olga, { name: 'restore', ids: [one.id] });
      await update(olga, one.id, { text: 'Second' });
      const revert = (input: object) =>
        act(olga, { name: 'revert', ids: [one.id], input: { ...input } });
      await revert({ to_version: 2, expected_version: 1 });
      await revert({ to_version: 40 });
      await revert({ to_version: 3 });
    },
  ],
];
