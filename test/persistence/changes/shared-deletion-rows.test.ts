import fc from 'fast-check';
import type { Account, Post } from '../../../src/domain/posts/post.js';
import type { StoredState } from '../../../src/domain/posts/states.js';
import type { DeleteOutcome, DeleteRequest } from '../../../src/services/posts/post-outcomes.js';
import { WRONG_DETAILED_COUNTS } from '../../fixtures/kept-counts.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { testServices, type TestServices } from '../../fixtures/services.js';
import { recordStatements } from '../../fixtures/statements.js';
import { deleteJointly, resultsOf, separateDeletions, sharedSizes } from './joint-deletions.js';

let services: TestServices;
/** The owner and an editor of each of two workspaces, with an account. */
let members: { viewer: KeyedViewer; colleague: KeyedViewer; account: Account }[];
beforeAll(async () => {
  services = await testServices();
  members = [];
  for (const name of ['Ada', 'Grace']) {
    const owner = await services.aViewer({ name });
    const workspaceId = owner.workspace.id;
    const editor = await services.aViewer({ workspaceId, postActions: true, name: `${name} jr.` });
    const account = await services.anAccount({ workspaceId });
    members.push(
      { viewer: owner, colleague: editor, account },
      { viewer: { ...editor, api: 'rest' }, colleague: owner, account },
    );
  }
});
afterAll(() => services.database.drop());

/** What is stored of a post and of its deletion, without what differs between two posts. */
const STORED = `SELECT jsonb_build_object(
  'post', to_jsonb(p) - '{id,doc_id}'::text[],
  'slots', (SELECT jsonb_agg(to_jsonb(s) - 'post_id' ORDER BY at) FROM cap_slot s WHERE s.post_id = p.id),
  'notifications', (SELECT jsonb_agg(to_jsonb(n) - '{id,post_id}'::text[]) FROM notification n WHERE n.post_id = p.id)) AS stored
  FROM post p WHERE p.id = $1`;
/** The events of the deletions of posts, with the positions of the posts. */
const EVENTS = `SELECT to_jsonb(e) - '{transaction_id,sequence,post_id,doc_id}'::text[] ||
  jsonb_build_object('post', array_position($1::bigint[], e.post_id), 'document', array_position($2::text[], e.doc_id::text)) AS event
  FROM event e WHERE e.post_id = ANY($1) AND type NOT IN ('post.created', 'post.scheduled', 'post.published') ORDER BY transaction_id, sequence`;
/** The kept counts that differ from the number of posts. */
const WRONG_COUNTS = `SELECT workspace_id, stored_state, creator_id, sum(posts) FROM (
  SELECT workspace_id, stored_state, creator_id, posts FROM post_count UNION ALL
  SELECT workspace_id, stored_state, CASE WHEN stored_state IN (24, 25) THEN creator_id ELSE '' END, -1 FROM post WHERE deleted_at IS NULL) c
  GROUP BY 1, 2, 3 HAVING sum(posts) <> 0`;

/** What the deletion of the posts of one request has stored. */
async function storedOf(posts: readonly Post[]) {
  const ids = posts.map(({ databaseId }) => databaseId);
  const rows = await Promise.all(
    ids.map((id) => services.sql<{ stored: Record<string, unknown> }>(STORED, id)),
  );
  const documentIds = posts.map(({ id }) => id);
  const events = await services.sql<{ event: Record<string, unknown> }>(EVENTS, ids, documentIds);
  return {
    rows: rows.flat().map(({ stored }) => stored),
    events: events.map(({ event }) => event),
  };
}

const STATES = [
  'scheduled',
  'recycling_active',
  'published_posted',
  'draft_dated',
  'draft_private_undated',
] as const satisfies StoredState[];
/** A post to delete; `unknown` is an ID without a post. */
const items = fc.record({
  kind: fc.constantFrom(...STATES, ...STATES, 'scheduled_pending', 'queued', 'unknown'),
  isOwn: fc.boolean(),
  byNumber: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
});
const requests = fc.record({
  member: fc.nat({ max: 3 }),
  policy: fc.constantFrom<DeleteRequest['policy']>(
    'skip_refused',
    'skip_refused',
    'all_or_nothing',
  ),
  items: fc.array(items, { minLength: 1, maxLength: 5 }),
});
type RequestPlan = typeof requests extends fc.Arbitrary<infer Plan> ? Plan : never;

/** Creates the posts of a request. */
async function prepare({ member, policy, items: planned }: RequestPlan) {
  const { viewer, colleague, account } = members[member]!;
  const posts: Post[] = [];
  const ids: string[] = [];
  for (const [n, { kind, isOwn, byNumber }] of planned.entries()) {
    if (kind === 'unknown') {
      ids.push(byNumber ? `200000000${n}` : `${n}`.repeat(24));
      continue;
    }
    const post = await services.aPost({
      by: isOwn ? viewer : colleague,
      account,
      text: `text ${n}`,
      ...(kind === 'queued' ? { queuedAt: services.clock.now() } : { storedState: kind }),
      ...(kind === 'recycling_active' && {
        recycling: { gap: 2, gapFreq: 'days', expireCount: 3 } as Post['recycling'],
      }),
    });
    posts.push(post);
    ids.push(byNumber ? String(post.databaseId) : post.id);
  }
  return { posts, ids, remove: () => services.remove(viewer, ids, { policy }) };
}

/** An outcome with the positions of the IDs. */
function outcomeOf(outcome: DeleteOutcome, ids: readonly string[]) {
  if (outcome.kind === 'refused') return outcome;
  const results = outcome.results.map((result) => ({ ...result, id: ids.indexOf(result.id) }));
  return { ...outcome, results };
}

