import fc from 'fast-check';
import type { ResultStream } from '../../../src/graphql/subscription/result-stream.js';
import type { StreamedResult } from '../../../src/http/event-stream.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { settled } from '../../fixtures/settled.js';
import { waitFor } from '../../fixtures/wait-for.js';
import { authenticatedAs, openTestApi } from '../test-api.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const api = forAllTests(() => openTestApi());
afterAll(async () => {
  await api.services.liveEvents.close();
  await api.database.drop();
});

/** The first needs nothing but the event and its post, the second also the rights of the viewer. */
const SELECTIONS = [
  'type version fields stateBefore stateAfter user { name } post { id text state account { name } }',
  'accountId post { id editability { field allowed rule } deletability { allowed } }',
  'post { history(first: 2) { nodes { version user { id } } } }',
  'id job { id status } post { account { dailyCaps { limit used } } }',
  'post { user { name } text @include(if: $wanted) title @skip(if: $wanted) }',
  'at post { ...Text } ...Change',
] as const;
const FRAGMENTS =
  'fragment Text on Post { id labels { name } text } fragment Change on Event { api version }';
const toDocument = (selection: string): string =>
  `subscription ($wanted: Boolean = true) { events { postId cursor @include(if: $wanted) ${selection} } } ${selection.includes('...') ? FRAGMENTS : ''}`;

interface Subscriber {
  readonly stream: ResultStream;
  /** Received, and not yet taken. */
  readonly results: StreamedResult[];
}

async function subscribe(
  viewer: KeyedViewer,
  query: string,
  { variables = {}, by = api.server }: { variables?: object; by?: typeof api.server } = {},
): Promise<Subscriber> {
  const headers = { accept: 'text/event-stream' };
  const request = { method: 'POST', headers, body: { query, variables }, search: '' };
  const stream = (await by.openStream(request, authenticatedAs(viewer)))!;
  expect(stream).toMatchObject({ id: expect.any(String), errorCode: null });
  const results: StreamedResult[] = [];
  void (async () => {
    for await (const result of stream.results) results.push(result);
  })();
  return { stream, results };
}

/** Takes the results up to the first one of an event of the post. */
async function resultsUntil({ results }: Subscriber, postId: string): Promise<StreamedResult[]> {
  const isLast = ({ body }: StreamedResult): boolean => body.includes(`"postId":"${postId}"`);
  await waitFor(() => results.some(isLast));
  return results.splice(0, results.findIndex(isLast) + 1);
}

/** The first two create posts. */
type Team = readonly [KeyedViewer, KeyedViewer, KeyedViewer, ...KeyedViewer[]];

interface Change {
  readonly by: KeyedViewer;
  readonly postId: string;
}

const update = ({ by, postId }: Change, text: string): Promise<unknown> =>
  api.execute(
    by,
    'mutation ($input: UpdatePostInput!) { updatePost(input: $input) { userErrors { message } } }',
    { input: { id: postId, post: { text } } },
  );
const toDraft = ({ by, postId }: Change, visibility: string): Promise<unknown> =>
  api.execute(
    by,
    'mutation ($input: SchedulePostsInput!) { schedulePosts(input: $input) { userErrors { message } } }',
    { input: { ids: [postId], mode: 'DRAFT', visibility } },
  );

/** Changes of a post: its text, who can see it, and what the third member may do. */
const CHANGES: readonly ((change: Change, nth: number, team: Team) => Promise<unknown>)[] = [
  (change, nth) => update(change, `Text ${nth} "quoted"\n`),
  (change) => toDraft(change, 'PUBLIC'),
  (change) => toDraft(change, 'PRIVATE'),
  async (change, nth, [, , { user, workspace }]) => {
    await api.database.pool.query(
      'UPDATE membership SET role = $3 WHERE workspace_id = $1 AND user_id = $2',
      [workspace.id, user.id, nth % 2 === 0 ? 'viewer' : 'editor'],
    );
    await update(change, `With other rights ${nth}`);
  },
];

