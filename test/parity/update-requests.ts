import { type Scenario } from './scenario.js';

/** Scenarios of updates: versions, dry runs and idempotency keys. */
export const UPDATE_REQUESTS: readonly Scenario[] = [
  [
    'an outdated expected version',
    ['ok', 'CONFLICT', 'ok'],
    async ({ owner, post, update }) => {
      const olga = await owner();
      const one = await post(olga);
      await update(olga, one.id, { text: 'First' }, { expectedVersion: 1 });
      await update(olga, one.id, { text: 'Second' }, { expectedVersion: 1 });
      await update(olga, one.id, { text: 'Third' }, { expectedVersion: 2 });
    },
  ],
  [
    'a dry run, then the change',
    ['ok', 'RULE_VIOLATION', 'ok'],
    async ({ owner, account, post, update }) => {
      const olga = await owner();
      const one = await post(olga, {
        storedState: 'published_posted',
        account: await account(olga, { network: 'mastodon' }),
      });
      const patch = { text: 'Edited', labels: [{ name: 'new' }] };
      await update(olga, one.id, patch, { dryRun: true });
      await update(olga, one.id, { ...patch, excerpt: 'no' }, { dryRun: true });
      await update(olga, one.id, patch);
    },
  ],
  [
    'the same request twice with one idempotency key',
    ['ok', 'ok', 'IDEMPOTENCY_MISMATCH', 'ok'],
    async ({ owner, account, post, update }) => {
      const olga = await owner();
      const one = await post(olga, {
        storedState: 'published_posted',
        account: await account(olga, { network: 'telegram', type: 'channel' }),
      });
      await update(olga, one.id, { text: 'Once', labels: [{ name: 'a' }] }, { key: 'k' });
      await update(
        olga,
        String(one.databaseId),
        { text: 'Once', labels: [{ name: 'a' }] },
        { key: 'k' },
      );
      await update(olga, one.id, { text: 'Twice' }, { key: 'k' });
      await update(olga, one.id, { text: 'Twice' }, { key: 'another' });
    },
  ],
  [
    'a refused request twice with one idempotency key',
    ['RULE_VIOLATION', 'RULE_VIOLATION', 'CONFLICT', 'ok'],
    async ({ owner, account, post, update }) => {
      const olga = await owner();
      const one = await post(olga, {
        storedState: 'published_posted',
        account: await account(olga, { network: 'bluesky' }),
      });
      await update(olga, one.id, { text: 'No' }, { key: 'k' });
      await update(olga, one.id, { text: 'No' }, { key: 'k' });
      await update(olga, one.id, { labels: [] }, { key: 'version', expectedVersion: 7 });
      await update(olga, one.id, { labels: [] }, { key: 'version', expectedVersion: 1 });
    },
  ],
  [
    'an idempotency key that is too long',
    ['BAD_USER_INPUT', 'BAD_USER_INPUT'],
    async ({ owner, post, update, remove }) => {
      const olga = await owner();
      const one = await post(olga);
      await update(olga, one.id, { text: 'x' }, { key: 'k'.repeat(256) });
      await remove(olga, [one.id], { key: 'k'.repeat(256) });
    },
  ],
];
