import ICAL from 'ical.js';
import type { Post } from '../../src/domain/posts/post.js';
import { createLog } from '../../src/log/log.js';
import { gatewayWith, withGateway } from '../fixtures/gateway.js';
import type { KeyedViewer } from '../fixtures/records.js';

const DAY = 86_400_000;
const gateway = withGateway();

interface Feed {
  readonly id: string;
  readonly accountIds: readonly string[];
  readonly states: readonly string[];
  readonly createdAt: string;
  readonly revoked: boolean;
}
interface Outcome {
  readonly feed: Feed | null;
  readonly url: string | null;
  /** Codes and the fields that they name. */
  readonly problems: readonly string[];
}
interface Filter {
  readonly accountIds?: readonly string[];
  readonly states?: readonly string[];
}

/** The requests of one API, with the names of GraphQL. */
interface FeedApi {
  create(as: KeyedViewer, filter?: Filter): Promise<Outcome>;
  revoke(as: KeyedViewer, id: string): Promise<Outcome>;
  list(as: KeyedViewer): Promise<readonly Feed[]>;
}

const FIELDS = 'id accountIds states createdAt revoked';
async function mutate(as: KeyedViewer, name: string, input: object): Promise<Outcome> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
  const url = name.startsWith('create') ? 'url' : '';
  const query = `mutation($input: ${type}!) { result: ${name}(input: $input) { feed { ${FIELDS} } ${url} userErrors { code field } } }`;
  const { body } = await gateway.graphql(query, { input }, { as });
  const { feed, url: address = null, userErrors } = body.data.result;
  const problems = userErrors.map(
    ({ code, field }: { code: string; field: string[] | null }) => `${code} ${field?.at(-1) ?? ''}`,
  );
  return { feed, url: address, problems };
}
const graphqlApi: FeedApi = {
  create: (as, filter = {}) => mutate(as, 'createCalendarFeed', filter),
  revoke: (as, id) => mutate(as, 'revokeCalendarFeed', { id }),
  list: async (as) =>
    (await gateway.graphql(`{ calendarFeeds { ${FIELDS} } }`, {}, { as })).body.data.calendarFeeds,
};

const fromV1 = ({ account_ids: accountIds, states, created_at, ...feed }: any): Feed => ({
  ...feed,
  accountIds,
  states: states.map((name: string) => name.toUpperCase()),
  createdAt: new Date(created_at).toISOString(),
});
const refusedV1 = ({ code, message }: any): Outcome => ({
  feed: null,
  url: null,
  problems: [
    `${code} ${/account/.test(message) ? 'accountIds' : /no calendar feed/.test(message) ? 'id' : ''}`,
  ],
});
const restApi: FeedApi = {
  async create(as, { accountIds, states } = {}) {
    const { status, body } = await gateway.v1('POST', '/calendar-feeds', {
      as,
      body: { account_ids: accountIds, states: states?.map((name) => name.toLowerCase()) },
    });
    return status === 200
      ? { feed: fromV1(body.feed), url: body.url, problems: [] }
      : refusedV1(body);
  },
  async revoke(as, id) {
    const { status, body } = await gateway.v1('DELETE', `/calendar-feeds/${id}`, { as });
    return status === 200 ? { feed: fromV1(body), url: null, problems: [] } : refusedV1(body);
  },
  list: async (as) => (await gateway.v1('GET', '/calendar-feeds', { as })).body.feeds.map(fromV1),
};

/** The events of a feed, by the ID of the post. */
async function eventsOf(url: string): Promise<ReadonlyMap<string, ICAL.Component>> {
  const response = await fetch(url);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/calendar; charset=utf-8',
  ]);
  const calendar = new ICAL.Component(ICAL.parse(await response.text()));
  return new Map(
    calendar
      .getAllSubcomponents('vevent')
      .map((event) => [String(event.getFirstPropertyValue('uid')), event]),
  );
}
const idsOf = async (url: string): Promise<readonly string[]> => [...(await eventsOf(url)).keys()];

