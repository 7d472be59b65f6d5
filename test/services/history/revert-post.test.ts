import type { Post } from '../../../src/domain/posts/post.js';
import { STORED_STATES } from '../../../src/domain/posts/states.js';
import type { PostPatch } from '../../../src/domain/posts/post-fields.js';
import type { RevertRequest } from '../../../src/services/history/revert-post.js';
import type { UpdateOutcome } from '../../../src/services/posts/update-post.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { moveToState } from '../../fixtures/move-to-state.js';
import {
  createdPosts,
  refusalsOf,
  targetsOf,
  updatedPost,
  withServices,
} from '../../fixtures/services.js';
const services = withServices();

const revert = (
  viewer: KeyedViewer,
  { id }: Pick<Post, 'id'>,
  toVersion: number,
  more: Partial<RevertRequest> = {},
): Promise<UpdateOutcome> =>
  services.posts.revert(viewer, { id, toVersion, duplicates: 'allow', dryRun: false, ...more });

async function aPost(viewer: KeyedViewer, more: Partial<Post> = {}): Promise<Post> {
  const account = await services.anAccount({ workspaceId: viewer.workspace.id });
  return services.aPost({ by: viewer, account, text: 'First', ...more });
}
const change = async (viewer: KeyedViewer, post: Post, patch: PostPatch): Promise<Post> =>
  updatedPost(await services.update(viewer, post, patch));
const contentOf = ({
  version: _version,
  updatedAt: _updatedAt,
  ...content
}: Post): Omit<Post, 'version' | 'updatedAt'> => content;

test('it gives every field that was changed since its earlier value, as a new version', async () => {
  const viewer = await services.aViewer();
  const media = await services.aMedia({ workspaceId: viewer.workspace.id });
  const post = await aPost(viewer);
  await change(viewer, post, {
    title: 'Title',
    tags: ['one', 'two'],
    labels: [{ name: 'news', color: '#123456' }],
    media: [{ id: media.id, caption: 'Alt', title: 'Media' }],
    details: { language: 'en', paid: true, sponsor: { name: 'Sponsor', boost: true } },
    location: { id: '1', name: 'Here' },
    scheduledAt: new Date('2026-12-24T10:00:00Z'),
  });
  const wanted = await services.storedPost(viewer, post.id);
  await change(viewer, wanted, {
    text: 'Later',
    title: null,
    tags: [],
    labels: [],
    media: [],
    details: { language: null, comment: false, sponsor: { name: 'Other', boost: null, id: 's1' } },
    location: null,
    scheduledAt: new Date('2026-12-25T10:00:00Z'),
  });
  await change(viewer, wanted, { text: 'Latest' });
  const reverted = updatedPost(await revert(viewer, post, 2));
  const stored = await services.storedPost(viewer, post.id);
  expect(reverted.version).toBe(5);
  expect(stored.version).toBe(5);
  expect(contentOf(stored)).toEqual(contentOf(wanted));
});

test('it goes back to the first version, and to a version before an earlier revert', async () => {
  const viewer = await services.aViewer();
  const post = await aPost(viewer);
  for (const text of ['A', 'B']) await change(viewer, post, { text });
  expect(updatedPost(await revert(viewer, post, 1))).toMatchObject({ text: 'First', version: 4 });
  expect(updatedPost(await revert(viewer, post, 2))).toMatchObject({ text: 'A', version: 5 });
  expect(updatedPost(await revert(viewer, post, 4))).toMatchObject({ text: 'First', version: 6 });
});

test('if the values are the same, nothing changes', async () => {
  const viewer = await services.aViewer();
  const post = await aPost(viewer);
  for (const text of ['A', 'First']) await change(viewer, post, { text });
  const before = await services.allRows();
  expect(updatedPost(await revert(viewer, post, 1))).toMatchObject({ text: 'First', version: 3 });
  expect(updatedPost(await revert(viewer, post, 3))).toMatchObject({ version: 3 });
  expect(await services.allRows()).toEqual(before);
});

test('a dry run shows the post as it would be, and writes nothing', async () => {
  const viewer = await services.aViewer();
  const post = await aPost(viewer);
  await change(viewer, post, { text: 'New' });
  const before = await services.allRows();
  expect(updatedPost(await revert(viewer, post, 1, { dryRun: true }))).toMatchObject({
    text: 'First',
    version: 3,
  });
  expect(await services.allRows()).toEqual(before);
});

