import { OWN_POST_IDS } from '../../attack/own-posts.js';
import type { PostOptions } from '../../fixtures/records.js';
import { setReadOnly } from '../../fixtures/read-only-database.js';
import { openBothServers, type OwnIds, type Responder } from './both-servers.js';
import { STRICT } from './corpus-requests.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

/**
 * Mutations change the same and respond the same, whether compiled execution responds or Apollo
 * Server, and so do both when the database fails.
 */
const servers = forEachTest(() => openBothServers(), 'close');

const POST = '<own post>';
const KEY = '<own key>';

/** Equal posts and idempotency keys, of each side. */
async function createOwnIds(options: Partial<PostOptions>) {
  const [by] = servers.viewers;
  const create = async (side: string): Promise<OwnIds> => ({
    [POST]: (await servers.api.records.aPost({ by, ...options })).id,
    [KEY]: `key of ${side}`,
  });
  return { compiled: await create('compiled'), interpreted: await create('interpreted') };
}

interface Change {
  readonly name: string;
  readonly state: PostOptions['storedState'];
  readonly mutation: string;
  /** What responds on the server with compiled execution. */
  readonly responder: Responder;
  /** Version and text of the post afterwards; null if it is deleted. */
  readonly stored: Readonly<Record<string, unknown>> | null;
}

const CHANGES: readonly Change[] = [
  {
    name: 'an update',
    state: 'draft_undated',
    mutation: `updatePost(input: { id: "${POST}", post: { text: "New", title: "T" } }) { post { id text title version } job { id } userErrors { code } }`,
    responder: 'compiled',
    stored: { text: 'New', version: 2 },
  },
  {
    name: 'an update whose selection is not compiled',
    state: 'draft_undated',
    mutation: `updatePost(input: { id: "${POST}", post: { text: "New" } }) { post { id history(first: 5) { nodes { version type } } deletability { allowed reason } } }`,
    responder: 'apollo',
    stored: { text: 'New', version: 2 },
  },
  {
    name: 'two updates before a mutation that fails and one after it',
    state: 'draft_undated',
    mutation: [
      `a: updatePost(input: { id: "${POST}", post: { text: "A" } }) { post { version } }`,
      `b: updatePost(input: { id: "${POST}", post: { text: "B" } }) { post { version } }`,
      'c: deletePosts(input: { ids: [] }) { deletedIds }',
      `d: updatePost(input: { id: "${POST}", post: { text: "D" } }) { post { version } }`,
    ].join(' '),
    responder: 'apollo',
    // Five if Apollo Server repeated the updates. The error of a field that is never null ends it.
    stored: { text: 'B', version: 3 },
  },
  {
    name: 'an update that is repeated with its idempotency key',
    state: 'draft_undated',
    mutation: ['New', 'New', 'Other']
      .map(
        (text, index) =>
          `u${index}: updatePost(input: { id: "${POST}", post: { text: "${text}" }, idempotencyKey: "${KEY}" }) { post { text version } userErrors { code message } }`,
      )
      .join(' '),
    responder: 'compiled',
    stored: { text: 'New', version: 2 },
  },
  {
    name: 'a deletion',
    state: 'draft_undated',
    mutation: `deletePosts(input: { ids: ["${POST}", "nope"] }) { deletedIds results { id deleted code } userErrors { code message field } }`,
    responder: 'compiled',
    stored: null,
  },
  {
    name: 'a review',
    state: 'scheduled_pending',
    mutation: `reviewPosts(input: { posts: [{ id: "${POST}" }], decision: DECLINE, note: "No" }) { results { id done code } userErrors { code } }`,
    responder: 'compiled',
    stored: { text: 'A post that is scheduled_pending.', version: 2 },
  },
  {
    name: 'an update that a rule refuses',
    state: 'published_posted',
    mutation: `updatePost(input: { id: "${POST}", post: { scheduledAt: "2027-01-01T00:00:00Z" } }) { post { id } userErrors { code message field rule } }`,
    responder: 'compiled',
    stored: { text: 'A post that is published_posted.', version: 1 },
  },
];

it.each(CHANGES)('$name responds and changes the same', async (change) => {
  const { name, state, mutation } = change;
  const ids = await createOwnIds({ storedState: state });
  const changed = await servers.compare({ name, body: { query: `mutation { ${mutation} }` } }, ids);
  const read = (selection: string) =>
    servers.compare(
      { name: selection, body: { query: `{ post(id: "${POST}") { ${selection} } }` } },
      ids,
    );
  const stored = await read('text version');
  const history = await read(
    'state stateReason history(first: 10) { nodes { version type note } }',
  );
  expect([changed.difference, stored.difference, history.difference]).toEqual([null, null, null]);
  const { data } = JSON.parse(stored.response.body) as { data: { post: unknown } };
  expect({ responder: changed.responder, stored: data.post }).toEqual({
    responder: change.responder,
    stored: change.stored,
  });
});

/** Compares the responses to a document, for both media types: their errors, and what is logged. */
async function compareFailure(query: string) {
  const outcomes = [];
  for (const accept of ['application/json', STRICT]) {
    const { difference, responder, response } = await servers.compare({
      name: query,
      headers: { accept },
      body: { query },
    });
    const causes = servers.api.loggedErrors.slice(-2).map(({ details }) => Object.values(details));
    expect(difference && { difference, causes }).toBeNull();
    const { status, errorCode, logged } = response;
    outcomes.push({ responder, status, errorCode, logged });
  }
  return outcomes;
}

it('an internal error responds the same, and is logged once', async () => {
  await servers.api.database.pool.query('ALTER TABLE label RENAME TO label_elsewhere');
  const failure = {
    responder: 'apollo',
    status: 200,
    errorCode: 'INTERNAL_SERVER_ERROR',
    logged: ['unhandled resolver error'],
  };
  for (const query of [
    '{ labels { nodes { id } } }',
    '{ viewer { role } labels { nodes { id } } }',
    '{ viewer { role } node(id: "lbl_0000000000000000") { id } }',
  ])
    expect(await compareFailure(query)).toEqual([failure, failure]);
});

it('a mutation of a read-only database responds the same, and is logged once', async () => {
  await setReadOnly(servers.api.database.url, true);
  const update = `updatePost(input: { id: "${OWN_POST_IDS.post}", post: { text: "New" } }) { post { id } }`;
  const failure = {
    responder: 'apollo',
    status: 503,
    errorCode: 'UNAVAILABLE',
    logged: ['resolver failed: dependency unavailable'],
  };
  for (const fields of [update, `__typename ${update}`, `a: ${update} b: ${update}`])
    expect(await compareFailure(`mutation { ${fields} }`)).toEqual([failure, failure]);
});
