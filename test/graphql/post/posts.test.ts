import { withApi } from '../test-api.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const api = withApi();
const owner = forAllTests(() => api.records.aViewer({ role: 'owner' }));
const editor = forAllTests(() =>
  api.records.aViewer({ workspaceId: owner.workspace.id, role: 'editor' }),
);

describe('one post', () => {
  it('is found by ID and by database ID, with all fields', async () => {
    const media = await api.records.aMedia({ workspaceId: owner.workspace.id, altText: 'A dog.' });
    const post = await api.records.aPost({
      by: owner,
      type: 'link',
      url: 'https://example.com/a',
      link: { originalTitle: 'A' },
      media: [media],
      details: { comment: true },
    });
    const { data, errors } = await api.execute(
      owner,
      `{ post(id: "${post.databaseId}") { id url link { url title imageUrl } media { altText } details { comment sponsor { id } } user { id }
      sublinks { url } location { id } recycling { gap } recurring { frequency } analytics { reach } networkSync { status } parent { id } occurrences { totalCount nodes { id } }
      featuredMedia { id } content { type } options tags categories editability { field allowed } deletability { allowed code } account { provider dailyCaps { postKind limit used remaining } } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.post).toMatchObject({
      id: post.id,
      url: 'https://example.com/a',
      link: { url: 'https://example.com/a', title: 'A', imageUrl: null },
      media: [{ altText: 'A dog.' }],
      details: { comment: true, sponsor: null },
      parent: null,
      occurrences: { totalCount: 0, nodes: [] },
      deletability: { allowed: true, code: null },
      account: {
        provider: 'MASTODON',
        dailyCaps: [{ postKind: 'post', limit: 100, used: 0, remaining: 100 }],
      },
    });
    expect(data.post.editability).toHaveLength(22);
  });

  it('is null with an error code if it is unknown or of another workspace', async () => {
    const other = await api.records.aPost({ by: await api.records.aViewer({ role: 'owner' }) });
    const draft = await api.records.aPost({ by: editor, storedState: 'draft_private_undated' });
    for (const [id, code] of [
      ['f'.repeat(24), 'POST_NOT_FOUND'],
      ['0', 'POST_NOT_FOUND'],
      ['\\u0000', 'POST_NOT_FOUND'],
      [other.id, 'FORBIDDEN'],
      [draft.id, 'FORBIDDEN'],
    ]) {
      const { data, codes } = await api.execute(owner, `{ post(id: "${id}") { id } }`);
      expect({ id, data, codes }).toEqual({ id, data: { post: null }, codes: [code] });
    }
  });

  it('is null through node if it is not visible, of another workspace, or requested by database ID', async () => {
    const draft = await api.records.aPost({ by: editor, storedState: 'draft_private_undated' });
    const ids = [
      draft.id,
      String(draft.databaseId),
      'f'.repeat(24),
      'acc_none',
      'usr_none',
      'wks_none',
      'lbl_none',
      'med_none',
      'job_none',
      'ntf_none',
      'key_none',
      '',
      'x\0',
    ];
    const { data, errors } = await api.execute(
      owner,
      'query($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      { ids },
    );
    expect({ nodes: data.nodes, errors }).toEqual({
      nodes: ids.map(() => null),
      errors: undefined,
    });
    expect(
      (
        await api.execute(
          editor,
          `{ node(id: "${draft.id}") { __typename ... on Post { text state } } }`,
        )
      ).data.node,
    ).toEqual({ __typename: 'Post', text: draft.text, state: 'DRAFT_PRIVATE' });
    const visibleIds = [owner.user.id, owner.workspace.id, draft.id];
    expect(
      (
        await api.execute(editor, 'query($ids: [ID!]!) { nodes(ids: $ids) { __typename } }', {
          ids: visibleIds,
        })
      ).data.nodes,
    ).toEqual([{ __typename: 'User' }, { __typename: 'Workspace' }, { __typename: 'Post' }]);
  });
});

it('logs no errors', () => expect(api.loggedErrors).toEqual([]));