/** Only the creator of a private draft sees its event. */
const readersOf = ({ storedState, creatorId }: Post): string | null =>
  storedState.startsWith('draft_private') ? creatorId : null;
const countSlots = async (): Promise<number> => (await services.sql('SELECT FROM cap_slot')).length;

test('stores the same as deletions one by one', async () => {
  const tally = { deletions: 0, statements: 0, slots: 0, notifications: 0, refused: 0, deleted: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(requests, { minLength: 2, maxLength: 10 }), async (plans) => {
      const prepareAll = () => Promise.all(plans.map(prepare));
      const [together, oneByOne] = [await prepareAll(), await prepareAll()];
      const slots = await countSlots();
      const { result, statements } = await recordStatements(() =>
        Promise.all(together.map(({ remove }) => remove())),
      );
      const sizes = sharedSizes(statements);
      tally.statements += sizes.length;
      tally.deletions += sizes.reduce((sum, size) => sum + size, 0);
      expect(await services.sql(WRONG_COUNTS)).toEqual([]);
      expect(await services.sql(WRONG_DETAILED_COUNTS)).toEqual([]);
      for (const [n, { ids, posts, remove }] of oneByOne.entries()) {
        const outcome = await remove();
        expect(outcomeOf(result[n]!, together[n]!.ids)).toEqual(outcomeOf(outcome, ids));
        const stored = await storedOf(posts);
        expect(stored.events.map(({ visible_to }) => visible_to)).toEqual(
          stored.events.map(({ post }) => readersOf(posts[Number(post) - 1]!)),
        );
        expect(await storedOf(together[n]!.posts)).toEqual(stored);
        tally.notifications += stored.rows.filter(({ notifications }) => notifications).length;
        const results = outcome.kind === 'done' ? outcome.results : [];
        tally.deleted += results.filter(({ deleted }) => deleted).length;
        tally.refused += results.filter(({ deleted }) => !deleted).length;
      }
      tally.slots += slots - (await countSlots());
    }),
    { numRuns: 20, seed: 47 },
  );
  expect(tally.statements).toBeLessThan(tally.deletions * 0.75);
  expect(tally.deleted).toBeGreaterThan(150);
  expect(tally.refused).toBeGreaterThan(50);
  expect(tally.slots).toBeGreaterThan(300);
  expect(tally.notifications).toBeGreaterThan(15);
}, 120_000);

/** A series with an occurrence that was published, and one that is planned. */
async function aSeries(by: KeyedViewer, account: Account) {
  const series = await services.aPost({
    by,
    account,
    storedState: 'recurring',
    recurring: { repeat: 'daily', startDate: '2026-11-22' },
  });
  const parentId = series.databaseId;
  const published = await services.aPost({
    by,
    account,
    storedState: 'published_posted',
    parentId,
  });
  return { series, published, planned: await services.aPost({ by, account, parentId }) };
}
const states = (posts: readonly Post[]) =>
  Promise.all(
    posts.map(async ({ databaseId }) => {
      const [row] = await services.sql<{ version: number; parent: string; at: Date }>(
        'SELECT version, parent_id AS parent, deleted_at AS at FROM post WHERE id = $1',
        databaseId,
      );
      return row;
    }),
  );

test('a series that is deleted at the same time as other posts is deleted with its planned occurrences, and the others become independent', async () => {
  const [{ viewer, account }, , { viewer: outsider, account: ofOutsider }] = members as [
    (typeof members)[0],
    (typeof members)[0],
    (typeof members)[0],
  ];
  const [first, second] = [await aSeries(viewer, account), await aSeries(outsider, ofOutsider)];
  const plain = await Promise.all(
    Array.from({ length: 5 }, () => services.aPost({ by: viewer, account })),
  );
  const { result, statements } = await recordStatements(() =>
    deleteJointly(services, [
      { by: viewer, posts: [plain[0]!, first.series] },
      { by: viewer, posts: plain.slice(1, 3) },
      { by: outsider, posts: [second.series] },
      { by: viewer, posts: plain.slice(3) },
    ]),
  );
  expect(result.map(resultsOf).map(({ length }) => length)).toEqual([2, 2, 1, 2]);
  expect(new Set(result.flatMap(resultsOf))).toEqual(new Set(['deleted']));
  expect(sharedSizes(statements)).toEqual([2]);
  expect(separateDeletions(statements)).toHaveLength(2);

  const at = services.clock.now();
  const kept = { version: 1, parent: null, at: null };
  for (const { series, published, planned } of [first, second])
    expect(await states([series, published, planned])).toEqual([
      { version: 1, parent: null, at },
      kept,
      { version: 1, parent: String(series.databaseId), at },
    ]);
  expect(await states(plain)).toEqual(plain.map(() => ({ ...kept, at })));
  const eventsOf = async (posts: readonly Post[]) =>
    (await storedOf(posts)).events.map(({ type, post, user_id, changed }) => [
      type,
      post,
      user_id,
      changed,
    ]);
  const deleted = (post: number, by: KeyedViewer) => ['post.deleted', post, by.user.id, []];
  expect(await eventsOf([plain[0]!, first.series, first.planned, first.published])).toEqual([
    ['post.updated', 4, viewer.user.id, ['parent']],
    ...[1, 2, 3].map((post) => deleted(post, viewer)),
  ]);
  expect(await eventsOf([second.series, second.planned, second.published])).toEqual([
    ['post.updated', 3, outsider.user.id, ['parent']],
    ...[1, 2].map((post) => deleted(post, outsider)),
  ]);
  expect(await eventsOf(plain.slice(1))).toHaveLength(4);
});
