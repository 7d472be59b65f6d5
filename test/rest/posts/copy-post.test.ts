import { withGateway } from '../../fixtures/gateway.js';
import type { KeyedViewer } from '../../fixtures/records.js';

const gateway = withGateway();

/** What a copy responds, in the same form for both APIs. */
interface Copied {
  readonly id: string | null;
  readonly code: string | null;
}
type Options = { visibility?: 'private' | 'public'; key?: string; dryRun?: boolean };

const APIS: Readonly<
  Record<string, (as: KeyedViewer, id: string, options?: Options) => Promise<Copied>>
> = {
  async graphql(as, id, { visibility, key, dryRun = false } = {}) {
    const { body } = await gateway.graphql(
      'mutation ($input: CopyPostInput!) { copyPost(input: $input) { post { id } userErrors { code } } }',
      { input: { id, visibility: visibility?.toUpperCase(), idempotencyKey: key, dryRun } },
      { as },
    );
    const { post, userErrors } = body.data.copyPost;
    return { id: post?.id ?? null, code: userErrors[0]?.code ?? null };
  },
  async v1(as, id, { visibility, key, dryRun = false } = {}) {
    const { status, body } = await gateway.v1('POST', `/posts/${id}/copy?dry_run=${dryRun}`, {
      as,
      body: { ...(visibility && { visibility }) },
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
    });
    return status === 200 ? { id: body.id, code: null } : { id: null, code: body.code };
  },
};

const COUNT = '{ posts { totalCount } }';
const CONTENT =
  'query ($id: ID!) { post(id: $id) { state version type text title account { id } labels { name } media { url altText } options networkOptions { visibility } scheduledAt recycling { gap } recurring { frequency } user { id } history(first: 1) { nodes { version } } } }';

describe.each(Object.entries(APIS))('a copy (D47), %s', (_api, copy) => {
  const content = async (as: KeyedViewer, id: string) =>
    (await gateway.graphql(CONTENT, { id }, { as })).body.data.post;
  const countOf = async (as: KeyedViewer): Promise<number> =>
    (await gateway.graphql(COUNT, {}, { as })).body.data.posts.totalCount;

  it('is an undated draft with the content, the labels and the account', async () => {
    const owner = await gateway.records.aViewer({ role: 'owner' });
    const account = await gateway.records.anAccount({
      workspaceId: owner.workspace.id,
      network: 'mastodon',
    });
    const { body } = await gateway.graphql(
      'mutation ($input: CreatePostsInput!) { createPosts(input: $input) { posts { id } userErrors { message } } }',
      {
        input: {
          mode: 'SCHEDULE',
          scheduledAt: new Date(Date.now() + 86_400_000),
          targets: [{ accountId: account.id }],
          post: {
            type: 'PHOTO',
            text: 'Our menu',
            labels: [{ name: 'Menu' }],
            media: [{ path: 'https://example.com/a.jpg', caption: 'The menu' }],
            networkOptions: { visibility: 'unlisted' },
            recycling: { gap: 1, gapFreq: 'WEEKS', expireCount: 3 },
          },
        },
      },
      { as: owner },
    );
    expect(body.data.createPosts.userErrors).toEqual([]);
    const [source] = body.data.createPosts.posts;
    const before = await content(owner, source.id);
    expect(await copy(owner, source.id, { dryRun: true })).toEqual({ id: null, code: null });
    expect(await countOf(owner)).toBe(1);
    const { id } = await copy(owner, source.id, { key: 'once' });
    expect(await copy(owner, source.id, { key: 'once' })).toEqual({ id, code: null });
    expect(await countOf(owner)).toBe(2);
    expect(await content(owner, id!)).toEqual({
      ...before,
      state: 'DRAFT_UNDATED',
      version: 1,
      scheduledAt: null,
      recycling: null,
    });
    expect(await content(owner, source.id)).toEqual(before);
  });

  it('has the visibility of a draft, or that of the request, and the member as its creator', async () => {
    const owner = await gateway.records.aViewer({ role: 'owner' });
    const editor = await gateway.records.aViewer({ workspaceId: owner.workspace.id });
    const [own, shared] = [
      await gateway.records.aPost({ by: editor, storedState: 'draft_private_undated' }),
      await gateway.records.aPost({ by: owner, storedState: 'published_posted' }),
    ];
    const stateOf = async (copied: Copied) => (await content(editor, copied.id!)).state;
    expect(await stateOf(await copy(editor, own.id))).toBe('DRAFT_PRIVATE');
    const copied = await copy(editor, shared.id);
    expect(await content(editor, copied.id!)).toMatchObject({
      state: 'DRAFT_UNDATED',
      user: { id: editor.user.id },
    });
    expect(await stateOf(await copy(editor, shared.id, { visibility: 'public' }))).toBe(
      'DRAFT_PUBLIC',
    );
    expect((await copy(owner, own.id)).code).toBe('FORBIDDEN'); // as a post of another workspace
  });

  it('viewers cannot copy, and unknown posts are not found', async () => {
    const owner = await gateway.records.aViewer({ role: 'owner' });
    const viewer = await gateway.records.aViewer({
      workspaceId: owner.workspace.id,
      role: 'viewer',
    });
    const post = await gateway.records.aPost({ by: owner });
    expect(await copy(viewer, post.id)).toEqual({ id: null, code: 'FORBIDDEN' });
    expect(await copy(gateway.owner, post.id)).toEqual({ id: null, code: 'FORBIDDEN' });
    expect(await copy(owner, '0'.repeat(24))).toEqual({ id: null, code: 'POST_NOT_FOUND' });
    expect(await countOf(owner)).toBe(1);
  });
});
