import { enumKeys } from '../../src/domain/enums.js';
import { NETWORKS, type Network } from '../../src/domain/networks/networks.js';
import type { Account } from '../../src/domain/posts/post.js';
import { openCreationRequests, STATUS, TOMORROW, type Fields } from './creation-requests.js';
import { forAllTests } from '../fixtures/lifecycle.js';

jest.setTimeout(240_000);
const requests = forAllTests(() => openCreationRequests());
afterAll(() => requests?.gateway.close());

/** As a client does: a gateway whose database is too busy asks to try again (503). */
async function createUntilServed(posts: readonly Fields[], query: string) {
  for (;;) {
    const response = await requests.create(posts, query);
    if (response.status !== 503) return response;
  }
}

const ALL_NETWORKS = enumKeys<Network>(NETWORKS);

describe('sizes', () => {
  const contents = (): Fields => ({
    default: STATUS,
    ...Object.fromEntries(ALL_NETWORKS.map((network) => [network, { text: `For ${network}` }])),
  });
  const entries = (accounts: readonly Account[]): Fields[] =>
    Array.from({ length: 500 }, () => ({
      networks: contents(),
      accounts: accounts.map(({ id }) => ({ id, scheduled_at: TOMORROW })),
    }));

  it('500 posts with the contents of 13 networks are within the limits', async () => {
    await requests.expectNoEffect(async () => {
      const { status, body } = await createUntilServed(
        entries([requests.account]),
        '?dry_run=true',
      );
      expect(status).toBe(200);
      // The daily limit of the plan.
      expect(body.posts).toHaveLength(100);
      expect(Object.values(body.failures).flat()).toHaveLength(400);
    });
  });

  it('500 posts for 13 accounts each, and 1,001 accounts, are refused', async () => {
    const accounts: Account[] = [];
    for (const network of ALL_NETWORKS) accounts.push(await requests.anAccount({ network }));
    await requests.expectNoEffect(async () => {
      const tooMany = await requests.create(entries(accounts));
      expect([tooMany.status, tooMany.body.errors]).toEqual([
        400,
        ['bulk.posts: may have at most 1000 accounts in all; they have 6500'],
      ]);
      const one = await requests.create([
        requests.entryOf({
          accounts: Array.from({ length: 1_001 }, () => ({ id: requests.account.id })),
        }),
      ]);
      expect([one.status, one.body.errors]).toEqual([
        400,
        ['bulk.posts[0].accounts: may have at most 1000 items; it has 1001'],
      ]);
    });
  });

  it('occurrences of series count toward the limit of 1,000 posts', async () => {
    const recurring = { start_date: TOMORROW, repeat: 'daily' };
    const accounts: Account[] = [];
    while (accounts.length < 20) accounts.push(await requests.anAccount());
    await requests.expectNoEffect(async () => {
      const { status, body } = await requests.create(
        [requests.entryOf({ recurring, accounts: accounts.map(({ id }) => ({ id })) })],
        '',
        { state: 'recurring' },
      );
      expect(status).toBe(422);
      expect(body.errors).toEqual([
        expect.stringMatching(/^The call would create 1\d{3} posts, .* at most 1000\.$/),
      ]);
    });
  });
});

