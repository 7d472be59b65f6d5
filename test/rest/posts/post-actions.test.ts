import { withGateway } from '../../fixtures/gateway.js';
import type { KeyedViewer, Records } from '../../fixtures/records.js';
import { expectError, UNKNOWN_ID } from '../v1-client.js';

let records: Records;
let owner: KeyedViewer;
const gateway = withGateway();
beforeAll(() => {
  ({ records, owner } = gateway);
});

const act = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  gateway.v1('POST', `/posts/${path}`, { body, headers });
const aDraft = () => records.aPost({ by: owner, storedState: 'draft_undated' });

it('reports what became of each post, with its details and ETag version', async () => {
  const draft = await records.aPost({ by: owner, storedState: 'draft_dated' });
  const response = await act('actions/schedule?dry_run=true', {
    post_ids: [draft.id, UNKNOWN_ID],
    mode: 'draft',
    visibility: 'public',
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-dry-run')).toBe('true');
  expect(response.body).toEqual({
    results: [
      {
        id: draft.id,
        done: true,
        code: null,
        message: null,
        post: expect.objectContaining({ id: draft.id, state: 'draft_public' }),
      },
      {
        id: UNKNOWN_ID,
        done: false,
        code: 'POST_NOT_FOUND',
        message: 'No post has this ID.',
        post: null,
      },
    ],
    job_id: null,
  });
});

it('does nothing with the policy all_or_nothing if one post is refused', async () => {
  const draft = await aDraft();
  const response = await act('actions/schedule', {
    post_ids: [draft.id, UNKNOWN_ID],
    mode: 'draft',
    visibility: 'public',
    policy: 'all_or_nothing',
  });
  expectError(response, 422, 'RULE_VIOLATION');
  expect(response.body.errors).toContain(`${UNKNOWN_ID}: No post has this ID.`);
});

it('replays the response of an idempotency key', async () => {
  const draft = await aDraft();
  const body = { post_ids: [draft.id], mode: 'draft', visibility: 'public' };
  const send = () => act('actions/schedule', body, { 'Idempotency-Key': `key-${draft.id}` });
  const first = await send();
  const second = await send();
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
});

it.each([
  [
    'actions/schedule',
    { post_ids: ['1'], mode: 'schedule', visibility: 'private', scheduled_at: 'soon' },
    ['scheduled_at: must be a time'],
  ],
  [
    'actions/schedule',
    { post_ids: ['1'], mode: 'schedule', visibility: 'private' },
    ['visibility: can be sent only in mode draft.'],
  ],
  [
    'actions/schedule',
    { post_ids: ['1'], mode: 'share_now', scheduled_at: '2030-01-01T00:00:00Z' },
    ['scheduled_at: cannot be sent in mode share_now.'],
  ],
  ['actions/pause', { post_ids: [] }, ['post_ids: must have at least 1 items']],
  ['actions/pause', { ids: ['1'] }, ['ids: unknown key; allowed: post_ids, policy']],
  ['actions/review', { posts: [{ id: '1' }] }, ['body: requires decision']],
  ['1/resolve', {}, ['url: send either url or not_live: true, and not both.']],
  [
    '1/resolve',
    { not_live: true, remote_id: '1' },
    ['remote_id: can be sent only together with url.'],
  ],
  ['1/revert', { to_version: 0 }, ['to_version: must be a whole number from 1 to 2147483647']],
])('rejects %s with %j', async (path, body, messages) => {
  const response = await act(path, body);
  expectError(response, 400, 'BAD_USER_INPUT');
  for (const message of messages)
    expect(response.body.errors).toContainEqual(expect.stringContaining(message));
});

it('sets and reads the posting schedule of an account', async () => {
  const account = await records.anAccount({ workspaceId: owner.workspace.id });
  const path = `/accounts/${account.id}/posting-schedule`;
  const body = {
    time_zone: 'europe/berlin',
    slots: [
      { weekday: 'tuesday', time: '09:30' },
      { weekday: 'monday', time: '18:00' },
      { weekday: 'tuesday', time: '09:30' },
    ],
  };
  const expected = {
    account_id: account.id,
    time_zone: 'Europe/Berlin',
    uses_workspace_time_zone: false,
    paused: false,
    slots: [body.slots[1], body.slots[0]],
  };
  const dryRun = await gateway.v1('PUT', `${path}?dry_run=true`, { body });
  expect(dryRun.body).toMatchObject(expected);
  expect((await gateway.v1('GET', path)).body).toMatchObject({ slots: [], next_free: [] });

  expect((await gateway.v1('PUT', path, { body })).body).toMatchObject(expected);
  const read = await gateway.v1('GET', `${path}?next_free=3`);
  expect(read.body).toMatchObject(expected);
  expect(read.body.next_free).toHaveLength(3);

  const { timeZone } = owner.workspace;
  const cleared = await gateway.v1('PUT', path, { body: { time_zone: null } });
  expect(cleared.body).toMatchObject({ time_zone: timeZone, uses_workspace_time_zone: true });

  const refused = await gateway.v1('PUT', path, { body: { time_zone: 'Mars/Olympus' } });
  expectError(refused, 422, 'RULE_VIOLATION');
  expect(refused.body.message).toContain('time_zone must be an IANA time zone');
  const slots = [{ weekday: 'tuesday', time: '25:00' }];
  expectError(await gateway.v1('PUT', path, { body: { slots } }), 400, 'BAD_USER_INPUT');
});

it('creates an address that takes a file once', async () => {
  const bytes = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const created = await gateway.v1('POST', '/media/uploads', {
    body: { name: 'dot.png', bytes: bytes.length, caption: 'A dot' },
  });
  expect(created.status).toBe(200);
  const { pathname } = new URL(created.body.url);
  const put = () => gateway.request(pathname, { method: 'PUT', body: bytes });
  const received = await put();
  expect([received.status, (received.body as { id: string }).id]).toEqual([
    200,
    created.body.media_id,
  ]);
  expect((await put()).status).toBe(404);
  expectError(
    await gateway.v1('POST', '/media/uploads', { body: { name: 'a.png', bytes: 0 } }),
    400,
    'BAD_USER_INPUT',
  );
});