describe.each([
  ['GraphQL', graphqlApi],
  ['REST v1', restApi],
])('%s', (_name, api) => {
  it('creates, lists and revokes feeds, whose secret is not stored', async () => {
    const owner = await gateway.records.aViewer();
    const { feed, url, problems } = await api.create(owner, { states: ['SCHEDULED', 'DRAFT'] });
    expect(problems).toEqual([]);
    expect(feed).toEqual({
      id: expect.stringMatching(/^cal_\w{16}$/),
      accountIds: [],
      states: ['SCHEDULED', 'DRAFT'],
      createdAt: expect.any(String),
      revoked: false,
    });
    expect(url).toMatch(new RegExp(`^${gateway.url}/calendar/spc_[\\w-]{43}\\.ics$`));
    const [row] = await gateway.db.prisma.calendarFeed.findMany({ where: { id: feed!.id } });
    expect(JSON.stringify(row)).not.toContain(/spc_[\w-]+/.exec(url!)![0]);
    const second = await api.create(owner);
    expect(await api.list(owner)).toEqual([second.feed, feed]);

    expect(await idsOf(url!)).toEqual([]);
    expect((await api.revoke(owner, feed!.id)).feed).toEqual({ ...feed, revoked: true });
    expect((await api.revoke(owner, feed!.id)).feed!.revoked).toBe(true);
    expect(await api.list(owner)).toEqual([second.feed]);
    const gone = await fetch(url!);
    expect([gone.status, ((await gone.json()) as { code: string }).code]).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });

  it('refuses accounts and feeds of others, and more than 20 feeds', async () => {
    const owner = await gateway.records.aViewer();
    const colleague = await gateway.records.aViewer({ workspaceId: owner.workspace.id });
    const stranger = await gateway.records.aViewer();
    const foreign = await gateway.records.anAccount({ workspaceId: stranger.workspace.id });
    const { feed } = await api.create(owner);
    const refused = [
      await api.create(owner, { accountIds: [foreign.id] }),
      await api.create(owner, { accountIds: ['nonsense'] }),
      await api.revoke(colleague, feed!.id),
      await api.revoke(stranger, feed!.id),
      await api.revoke(owner, 'nonsense'),
    ];
    expect(refused.map(({ feed: none, problems }) => [none, problems])).toEqual([
      [null, ['RULE_VIOLATION accountIds']],
      [null, ['RULE_VIOLATION accountIds']],
      [null, ['RULE_VIOLATION id']],
      [null, ['RULE_VIOLATION id']],
      [null, ['RULE_VIOLATION id']],
    ]);
    for (let count = 1; count < 20; count++) await api.create(owner);
    expect((await api.create(owner)).problems).toEqual(['RULE_VIOLATION ']);
    expect(await api.list(owner)).toHaveLength(20);
  });
});