describe('it is refused, and changes nothing', () => {
  const expectRefused = async (outcome: () => Promise<UpdateOutcome>, expected: string[]) => {
    const before = await services.allRows();
    expect(refusalsOf(await outcome())).toEqual(expected);
    expect(await services.allRows()).toEqual(before);
  };

  test('for a version of the future', async () => {
    const viewer = await services.aViewer();
    const post = await aPost(viewer);
    await expectRefused(() => revert(viewer, post, 2), ['RULE_VIOLATION toVersion']);
  });

  test('for a version whose values are not stored', async () => {
    const viewer = await services.aViewer();
    const post = await aPost(viewer);
    for (const text of ['A', 'B']) await change(viewer, post, { text });
    await services.sql('DELETE FROM revision WHERE post_id = $1 AND version = 2', post.databaseId);
    await expectRefused(() => revert(viewer, post, 1), ['RULE_VIOLATION toVersion']);
    expect(updatedPost(await revert(viewer, post, 2))).toMatchObject({ text: 'A' });
  });

  test('for a version that another member could not see', async () => {
    const creator = await services.aViewer({ role: 'owner' });
    const other = await services.aViewer({ workspaceId: creator.workspace.id, role: 'admin' });
    const draft = await services.aPost({
      by: creator,
      storedState: 'draft_private_undated',
      text: 'Secret',
    });
    await moveToState(services.store, creator, {
      id: draft.id,
      to: 'draft_undated',
      text: 'Public',
    });
    await expectRefused(() => revert(other, draft, 1), ['RULE_VIOLATION toVersion']);
    expect(updatedPost(await revert(creator, draft, 1))).toMatchObject({ text: 'Secret' });
  });

  test('if one of the earlier values is not allowed any more: all are refused', async () => {
    const viewer = await services.aViewer();
    const post = await aPost(viewer, { scheduledAt: new Date('2026-11-21T09:00:00Z') });
    await change(viewer, post, { text: 'New', scheduledAt: new Date('2026-12-01T09:00:00Z') });
    services.clock.time = new Date('2026-11-22T09:00:00Z');
    await expectRefused(() => revert(viewer, post, 1), ['RULE_VIOLATION scheduledAt']);
  });

  test('with another version than expected, and by a member who cannot edit the post', async () => {
    const owner = await services.aViewer();
    const editor = await services.aViewer({ workspaceId: owner.workspace.id });
    const post = await aPost(owner);
    await change(owner, post, { text: 'New' });
    await expectRefused(
      () => revert(owner, post, 1, { expectedVersion: 1 }),
      ['CONFLICT expectedVersion'],
    );
    await expectRefused(() => revert(editor, post, 1), ['FORBIDDEN']);
  });
});

test('in a workspace that requires approval, the post waits for approval', async () => {
  const { id: workspaceId } = await services.aWorkspace({ requiresApproval: true });
  const editor = await services.aViewer({ workspaceId });
  const owner = await services.aViewer({ workspaceId, role: 'admin' });
  const post = await aPost(editor);
  await change(owner, post, { text: 'New' });
  expect(updatedPost(await revert(editor, post, 1))).toMatchObject({
    text: 'First',
    storedState: 'scheduled_pending',
  });
});

test('a published post is changed on its network by a job', async () => {
  const viewer = await services.aViewer();
  const post = await aPost(viewer, {
    storedState: 'published_posted',
    scheduledAt: new Date('2026-11-01T09:00:00Z'),
  });
  await change(viewer, post, { text: 'New' });
  const outcome = await revert(viewer, post, 1);
  expect(outcome).toMatchObject({ kind: 'updated', job: { kind: 'network_edit' } });
});

test('an idempotency key replays the outcome; with another version it does not match', async () => {
  const viewer = await services.aViewer();
  const post = await aPost(viewer);
  for (const text of ['A', 'B']) await change(viewer, post, { text });
  const idempotencyKey = 'key';
  const first = await revert(viewer, post, 1, { idempotencyKey });
  const second = await revert(viewer, post, 1, { idempotencyKey });
  expect([first, second]).toMatchObject([
    { replayed: false, post: { version: 4 } },
    { replayed: true, post: { version: 4 } },
  ]);
  expect(refusalsOf(await revert(viewer, post, 2, { idempotencyKey }))).toEqual([
    'IDEMPOTENCY_MISMATCH idempotencyKey',
  ]);
});

test.each(['failed', 'published_posted'] as const)(
  'fields of a %s post that cannot go back are named, and the others go back when asked',
  async (storedState) => {
    const viewer = await services.aViewer();
    const post = await aPost(viewer);
    const scheduledAt = new Date('2026-12-24T10:00:00Z');
    await change(viewer, post, { text: 'Second', scheduledAt });
    const { number } = STORED_STATES[storedState];
    await services.sql(
      'UPDATE post SET stored_state = $2, scheduled_at = $3 WHERE id = $1',
      post.databaseId,
      number,
      scheduledAt,
    );
    const before = await services.allRows();
    const refused = await revert(viewer, post, 1);
    expect(refusalsOf(refused)).toEqual(['RULE_VIOLATION scheduledAt']);
    expect(refused).toMatchObject({
      refusals: [{ message: expect.stringContaining('Set fields to go back without it: text.') }],
    });
    expect(await services.allRows()).toEqual(before);
    const outcome = await revert(viewer, post, 1, { fields: ['text'] });
    expect(updatedPost(outcome)).toMatchObject({ text: 'First', version: 3, scheduledAt });
    expect(outcome).toMatchObject({
      job: storedState === 'failed' ? null : { kind: 'network_edit' },
    });
  },
);

test('only the fields that are asked for go back', async () => {
  const viewer = await services.aViewer();
  const post = await aPost(viewer);
  await change(viewer, post, { text: 'Second', title: 'Title' });
  const fields = ['text'] as const;
  const reverted = updatedPost(await revert(viewer, post, 1, { fields }));
  expect(reverted).toMatchObject({ text: 'First', title: 'Title', version: 3 });
});

test('a series lists what it does to its occurrences', async () => {
  const viewer = await services.aViewer();
  const recurring = {
    repeat: 'daily',
    startDate: '2026-12-01T09:00:00Z',
    endDate: '2026-12-02T09:00:00Z',
  } as const;
  const account = await services.anAccount({ workspaceId: viewer.workspace.id, sandbox: true });
  const [series] = createdPosts(
    await services.create(viewer, {
      targets: targetsOf(account),
      scheduledAt: null,
      post: { type: 'status', text: 'Text', recurring },
    }),
  );
  await change(viewer, series!, { recurring: { endDate: '2026-12-01T09:00:00Z' } });
  const lists = {
    made: [new Date('2026-12-02T09:00:00Z')],
    kept: [new Date('2026-12-01T09:00:00Z')],
    moved: [],
    removed: [],
    independent: 0,
  };
  for (const dryRun of [true, false])
    expect(await revert(viewer, series!, 1, { dryRun })).toMatchObject({ series: lists });
});
