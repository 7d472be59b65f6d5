import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Account } from '../../src/domain/posts/post.js';
import { forAllTests } from '../fixtures/lifecycle.js';
import { withGateway } from '../fixtures/gateway.js';
import { waitFor } from '../fixtures/wait-for.js';
import { anAgent, type Agent } from './mcp-client.js';

const gateway = withGateway({ publicUrl: 'https://posts.example.com' });
const agent = forAllTests(() => anAgent(gateway), 'close');

const anAccount = (): Promise<Account> =>
  gateway.records.anAccount({ workspaceId: gateway.owner.workspace.id, network: 'mastodon' });
const postsOf = async ({ id }: Account): Promise<any[]> =>
  (await agent.call('search_posts', { account_ids: [id] })).answer.posts;
const inTwoDays = (): string => new Date(Date.now() + 2 * 86_400_000).toISOString();
let count = 0;
/** A text that no other post of the file has. */
const aText = (): string => `Text number ${++count}`;

/** A draft, as its creation answers it. */
async function aDraft(account: Account, by: Agent = agent): Promise<any> {
  const args = { accounts: [{ account_id: account.id }], text: aText() };
  return (await by.call('create_posts', args)).answer.results[0];
}
const codeOf = (reply: { answer: any }): unknown => reply.answer.error?.code ?? null;

describe('the list of tools', () => {
  it('is small enough to be in every message of a model', async () => {
    const { tools } = await agent.client.listTools();
    expect(tools.length).toBe(21);
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(24_000);
    const create = tools.find(({ name }) => name === 'create_posts');
    expect(JSON.stringify(create).length).toBeLessThanOrEqual(4_000);
  });

  it('has the tools that the key may use, and hidden ones refuse', async () => {
    const reader = await gateway.records.aViewer({ scopes: ['posts:read'] });
    const readingAgent = await anAgent(gateway, { as: reader });
    const { tools } = await readingAgent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'get_context',
      'search_posts',
      'get_post',
      'get_rules',
      'get_job',
      'get_changes',
    ]);
    const reply = await readingAgent.call('delete_posts', { ids: ['1'] });
    expect([reply.isError, codeOf(reply)]).toEqual([true, 'MISSING_SCOPE']);
    await readingAgent.close();
  });
});

it.each(['auto', 'legacy'] as const)(
  'an agent of the generation %s plans, approves, changes and takes back a post',
  async (mode) => {
    const one = await anAgent(gateway, { mode });
    const account = await anAccount();
    const { answer: context } = await one.call('get_context');
    expect(context).toMatchObject({ viewer: { role: 'owner' }, time_zone: 'Europe/Berlin' });
    const { answer: accounts } = await one.call('list_accounts', { networks: ['mastodon'] });
    expect(accounts.accounts.map(({ id }: Account) => id)).toContain(account.id);
    const draft = await aDraft(account, one);
    expect(draft).toMatchObject({ done: true, state: 'draft_undated', version: 1 });
    const at = inTwoDays();
    const scheduled = await one.call('schedule_posts', { ids: [draft.id], mode: 'schedule', at });
    expect(scheduled.answer.results).toMatchObject([
      { done: true, state: 'scheduled', version: 2 },
    ]);
    const change = { id: draft.id, expected_version: 2, text: `${mode} 🚀` };
    const { answer: updated } = await one.call('update_post', change);
    expect(updated.post).toMatchObject({ text: `${mode} 🚀`, version: 3 });
    const stale = await one.call('update_post', { ...change, text: 'other' });
    expect(stale.answer.error).toMatchObject({ code: 'CONFLICT', retryable: false });
    const revert = { id: draft.id, to_version: 2, expected_version: 3 };
    expect((await one.call('revert_post', revert)).answer.post.version).toBe(4);
    const include = ['text', 'history', 'actions', 'media', 'labels', 'publication', 'options'];
    const { answer: read } = await one.call('get_post', { id: draft.id, include });
    expect(read.post.history.map(({ api }: { api: string }) => api)).toEqual(Array(4).fill('mcp'));
    const asked = await one.call('delete_posts', { ids: [draft.id] });
    const token = asked.answer.confirm_token;
    const deleted = await one.call('delete_posts', { ids: [draft.id], confirm_token: token });
    expect(deleted.answer.results).toEqual([{ id: draft.id, done: true, deleted: true }]);
    expect(codeOf(await one.call('get_post', { id: draft.id }))).toBe('POST_NOT_FOUND');
    const restored = await one.call('restore_posts', { ids: [draft.id] });
    expect(restored.answer.results).toMatchObject([{ id: draft.id, done: true }]);
    await one.close();
  },
);

