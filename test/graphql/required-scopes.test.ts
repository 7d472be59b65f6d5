import { authenticatedAs, withApi } from './test-api.js';
import { forAllTests } from '../fixtures/lifecycle.js';

const api = withApi();
const owner = forAllTests(() => api.records.aViewer({ role: 'owner' }));

describe('workspace and scope', () => {
  const errorCodes = async (
    workspace: { kind: 'missing' } | { kind: 'non_member' },
    query: string,
  ) => (await api.send(authenticatedAs(owner, workspace), { body: { query } })).codes;

  it('checks the workspace before the scope', async () => {
    const media = await api.records.aViewer({ role: 'owner', scopes: ['media'] });
    expect(
      (
        await api.send(authenticatedAs(media, { kind: 'missing' }), {
          body: { query: '{ posts { totalCount } }' },
        })
      ).codes,
    ).toEqual(['MISSING_WORKSPACE']);
    expect(
      (
        await api.send(authenticatedAs(media, { kind: 'non_member' }), {
          body: { query: '{ posts { totalCount } }' },
        })
      ).codes,
    ).toEqual(['NOT_A_MEMBER']);
    expect((await api.execute(media, '{ posts { totalCount } }')).codes).toEqual(['MISSING_SCOPE']);
  });

  it.each([
    '{ workspaces { id } }',
    '{ viewer { workspace { id } role } }',
    '{ rateLimit { limit } }',
    '{ networks { network } }',
    '{ __schema { queryType { name } } }',
  ])('requires no workspace for %s', async (query) => {
    expect(await errorCodes({ kind: 'missing' }, query)).toEqual([]);
    expect(await errorCodes({ kind: 'non_member' }, query)).toEqual([]);
  });

  it('restricts a key for posts to posts: dailyCaps requires ACCOUNTS even under a post', async () => {
    const reader = await api.records.aViewer({
      workspaceId: owner.workspace.id,
      role: 'viewer',
      scopes: ['posts:read'],
    });
    const account = await api.records.anAccount({ workspaceId: owner.workspace.id });
    const { id } = await api.records.aPost({ by: owner, account });
    const shown = await api.execute(reader, `{ post(id: "${id}") { account { id socialId } } }`);
    expect(shown.data.post.account).toEqual({ id: account.id, socialId: null });
    expect(
      (await api.execute(reader, `{ post(id: "${id}") { account { dailyCaps { used } } } }`)).codes,
    ).toEqual(['MISSING_SCOPE']);
    const node = await api.execute(
      reader,
      `{ account: node(id: "${account.id}") { id } post: node(id: "${id}") { id } }`,
    );
    expect({ codes: node.codes, data: node.data }).toEqual({
      codes: ['MISSING_SCOPE'],
      data: { account: null, post: { id } },
    });
    expect(
      (
        await api.execute(
          reader,
          `mutation { deletePosts(input: { ids: ["${id}"] }) { deletedIds } }`,
        )
      ).codes,
    ).toEqual(['MISSING_SCOPE']);
  });
});
