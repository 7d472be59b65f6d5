import { anOperator } from '../../fixtures/operator.js';
import { withGateway } from '../../fixtures/gateway.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const { cli, json } = anOperator(() => ({ DATABASE_URL: gateway.db.url }));
const gateway = withGateway();
const viewer = forAllTests(() => gateway.owner);

/** What both APIs say about the lock. */
async function lockedInBothApis(): Promise<unknown[]> {
  const graphql = await gateway.graphql('{ workspaces { locked } }');
  const rest = await gateway.v1('GET', '/workspaces');
  return [graphql.body.data.workspaces[0].locked, rest.body.workspaces[0].locked];
}

it('workspaces lock and unlock change the workspace and its posts, in both APIs', async () => {
  const account = await gateway.records.anAccount({ workspaceId: viewer.workspace.id });
  await gateway.records.aPost({ by: viewer, account });
  const { id } = viewer.workspace;
  expect(await lockedInBothApis()).toEqual([false, false]);
  expect((await cli('workspaces', 'lock', id)).out).toBe(`Locked ${id} and 1 post.`);
  expect(await lockedInBothApis()).toEqual([true, true]);
  expect((await cli('workspaces', 'list')).out).toContain('locked  ');
  expect(await json('workspaces', 'unlock', id)).toEqual({ id, locked: false, posts: 1 });
  expect(await lockedInBothApis()).toEqual([false, false]);
});

it.each(['lock', 'unlock'])('workspaces %s refuses an unknown workspace', async (command) => {
  expect(await cli('workspaces', command, 'wks_0000000000000000')).toMatchObject({
    code: 1,
    err: expect.stringContaining('does not exist'),
  });
});
