import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { forAllTests } from '../fixtures/lifecycle.js';
import { withGateway } from '../fixtures/gateway.js';
import { anAgent, type Agent } from './mcp-client.js';

// Answers are asserted, not typed.
type Json = any;

// Each story makes many calls.
jest.setTimeout(120_000);

/** Each story knows only what the person asked for, and what the tools answer. */
const gateway = withGateway();
const agent = forAllTests(() => anAgent(gateway), 'close');
beforeAll(async () => {
  const { owner, records } = gateway;
  await records.anAccount({
    workspaceId: owner.workspace.id,
    name: 'Bakery',
    network: 'mastodon',
    sandbox: true,
  });
});

/** The answer of a call that must succeed. */
async function ask(name: string, args: object = {}, by: Agent = agent): Promise<Json> {
  const { isError, answer } = await by.call(name, args);
  expect([isError, answer.error]).toEqual([false, undefined]);
  return answer;
}
/** The error of a call that must fail. */
async function fail(name: string, args: object, by: Agent = agent): Promise<Json> {
  const { isError, answer } = await by.call(name, args);
  expect(isError).toBe(true);
  return answer.error;
}
const bakery = async (by: Agent = agent): Promise<Json> => {
  const { accounts } = await ask('list_accounts', {}, by);
  return accounts.find(({ name }: Json) => name === 'Bakery');
};
/** A local time some days after that of the context, at nine. */
function atNine({ now }: Json, days: number): string {
  const [year, month, day] = now.local.slice(0, 10).split('-').map(Number);
  return `${new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10)}T09:00`;
}

it('plans a week: drafts first, times after the person agreed', async () => {
  const context = await ask('get_context');
  const account = await bakery();
  const drafts: string[] = [];
  for (let day = 1; day <= 7; day++) {
    const { results } = await ask('create_posts', {
      accounts: [{ account_id: account.id }],
      text: `Bread of day ${day}`,
    });
    expect(results).toMatchObject([{ done: true, state: 'draft_undated' }]);
    drafts.push(results[0].id);
  }
  for (const [index, id] of drafts.entries())
    await ask('schedule_posts', { ids: [id], mode: 'schedule', at: atNine(context, index + 1) });
  const { posts } = await ask('search_posts', { states: ['scheduled'], order: 'asc' });
  expect(posts.map(({ id, time }: Json) => [id, time.local])).toEqual(
    drafts.map((id, index) => [id, atNine(context, index + 1)]),
  );
});

it('fixes a post that failed', async () => {
  const { owner: by, records } = gateway;
  const account = await records.anAccount({ workspaceId: by.workspace.id, sandbox: true });
  await records.aPost({ by, account, storedState: 'failed', text: 'Breda' });
  const { posts } = await ask('search_posts', { states: ['failed'] });
  expect(posts).toMatchObject([{ text: 'Breda', state: 'failed' }]);
  const [{ id }] = posts;
  const include = ['text', 'publication', 'actions'];
  const { post } = await ask('get_post', { id, include });
  const allowed = post.actions.filter((one: Json) => one.allowed).map((one: Json) => one.action);
  expect(allowed).toEqual(expect.arrayContaining(['edit', 'retry']));
  await ask('update_post', { id, expected_version: post.version, text: 'Bread' });
  const { results } = await ask('retry_posts', { ids: [id] });
  expect(results).toMatchObject([{ id, done: true }]);
  expect((await ask('get_post', { id })).post.text).toBe('Bread');
});

it('approves what waits for approval, and declines the rest with a note', async () => {
  const { owner: by, records } = gateway;
  const editor = await records.aViewer({ role: 'editor', workspaceId: by.workspace.id });
  for (const text of ['Fine', 'Not fine'])
    await records.aPost({ by: editor, storedState: 'scheduled_pending', text });
  const { posts } = await ask('search_posts', { states: ['scheduled_pending'] });
  const ref = (text: string) => {
    const { id, version } = posts.find((post: Json) => post.text === text);
    return { id, expected_version: version };
  };
  const [fine, other] = [ref('Fine'), ref('Not fine')];
  await ask('review_posts', { posts: [fine], decision: 'approve' });
  const error = await fail('review_posts', { posts: [other], decision: 'decline' });
  expect(error.message).toContain('note');
  await ask('review_posts', { posts: [other], decision: 'decline', note: 'Too short.' });
  const read = async (id: string) => (await ask('get_post', { id })).post;
  expect(await read(fine.id)).toMatchObject({ state: 'scheduled_approved' });
  expect(await read(other.id)).toMatchObject({
    state: 'scheduled_declined',
    declined: { note: 'Too short.' },
  });
});

