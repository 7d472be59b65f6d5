import { createRequire } from 'node:module';
import { withGateway } from '../../test/fixtures/gateway.js';
import { agentWith, anAgent, connectionOf, type Agent } from '../../test/mcp/mcp-client.js';

// Each test calls all tools.
jest.setTimeout(120_000);

const gateway = withGateway();
/** Packages of this folder, as Node.js loads them. */
const load = createRequire(__filename);

/** An agent with the first generation of the SDK, which most clients have. */
async function aFirstAgent(): Promise<Agent<any>> {
  const { Client } = load('@modelcontextprotocol/sdk/client/index.js');
  const { StreamableHTTPClientTransport } = load(
    '@modelcontextprotocol/sdk/client/streamableHttp.js',
  );
  const client = new Client({ name: 'first agent', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(...connectionOf(gateway, gateway.owner.apiKey)),
  );
  return agentWith(client);
}

const CLIENTS: Readonly<Record<string, () => Promise<Agent<any>>>> = {
  'first generation': aFirstAgent,
  'second generation, older protocol': () => anAgent(gateway, { mode: 'legacy' }),
  'second generation, negotiated protocol': () => anAgent(gateway),
  'second generation, newer protocol only': () => anAgent(gateway, { mode: 'pinned' }),
};

/** No post has it. */
const UNKNOWN = 'cccccccccccccccccccccccc';
/** In whole seconds, as posts have their times. */
const inDays = (days: number): Date =>
  new Date(Math.floor(Date.now() / 1_000) * 1_000 + days * 86_400_000);

/** Arguments of each tool that it refuses, and the code. */
const REFUSED: Readonly<Record<string, readonly [args: object, code: string]>> = {
  get_context: [{ workspace_id: 'wks_none' }, 'NOT_A_MEMBER'],
  list_accounts: [{ networks: ['myspace'] }, 'BAD_USER_INPUT'],
  search_posts: [{ limit: 0 }, 'BAD_USER_INPUT'],
  get_post: [{ id: UNKNOWN }, 'POST_NOT_FOUND'],
  get_rules: [{ network: 'myspace' }, 'BAD_USER_INPUT'],
  get_job: [{ id: 'job_none' }, 'JOB_NOT_FOUND'],
  get_changes: [{ cursor: 'x' }, 'BAD_USER_INPUT'],
  preview: [{ tool: 'get_post', arguments: {} }, 'BAD_USER_INPUT'],
  create_posts: [{ accounts: [] }, 'BAD_USER_INPUT'],
  schedule_posts: [{ ids: [UNKNOWN], mode: 'draft' }, 'POST_NOT_FOUND'],
  update_post: [{ id: UNKNOWN, expected_version: 1, text: 'x' }, 'POST_NOT_FOUND'],
  review_posts: [
    { posts: [{ id: UNKNOWN, expected_version: 1 }], decision: 'approve' },
    'POST_NOT_FOUND',
  ],
  pause_posts: [{ ids: [UNKNOWN], paused: true }, 'POST_NOT_FOUND'],
  delete_posts: [{ ids: [UNKNOWN] }, 'POST_NOT_FOUND'],
  unpublish_posts: [{ ids: [UNKNOWN] }, 'POST_NOT_FOUND'],
  retry_posts: [{ ids: [UNKNOWN] }, 'POST_NOT_FOUND'],
  resolve_publication: [{ id: UNKNOWN, not_live: true }, 'POST_NOT_FOUND'],
  restore_posts: [{ ids: [UNKNOWN] }, 'POST_NOT_FOUND'],
  revert_post: [{ id: UNKNOWN, to_version: 1, expected_version: 1 }, 'POST_NOT_FOUND'],
  import_media: [{ urls: ['ftp://example.com/a.png'] }, 'BAD_USER_INPUT'],
  create_media_upload: [{ name: 'a.png' }, 'BAD_USER_INPUT'],
};

describe.each(Object.entries(CLIENTS))('the client of the %s', (name, connect) => {
  let agent: Agent<any>;
  beforeAll(async () => (agent = await connect()));
  afterAll(() => agent.close());

  it('gets a refusal of every tool', async () => {
    const { tools } = await agent.client.listTools();
    expect(tools.map((tool: { name: string }) => tool.name).sort()).toEqual(
      Object.keys(REFUSED).sort(),
    );
    for (const [tool, [args, code]] of Object.entries(REFUSED)) {
      const { isError, answer } = await agent.call(tool, args);
      expect([tool, isError, answer.error.code]).toEqual([tool, true, code]);
    }
  });

  it('gets an answer of every tool', async () => {
    const { owner: by, records } = gateway;
    const account = await records.anAccount({ workspaceId: by.workspace.id, sandbox: true });
    const post = async (options: object): Promise<string> =>
      (await records.aPost({ by, account, ...options })).id;
    const answered = new Set<string>();
    const call = async (tool: string, args: object = {}): Promise<any> => {
      const { isError, answer } = await agent.call(tool, args);
      expect([tool, isError, answer]).toEqual([tool, false, expect.anything()]);
      answered.add(tool);
      return answer;
    };
    /** Calls a tool that needs a confirmation. */
    const confirm = async (tool: string, args: object): Promise<any> => {
      const { answer } = await agent.call(tool, args);
      expect(answer.error.code).toBe('CONFIRMATION_REQUIRED');
      return call(tool, { ...args, confirm_token: answer.confirm_token });
    };
    await call('get_context');
    await call('list_accounts');
    await call('get_rules', { network: 'bluesky' });
    await call('get_changes');
    const { results } = await call('create_posts', {
      accounts: [{ account_id: account.id }],
      text: `Made by the client of the ${name}`,
    });
    const [{ id }] = results;
    await call('get_post', { id });
    await call('search_posts', { limit: 1 });
    const schedule = { ids: [id], mode: 'schedule', at: inDays(2).toISOString() };
    await call('preview', { tool: 'schedule_posts', arguments: schedule });
    await call('schedule_posts', schedule);
    await call('update_post', { id, expected_version: 2, text: `Changed with ${name}` });
    await call('revert_post', { id, to_version: 2, expected_version: 3 });
    await confirm('delete_posts', { ids: [id] });
    await call('restore_posts', { ids: [id] });
    const pending = await post({ storedState: 'scheduled_pending', text: `Pending ${name}` });
    await call('review_posts', {
      posts: [{ id: pending, expected_version: 1 }],
      decision: 'approve',
    });
    const recycling = await post({
      storedState: 'recycling_active',
      recycling: { gap: 1, gapFreq: 'days' },
    });
    await call('pause_posts', { ids: [recycling], paused: true });
    await call('retry_posts', { ids: [await post({ storedState: 'failed', text: name })] });
    const reminder = await post({
      scheduledAt: inDays(-1),
      queuedAt: inDays(-1),
      reminder: true,
      details: { reminder: true },
    });
    await call('resolve_publication', {
      id: reminder,
      live_url: `https://mastodon.sandbox.example/${account.id}/1`,
    });
    const published = await post({ storedState: 'published_posted' });
    const { job_id: job } = await confirm('unpublish_posts', { ids: [published] });
    await call('get_job', { id: job });
    await call('import_media', { urls: ['https://example.com/a.png'] });
    await call('create_media_upload', { name: 'a.png', bytes: 1 });
    expect([...answered].sort()).toEqual(Object.keys(REFUSED).sort());
  });
});
