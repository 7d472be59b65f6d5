import type { Post } from '../../src/domain/posts/post.js';
import { withGateway } from '../fixtures/gateway.js';
import type { KeyedViewer } from '../fixtures/records.js';

const gateway = withGateway();

/** What a change of a label responds, in the same form for both APIs. */
interface Changed {
  /** The label that is left, or the ID of the deleted one; null if the change was refused. */
  readonly result: unknown;
  readonly code: string | null;
}
interface LabelApi {
  update(id: string, change: { name?: string; color?: string }): Promise<Changed>;
  merge(id: string, intoId: string): Promise<Changed>;
  remove(id: string): Promise<Changed>;
}

/** The same verbs in both APIs. */
const APIS: Readonly<Record<string, (as: KeyedViewer, dryRun: boolean) => LabelApi>> = {
  graphql(as, dryRun) {
    const mutate = async (name: string, input: object, field: string): Promise<Changed> => {
      const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
      const selection = field === 'label' ? 'label { id name color }' : field;
      const { body } = await gateway.graphql(
        `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} userErrors { code } } }`,
        { input: { ...input, dryRun } },
        { as },
      );
      const { [field]: result, userErrors } = body.data[name];
      return { result, code: userErrors[0]?.code ?? null };
    };
    return {
      update: (id, change) => mutate('updateLabel', { id, ...change }, 'label'),
      merge: (id, intoId) => mutate('mergeLabels', { id, intoId }, 'label'),
      remove: (id) => mutate('deleteLabel', { id }, 'deletedId'),
    };
  },
  v1(as, dryRun) {
    const send = async (method: string, path: string, body?: object): Promise<Changed> => {
      const response = await gateway.v1(method, `/labels/${path}?dry_run=${dryRun}`, {
        as,
        ...(body && { body }),
      });
      if (response.status !== 200) return { result: null, code: response.body.code };
      expect(response.headers.get('x-dry-run')).toBe(dryRun ? 'true' : null);
      return { result: response.body.deleted_id ?? response.body, code: null };
    };
    return {
      update: (id, change) => send('PUT', id, change),
      merge: (id, intoId) => send('POST', `${id}/merge`, { into_id: intoId }),
      remove: (id) => send('DELETE', id),
    };
  },
};

async function aWorkspace() {
  const owner = await gateway.records.aViewer({ role: 'owner' });
  const workspaceId = owner.workspace.id;
  const [news, menu] = [
    await gateway.records.aLabel({ workspaceId, name: 'News' }),
    await gateway.records.aLabel({ workspaceId, name: 'Menu' }),
  ];
  const aPost = (given: Partial<Post> = {}) =>
    gateway.records.aPost({ by: owner, labels: [news], ...given });
  const labelsOf = async ({ id }: Post, as = owner): Promise<string[]> => {
    const { body } = await gateway.v1('GET', `/posts/${id}`, { as });
    return body.labels.map(({ name }: { name: string }) => name);
  };
  const versionOf = async ({ id }: Post): Promise<number> => {
    const source = 'query ($id: ID!) { post(id: $id) { version } }';
    return (await gateway.graphql(source, { id }, { as: owner })).body.data.post.version;
  };
  const listed = async (): Promise<string[]> =>
    (await gateway.v1('GET', '/labels', { as: owner })).body.labels.map(
      ({ name }: { name: string }) => name,
    );
  return { owner, workspaceId, news, menu, aPost, labelsOf, versionOf, listed };
}

