import type { Account } from '../../src/domain/posts/post.js';
import { gatewayWith, type TestGateway } from '../fixtures/gateway.js';
import { waitFor } from '../fixtures/wait-for.js';

/**
 * Faults of other schedulers and of libraries that they use, as their users reported them, with the
 * value that is right here. Each row calls the public APIs with an input of its own.
 */
interface FieldReport {
  /** Repository and number of the report on GitHub. */
  readonly report: string;
  /** What is right. */
  readonly right: string;
  /** Returns what the gateway does. */
  readonly observe: () => Promise<unknown>;
  readonly expected: unknown;
}

const NOW = new Date('2026-11-21T08:00:00Z');

/** Decides about times: its clock stands still. */
let planner: TestGateway;
/** Publishes on the sandbox network. */
let publisher: TestGateway;
beforeAll(async () => {
  [planner, publisher] = await Promise.all([
    gatewayWith({ clock: { now: () => NOW } }),
    gatewayWith(),
  ]);
  publisher.startWorker();
});
afterAll(() => Promise.all([planner?.close(), publisher?.close()]));

const accountOn = (
  network: string,
  gateway = planner,
  options: Partial<Account> = {},
): Promise<Account> =>
  gateway.records.anAccount({
    workspaceId: gateway.owner.workspace.id,
    sandbox: true,
    network: network as Account['network'],
    ...options,
  });

interface Created {
  readonly results: readonly {
    readonly state: string | null;
    readonly code: string | null;
    readonly occurrenceDates: readonly string[];
    readonly post: { readonly id: string; readonly scheduledAt: string | null } | null;
  }[];
  readonly job: { readonly id: string } | null;
}

const CREATE = `mutation($input: CreatePostsInput!) {
  createPosts(input: $input) {
    results { state code occurrenceDates post { id scheduledAt } }
    job { id }
  }
}`;

async function run(gateway: TestGateway, query: string, variables: object = {}): Promise<any> {
  const { body } = await gateway.graphql(query, variables as Record<string, unknown>);
  return body.errors ? body.errors[0].extensions.code : body.data;
}

const create = async (input: object, gateway = planner): Promise<Created> => {
  const data = await run(gateway, CREATE, { input });
  return typeof data === 'string'
    ? { results: [{ code: data } as never], job: null }
    : data.createPosts;
};

/** The state or the error code of a dry run that creates a text post on this network. */
async function outcomeOf(network: string, post: object): Promise<string | null> {
  const account = await accountOn(network);
  const { results } = await create({
    targets: [{ accountId: account.id }],
    post: { type: 'STATUS', ...post },
    mode: 'SCHEDULE',
    scheduledAt: '2026-12-01T09:00:00Z',
    dryRun: true,
  });
  return results[0]!.state ?? results[0]!.code;
}

/** The dates of a series, up to `count` of them, in a workspace of this zone. */
async function datesOf(recurring: object, count: number, timeZone = 'UTC'): Promise<string[]> {
  const viewer = await planner.records.aViewer();
  await planner.db.prisma.workspace.update({
    where: { id: viewer.workspace.id },
    data: { timeZone },
  });
  const account = await planner.records.anAccount({
    workspaceId: viewer.workspace.id,
    sandbox: true,
  });
  const input = {
    targets: [{ accountId: account.id }],
    post: { type: 'STATUS', text: 'Again', recurring },
    mode: 'SCHEDULE',
    dryRun: true,
  };
  const { body } = await planner.graphql(CREATE, { input }, { as: viewer });
  return body.data.createPosts.results[0].occurrenceDates.slice(0, count);
}

/** Creates a post of the planner, and returns its ID. */
async function planned(mode: string, more: object = {}): Promise<string> {
  const account = await accountOn('mastodon');
  const { results } = await create({
    targets: [{ accountId: account.id }],
    post: { type: 'STATUS', text: 'Planned' },
    mode,
    ...more,
  });
  return results[0]!.post!.id;
}
const AT = '2026-12-04T09:00:00.000Z';
const read = async (id: string, gateway = planner): Promise<any> =>
  (await run(gateway, 'query($id: ID!) { post(id: $id) { state scheduledAt text } }', { id })).post;
