import { NOW, refusalsOf, updatedPost, withServices } from '../../fixtures/services.js';
const services = withServices();

describe('a workspace that requires approval', () => {
  const team = async () => {
    const workspace = await services.aWorkspace({ requiresApproval: true });
    const workspaceId = workspace.id;
    const owner = await services.aViewer({ workspaceId, userId: workspace.ownerId, role: 'owner' });
    const admin = await services.aViewer({ workspaceId, role: 'admin' });
    const editor = await services.aViewer({ workspaceId, postActions: true });
    const notes = () =>
      services.sql<{ user_id: string; kind: string }>(
        'SELECT user_id, kind FROM notification WHERE workspace_id = $1',
        workspaceId,
      );
    return { workspaceId, owner, admin, editor, notes };
  };

  test('a change by an editor makes the post pending and notifies those who may approve', async () => {
    const { owner, admin, editor, notes } = await team();
    const post = await services.aPost({ by: editor, storedState: 'scheduled_approved' });
    expect(
      updatedPost(await services.update(editor, post, { labels: [{ name: 'x' }] })).storedState,
    ).toBe('scheduled_approved');
    expect(await notes()).toEqual([]);
    expect(updatedPost(await services.update(editor, post, { text: 'New' })).storedState).toBe(
      'scheduled_pending',
    );
    expect((await notes()).map((note) => note.user_id).sort()).toEqual(
      [owner.user.id, admin.user.id].sort(),
    );
    expect(updatedPost(await services.update(editor, post, { labels: [] })).storedState).toBe(
      'scheduled_pending',
    );
    expect(await notes()).toHaveLength(2);
    expect(updatedPost(await services.update(editor, post, { text: 'Newer' })).storedState).toBe(
      'scheduled_pending',
    );
    expect(await notes()).toHaveLength(4);
    expect(
      await services.sql(
        'SELECT DISTINCT message FROM notification WHERE workspace_id = $1',
        post.workspaceId,
      ),
    ).toEqual([{ message: `${editor.user.name} asks for your approval of a post.` }]);
  });

  test('each change that asks for approval notifies the others who may approve, however it is made', async () => {
    const { owner, admin, editor, notes } = await team();
    const post = await services.aPost({ by: editor });
    const schedule = {
      kind: 'schedule',
      mode: 'schedule',
      accountId: null,
      visibility: null,
      allowDuplicate: true,
    } as const;
    for (const days of [2, 3]) {
      const scheduledAt = new Date(NOW.getTime() + days * 86_400_000);
      await services.act(editor, [post], { ...schedule, scheduledAt });
    }
    expect((await notes()).map((note) => note.user_id).sort()).toEqual(
      [owner.user.id, admin.user.id, owner.user.id, admin.user.id].sort(),
    );
    await services.act(owner, [post], { ...schedule, scheduledAt: new Date(NOW.getTime() + 4e8) });
    expect(await notes()).toHaveLength(4);
  });

  test('recycling posts become pending, drafts do not, and an admin’s change needs no approval', async () => {
    const { admin, editor, notes } = await team();
    const [recycling, draft, other] = [
      await services.aPost({ by: editor, storedState: 'recycling_active' }),
      await services.aPost({ by: editor, storedState: 'draft_dated' }),
      await services.aPost({ by: editor }),
    ];
    expect(updatedPost(await services.update(editor, draft, { text: 'New' })).storedState).toBe(
      'draft_dated',
    );
    expect(updatedPost(await services.update(admin, other, { text: 'New' })).storedState).toBe(
      'scheduled',
    );
    expect(await notes()).toEqual([]);
    expect(updatedPost(await services.update(editor, recycling, { text: 'New' })).storedState).toBe(
      'recycling_pending',
    );
    expect(await notes()).toHaveLength(2);
  });

  test('an editor can change the labels of a published post, but no field that its network shows', async () => {
    const { workspaceId, editor, admin } = await team();
    const post = await services.aPost({
      by: editor,
      storedState: 'published_posted',
      account: await services.anAccount({ workspaceId, network: 'linkedin' }),
    });
    expect(
      refusalsOf(await services.update(editor, post, { text: 'New', labels: [{ name: 'x' }] })),
    ).toEqual(['APPROVAL_REQUIRED text']);
    expect(
      updatedPost(await services.update(editor, post, { labels: [{ name: 'x' }] })).version,
    ).toBe(2);
    expect(updatedPost(await services.update(admin, post, { text: 'New' })).version).toBe(3);
  });
});

describe('drafts and dates', () => {
  test('a private draft is accessible to its creator only', async () => {
    const owner = await services.aViewer();
    const editor = await services.aViewer({ workspaceId: owner.workspace.id });
    const draft = await services.aPost({ by: editor, storedState: 'draft_private_undated' });
    expect(refusalsOf(await services.update(owner, draft, { text: 'x' }))).toEqual(['FORBIDDEN']);
    expect(
      refusalsOf(await services.update(owner, { id: String(draft.databaseId) }, { text: 'x' })),
    ).toEqual(['POST_NOT_FOUND']);
    expect(updatedPost(await services.update(editor, draft, { text: 'x' })).storedState).toBe(
      'draft_private_undated',
    );
  });

  test.each([
    ['draft_undated', 'draft_dated'],
    ['draft_public_undated', 'draft_public_dated'],
    ['draft_private_undated', 'draft_private_dated'],
  ] as const)('%s with a date is %s, and back', async (undated, dated) => {
    const viewer = await services.aViewer();
    const draft = await services.aPost({ by: viewer, storedState: undated });
    const at = new Date('2026-12-24T18:00:00Z');
    expect(updatedPost(await services.update(viewer, draft, { scheduledAt: at }))).toMatchObject({
      storedState: dated,
      scheduledAt: at,
    });
    expect(updatedPost(await services.update(viewer, draft, { scheduledAt: null }))).toMatchObject({
      storedState: undated,
      scheduledAt: null,
    });
    expect((await services.storedPost(viewer, draft.id)).storedState).toBe(undated);
  });

  test('a date must be at least a minute ahead, and can be cleared on drafts only', async () => {
    const viewer = await services.aViewer();
    const post = await services.aPost({ by: viewer });
    const at = (ms: number): Date => new Date(NOW.getTime() + ms);
    expect(refusalsOf(await services.update(viewer, post, { scheduledAt: at(59_000) }))).toEqual([
      'RULE_VIOLATION scheduledAt',
    ]);
    expect(refusalsOf(await services.update(viewer, post, { scheduledAt: null }))).toEqual([
      'RULE_VIOLATION scheduledAt',
    ]);
    expect(
      updatedPost(await services.update(viewer, post, { scheduledAt: at(60_000) })).scheduledAt,
    ).toEqual(at(60_000));
    for (const storedState of [
      'failed',
      'recycling_active',
      'published_posted',
      'recurring',
    ] as const) {
      const other = await services.aPost({
        by: viewer,
        storedState,
        recurring: storedState === 'recurring' ? { repeat: 'daily' } : null,
      });
      expect([
        storedState,
        refusalsOf(await services.update(viewer, other, { scheduledAt: at(120_000) })),
      ]).toEqual([storedState, ['RULE_VIOLATION scheduledAt']]);
    }
  });
});
