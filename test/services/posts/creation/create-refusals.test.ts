import type { Account } from '../../../../src/domain/posts/post.js';
import type { CreationItem } from '../../../../src/services/posts/creation/creation-request.js';
import {
  createdPosts,
  NOW,
  refusalsOf,
  resultsOf,
  targetsOf,
  withServices,
} from '../../../fixtures/services.js';
import { forAllTests } from '../../../fixtures/lifecycle.js';

const services = withServices();
const viewer = forAllTests(() => services.aViewer());
const account = forAllTests(() =>
  services.anAccount({ sandbox: true, workspaceId: viewer.workspace.id }),
);

const inSeconds = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const anAccount = (given: Partial<Account>): Promise<Account> =>
  services.anAccount({ sandbox: true, workspaceId: viewer.workspace.id, ...given });

/** Code and path of each refusal; asserts that a refused call changes nothing. */
async function refusals(item: Partial<CreationItem>): Promise<string[]> {
  const before = await services.allRows();
  const outcome = await services.create(viewer, { targets: targetsOf(account), ...item });
  const refused = resultsOf(outcome).flatMap((result) => {
    expect(result).toMatchObject({ post: null, state: null, scheduledAt: null });
    return result.refusals.map(({ code, path }) => [code, path.join('.')].join(' '));
  });
  expect(await services.allRows()).toEqual(before);
  return refused;
}

const TEXT = { type: 'status', text: 'Text' } as const;

test('times', async () => {
  const IN_CALL = ['RULE_VIOLATION targets.0.scheduledAt'];
  expect(await refusals({ scheduledAt: null })).toEqual(IN_CALL);
  expect(await refusals({ scheduledAt: inSeconds(59) })).toEqual(IN_CALL);
  expect(await refusals({ scheduledAt: inSeconds(-1), mode: 'draft' })).toEqual(IN_CALL);
  expect(await refusals({ scheduledAt: inSeconds(-1), mode: 'draft', targets: [] })).toEqual([
    'RULE_VIOLATION scheduledAt',
  ]);
  expect(
    await refusals({
      targets: [{ accountId: account.id, scheduledAt: inSeconds(0), post: {} }],
    }),
  ).toEqual(IN_CALL);
});

test('accounts that do not exist, of others, and that take drafts and reminders only', async () => {
  const stranger = await services.aViewer();
  const foreign = await services.anAccount({ workspaceId: stranger.workspace.id });
  const unconnected = await anAccount({ needsReauth: true });
  const targets = targetsOf({ id: 'acc_unknown' }, { id: 'x' }, foreign, unconnected);
  expect(await refusals({ targets })).toEqual(
    targets.map((_, index) => `RULE_VIOLATION targets.${index}.accountId`),
  );
  const reminder = { ...TEXT, details: { reminder: true } };
  const reminders = await services.create(viewer, {
    targets: targetsOf(unconnected),
    post: reminder,
  });
  expect(createdPosts(reminders)).toMatchObject([{ storedState: 'scheduled', reminder: true }]);
  const drafts = await services.create(viewer, { targets: targetsOf(unconnected), mode: 'draft' });
  expect(createdPosts(drafts)).toMatchObject([{ storedState: 'draft_dated' }]);
});

test('content', async () => {
  expect(await refusals({ post: { type: 'reel' } })).toContain(
    'RULE_VIOLATION targets.0.post.type',
  );
  expect(await refusals({ post: { type: 'status', text: 'a'.repeat(501) } })).toEqual([
    'RULE_VIOLATION targets.0.post.text',
  ]);
  expect(await refusals({ post: { type: 'poll', text: 'Q?', options: ['1'] } })).toEqual([
    'RULE_VIOLATION targets.0.post.options',
  ]);
  expect(await refusals({ post: { type: 'photo', media: [{ id: 'med_unknown' }] } })).toEqual([
    'MEDIA_NOT_FOUND targets.0.post.media.0.id',
  ]);
  expect(
    await refusals({
      post: { ...TEXT, url: 'https://a.example', link: { url: 'https://b.example' } },
    }),
  ).toEqual(['RULE_VIOLATION targets.0.post.link.url']);
});

