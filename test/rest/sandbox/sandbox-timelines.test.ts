import { expectSandboxError, openSandboxGateway } from './sandbox-gateway.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const sandbox = forAllTests(() => openSandboxGateway());
afterAll(() => sandbox.gateway.close());

const request = (headers: Record<string, string> = {}) =>
  sandbox.gateway.request('/sandbox/posts', { caller: { as: sandbox.gateway.owner }, headers });

it('lists the posts of each account as `GET /sandbox/{id}` shows them', async () => {
  const { account, published, send, edit } = sandbox;
  const [older, newer] = [
    await published({ text: 'Older', scheduledAt: new Date('2026-11-20T08:00:00Z') }),
    await published({ text: 'Newer', scheduledAt: new Date('2026-11-20T09:00:00Z') }),
  ];
  await edit({ ...older, text: 'Edited' }, 'text');
  const shown = await Promise.all(
    [newer, older].map(async ({ id }) => (await send('GET', `/${id}`)).body),
  );
  expect(shown.map(({ text, edits }) => [text, edits])).toEqual([
    ['Newer', 0],
    ['Edited', 1],
  ]);
  expect((await request()).body).toEqual({
    accounts: [{ id: account.id, network: account.network, name: account.name, posts: shown }],
  });
});

it('is not sent again until the network has changed', async () => {
  const first = await request();
  const etag = first.headers.get('etag')!;
  const same = await request({ 'If-None-Match': etag });
  expect([same.status, same.headers.get('etag'), same.body]).toEqual([304, etag, '']);
  await sandbox.published({ text: 'New' });
  const changed = await request({ 'If-None-Match': etag });
  expect(changed.status).toBe(200);
  expect(changed.headers.get('etag')).not.toBe(etag);
});

it('requires a key of the workspace with the scope to read posts, and takes no parameters', async () => {
  const { gateway } = sandbox;
  const { records, owner } = gateway;
  const path = '/sandbox/posts';
  expect((await gateway.request(path, { caller: { key: null } })).status).toBe(401);
  const reader = await records.aViewer({ workspaceId: owner.workspace.id, scopes: ['media'] });
  expectSandboxError(await gateway.request(path, { caller: { as: reader } }), 403, 'MISSING_SCOPE');
  const stranger = await records.aViewer();
  expect((await gateway.request(path, { caller: { as: stranger } })).body).toEqual({
    accounts: [],
  });
  expectSandboxError(
    await gateway.request(`${path}?first=1`, { caller: { as: owner } }),
    400,
    'BAD_USER_INPUT',
  );
});
