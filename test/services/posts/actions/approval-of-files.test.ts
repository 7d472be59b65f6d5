import type { Account, Post } from '../../../../src/domain/posts/post.js';
import type { PostOptions } from '../../../fixtures/records.js';
import type { KeyedViewer } from '../../../fixtures/records.js';
import { aPicture } from '../../../fixtures/media-files.js';
import { mediaLibraryOn } from '../../../fixtures/media-library.js';
import {
  actedPost,
  actionResults,
  createdPosts,
  NOW,
  targetsOf,
  updatedPost,
  withServices,
} from '../../../fixtures/services.js';

let owner: KeyedViewer;
let editor: KeyedViewer;
let account: Account;
const services = withServices();
beforeEach(async () => {
  services.clock.time = NOW;
  const { id: workspaceId, ownerId } = await services.aWorkspace({ requiresApproval: true });
  owner = await services.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
  editor = await services.aViewer({ workspaceId, name: 'Eda' });
  account = await services.anAccount({ workspaceId, sandbox: true });
});

const approve = async (...posts: readonly Post[]) =>
  actionResults(
    await services.act(owner, posts, {
      kind: 'review',
      decision: 'approve',
      note: null,
      publishLate: false,
    }),
  );
const messages = (results: Awaited<ReturnType<typeof approve>>): string[] =>
  results.flatMap(({ refusals }) => refusals.map(({ message }) => message));
const stored = ({ id }: Pick<Post, 'id'>): Promise<Post> => services.storedPost(owner, id);
const aPost = (given: Partial<PostOptions> = {}): Promise<Post> =>
  services.aPost({
    by: editor,
    account,
    storedState: 'scheduled_pending',
    type: 'photo',
    ...given,
  });

/** An upload whose file has not been sent, and what sends the file. */
async function anUpload(name = 'shop.png') {
  const media = mediaLibraryOn(services.database, services.clock);
  const picture = await aPicture();
  const upload = await media.createUpload(editor, {
    name,
    bytes: picture.length,
    altText: null,
    inLibrary: true,
  });
  if (upload.kind !== 'created') throw new Error('refused');
  const token = upload.url.split('/').at(-1)!;
  return {
    id: upload.mediaId,
    send: () =>
      media.receive(
        { id: upload.mediaId, token },
        (async function* () {
          yield picture;
        })(),
      ),
  };
}
const attach = async (post: Post, ...mediaIds: readonly string[]): Promise<Post> => {
  updatedPost(await services.update(editor, post, { media: mediaIds.map((id) => ({ id })) }));
  return stored(post);
};

test('a post cannot be approved before all of its files have arrived', async () => {
  const [first, second] = [await anUpload('ready.png'), await anUpload()];
  await first.send();
  const post = await attach(await aPost(), first.id, second.id);
  expect(messages(await approve(post))).toEqual([
    'The file "shop.png" has not arrived. Approve the post after all of its files have arrived, or replace the file.',
  ]);
  expect(await stored(post)).toEqual(post);
  await second.send();
  expect(messages(await approve(post))).toEqual([]);
  expect((await stored(post)).storedState).toBe('scheduled_approved');
});

test('a file that could not be fetched cannot be approved', async () => {
  const upload = await anUpload();
  const post = await attach(await aPost(), upload.id);
  await services.sql("UPDATE media_file SET status = 'failed' WHERE media_id = $1", upload.id);
  expect(messages(await approve(post))).toHaveLength(1);
});

test('an approved post is pending again when its file arrives', async () => {
  const recycling = { gap: 1, gapFreq: 'days' } as const;
  const posts = [
    await aPost(),
    await aPost({ storedState: 'recycling_pending', recycling }),
    await aPost({ by: owner, storedState: 'scheduled' }),
  ];
  expect(messages(await approve(posts[0]!, posts[1]!))).toEqual([]);
  const upload = await anUpload();
  for (const post of posts)
    updatedPost(await services.update(owner, post, { media: [{ id: upload.id }] }));
  const before = await Promise.all(posts.map(stored));
  expect(before.map(({ storedState }) => storedState)).toEqual([
    'scheduled_approved',
    'recycling_active',
    'scheduled',
  ]);
  await upload.send();
  const after = await Promise.all(posts.map(stored));
  expect(after.map(({ storedState }) => storedState)).toEqual([
    'scheduled_pending',
    'recycling_pending',
    'scheduled',
  ]);
  expect(after.map(({ version }) => version)).toEqual([
    before[0]!.version + 1,
    before[1]!.version + 1,
    before[2]!.version,
  ]);
  expect(
    await services.sql('SELECT message FROM notification WHERE user_id = $1', owner.user.id),
  ).toEqual([
    { message: 'A file of 2 approved posts has arrived, which needs your approval, too.' },
  ]);
  expect(messages(await approve(after[0]!, after[1]!))).toEqual([]);
});

describe('an approved series', () => {
  const aSeries = async (): Promise<Post> =>
    createdPosts(
      await services.create(editor, {
        targets: targetsOf(account),
        post: {
          type: 'status',
          text: 'Daily',
          recurring: { repeat: 'daily', endDate: '2026-11-25T08:00:00Z' },
        },
      }),
    )[0]!;
  const children = ({ databaseId }: Post) => services.store.futureChildren(databaseId, NOW);
  const after = (ms: number): void => {
    services.clock.time = new Date(NOW.getTime() + ms);
  };

  it('leaves the occurrences pending that a member changed after that version', async () => {
    const series = await aSeries();
    const [changed, labelled, ...others] = await children(series);
    after(1_000);
    updatedPost(await services.update(editor, changed!, { text: 'Nobody saw this' }));
    updatedPost(await services.update(editor, labelled!, { labels: [{ name: 'x' }] }));
    after(2_000);
    expect(messages(await approve(series))).toEqual([]);
    const states = async () => (await children(series)).map(({ storedState }) => storedState);
    const approved = ['scheduled_approved', ...others.map(() => 'scheduled_approved')];
    expect(await states()).toEqual(['scheduled_pending', ...approved]);
    // Its own version covers it, and so does a later version of the series.
    expect(
      actedPost({
        kind: 'done',
        results: await approve(await stored(changed!)),
        job: null,
        replayed: false,
      }).storedState,
    ).toBe('scheduled_approved');
    after(3_000);
    updatedPost(await services.update(editor, series, { title: 'All' }));
    expect(await states()).not.toContain('scheduled_approved');
    expect(messages(await approve(await stored(series)))).toEqual([]);
    expect(await states()).not.toContain('scheduled_pending');
  });

  it('is pending again when its file arrives, and so are its occurrences', async () => {
    const series = await aSeries();
    const upload = await anUpload();
    expect(messages(await approve(series))).toEqual([]);
    updatedPost(
      await services.update(owner, series, { type: 'photo', media: [{ id: upload.id }] }),
    );
    await upload.send();
    expect(new Set((await children(series)).map(({ storedState }) => storedState))).toEqual(
      new Set(['scheduled_pending']),
    );
    expect(await stored(series)).toMatchObject({
      storedState: 'recurring',
      occurrenceState: 'scheduled_pending',
    });
  });
});