describe.each(Object.keys(APIS))('labels in %s', (name) => {
  const api = (as: KeyedViewer, dryRun = false) => APIS[name]!(as, dryRun);

  it('are renamed and recolored on all of their posts, which keep their versions', async () => {
    const { owner, news, aPost, labelsOf, versionOf } = await aWorkspace();
    const post = await aPost();
    const change = { name: 'Latest news', color: '#112233' };
    const { color } = news;
    expect(await api(owner, true).update(news.id, change)).toEqual({
      result: { id: news.id, ...change },
      code: null,
    });
    expect(await labelsOf(post)).toEqual(['News']);
    expect(await api(owner).update(news.id, { name: 'Latest news' })).toEqual({
      result: { id: news.id, name: 'Latest news', color },
      code: null,
    });
    expect(await api(owner).update(news.id, { color: '#112233' })).toEqual({
      result: { id: news.id, ...change },
      code: null,
    });
    expect([await labelsOf(post), await versionOf(post)]).toEqual([['Latest news'], 1]);
  });

  it('do not get the name of another label, in any case', async () => {
    const { owner, news } = await aWorkspace();
    expect(await api(owner).update(news.id, { name: 'MENU' })).toEqual({
      result: null,
      code: 'RULE_VIOLATION',
    });
    expect((await api(owner).update(news.id, { name: 'NEWS' })).code).toBeNull();
  });

  it('are merged: every post, also a private draft, has the other one once', async () => {
    const { owner, workspaceId, news, menu, aPost, labelsOf, versionOf, listed } =
      await aWorkspace();
    const member = await gateway.records.aViewer({ workspaceId, postActions: true });
    const draft = await aPost({ by: member, storedState: 'draft_private_undated' } as never);
    const posts = [
      await aPost(),
      await aPost({ labels: [news, menu] }),
      await aPost({ storedState: 'published_posted' }),
    ];
    expect((await api(owner, true).merge(news.id, menu.id)).code).toBeNull();
    expect(await listed()).toEqual(['Menu', 'News']);
    expect(await api(owner).merge(news.id, menu.id)).toEqual({
      result: expect.objectContaining({ id: menu.id, name: 'Menu' }),
      code: null,
    });
    for (const post of posts)
      expect([await labelsOf(post), await versionOf(post)]).toEqual([['Menu'], 2]);
    expect(await labelsOf(draft, member)).toEqual(['Menu']);
    expect(await listed()).toEqual(['Menu']);
  });

  it('are deleted from all of their posts', async () => {
    const { owner, news, menu, aPost, labelsOf, versionOf, listed } = await aWorkspace();
    const post = await aPost({ labels: [news, menu] });
    expect(await api(owner, true).remove(news.id)).toEqual({ result: news.id, code: null });
    expect(await labelsOf(post)).toEqual(['Menu', 'News']);
    expect(await api(owner).remove(news.id)).toEqual({ result: news.id, code: null });
    expect([await labelsOf(post), await versionOf(post), await listed()]).toEqual([
      ['Menu'],
      2,
      ['Menu'],
    ]);
    expect((await api(owner).remove(news.id)).code).toBe('RULE_VIOLATION');
  });

  it('are changed only by members with post-action access, in their workspace', async () => {
    const { workspaceId, owner, news, menu, listed } = await aWorkspace();
    const editor = await gateway.records.aViewer({ workspaceId, role: 'editor' });
    const stranger = await gateway.records.aViewer({ role: 'owner' });
    for (const [as, code] of [
      [editor, 'FORBIDDEN'],
      [stranger, 'RULE_VIOLATION'],
    ] as const)
      for (const change of [
        api(as).update(news.id, { name: 'Mine' }),
        api(as).merge(news.id, menu.id),
        api(as).remove(news.id),
      ])
        expect(await change).toEqual({ result: null, code });
    expect((await api(owner).merge(news.id, news.id)).code).toBe('RULE_VIOLATION');
    expect(await listed()).toEqual(['Menu', 'News']);
  });
});

test('a change of a label is an event, which only those see who can see the label', async () => {
  const { owner, workspaceId, news, aPost } = await aWorkspace();
  const member = await gateway.records.aViewer({ workspaceId, postActions: true });
  const hidden = await gateway.records.aLabel({ workspaceId, name: 'Hidden' });
  await aPost({ by: member, labels: [hidden], storedState: 'draft_private_undated' } as never);
  await gateway.v1('PUT', `/labels/${news.id}`, { as: owner, body: { name: 'All' } });
  await gateway.v1('PUT', `/labels/${hidden.id}`, { as: member, body: { name: 'Mine' } });
  const { rows } = await gateway.db.pool.query(
    "SELECT record_id AS id, visible_to AS only FROM event WHERE workspace_id = $1 AND type = 'label.changed' ORDER BY visible_to NULLS FIRST",
    [workspaceId],
  );
  expect(rows).toEqual([
    { id: news.id, only: null },
    { id: hidden.id, only: member.user.id },
  ]);
  const refused = await gateway.v1('PUT', `/labels/${hidden.id}`, {
    as: owner,
    body: { name: 'Yours' },
  });
  expect(refused.body.code).toBe('RULE_VIOLATION');
});

test('malformed changes of labels are refused with every problem', async () => {
  const { owner, news } = await aWorkspace();
  const { body } = await gateway.v1('PUT', `/labels/${news.id}?dry=1`, {
    as: owner,
    body: { name: ' ', color: 'red', colour: 'x' },
  });
  expect([body.code, body.errors.length]).toEqual(['BAD_USER_INPUT', 4]);
  const { body: graphql } = await gateway.graphql(
    'mutation ($id: ID!) { updateLabel(input: { id: $id, name: " ", color: "red" }) { label { id } } }',
    { id: news.id },
    { as: owner },
  );
  expect(graphql.errors[0].extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    problems: [{ path: ['input', 'name'] }, { path: ['input', 'color'] }],
  });
});
