import type { Account, Post } from '../../../../src/domain/posts/post.js';
import type { PostPatch } from '../../../../src/domain/posts/post-fields.js';
import type { CreationItem } from '../../../../src/services/posts/creation/creation-request.js';
import {
  actionRefusals,
  NOW,
  refusalsOf,
  resultsOf,
  targetsOf,
  withServices,
} from '../../../fixtures/services.js';
import { forAllTests } from '../../../fixtures/lifecycle.js';

let account: Account;
const services = withServices();
const viewer = forAllTests(() => services.aViewer());
beforeEach(async () => {
  account = await services.anAccount({ sandbox: true, workspaceId: viewer.workspace.id });
});
const HOUR = 3_600_000;
const inHours = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR);
const TEXT = { type: 'status', text: 'Twice' } as const;
const PICTURE = { path: 'https://media.example/picture.jpg' };
const OTHER_PICTURE = { path: 'https://media.example/other.jpg' };

/** Code and path of the refusals of each target; `created` for the others. */
async function create(
  item: Partial<CreationItem>,
  duplicates: 'refuse' | 'allow' | 'warn' = 'refuse',
): Promise<string[]> {
  const targets = targetsOf(account);
  const outcome = await services.create(viewer, { targets, post: TEXT, ...item }, { duplicates });
  return resultsOf(outcome).map(({ refusals: [refusal] }) =>
    refusal ? `${refusal.code} ${refusal.path.join('.')}` : 'created',
  );
}
const DUPLICATE = ['DUPLICATE_CONTENT targets.0.post.text'];

test('the same account and content within 24 hours is refused', async () => {
  const at = (hours: number) => create({ scheduledAt: inHours(hours) });
  expect(await at(100)).toEqual(['created']);
  expect(await at(100)).toEqual(DUPLICATE);
  expect(await at(124)).toEqual(DUPLICATE);
  expect(await at(76)).toEqual(DUPLICATE);
  expect(await at(124 + 1 / 3_600)).toEqual(['created']);
  expect(await create({ scheduledAt: inHours(100), post: { ...TEXT, text: 'Other' } })).toEqual([
    'created',
  ]);
  const photo = { type: 'photo', text: TEXT.text, media: [PICTURE] } as const;
  const photos = { scheduledAt: inHours(100), post: { ...photo, media: [PICTURE] } };
  expect(await create(photos)).toEqual(['created']);
  expect(await create(photos)).toEqual(DUPLICATE);
  account = await services.anAccount({ sandbox: true, workspaceId: viewer.workspace.id });
  expect(await at(100)).toEqual(['created']);
});

test('a duplicate in the same call is refused', async () => {
  const targets = targetsOf(account, account);
  expect(await create({ targets })).toEqual(['created', 'DUPLICATE_CONTENT targets.1.post.text']);
});

test('a duplicate can be allowed, or created with a warning', async () => {
  expect(await create({})).toEqual(['created']);
  expect(await create({}, 'allow')).toEqual(['created']);
  const outcome = await services.create(
    viewer,
    { targets: targetsOf(account), post: TEXT },
    { duplicates: 'warn' },
  );
  const [{ post, warnings }] = resultsOf(outcome) as [ReturnType<typeof resultsOf>[number]];
  expect(post).not.toBeNull();
  expect(warnings).toEqual([
    expect.stringMatching(
      /^The post [0-9a-f]{24} \(scheduled\) for this account has the same content/,
    ),
  ]);
});

test('drafts, series, recycling posts, imports, failed and deleted posts do not count', async () => {
  const recurring = { ...TEXT, recurring: { repeat: 'yearly' } } as const;
  const recycling = { ...TEXT, recycling: { gap: 30 } } as const;
  expect(await create({ mode: 'draft' })).toEqual(['created']);
  expect(await create({ post: recurring })).toEqual(['created']);
  expect(await create({ post: recycling })).toEqual(['created']);
  const given = { by: viewer, account, text: TEXT.text, scheduledAt: inHours(24) };
  await services.aPost({ ...given, origin: 'imported', storedState: 'published_posted' });
  await services.aPost({ ...given, storedState: 'failed' });
  const removed = await services.aPost(given);
  await services.remove(viewer, [removed.id]);
  expect(await create({ mode: 'draft' })).toEqual(['created']);
  expect(await create({ post: recurring })).toEqual(['created']);
  expect(await create({ post: recycling })).toEqual(['created']);
  expect(await create({})).toEqual(['created']);
  await services.aPost({ ...given, storedState: 'published_posted', text: 'Published' });
  expect(await create({ post: { ...TEXT, text: 'Published' } })).toEqual(DUPLICATE);
});