/** Members of all roles, and one with few scopes. */
async function aTeam(): Promise<Team> {
  const { records } = api;
  const owner = await records.aViewer({ name: 'Olga' });
  const aMember = (member: Parameters<typeof records.aViewer>[0]) =>
    records.aViewer({ workspaceId: owner.workspace.id, ...member });
  return [
    owner,
    await aMember({ role: 'editor', name: 'Edda' }),
    await aMember({ role: 'admin' }),
    await aMember({ role: 'viewer' }),
    await aMember({ role: 'editor', scopes: ['posts:read'] }),
  ];
}

/** Streams of each member: two of each selection that are open at once, and one on its own. */
interface Trio {
  readonly shared: readonly Subscriber[];
  readonly separate: Subscriber;
}

const arbitraryChanges = fc.array(
  fc.record({ post: fc.nat({ max: 3 }), kind: fc.nat({ max: CHANGES.length - 1 }) }),
  { minLength: 3, maxLength: 8 },
);

test('streams that share results get what each would get on its own', async () => {
  const seen = { shared: 0, whole: 0, withoutPost: 0, errors: 0, hidden: 0 };
  await fc.assert(
    fc.asyncProperty(arbitraryChanges, fc.nat(), async (changes, offset) => {
      const team = await aTeam();
      const [owner, editor] = team;
      const account = await api.records.anAccount({ workspaceId: owner.workspace.id });
      const stranger = await api.records.aViewer();
      const aDraft = (by: KeyedViewer, storedState: 'draft_undated' | 'draft_private_undated') =>
        api.records.aPost({ by, storedState, text: 'Hello', ...(by !== stranger && { account }) });
      const posts: readonly Change[] = [
        { by: owner, postId: (await aDraft(owner, 'draft_undated')).id },
        { by: owner, postId: (await aDraft(owner, 'draft_private_undated')).id },
        { by: editor, postId: (await aDraft(editor, 'draft_undated')).id },
        { by: editor, postId: (await aDraft(editor, 'draft_private_undated')).id },
      ];
      const marker = { by: owner, postId: (await aDraft(owner, 'draft_undated')).id };

      await settled(api.database.pool); // no event of before is sent
      const trios: Trio[] = [];
      for (const viewer of team)
        for (const selection of [0, 1, 2 + (offset % (SELECTIONS.length - 2))]) {
          const document = toDocument(SELECTIONS[selection]!);
          const open = () => subscribe(viewer, document);
          // A request that no other stream has, executed by graphql-js.
          const options = { variables: { separate: trios.length }, by: api.interpreter };
          trios.push({
            shared: [await open(), await open()],
            separate: await subscribe(viewer, document, options),
          });
        }
      const outside = await subscribe(stranger, toDocument(SELECTIONS[0]));

      for (const [nth, { post, kind }] of changes.entries()) {
        await CHANGES[kind]!(posts[post]!, nth, team);
        await update(marker, `Marker ${nth}`);
        for (const { shared, separate } of trios) {
          const expected = await resultsUntil(separate, marker.postId);
          const [first, second] = [
            await resultsUntil(shared[0]!, marker.postId),
            await resultsUntil(shared[1]!, marker.postId),
          ];
          expect(first).toEqual(expected);
          expect(second).toEqual(expected);
          // the same object: it was executed once
          seen.shared += first.filter((result, index) => result === second[index]).length;
          const own = expected.slice(0, -1).map(({ body }) => body);
          seen.hidden += own.length === 0 ? 1 : 0;
          for (const body of own) {
            seen.errors += body.includes('"errors"') ? 1 : 0;
            seen[body.includes('"post":null') ? 'withoutPost' : 'whole'] += 1;
          }
        }
      }
      const aPost = await aDraft(stranger, 'draft_undated');
      await update({ by: stranger, postId: aPost.id }, 'Elsewhere');
      const [only] = await resultsUntil(outside, aPost.id);
      expect(JSON.parse(only!.body).data.events).toMatchObject({ postId: aPost.id });
      for (const { stream } of [
        outside,
        ...trios.flatMap((trio) => [...trio.shared, trio.separate]),
      ])
        stream.disconnected();
    }),
    { numRuns: 8, seed: 19 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(3);
}, 180_000);