it('every other tool answers, also with a refusal', async () => {
  const draft = await aDraft(await anAccount());
  const { id } = draft;
  const refusals: Record<string, object> = {
    review_posts: { posts: [{ id, expected_version: 1 }], decision: 'approve' },
    pause_posts: { ids: [id], paused: true },
    retry_posts: { ids: [id] },
    resolve_publication: { id, not_live: true },
    unpublish_posts: { ids: [id] },
  };
  for (const [tool, args] of Object.entries(refusals)) {
    const { isError, answer } = await agent.call(tool, args);
    expect([tool, isError, answer.error.code]).toEqual([tool, true, 'RULE_VIOLATION']);
    expect(answer.results).toMatchObject([{ id, done: false, code: 'RULE_VIOLATION' }]);
  }
  expect(codeOf(await agent.call('get_job', { id: 'job_1' }))).toBe('JOB_NOT_FOUND');
  const first = await agent.call('get_changes');
  const later = await aDraft(await anAccount());
  // A change appears once all earlier transactions of the server are over, so that a cursor of now
  // may also be followed by earlier changes.
  let changes: readonly { id: string }[] = [];
  const found = () => changes.find((change) => change.id === later.id);
  await waitFor(async () => {
    const cursor = first.answer.next_cursor;
    ({ changes } = (await agent.call('get_changes', { cursor })).answer);
    return found() !== undefined;
  });
  expect(found()).toMatchObject({ kind: 'upserted', version: 1 });
  expect((await agent.call('get_rules', { network: 'twitter' })).answer.limits).not.toEqual([]);
  const preview = await agent.call('preview', { tool: 'delete_posts', arguments: { ids: [id] } });
  expect(preview.answer).toMatchObject({
    nothing_was_changed: true,
    results: [{ id, done: true }],
  });
});

it('a local file is uploaded, as data or with the command', async () => {
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const stored = await agent.call('create_media_upload', { name: 'dot.png', data: dot });
  expect(stored.answer).toMatchObject({ stored: true });
  const bytes = Buffer.from(dot, 'base64');
  const { answer } = await agent.call('create_media_upload', {
    name: "a'b.png",
    bytes: bytes.length,
  });
  expect(answer.command).toBe(`curl --upload-file 'a'\\''b.png' '${answer.upload_url}'`);
  const sent = await fetch(answer.upload_url, { method: 'PUT', body: bytes });
  expect(sent.ok).toBe(true);
  const account = await anAccount();
  const created = await agent.call('create_posts', {
    accounts: [{ account_id: account.id }],
    text: aText(),
    media: [{ media_id: answer.media_id, alt_text: 'A dot' }],
  });
  const { id } = created.answer.results[0];
  const read = await agent.call('get_post', { id, include: ['media'] });
  expect(read.answer.post).toMatchObject({ type: 'photo', media: [{ alt_text: 'A dot' }] });
});

describe('the same call again', () => {
  it.each(['draft', 'schedule', 'share_now'] as const)(
    'makes one post in mode %s, in a row and at once',
    async (mode) => {
      for (const together of [false, true]) {
        const account = await anAccount();
        const call = {
          accounts: [{ account_id: account.id }],
          text: aText(),
          mode,
          ...(mode === 'schedule' && { at: inTwoDays() }),
        };
        const { answer } = await agent.call('preview', { tool: 'create_posts', arguments: call });
        const args = {
          ...call,
          ...(mode === 'share_now' && { confirm_token: answer.confirm_token }),
        };
        const send = () => agent.call('create_posts', args);
        const replies = together
          ? await Promise.all([send(), send(), send(), send(), send()])
          : [await send(), await send(), await send(), await send(), await send()];
        expect(replies.filter(({ answer: { replayed } }) => replayed).length).toBe(4);
        const ids = new Set(replies.map(({ answer: { results } }) => results[0].id));
        expect((await postsOf(account)).map(({ id }) => id)).toEqual([...ids]);
      }
    },
  );

  it('with a text that only looks different is a duplicate, and names the post', async () => {
    const account = await anAccount();
    const text = aText();
    const call = { accounts: [{ account_id: account.id }], mode: 'schedule', at: inTwoDays() };
    const first = await agent.call('create_posts', { ...call, text });
    const { id } = first.answer.results[0];
    const twin = { ...call, text: ` ${text.toUpperCase().replace(' ', '  ')}!\n` };
    const { isError, answer } = await agent.call('create_posts', twin);
    expect(isError).toBe(true);
    expect(answer.error).toMatchObject({
      code: 'DUPLICATE_CONTENT',
      post_id: id,
      message: expect.stringContaining(`The post ${id} (scheduled)`),
      retryable: false,
    });
    const allowed = await agent.call('create_posts', { ...twin, allow_duplicate: true });
    expect(allowed.isError).toBe(false);
    expect((await postsOf(account)).length).toBe(2);
  });

  it('counts as a repeat for ten minutes', async () => {
    const account = await anAccount();
    const args = { accounts: [{ account_id: account.id }], text: aText() };
    await agent.call('create_posts', args);
    await gateway.db.change(
      "UPDATE idempotency SET started_at = started_at - interval '11 minutes' WHERE target LIKE 'repeats of %'",
    );
    expect((await agent.call('create_posts', args)).answer.replayed).toBeUndefined();
    expect((await postsOf(account)).length).toBe(2);
  });
});