test('series and recycling', async () => {
  expect(await refusals({ post: { ...TEXT, recurring: {} } })).toEqual([
    'RULE_VIOLATION targets.0.post.recurring.repeat',
  ]);
  expect(
    await refusals({
      post: {
        ...TEXT,
        recurring: { repeat: 'daily', startDate: '2026-01-01', endDate: '2026-01-05' },
      },
    }),
  ).toEqual(['RULE_VIOLATION targets.0.post.recurring']);
  expect(
    await refusals({ mode: 'share_now', post: { ...TEXT, recurring: { repeat: 'daily' } } }),
  ).toEqual(['RULE_VIOLATION targets.0.post.recurring']);
  expect(
    await refusals({ post: { ...TEXT, recycling: { gap: 1, expireDate: '2026-11-20' } } }),
  ).toEqual(['RULE_VIOLATION targets.0.post.recycling.expireDate']);
  expect(
    await refusals({ post: { ...TEXT, recycling: { gap: 1 }, recurring: { repeat: 'daily' } } }),
  ).toEqual(['RULE_VIOLATION targets.0.post.recycling']);
});

test('a refused target does not affect the others, unless the policy says so', async () => {
  const targets = targetsOf(account, { id: 'acc_unknown' }, await anAccount({}));
  const labels = [{ name: 'Policy' }];
  const item = { targets, post: { ...TEXT, labels } };
  const before = await services.allRows();
  const stopped = await services.create(viewer, item, { policy: 'all_or_nothing' });
  expect(resultsOf(stopped).map(({ refusals: [refusal] }) => refusal?.path.join('.'))).toEqual([
    '',
    'targets.1.accountId',
    '',
  ]);
  expect(await services.allRows()).toEqual(before);
  const skipped = resultsOf(await services.create(viewer, item));
  expect(skipped.map(({ index, post, state }) => [index, post !== null, state])).toEqual([
    [0, true, 'scheduled'],
    [1, false, null],
    [2, true, 'scheduled'],
  ]);
});

test('a label or media item that only refused posts use is not made', async () => {
  expect(
    await refusals({
      post: {
        type: 'reel',
        labels: [{ name: 'Unused' }],
        media: [{ path: 'https://media.example/unused.mp4' }],
      },
    }),
  ).toHaveLength(1);
});

test('a dry run says what each target would become, and changes nothing', async () => {
  const before = await services.allRows();
  const outcome = await services.create(
    viewer,
    {
      targets: targetsOf(account, { id: 'acc_unknown' }),
      post: { ...TEXT, labels: [{ name: 'Dry' }] },
    },
    { dryRun: true, idempotencyKey: 'dry' },
  );
  expect(resultsOf(outcome)).toMatchObject([
    { index: 0, post: null, state: 'scheduled', scheduledAt: inSeconds(86_400), refusals: [] },
    { index: 1, post: null, state: null, refusals: [{ code: 'RULE_VIOLATION' }] },
  ]);
  expect(await services.allRows()).toEqual(before);
});

test('at most 1,000 posts, the occurrences of series included', async () => {
  const accounts = await Promise.all(
    Array.from({ length: 19 }, () => anAccount({ network: 'facebook', type: 'page' })),
  );
  const recurring = { repeat: 'weekly' } as const;
  const before = await services.allRows();
  expect(
    refusalsOf(
      await services.create(viewer, {
        targets: targetsOf(...accounts),
        post: { ...TEXT, recurring },
      }),
    ),
  ).toEqual(['RULE_VIOLATION targets']);
  expect(await services.allRows()).toEqual(before);
});

test('a variant of a network without a target refuses the call', async () => {
  const item: Partial<CreationItem> = {
    targets: targetsOf(account),
    variants: new Map([
      ['mastodon', { text: 'Used' }],
      ['twitter', { text: 'Unused' }],
    ]),
  };
  const before = await services.allRows();
  expect(refusalsOf(await services.create(viewer, item))).toEqual([
    'RULE_VIOLATION variants 1 network',
  ]);
  expect(await services.allRows()).toEqual(before);
});

test('a time is refused in the mode that publishes at once', async () => {
  const at = new Date(NOW.getTime() + 86_400_000);
  for (const item of [
    { scheduledAt: at },
    { post: { ...TEXT, scheduledAt: at } },
    { targets: [{ accountId: account.id, scheduledAt: at, post: {} }] },
  ])
    expect(await refusals({ mode: 'share_now', ...item })).toEqual([
      expect.stringMatching(/^RULE_VIOLATION .*scheduledAt$/),
    ]);
});