describe('a feed', () => {
  const post = (
    by: KeyedViewer,
    days: number,
    given: Partial<Parameters<typeof gateway.records.aPost>[0]> = {},
  ): Promise<Post> =>
    gateway.records.aPost({
      by,
      storedState: 'scheduled',
      scheduledAt: new Date(Math.floor((Date.now() + days * DAY) / 1_000) * 1_000),
      ...given,
    });

  it('has an event for each post of 30 past days and 180 days ahead that its creator sees', async () => {
    const owner = await gateway.records.aViewer();
    const colleague = await gateway.records.aViewer({
      workspaceId: owner.workspace.id,
      role: 'editor',
    });
    const shown = [
      await post(owner, -29, { storedState: 'published_posted' }),
      await post(owner, 1, { storedState: 'draft_private_dated' }),
      await post(colleague, 2, { storedState: 'scheduled_pending' }),
      await post(colleague, 179, { storedState: 'failed' }),
    ];
    await post(owner, -31, { storedState: 'published_posted' });
    await post(owner, 181);
    await post(colleague, 3, { storedState: 'draft_private_dated' });
    await post(await gateway.records.aViewer(), 4);
    const { url } = await graphqlApi.create(owner);
    const events = await eventsOf(url!);
    expect([...events.keys()]).toEqual(shown.map(({ id }) => id));
    expect(
      [...events.values()].map((event) => [
        event.getFirstPropertyValue('status'),
        event.getFirstPropertyValue('categories'),
      ]),
    ).toEqual([
      ['CONFIRMED', 'published_posted'],
      ['TENTATIVE', 'draft_private'],
      ['TENTATIVE', 'scheduled_pending'],
      ['CANCELLED', 'failed'],
    ]);
  });

  it('shows what each post is, in the format of iCalendar', async () => {
    const owner = await gateway.records.aViewer();
    const account = await gateway.records.anAccount({
      workspaceId: owner.workspace.id,
      network: 'mastodon',
      name: 'Käse; & Co, Köln',
    });
    const text = 'Ünicode 🎉, semi;colon\\ back\r\nsecond line\u0007 '.repeat(10);
    const { id, scheduledAt, version } = await post(owner, 5, { account, text });
    const { url } = await graphqlApi.create(owner);
    const raw = await (await fetch(url!)).text();
    expect(raw.split('\r\n').filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
    const event = new ICAL.Event((await eventsOf(url!)).get(id)!);
    expect(event.startDate.toJSDate()).toEqual(scheduledAt);
    expect(event.startDate.zone).toBe(ICAL.Timezone.utcTimezone);
    expect(event.sequence).toBe(version);
    expect(event.description).toBe(text.replaceAll('\r\n', '\n').replaceAll('\u0007', ''));
    expect(event.summary).toMatch(/^Mastodon, Käse; & Co, Köln: Ünicode 🎉, semi;colon\\ back/);
  });

  it('shows only the accounts and states that it was created for', async () => {
    const owner = await gateway.records.aViewer();
    const account = await gateway.records.anAccount({ workspaceId: owner.workspace.id });
    const wanted = await post(owner, 1, { account });
    await post(owner, 1, { account, storedState: 'draft_dated' });
    await post(owner, 1);
    const { url } = await graphqlApi.create(owner, {
      accountIds: [account.id],
      states: ['SCHEDULED'],
    });
    expect(await idsOf(url!)).toEqual([wanted.id]);
  });

  it('is sent again only after a change, and is cached privately', async () => {
    const owner = await gateway.records.aViewer();
    const { id } = await post(owner, 1);
    const { url } = await graphqlApi.create(owner);
    const first = await fetch(url!);
    expect(first.headers.get('cache-control')).toBe('private, max-age=300');
    const headers = { 'If-None-Match': first.headers.get('etag')! };
    expect((await fetch(url!, { headers })).status).toBe(304);
    await gateway.graphql(
      'mutation($id: ID!) { updatePost(input: {id: $id, post: {text: "Changed"}}) { userErrors { code } } }',
      { id },
      { as: owner },
    );
    const changed = await fetch(url!, { headers });
    expect([changed.status, await changed.text()]).toEqual([
      200,
      expect.stringContaining('DESCRIPTION:Changed\r\n'),
    ]);
    expect((await fetch(url!, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(url!, { method: 'POST' })).status).toBe(405);
  });

  it('ends with the membership, the plan and the key of its creator', async () => {
    const ends: readonly (readonly [string, string])[] = [
      ['membership', 'DELETE FROM membership WHERE user_id = $1'],
      ['plan', "UPDATE app_user SET plan = 'free' WHERE id = $1"],
      ['key', 'UPDATE api_key SET revoked_at = now() WHERE user_id = $1'],
    ];
    for (const [, sql] of ends) {
      const { workspace } = await gateway.records.aViewer();
      const member = await gateway.records.aViewer({ workspaceId: workspace.id, role: 'editor' });
      const { url } = await graphqlApi.create(member);
      expect((await fetch(url!)).status).toBe(200);
      await gateway.db.pool.query(sql, [member.user.id]);
      expect((await fetch(url!)).status).toBe(404);
    }
  });

  it('needs the scope to read posts', async () => {
    const writer = await gateway.records.aViewer({ scopes: ['posts:write'] });
    const { status } = await gateway.v1('POST', '/calendar-feeds', { as: writer, body: {} });
    expect(status).toBe(403);
  });

  it('keeps its secret out of the log', async () => {
    const lines: string[] = [];
    const logging = await gatewayWith({ log: createLog('trace', (line) => lines.push(line)) });
    const { body } = await logging.v1('POST', '/calendar-feeds', { body: {} });
    await fetch(body.url);
    await fetch(body.url.replace('spc_', 'spc_x'));
    await logging.close();
    const log = lines.join('');
    expect(log).toContain('GET /calendar/{secret}.ics');
    expect(log).not.toContain('spc_');
  });
});