describe('targets, media and groups of strangers', () => {
  it('are answered like unknown ones, and create nothing', async () => {
    const stranger = await requests.gateway.records.aViewer();
    const { id: workspaceId } = stranger.workspace;
    const foreign = await requests.anAccount({ workspaceId, name: 'Foreign' });
    const media = await requests.gateway.records.aMedia({ workspaceId });
    await requests.expectNoEffect(async () => {
      const answers = [];
      for (const [accountId, mediaId] of [
        [foreign.id, media.id],
        ['acc_0000000000000000', 'med_0000000000000000'],
      ]) {
        const inGraphql = [
          await requests.createInGraphql({ targets: [{ accountId }] }),
          await requests.createInGraphql({ post: { type: 'PHOTO', media: [{ id: mediaId }] } }),
        ];
        const inV1 = await requests.create(
          [
            requests.entryOf({ accounts: [{ id: accountId, scheduled_at: TOMORROW }] }),
            requests.entryOf({
              networks: { default: { type: 'photo', media: [{ id: mediaId }] } },
            }),
          ],
          '?dry_run=true',
        );
        expect(inGraphql.map(({ userErrors }) => userErrors[0].code)).toEqual([
          'RULE_VIOLATION',
          'MEDIA_NOT_FOUND',
        ]);
        expect(inV1.body.posts).toEqual([]);
        answers.push(
          JSON.stringify([inGraphql, inV1.body])
            .replaceAll(accountId!, '<account>')
            .replaceAll(mediaId!, '<media>'),
        );
      }
      expect(answers[0]).toBe(answers[1]);
      expect(answers[0]).not.toContain('Foreign');
    });
  });

  it('a group of strangers has no posts', async () => {
    const stranger = await requests.gateway.records.aViewer();
    const theirs = await requests.anAccount({ workspaceId: stranger.workspace.id });
    const input = {
      mode: 'SCHEDULE',
      scheduledAt: TOMORROW,
      targets: [{ accountId: theirs.id }],
      post: { type: 'STATUS', text: 'Theirs' },
    };
    const created = await requests.gateway.graphql(
      'mutation($input: CreatePostsInput!) { createPosts(input: $input) { groupId } }',
      { input },
      { as: stranger },
    );
    const { groupId } = created.body.data.createPosts;
    const LIST = 'query($id: ID!) { posts(filter: { groupIds: [$id] }) { totalCount } }';
    const countFor = async (as = requests.gateway.owner) =>
      (await requests.gateway.graphql(LIST, { id: groupId }, { as })).body.data.posts.totalCount;
    expect([await countFor(stranger), await countFor()]).toEqual([1, 0]);
  });
});

describe('contents', () => {
  it('a variant for a network without a target is refused, or is a warning in v1', async () => {
    await requests.expectNoEffect(async () => {
      const { userErrors } = await requests.createInGraphql({
        variants: [{ network: 'BLUESKY', post: { text: 'Other' } }],
      });
      expect(userErrors).toEqual([
        {
          code: 'RULE_VIOLATION',
          field: ['input', 'variants', '0', 'network'],
          message: 'No target is an account of bluesky. Remove the variant or add a target.',
          rule: 'D47',
        },
      ]);
      const { body } = await requests.create(
        [requests.entryOf({ networks: { default: STATUS, bluesky: { text: 'Other' } } })],
        '?dry_run=true',
      );
      expect(body.posts).toHaveLength(1);
      expect(body.warnings).toEqual([
        'posts[0]: The content for bluesky is not used: no account is one of bluesky.',
      ]);
    });
  });

  it.each<[string, () => Fields]>([
    ['bulk.posts[0].colour', () => requests.entryOf({ colour: 1 })],
    [
      'bulk.posts[0].networks.myspace',
      () => requests.entryOf({ networks: { default: STATUS, myspace: STATUS } }),
    ],
    [
      'bulk.posts[0].networks.default.colour',
      () => requests.entryOf({ networks: { default: { ...STATUS, colour: 1 } } }),
    ],
    [
      'bulk.posts[0].accounts[0].colour',
      () => requests.entryOf({ accounts: [{ id: 'acc_x', colour: 1 }] }),
    ],
    [
      'bulk.posts[0].recycling.colour',
      () => requests.entryOf({ recycling: { gap: 1, colour: 1 } }),
    ],
    ['bulk.posts[0].range.colour', () => requests.entryOf({ auto: true, range: { colour: 1 } })],
  ])('the unknown key %s is refused with what is allowed', async (path, entry) => {
    await requests.expectNoEffect(async () => {
      const { status, body } = await requests.create([entry()]);
      expect(status).toBe(400);
      expect(body.errors).toEqual([expect.stringContaining(`${path}: unknown key; allowed: `)]);
    });
  });

  it('unknown fields of GraphQL inputs are refused with their path', async () => {
    await requests.expectNoEffect(async () => {
      for (const input of [
        { colour: 1 },
        { post: { type: 'STATUS', colour: 1 } },
        { targets: [{ accountId: requests.account.id, colour: 1 }] },
      ]) {
        const { code, problems } = await requests.createInGraphql(input);
        expect(code).toBe('BAD_USER_INPUT');
        expect(JSON.stringify(problems)).toContain('colour');
      }
    });
  });
});