/** Pairs of posts that differ in something that readers see. */
test.each<[string, PostPatch, PostPatch]>([
  ['the link', { url: 'https://one.example/' }, { url: 'https://two.example/' }],
  [
    'the options of a poll',
    { type: 'poll', question: 'Which?', options: ['a', 'b'] },
    { type: 'poll', question: 'Which?', options: ['a', 'c'] },
  ],
  ['the title', { title: 'One' }, { title: 'Two' }],
  ['the content warning', {}, { networkOptions: { spoilerText: 'Spiders' } }],
  [
    'the type, as a story beside a photo',
    { type: 'photo', media: [PICTURE], details: { type: 'photo' } },
    { type: 'photo', media: [PICTURE], details: { type: 'story' } },
  ],
  [
    'the order of pictures',
    { type: 'photo', media: [PICTURE, OTHER_PICTURE] },
    { type: 'photo', media: [OTHER_PICTURE, PICTURE] },
  ],
])(
  'posts that differ in %s are no duplicates, and each is one of itself',
  async (_name, one, other) => {
    const posts = [one, other].map((patch) => ({ ...TEXT, ...patch }));
    for (const post of posts) expect(await create({ post })).toEqual(['created']);
    for (const post of posts) expect(await create({ post })).toEqual(DUPLICATE);
  },
);

test('posts that differ in what readers do not see are duplicates', async () => {
  expect(await create({})).toEqual(['created']);
  for (const patch of [
    { details: { comment: false, language: 'en' } },
    { networkOptions: { disableNotification: true } },
    { labels: [{ name: 'news' }] },
  ])
    expect(await create({ post: { ...TEXT, ...patch } })).toEqual(DUPLICATE);
});

describe('every change that makes a duplicate is refused, unless it is allowed', () => {
  const given = () => ({ by: viewer, account, text: TEXT.text, scheduledAt: inHours(24) });
  const scheduling = (allowDuplicate: boolean) =>
    ({
      kind: 'schedule',
      mode: 'schedule',
      scheduledAt: null,
      accountId: null,
      visibility: null,
      allowDuplicate,
    }) as const;
  const updating =
    (patch: PostPatch) =>
    async (post: Post, allowDuplicate: boolean): Promise<readonly string[]> => {
      const duplicates = allowDuplicate ? 'allow' : 'refuse';
      const outcome = await services.update(viewer, post, patch, { duplicates });
      return outcome.kind === 'updated' ? [] : refusalsOf(outcome);
    };

  test.each<
    [string, () => Promise<Post>, (post: Post, allow: boolean) => Promise<readonly string[]>]
  >([
    [
      'an update of the text',
      () => services.aPost({ ...given(), text: 'Other' }),
      updating({ text: TEXT.text }),
    ],
    [
      'an update of the time',
      () => services.aPost({ ...given(), scheduledAt: inHours(100) }),
      updating({ scheduledAt: inHours(25) }),
    ],
    [
      'the scheduling of a draft',
      () => services.aPost({ ...given(), storedState: 'draft_dated' }),
      async (post, allow) => actionRefusals(await services.act(viewer, [post], scheduling(allow))),
    ],
    [
      'the retry of a failed post',
      () => services.aPost({ ...given(), storedState: 'failed' }),
      async (post, allowDuplicate) =>
        actionRefusals(
          await services.act(viewer, [post], {
            kind: 'retry',
            confirmNotLive: true,
            allowDuplicate,
          }),
        ),
    ],
    [
      'a restore',
      async () => {
        const post = await services.aPost(given());
        await services.remove(viewer, [post.id]);
        return post;
      },
      async (post, allowDuplicate) =>
        actionRefusals(await services.act(viewer, [post], { kind: 'restore', allowDuplicate })),
    ],
    [
      'a revert',
      async () => {
        const post = await services.aPost(given());
        await services.update(viewer, post, { text: 'Other' });
        return post;
      },
      async ({ id }, allow) => {
        const outcome = await services.posts.revert(viewer, {
          id,
          toVersion: 1,
          duplicates: allow ? 'allow' : 'refuse',
          dryRun: false,
        });
        return outcome.kind === 'updated' ? [] : refusalsOf(outcome);
      },
    ],
  ])('%s', async (_name, make, change) => {
    const post = await make();
    expect(await create({})).toEqual(['created']);
    const before = await services.allRows();
    expect(await change(post, false)).toEqual(['DUPLICATE_CONTENT allowDuplicate']);
    expect(await services.allRows()).toEqual(before);
    expect(await change(post, true)).toEqual([]);
  });

  test('a change of what readers do not see is not refused on a duplicate', async () => {
    const post = await services.aPost(given());
    expect(await create({}, 'allow')).toEqual(['created']);
    const update = updating({ labels: [{ name: 'news' }], details: { comment: false } });
    expect(await update(post, false)).toEqual([]);
  });
});