it('a confirmation is for one call, one key and the posts as they are', async () => {
  const account = await anAccount();
  const { id } = await aDraft(account);
  const other = await aDraft(account);
  const ask = () => agent.call('delete_posts', { ids: [id] });
  const { answer } = await ask();
  expect(answer).toMatchObject({ error: { code: 'CONFIRMATION_REQUIRED' }, preview: {} });
  const token = answer.confirm_token;
  const colleague = await gateway.records.aViewer({
    role: 'admin',
    workspaceId: gateway.owner.workspace.id,
  });
  const colleagueAgent = await anAgent(gateway, { as: colleague });
  const refused = [
    await agent.call('delete_posts', { ids: [other.id], confirm_token: token }),
    await agent.call('delete_posts', { ids: [id], on_network: true, confirm_token: token }),
    await agent.call('delete_posts', { ids: [id], confirm_token: 'x' }),
    await agent.call('delete_posts', { ids: [id], idempotency_key: 'k', confirm_token: token }),
    await colleagueAgent.call('delete_posts', { ids: [id], confirm_token: token }),
  ];
  await colleagueAgent.close();
  const change = { id, expected_version: 1, text: aText() };
  await agent.call('update_post', change);
  refused.push(await agent.call('delete_posts', { ids: [id], confirm_token: token }));
  expect(refused.map(codeOf)).toEqual(Array(6).fill('CONFIRMATION_REQUIRED'));
  expect((await postsOf(account)).length).toBe(2);
  const { confirm_token: fresh } = (await ask()).answer;
  const remove = { ids: [id], confirm_token: fresh };
  expect((await agent.call('delete_posts', remove)).isError).toBe(false);
  expect(codeOf(await agent.call('delete_posts', remove))).toBe('POST_NOT_FOUND');
  expect((await postsOf(account)).map((post) => post.id)).toEqual([other.id]);
});

it('a client that can ask a person does so, and calls again with the answer', async () => {
  const account = await anAccount();
  const { id } = await aDraft(account);
  const { text } = (await agent.call('get_post', { id, include: ['text'] })).answer.post;
  const questions: string[] = [];
  const replyTo = async (answer: 'accept' | 'decline' | 'cancel', mode?: 'legacy') => {
    const asking = await anAgent(gateway, {
      ...(mode && { mode }),
      onQuestion: (question) => {
        questions.push(question);
        return answer;
      },
    });
    const reply = await asking.call('delete_posts', { ids: [id] });
    await asking.close();
    return reply;
  };
  for (const answer of ['decline', 'cancel'] as const) {
    const { error, confirm_token: token } = (await replyTo(answer)).answer;
    expect(error).toMatchObject({
      code: 'CONFIRMATION_REQUIRED',
      message: 'Nothing was changed: the person did not agree.',
    });
    expect(token).toBeUndefined();
  }
  // Nothing can be asked of clients of the older generation: this server keeps no connection.
  expect((await replyTo('accept', 'legacy')).answer.preview.question).toBe(questions[0]);
  expect((await postsOf(account)).length).toBe(1);
  expect((await replyTo('accept')).answer.results).toEqual([{ id, done: true, deleted: true }]);
  expect(questions).toEqual(Array(3).fill(`Delete one post?\n${text}`));
  expect(await postsOf(account)).toEqual([]);
});