const update = (id: string, post: object, gateway = planner): Promise<any> =>
  run(
    gateway,
    'mutation($input: UpdatePostInput!) { updatePost(input: $input) { post { state scheduledAt } userErrors { code } } }',
    { input: { id, post } },
  );

const sandbox = (path: string, method = 'GET', body?: object): Promise<any> =>
  publisher.request(`/sandbox/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

/** Publishes a post now, and returns it as readers of the network see it. */
async function publish(network: string, post: object, faults?: object): Promise<any> {
  const account = await accountOn(network, publisher);
  const input = { targets: [{ accountId: account.id }], post: { type: 'STATUS', ...post } };
  if (!faults) {
    const { results, job } = await create({ ...input, mode: 'SHARE_NOW' }, publisher);
    expect(job).not.toBeNull();
    return published(results[0]!.post!.id);
  }
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
  const { results } = await create({ ...input, mode: 'SCHEDULE', scheduledAt }, publisher);
  const { id } = results[0]!.post!;
  await sandbox(`${id}/faults`, 'PUT', faults);
  const mutation =
    'mutation($ids: [ID!]!) { schedulePosts(input: { ids: $ids, mode: SHARE_NOW }) { results { done } } }';
  await run(publisher, mutation, { ids: [id] });
  return published(id);
}
async function published(id: string): Promise<any> {
  await waitFor(async () => (await read(id, publisher)).state === 'PUBLISHED_POSTED');
  return (await sandbox(id)).body;
}
/** How often the readers of the account see a text. */
async function copiesOf({ account_id: accountId, text }: any): Promise<number> {
  const { accounts } = (await sandbox('posts')).body;
  const { posts } = accounts.find(({ id }: { id: string }) => id === accountId);
  return posts.filter((post: { text: string }) => post.text === text).length;
}

const LONG_LINK = `https://example.com/${'path/'.repeat(40)}`;

const REPORTS: readonly FieldReport[] = [
  // What is counted
  {
    report: 'inovector/mixpost#128',
    right: 'a link counts 23 on Mastodon, however long it is',
    observe: () => outcomeOf('mastodon', { text: `${'a'.repeat(476)} ${LONG_LINK}` }),
    expected: 'SCHEDULED',
  },
  {
    report: 'h3poteto/whalebird-desktop#829',
    right: 'each of two links counts 23 on Mastodon',
    observe: () => outcomeOf('mastodon', { text: `${'a'.repeat(453)} ${LONG_LINK} ${LONG_LINK}` }),
    expected: 'RULE_VIOLATION',
  },
  {
    report: 'MCV-Software/TWBlue#511',
    right: 'an emoji and a Japanese letter count 1 on Mastodon',
    observe: () => outcomeOf('mastodon', { text: '😊あ'.repeat(250) }),
    expected: 'SCHEDULED',
  },
  {
    report: 'inovector/mixpost#154',
    right: 'Bluesky counts what readers see as one character',
    observe: () => outcomeOf('bluesky', { text: 'e\u0301'.repeat(300) }),
    expected: 'SCHEDULED',
  },
  {
    report: 'gitroomhq/postiz-app#388',
    right: 'a text that is too long for Bluesky is refused when it is planned',
    observe: () => outcomeOf('bluesky', { text: 'a'.repeat(301) }),
    expected: 'RULE_VIOLATION',
  },
  {
    report: 'neodb-social/neodb#916',
    right: 'so is one that is too long by its emoji',
    observe: () => outcomeOf('bluesky', { text: '👍🏽'.repeat(301) }),
    expected: 'RULE_VIOLATION',
  },
  // Calendar
  {
    report: 'simshaun/recurr#6',
    right: 'a monthly series of the 31st has a date in each month that has one',
    observe: () => datesOf({ startDate: '2026-12-31T10:00:00Z', repeat: 'monthly' }, 5),
    expected: ['2026-12-31', '2027-01-31', '2027-03-31', '2027-05-31', '2027-07-31'].map(
      (date) => `${date}T10:00:00.000Z`,
    ),
  },
  {
    report: 'actualbudget/actual#6814',
    right: 'a monthly series of the 30th stays on the 30th after February',
    observe: () => datesOf({ startDate: '2027-01-30T10:00:00Z', repeat: 'monthly' }, 3),
    expected: ['2027-01-30', '2027-03-30', '2027-04-30'].map((date) => `${date}T10:00:00.000Z`),
  },
  {
    report: 'obsidian-tasks-group/obsidian-tasks#1087',
    right: 'a series of every second month stays in its months, also after months without its day',
    observe: () =>
      datesOf({ startDate: '2026-12-31T10:00:00Z', repeat: 'monthly', repeatRate: 2 }, 3),
    expected: ['2026-12-31', '2027-08-31', '2027-10-31'].map((date) => `${date}T10:00:00.000Z`),
  },
  {
    report: 'WordPress/gutenberg#3271',
    right: 'a weekly series keeps its local time when daylight saving begins',
    observe: () =>
      datesOf({ startDate: '2027-03-09T06:00:00-05:00', repeat: 'weekly' }, 2, 'America/New_York'),
    expected: ['2027-03-09T11:00:00.000Z', '2027-03-16T10:00:00.000Z'],
  },
  {
    report: 'firesidelabs/fireside#40',
    right: 'and when it ends',
    observe: () =>
      datesOf(
        { startDate: '2027-10-30T17:00:00-07:00', repeat: 'weekly' },
        3,
        'America/Los_Angeles',
      ),
    expected: ['2027-10-31T00:00:00.000Z', '2027-11-07T00:00:00.000Z', '2027-11-14T01:00:00.000Z'],
  },
  {
    report: 'Automattic/wp-calypso#74233',
    right: 'the slots of a queue keep their local time',
    observe: async () => {
      const account = await accountOn('mastodon');
      const data = await run(
        planner,
        `mutation($id: ID!) { setPostingSchedule(input: { accountId: $id, timeZone: "America/Los_Angeles", slots: [{ weekday: SUNDAY, time: "12:00" }] }) {
          account { postingSchedule { nextFree(first: 18) } } } }`,
        { id: account.id },
      );
      const free: string[] = data.setPostingSchedule.account.postingSchedule.nextFree;
      return free.slice(15).map((at) => at.slice(5, 16));
    },
    expected: ['03-07T20:00', '03-14T19:00', '03-21T19:00'],
  },
  {
    report: 'azkaban/azkaban#2439',
    right: 'an unknown time zone is an error, not the zone of the server',
    observe: () => zoneOutcome('Mars/Base'),
    expected: 'RULE_VIOLATION',
  },
  {
    report: 'jhuckaby/Cronicle#571',
    right: 'an offset is not a time zone',
    observe: () => zoneOutcome('+05:30'),
    expected: 'RULE_VIOLATION',
  },
  {
    report: 'growthbook/growthbook#4206',
    right: 'a time with the abbreviation of a zone is refused',
    observe: () => timeOutcome('2026-12-13T11:55:00.000CET'),
    expected: 'BAD_USER_INPUT',
  },
  {
    report: 'zetkin/app.zetkin.org#2160',
    right: 'a time with an offset is the same moment in UTC',
    observe: () => timeOutcome('2026-12-04T09:00:00+10:00'),
    expected: '2026-12-03T23:00:00.000Z',
  },
  {
    report: 'ragestudio/comty#66',
    right: 'a time without an offset is refused, because its zone is unknown',
    observe: () => timeOutcome('2026-12-04T09:00:00'),
    expected: 'BAD_USER_INPUT',
  },
  // States
  {
    report: 'trypostit/trypost#209',
    right: 'a draft without a time has none',
    observe: async () => (await read(await planned('DRAFT'))).scheduledAt,
    expected: null,
  },
  {
    report: 'forem/forem#18682',
    right: 'the time of a draft can be removed',
    observe: async () => {
      const id = await planned('DRAFT', { scheduledAt: AT });
      await update(id, { scheduledAt: null });
      return (await read(id)).state;
    },
    expected: 'DRAFT_UNDATED',
  },
  {
    report: 'wordpress-mobile/WordPress-iOS#3973',
    right: 'an edit of a scheduled post keeps its time',
    observe: async () => {
      const id = await planned('SCHEDULE', { scheduledAt: AT });
      await update(id, { text: 'Edited' });
      return read(id);
    },
    expected: { state: 'SCHEDULED', scheduledAt: AT, text: 'Edited' },
  },
  {
    report: 'forem/forem#18609',
    right: 'other settings do not publish a scheduled post',
    observe: async () => {
      const id = await planned('SCHEDULE', { scheduledAt: AT });
      await update(id, { labels: [{ name: 'Team', color: '#2f6f4f' }] });
      return (await read(id)).state;
    },
    expected: 'SCHEDULED',
  },
  {
    report: 'wordpress-mobile/WordPress-Editor-iOS#50',
    right: 'a draft can be scheduled later',
    observe: async () => {
      const id = await planned('DRAFT');
      await run(
        planner,
        'mutation($ids: [ID!]!, $at: DateTime) { schedulePosts(input: { ids: $ids, mode: SCHEDULE, scheduledAt: $at }) { results { done } } }',
        { ids: [id], at: AT },
      );
      return read(id);
    },
    expected: { state: 'SCHEDULED', scheduledAt: AT, text: 'Planned' },
  },
  {
    report: 'superdesk/superdesk-client-core#405',
    right: 'a time to come with a negative offset has not passed',
    observe: () => timeOutcome('2026-11-21T03:30:00-05:00'),
    expected: '2026-11-21T08:30:00.000Z',
  },
  {
    report: 'Meeds-io/meeds#3092',
    right: 'a post whose schedule was cancelled is not published at its time',
    observe: async () => {
      const account = await accountOn('mastodon', publisher);
      const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
      const input = { targets: [{ accountId: account.id }], mode: 'SCHEDULE', scheduledAt };
      const [cancelled, kept] = await Promise.all(
        ['Cancelled', 'Kept'].map(async (text) => {
          const created = await create({ ...input, post: { type: 'STATUS', text } }, publisher);
          return created.results[0]!.post!.id;
        }),
      );
      await run(
        publisher,
        'mutation($ids: [ID!]!) { schedulePosts(input: { ids: $ids, mode: DRAFT }) { results { done } } }',
        { ids: [cancelled] },
      );
      await sandbox('clock', 'PUT', { advance_seconds: 3_700 });
      await published(kept!);
      await sandbox('clock', 'PUT', { advance_seconds: 0 });
      return [(await read(cancelled!, publisher)).state, (await sandbox(cancelled!)).body.code];
    },
    expected: ['DRAFT_DATED', 'NOT_IN_SANDBOX'],
  },
  {
    report: 'forem/forem#19028',
    right: 'a scheduled post is published when its time comes, although it was edited',
    observe: async () => {
      const account = await accountOn('mastodon', publisher);
      const scheduledAt = new Date(Date.now() + 7_200_000).toISOString();
      const post = { type: 'STATUS', text: 'First' };
      const targets = [{ accountId: account.id }];
      const created = await create({ targets, post, mode: 'SCHEDULE', scheduledAt }, publisher);
      const { id } = created.results[0]!.post!;
      await update(id, { text: 'Second' }, publisher);
      await sandbox('clock', 'PUT', { advance_seconds: 7_300 });
      const { text } = await published(id);
      await sandbox('clock', 'PUT', { advance_seconds: 0 });
      return text;
    },
    expected: 'Second',
  },
  // Once
  {
    report: 'gitroomhq/postiz-app#1779',
    right: 'the same post for the same account is refused',
    observe: async () => {
      const account = await accountOn('mastodon');
      const post = { type: 'STATUS', text: 'Only once' };
      const input = {
        targets: [{ accountId: account.id }],
        post,
        mode: 'SCHEDULE',
        scheduledAt: AT,
      };
      const [first, second] = [await create(input), await create(input)];
      return [first, second].map(({ results }) => results[0]!.state ?? results[0]!.code);
    },
    expected: ['SCHEDULED', 'DUPLICATE_CONTENT'],
  },
  {
    report: 'researchstudio-sat/webofneeds#556',
    right: 'a request that is sent five times at once creates one post',
    observe: async () => {
      const account = await accountOn('mastodon');
      const input = {
        targets: [{ accountId: account.id }],
        post: { type: 'STATUS', text: 'Clicked' },
        mode: 'SCHEDULE',
        scheduledAt: AT,
        idempotencyKey: 'clicked',
      };
      const all = await Promise.all(Array.from({ length: 5 }, () => create(input)));
      return new Set(all.map(({ results }) => results[0]!.post!.id)).size;
    },
    expected: 1,
  },
  {
    report: 'DiasPHPora/wp-to-diaspora#169',
    right: 'a post whose connection was cut after it was taken is there once',
    observe: async () =>
      copiesOf(await publish('mastodon', { text: 'Cut' }, { publish: { fault: 'cut_after' } })),
    expected: 1,
  },
  {
    report: 'socioboard/Socioboard-5.0#335',
    right: 'a post that is published on a network that answers with an error is there once',
    observe: async () =>
      copiesOf(await publish('bluesky', { text: 'Error' }, { publish: { fault: 'error_after' } })),
    expected: 1,
  },
  {
    report: 'verbb/social-poster#29',
    right: 'an edit of a published post changes it, and publishes no second one',
    observe: async () => {
      const post = await publish('mastodon', { text: 'Saved once' });
      await update(post.id, { text: 'Saved twice' }, publisher);
      await waitFor(async () => (await sandbox(post.id)).body.edits === 1);
      const edited = (await sandbox(post.id)).body;
      return [edited.text, await copiesOf(edited), await copiesOf(post)];
    },
    expected: ['Saved twice', 1, 0],
  },
  {
    report: 'verbb/social-poster#28',
    right: 'a post for two accounts is on each of them once',
    observe: async () => {
      const accounts = await Promise.all([
        accountOn('mastodon', publisher),
        accountOn('mastodon', publisher),
      ]);
      const targets = accounts.map(({ id }) => ({ accountId: id }));
      const post = { type: 'STATUS', text: 'On two sites' };
      const { results } = await create({ targets, post, mode: 'SHARE_NOW' }, publisher);
      const posts = await Promise.all(results.map((result) => published(result.post!.id)));
      return Promise.all(posts.map(copiesOf));
    },
    expected: [1, 1],
  },
  // What readers see
  {
    report: 'mvdicarlo/postybirb-plus#238',
    right: 'the alternative text of a picture reaches the network',
    observe: async () => (await publish('bluesky', aPicture('A cup on a table'))).media[0].alt_text,
    expected: 'A cup on a table',
  },
  {
    report: 'bluesky-social/social-app#6223',
    right: 'an alternative text may be longer than a post',
    observe: () => outcomeOf('bluesky', aPicture('word '.repeat(190).trim())),
    expected: 'SCHEDULED',
  },
  {
    report: 'scidsg/mastodon-scheduler#5',
    right: 'the content warning of a scheduled post reaches the network',
    observe: async () =>
      (
        await publish('mastodon', {
          text: 'The end of the film',
          networkOptions: { spoilerText: 'Spoiler' },
        })
      ).network_options.spoiler_text,
    expected: 'Spoiler',
  },
  {
    report: 'elk-zone/elk#1846',
    right: 'hidden media and the audience reach the network, too',
    observe: async () =>
      (
        await publish('mastodon', {
          text: 'For followers',
          networkOptions: { sensitive: true, visibility: 'private' },
        })
      ).network_options,
    expected: { sensitive: true, visibility: 'private' },
  },
  {
    report: 'codeforboston/CutePetsBoston#101',
    right: 'a text that is too long is refused, and its link is not cut off',
    observe: () => outcomeOf('mastodon', { text: `${'a'.repeat(478)} ${LONG_LINK}` }),
    expected: 'RULE_VIOLATION',
  },
];

const aPicture = (altText: string) => ({
  type: 'PHOTO',
  text: 'Coffee',
  media: [{ path: 'https://media.example/cup.jpg', caption: altText }],
});

async function zoneOutcome(timeZone: string): Promise<string> {
  const account = await accountOn('mastodon');
  const data = await run(
    planner,
    'mutation($id: ID!, $zone: String) { setPostingSchedule(input: { accountId: $id, timeZone: $zone }) { userErrors { code } } }',
    { id: account.id, zone: timeZone },
  );
  return typeof data === 'string' ? data : data.setPostingSchedule.userErrors[0]?.code;
}

/** The time that a post gets, or the error code. */
async function timeOutcome(scheduledAt: string): Promise<string | null> {
  const account = await accountOn('mastodon');
  const { results } = await create({
    targets: [{ accountId: account.id }],
    post: { type: 'STATUS', text: 'At a time' },
    mode: 'SCHEDULE',
    scheduledAt,
  });
  return results[0]!.post?.scheduledAt ?? results[0]!.code;
}

it.each(REPORTS)('$report: $right', async ({ observe, expected }) =>
  expect(await observe()).toEqual(expected),
);