it('takes back a change and a deletion', async () => {
  const { id: accountId } = await bakery();
  const create = { accounts: [{ account_id: accountId }], text: 'The first text' };
  const [{ id }] = (await ask('create_posts', create)).results;
  const { post: changed } = await ask('update_post', {
    id,
    expected_version: 1,
    text: 'A mistake',
  });
  const { post } = await ask('get_post', { id, include: ['history'] });
  const before = post.history
    .map(({ version }: Json) => version)
    .filter((version: number) => version < changed.version);
  const reverted = await ask('revert_post', {
    id,
    to_version: Math.max(...before),
    expected_version: post.version,
  });
  expect(reverted.post.text).toBe('The first text');
  const refusal = await agent.call('delete_posts', { ids: [id] });
  expect(refusal.answer.preview.question).toBe('Delete one post?\nThe first text');
  const token = refusal.answer.confirm_token;
  const deleted = await ask('delete_posts', { ids: [id], confirm_token: token });
  expect(deleted.restorable_until.utc > post.history[0].at.utc).toBe(true);
  await ask('restore_posts', { ids: [id] });
  expect((await ask('get_post', { id })).post.text).toBe('The first text');
});

it('uploads a local file with the command of the answer', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'story-'));
  try {
    const picture = await sharp({
      create: { width: 40, height: 30, channels: 3, background: 'tan' },
    })
      .png()
      .toBuffer();
    writeFileSync(path.join(folder, 'bread.png'), picture);
    const upload = await ask('create_media_upload', {
      name: 'bread.png',
      bytes: picture.length,
      alt_text: 'A loaf',
    });
    const shell = spawn('sh', ['-c', `${upload.command} --fail --silent`], {
      cwd: folder,
      stdio: 'ignore',
    });
    expect(await once(shell, 'close')).toEqual([0, null]);
    const { id: accountId } = await bakery();
    const { results } = await ask('create_posts', {
      accounts: [{ account_id: accountId }],
      text: 'Bread with a picture',
      media: [{ media_id: upload.media_id }],
    });
    const { post } = await ask('get_post', { id: results[0].id, include: ['media'] });
    expect(post).toMatchObject({ type: 'photo', media: [{ media_id: upload.media_id }] });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('gets a time right that does not exist where the person lives', async () => {
  const { time_zone: zone } = await ask('get_context');
  expect(zone).toBe('Europe/Berlin');
  const { id: accountId } = await bakery();
  const create = {
    accounts: [{ account_id: accountId }],
    text: 'Bread at night',
    mode: 'schedule',
    at: '2027-03-28T02:30',
  };
  const error = await fail('create_posts', create);
  expect(error).toMatchObject({ code: 'AMBIGUOUS_TIME', field: 'at' });
  const [, reading] = /Send (\S+) or /.exec(error.message)!;
  const { results } = await ask('create_posts', { ...create, at: reading });
  expect(results[0].time).toMatchObject({
    utc: new Date(reading!).toISOString().replace('.000', ''),
  });
});

it('learns what it may not do, and who can', async () => {
  const { owner, records } = gateway;
  const viewer = await records.aViewer({ role: 'viewer', workspaceId: owner.workspace.id });
  const reading = await anAgent(gateway, { as: viewer });
  const { viewer: self } = await ask('get_context', {}, reading);
  expect(self.role).toBe('viewer');
  const { id: accountId } = await bakery(reading);
  const error = await fail(
    'create_posts',
    { accounts: [{ account_id: accountId }], text: 'Bread' },
    reading,
  );
  expect(error).toMatchObject({
    code: 'FORBIDDEN',
    retryable: false,
    what_to_do: 'Ask a person who has the right that the message names.',
  });
  await reading.close();
});

it('goes on after a limit, with the time that the error names', async () => {
  const { records } = gateway;
  const owner = await records.aViewer({});
  await records.anAccount({ workspaceId: owner.workspace.id, name: 'Bakery', sandbox: true });
  const small = await anAgent(gateway, { as: owner });
  const context = await ask('get_context', {}, small);
  const account = await bakery(small);
  const [left] = Object.values(account.left_today) as number[];
  const at = atNine(context, 3);
  const create = (text: string, time: string) =>
    small.call('create_posts', {
      accounts: [{ account_id: account.id }],
      text,
      mode: 'schedule',
      at: time,
    });
  for (let n = 0; n < left!; n++) expect((await create(`Bread ${n}`, at)).isError).toBe(false);
  const { answer } = await create('One more', at);
  expect(answer.error).toMatchObject({
    code: 'DAILY_LIMIT_EXCEEDED',
    what_to_do: 'Choose a later time. list_accounts tells what is left today.',
  });
  const [, free] = /Next free time: (\S+)\.$/.exec(answer.error.message)!;
  const later = await create('One more', free!);
  expect(later.answer.results).toMatchObject([{ done: true, state: 'scheduled' }]);
  await small.close();
});