it('malformed arguments are refused with the name of the argument, and change nothing', async () => {
  const account = await anAccount();
  const create = { accounts: [{ account_id: account.id }], text: aText() };
  const at = (local: string, zone?: string) => ({
    ...create,
    mode: 'schedule',
    at: local,
    ...(zone && { time_zone: zone }),
  });
  const calls: readonly (readonly [string, object, string, string])[] = [
    ['create_posts', { ...create, txt: 'x' }, 'BAD_USER_INPUT', 'txt'],
    ['create_posts', { text: 'x' }, 'BAD_USER_INPUT', ''],
    ['create_posts', { ...create, mode: 'now' }, 'BAD_USER_INPUT', 'mode'],
    [
      'create_posts',
      { ...create, media: [{ media_id: 'med_1' }] },
      'MEDIA_NOT_FOUND',
      'media[0].media_id',
    ],
    ['create_posts', { ...create, label_ids: ['lbl_1'] }, 'BAD_USER_INPUT', 'label_ids[0]'],
    ['create_posts', { ...create, options: { bord: 1 } }, 'BAD_USER_INPUT', 'options.bord'],
    [
      'create_posts',
      { ...create, accounts: [{ account_id: 'acc_1' }] },
      'RULE_VIOLATION',
      'accounts[0].account_id',
    ],
    ['create_posts', at('2027-03-28T02:30', 'Europe/Berlin'), 'AMBIGUOUS_TIME', 'at'],
    ['create_posts', at('2027-10-31T02:30', 'Europe/Berlin'), 'AMBIGUOUS_TIME', 'at'],
    ['create_posts', at('2027-10-31T02:30', 'Berlin'), 'BAD_USER_INPUT', 'time_zone'],
    ['create_posts', at('tomorrow'), 'BAD_USER_INPUT', 'at'],
    ['create_posts', at('2020-01-01T09:00'), 'RULE_VIOLATION', 'at'],
    [
      'create_posts',
      { ...create, mode: 'share_now', visibility: 'private' },
      'BAD_USER_INPUT',
      'visibility',
    ],
    [
      'create_posts',
      { ...create, variants: [{ network: 'mastodon' }, { network: 'mastodon' }] },
      'BAD_USER_INPUT',
      'variants[1].network',
    ],
    ['schedule_posts', { ids: ['1'], mode: 'share_now', at: inTwoDays() }, 'BAD_USER_INPUT', 'at'],
    ['search_posts', { cursor: 'x' }, 'BAD_USER_INPUT', 'cursor'],
    ['search_posts', { workspace_id: 'wks_1' }, 'NOT_A_MEMBER', ''],
    ['get_job', { id: 'job_1', wait_ms: 20_000 }, 'BAD_USER_INPUT', 'wait_ms'],
  ];
  for (const [tool, args, code, field] of calls) {
    const { isError, answer } = await agent.call(tool, args);
    expect([tool, isError, answer.error.code, answer.error.field ?? '']).toEqual([
      tool,
      true,
      code,
      field,
    ]);
  }
  await expect(agent.call('unknown_tool')).rejects.toThrow('Unknown tool: unknown_tool.');
  expect(await postsOf(account)).toEqual([]);
  const twice = await agent.call('create_posts', at('2027-10-31T02:30', 'Europe/Berlin'));
  expect(twice.answer.error.message).toContain('2027-10-31T02:30+02:00 or 2027-10-31T02:30+01:00');
});

it('answers stay short, whatever posts contain', async () => {
  const account = await anAccount();
  const text = '"\\\n'.repeat(30_000);
  const title = text.slice(0, 2_000);
  const by = gateway.owner;
  const { id } = await gateway.records.aPost({ by, account, text, title });
  for (let n = 0; n < 24; n++)
    await gateway.records.aPost({ by, account, text: text.slice(0, 1_000), title });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const args = { account_ids: [account.id], limit: 50, ...(cursor && { cursor }) };
    const { answer } = await agent.call('search_posts', args);
    seen.push(...answer.posts.map((post: { id: string }) => post.id));
    cursor = answer.next_cursor;
  } while (cursor);
  expect(new Set(seen).size).toBe(25);
  const include = ['text', 'media', 'labels', 'history', 'publication', 'options'];
  const { answer } = await agent.call('get_post', { id, include });
  expect(answer.post.text_truncated).toBe(true);
});

