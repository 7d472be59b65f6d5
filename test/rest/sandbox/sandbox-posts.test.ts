import { allRows } from '../../fixtures/database-rows.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { createSandboxDeliveryStore } from '../../../src/persistence/publishing/sandbox-deliveries.js';
import type { TestGateway } from '../../fixtures/gateway.js';
import type { KeyedViewer, Records } from '../../fixtures/records.js';
import {
  expectSandboxError,
  NO_FAULTS,
  openSandboxGateway,
  type SandboxGateway,
} from './sandbox-gateway.js';
import { UNKNOWN_ID } from '../v1-client.js';

let gateway: TestGateway;
let records: Records;
let owner: KeyedViewer;
let account: SandboxGateway['account'];
let send: SandboxGateway['send'];
let published: SandboxGateway['published'];
let edit: SandboxGateway['edit'];
let readRemoteText: SandboxGateway['readRemoteText'];

beforeAll(async () => {
  ({ gateway, account, send, published, edit, readRemoteText } = await openSandboxGateway());
  ({ records, owner } = gateway);
});
afterAll(() => gateway.close());

describe('a post on the sandbox network', () => {
  it('has the published content until an edit changes the edited fields', async () => {
    const post = await published({ text: 'Old', title: 'Warning', details: { language: 'en' } });
    const { status, body } = await send('GET', `/${post.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: post.id,
      network: 'mastodon',
      account_id: account.id,
      type: 'status',
      text: 'Old',
      title: 'Warning',
      language: 'en',
      edits: 0,
      edited_at: null,
    });

    expect(
      await edit(
        { ...post, text: 'New', title: null, details: { language: 'de' } },
        'text',
        'details.language',
      ),
    ).toEqual({ kind: 'edited' });
    expect((await send('GET', `/${post.databaseId}`)).body).toEqual({
      ...body,
      text: 'New',
      language: 'de',
      edits: 1,
      edited_at: '2026-11-21T08:00:00+00:00',
    });
  });

  it('does not change when the service saves the post', async () => {
    const post = await published({ text: 'Old' });
    expect(
      (await gateway.v1('PUT', `/posts/${post.id}`, { body: { post: { text: 'Saved' } } })).body
        .text,
    ).toBe('Saved');
    expect(await readRemoteText(post)).toBe('Old');
    await edit({ ...post, title: 'Title' }, 'title');
    expect(await readRemoteText(post)).toBe('Old');
  });

  it('of a blog has blocks, slug and featured media', async () => {
    const blog = await records.anAccount({
      workspaceId: owner.workspace.id,
      network: 'wordpress',
      type: 'blog',
      sandbox: true,
    });
    const content = [{ type: 'paragraph' as const, data: { text: 'Old' } }];
    const picture = await records.aMedia({ workspaceId: owner.workspace.id });
    const post = await published({
      account: blog,
      type: 'article',
      content,
      url: 'old-slug',
      featuredMedia: picture,
      tags: ['a'],
    });
    expect((await send('GET', `/${post.id}`)).body).toMatchObject({
      content,
      url: 'old-slug',
      tags: ['a'],
      featured_media: { id: picture.id },
    });
    await edit({ ...post, url: 'new-slug', featuredMedia: null }, 'url', 'featuredMedia');
    expect((await send('GET', `/${post.id}`)).body).toMatchObject({
      content,
      url: 'new-slug',
      tags: ['a'],
      featured_media: null,
    });
  });

  it('can be deleted without notifying the service', async () => {
    const post = await published();
    expect((await send('DELETE', `/${post.id}`)).body).toEqual({ deleted_ids: [post.id] });
    for (const method of ['GET', 'DELETE'])
      expectSandboxError(await send(method, `/${post.id}`), 404, 'NOT_IN_SANDBOX');
    expect((await gateway.v1('GET', `/posts/${post.id}`)).body.state).toBe('published_posted');
    expect(await edit({ ...post, text: 'New' }, 'text')).toMatchObject({
      kind: 'failed',
      code: 'NETWORK_POST_DELETED',
    });
  });
});

describe('what the network has taken', () => {
  const take = (post: Post, text = post.text): Promise<string> =>
    createSandboxDeliveryStore(gateway.db).take({
      accountId: account.id,
      postId: post.id,
      handle: post.id,
      content: { type: 'status', text, title: null, url: null, media: [] },
      at: new Date('2026-11-21T07:00:00Z'),
    });

  it('is there although the service has no confirmation, until it is deleted there', async () => {
    const post = await records.aPost({ by: owner, account, storedState: 'failed', text: 'Sent' });
    expectSandboxError(await send('GET', `/${post.id}`), 404, 'NOT_IN_SANDBOX');
    expectSandboxError(await send('DELETE', `/${post.id}`), 404, 'NOT_IN_SANDBOX');
    await take(post, 'Taken');
    for (const id of [post.id, post.databaseId])
      expect((await send('GET', `/${id}`)).body).toMatchObject({
        id: post.id,
        text: 'Taken',
        published_at: '2026-11-21T07:00:00+00:00',
      });
    expect((await send('DELETE', `/${post.id}`)).body).toEqual({ deleted_ids: [post.id] });
    expectSandboxError(await send('GET', `/${post.id}`), 404, 'NOT_IN_SANDBOX');
  });

  it('is still there after the post was deleted in the service, for members of the workspace', async () => {
    const [sent, live] = [
      await records.aPost({ by: owner, account, storedState: 'failed' }),
      await published({ text: 'Live' }),
    ];
    await take(sent);
    const remoteId = await take(live);
    await gateway.db.prisma.post.update({ where: { docId: live.id }, data: { remoteId } });
    const stranger = await records.aViewer();
    for (const { id, text } of [sent, live]) {
      await gateway.v1('DELETE', `/posts?post_ids=${id}`);
      expect((await gateway.v1('GET', `/posts/${id}`)).body.code).toBe('POST_NOT_FOUND');
      expect((await send('GET', `/${id}`)).body).toMatchObject({ id, text });
      expectSandboxError(await send('GET', `/${id}`, undefined, stranger), 422, 'POST_NOT_FOUND');
    }
  });
});

describe('access to the sandbox', () => {
  it('distinguishes unknown, inaccessible and non-sandbox posts', async () => {
    const nonMember = await records.aViewer();
    const foreign = await records.aPost({ by: nonMember, storedState: 'published_posted' });
    const secret = await records.aPost({
      by: await records.aViewer({ workspaceId: owner.workspace.id }),
      storedState: 'draft_private_dated',
      account,
    });
    const real = await records.aPost({ by: owner, storedState: 'published_posted' });
    const scheduled = await records.aPost({ by: owner, account });
    const deleted = await published({ storedState: 'published_deleted' });
    for (const path of ['', '/faults']) {
      expectSandboxError(await send('GET', `/${UNKNOWN_ID}${path}`), 422, 'POST_NOT_FOUND');
      expectSandboxError(await send('GET', `/nonsense${path}`), 422, 'POST_NOT_FOUND');
      expectSandboxError(await send('GET', `/${foreign.id}${path}`), 403, 'FORBIDDEN');
      expectSandboxError(await send('GET', `/${secret.id}${path}`), 403, 'FORBIDDEN');
      expectSandboxError(await send('GET', `/${real.id}${path}`), 404, 'NOT_IN_SANDBOX');
    }
    expectSandboxError(await send('GET', `/${scheduled.id}`), 404, 'NOT_IN_SANDBOX');
    expectSandboxError(await send('GET', `/${deleted.id}`), 404, 'NOT_IN_SANDBOX');
    expectSandboxError(await send('GET', `/${scheduled.id}/else`), 404, 'NOT_FOUND');
  });

  it('requires authentication for every path, also for unknown ones', async () => {
    for (const path of ['/sandbox/posts', '/sandbox/clock', '/sandbox/x/y/z', '/Sandbox/7']) {
      expect((await gateway.request(path, { caller: { key: null } })).status).toBe(401);
    }
    const { headers } = await send('GET', '/clock');
    expect(headers.get('x-ratelimit-limit')).not.toBeNull();
    expectSandboxError(
      await gateway.request('/sandbox/clock', { caller: { workspace: null } }),
      403,
      'MISSING_WORKSPACE',
    );
  });

  it('lets readers of a post read, and editors of the post change', async () => {
    const post = await published();
    const workspaceViewer = await records.aViewer({
      workspaceId: owner.workspace.id,
      role: 'viewer',
    });
    const editor = await records.aViewer({ workspaceId: owner.workspace.id, role: 'editor' });
    const reader = await records.aViewer({
      workspaceId: owner.workspace.id,
      role: 'admin',
      scopes: ['posts:read'],
    });
    const before = await allRows(gateway.db.pool);
    for (const viewer of [workspaceViewer, editor, reader]) {
      expect((await send('GET', `/${post.id}`, undefined, viewer)).status).toBe(200);
      expect((await send('GET', `/${post.id}/faults`, undefined, viewer)).body).toEqual(NO_FAULTS);
      const code = viewer === reader ? 'MISSING_SCOPE' : 'FORBIDDEN';
      expectSandboxError(
        await send('PUT', `/${post.id}/faults`, { delay_ms: 1 }, viewer),
        403,
        code,
      );
      expectSandboxError(await send('DELETE', `/${post.id}/faults`, undefined, viewer), 403, code);
      expectSandboxError(await send('DELETE', `/${post.id}`, undefined, viewer), 403, code);
      if (viewer !== editor)
        expectSandboxError(await send('PUT', '/clock', { advance_seconds: 1 }, viewer), 403, code);
    }
    expect(await allRows(gateway.db.pool)).toEqual(before);
  });
});