it('private drafts of others appear nowhere', async () => {
  const workspaceId = gateway.owner.workspace.id;
  const colleague = await gateway.records.aViewer({ role: 'admin', workspaceId });
  const account = await anAccount();
  const { answer: start } = await agent.call('get_changes');
  const post = await gateway.records.aPost({
    by: colleague,
    account,
    storedState: 'draft_private_undated',
    text: 'A secret plan',
  });
  const replies = [
    await agent.call('search_posts', { query: 'secret' }),
    await agent.call('get_post', { id: post.id, include: ['text'] }),
    await agent.call('get_changes', { cursor: start.next_cursor }),
    await agent.call('delete_posts', { ids: [post.id] }),
  ];
  expect(JSON.stringify(replies)).not.toContain('A secret plan');
  const read = agent.client.readResource({ uri: `posts://post/${post.id}` });
  await expect(read).rejects.toMatchObject({ data: { code: 'FORBIDDEN' } });
});

it('resources and prompts can be listed and read', async () => {
  const { resources } = await agent.client.listResources();
  for (const { uri } of resources) {
    const { contents } = await agent.client.readResource({ uri });
    expect((contents[0] as { text: string }).text.length).toBeLessThanOrEqual(20_000);
  }
  const openApi = await agent.client.readResource({ uri: 'posts://openapi' });
  expect(JSON.parse((openApi.contents[0] as { text: string }).text)).toMatchObject({
    document: '/v1/openapi.json',
    operations: expect.arrayContaining([
      expect.objectContaining({ method: 'PUT', path: '/v1/posts/{id}' }),
    ]),
  });
  const { prompts } = await agent.client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['plan_week', 'review_queue', 'why_failed']);
  const { messages } = await agent.client.getPrompt({ name: 'why_failed', arguments: { id: '7' } });
  expect(JSON.stringify(messages)).toContain('the post 7');
});

describe('requests that are no calls', () => {
  const send = (init: RequestInit & { query?: string } = {}) => {
    const { query = '', ...rest } = init;
    return fetch(`${gateway.url}/mcp${query}`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      ...rest,
      headers: {
        Authorization: `Bearer ${gateway.owner.apiKey}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(rest.headers as Record<string, string>),
      },
    });
  };
  const refusals: readonly (readonly [string, Parameters<typeof send>[0], number, string])[] = [
    ['another method', { method: 'DELETE', body: null }, 405, 'METHOD_NOT_ALLOWED'],
    ['a foreign origin', { headers: { Origin: 'https://evil.example' } }, 403, 'FORBIDDEN'],
    ['no origin', { headers: { Origin: 'null' } }, 403, 'FORBIDDEN'],
    ['a key in the address', { query: '?key=spk_x' }, 400, 'BAD_USER_INPUT'],
    ['2 MB', { body: JSON.stringify({ text: 'x'.repeat(2_097_152) }) }, 413, 'PAYLOAD_TOO_LARGE'],
    ['a list', { body: '[]' }, 400, 'BAD_USER_INPUT'],
    ['no JSON', { body: '{' }, 400, 'BAD_USER_INPUT'],
    ['an unknown key', { headers: { Authorization: 'Bearer spk_x' } }, 401, 'UNAUTHENTICATED'],
  ];
  it.each(refusals)('%s is refused', async (_name, init, status, code) => {
    const response = await send(init);
    const body = (await response.json()) as { error: { data: unknown } };
    expect([response.status, body.error.data]).toEqual([status, { code }]);
    if (status === 401) expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  // The gateway closes with an assertion that its log has no key.
  it('a valid key in the address is refused, and not logged', async () => {
    const response = await send({ query: `?api_key=${gateway.owner.apiKey}` });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('revoke it');
  });

  it('a subscription is a method that the server does not have', async () => {
    const response = await send({
      body: JSON.stringify({ jsonrpc: '2.0', id: 'one', method: 'subscriptions/listen' }),
    });
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { jsonrpc: '2.0', id: 'one', error: { code: -32_601 } },
    ]);
  });

  it('another host name is refused, also one that leads to this machine', async () => {
    const statusFor = async (host: string): Promise<number | undefined> => {
      const sent = request(`${gateway.url}/mcp`, { method: 'POST', headers: { host } }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    expect(await statusFor('rebound.example:4000')).toBe(403);
    expect(await statusFor('posts.example.com')).toBe(400); // no body
  });

  it('pages of the configured name are served', async () => {
    expect((await send({ headers: { Origin: 'https://posts.example.com' } })).status).toBe(200);
    expect(
      (await send({ headers: { Authorization: `Bearer-API ${gateway.owner.apiKey}` } })).status,
    ).toBe(200);
  });
});
