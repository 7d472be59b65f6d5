import type { Post } from '../../../src/domain/posts/post.js';
import { NOW } from '../../fixtures/services.js';
import { withApi } from '../test-api.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

type Json = any;
const api = withApi();
const owner = forAllTests(() => api.records.aViewer({ role: 'owner' }));

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(NOW.getTime() + days * DAY_MS).toISOString();

const FIELDS = `id databaseId version text state scheduledAt labels { id name } media { id url }
  featuredMedia { id } recurring { frequency endDate } networkSync { status job { id } } parent { version }`;
const CONNECTION = `totalCount pageInfo { hasNextPage hasPreviousPage }
  facets { exact states { state count } types { type count } networks { network count } labels { label { id name } count } }
  nodes { ${FIELDS} parent { id version occurrences(first: 2) { totalCount } } occurrences { totalCount } }`;
const UPDATE = `mutation($id: ID!, $post: PostPatch!, $dryRun: Boolean!) {
  updatePost(input: {id: $id, post: $post, dryRun: $dryRun}) {
    userErrors { message } job { id }
    post { ${FIELDS} parent { id version occurrences { ${CONNECTION} } }
      first: occurrences(first: 3) { ${CONNECTION} } all: occurrences(first: 100) { ${CONNECTION} }
      last: occurrences(last: 4) { ${CONNECTION} } }
  }
}`;

async function update(id: string, post: Json, dryRun: boolean): Promise<Json> {
  const { data, errors } = await api.execute(owner, UPDATE, { id, post, dryRun });
  expect(errors).toBeUndefined();
  expect(data.updatePost.userErrors).toEqual([]);
  return data.updatePost;
}

/** Every ID of a label, media item, job or post in a payload. */
const idsIn = (payload: Json): string[] => [
  ...new Set(JSON.stringify(payload).match(/\b(?:(?:lbl|med|job)_\w+|[0-9a-f]{24})\b/g)),
];

async function existingIds(): Promise<Set<string>> {
  const { rows } = await api.database.pool.query(
    'SELECT id FROM label UNION SELECT id FROM media UNION SELECT doc_id FROM post UNION SELECT id::text FROM job',
  );
  return new Set(rows.map(({ id }: Json) => id));
}

/** A payload without what only a saved change has: new IDs, and the job. */
function comparable(payload: Json, known: ReadonlySet<string>): Json {
  const isNew = (id: string): boolean => !known.has(id);
  return JSON.parse(JSON.stringify(payload), function (this: Json, key, value) {
    if (key === 'job') return null;
    if (key === 'id') return isNew(value) ? 'new' : value;
    return key === 'databaseId' && isNew(this.id) ? 0 : value;
  });
}

/** Tries an update, then makes it: both must show the same, and only IDs of what exists. */
async function tryAndUpdate(id: string, patch: Json): Promise<Json> {
  const known = await existingIds();
  const dry = await update(id, patch, true);
  expect(idsIn(dry).filter((one) => !known.has(one))).toEqual([]);
  expect(await existingIds()).toEqual(known);
  const real = await update(id, patch, false);
  expect(comparable(dry, known)).toEqual(comparable(real, known));
  return dry;
}

const aSeries = async (): Promise<Post> => {
  const account = await api.records.anAccount({
    workspaceId: owner.workspace.id,
    network: 'telegram',
  });
  const post = await api.records.aPost({ by: owner, account, scheduledAt: new Date(inDays(1)) });
  await update(post.id, { recurring: { repeat: 'daily', endDate: inDays(8.5) } }, false);
  return post;
};

describe('a dry run shows what the real call shows', () => {
  it('of a new series', async () => {
    const account = await api.records.anAccount({ workspaceId: owner.workspace.id });
    const post = await api.records.aPost({ by: owner, account, scheduledAt: new Date(inDays(1)) });
    const patch = {
      recurring: { repeat: 'weekly' },
      labels: [{ name: 'New A' }, { name: 'New B' }],
    };
    const dry = await tryAndUpdate(post.id, patch);
    expect(dry.post.first.totalCount).toBe(52);
    expect(dry.post.labels.map(({ id }: Json) => id)).toEqual([
      'dry_run_label_1',
      'dry_run_label_2',
    ]);
    expect(dry.post.first.nodes.map(({ databaseId }: Json) => databaseId)).toEqual([0, 0, 0]);
    expect(new Set(dry.post.all.nodes.map(({ id }: Json) => id)).size).toBe(52);
  });

  it('of a series whose rule becomes longer, and shorter', async () => {
    const series = await aSeries();
    const longer = await tryAndUpdate(series.id, { recurring: { endDate: inDays(40.5) } });
    expect(longer.post.all.totalCount).toBe(40);
    const shorter = await tryAndUpdate(series.id, { recurring: { endDate: inDays(3.5) } });
    expect(shorter.post.all.totalCount).toBe(3);
  });

  it('of a text, labels and media of a series', async () => {
    const series = await aSeries();
    const dry = await tryAndUpdate(series.id, {
      text: 'New text',
      labels: [{ name: 'New C' }],
      media: [{ path: 'https://example.com/new.jpg' }],
    });
    expect(dry.post.all.nodes[0]).toMatchObject({
      text: 'New text',
      labels: [{ id: 'dry_run_label_1' }],
      media: [{ id: 'dry_run_media_1' }],
    });
  });

  it('of a rule that is cleared', async () => {
    const series = await aSeries();
    expect((await tryAndUpdate(series.id, { recurring: null })).post.all.totalCount).toBe(0);
  });

  it('of an occurrence that is moved', async () => {
    const series = await aSeries();
    const [child] = (
      await api.execute(owner, `{ post(id: "${series.id}") { occurrences { nodes { id } } } }`)
    ).data.post.occurrences.nodes;
    const dry = await tryAndUpdate(child.id, { scheduledAt: inDays(100), text: 'Moved' });
    expect(dry.post.parent.occurrences.nodes[0]).toMatchObject({ id: child.id, text: 'Moved' });
  });

  it('of a published post, without the job', async () => {
    const account = await api.records.anAccount({
      workspaceId: owner.workspace.id,
      network: 'linkedin',
    });
    const post = await api.records.aPost({ by: owner, account, storedState: 'published_posted' });
    const dry = await tryAndUpdate(post.id, { text: 'Live' });
    expect(dry.post.networkSync).toEqual({ status: 'PENDING', job: null });
  });
});

it('pages of a dry run join to the whole list', async () => {
  const series = await aSeries();
  const PAGE = `mutation($id: ID!, $end: String!, $first: Int, $after: String, $last: Int, $before: String) {
    updatePost(input: {id: $id, dryRun: true, post: {recurring: {endDate: $end}}}) { post {
      occurrences(first: $first, after: $after, last: $last, before: $before) {
        edges { cursor node { scheduledAt } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      } } } }`;
  const page = async (args: Json): Promise<Json> => {
    const { data, errors } = await api.execute(owner, PAGE, {
      id: series.id,
      end: inDays(20.5),
      ...args,
    });
    expect(errors).toBeUndefined();
    return data.updatePost.post.occurrences;
  };
  const datesOf = ({ edges }: Json): string[] => edges.map(({ node }: Json) => node.scheduledAt);
  const whole = datesOf(await page({ first: 100 }));
  expect(whole).toHaveLength(20);
  const forward: string[] = [];
  for (let after: string | null = null, more = true; more;) {
    const part: Json = await page({ first: 6, after });
    forward.push(...datesOf(part));
    [after, more] = [part.pageInfo.endCursor, part.pageInfo.hasNextPage];
  }
  expect(forward).toEqual(whole);
  const backward: string[] = [];
  for (let before: string | null = null, more = true; more;) {
    const part: Json = await page({ last: 6, before });
    backward.unshift(...datesOf(part));
    [before, more] = [part.pageInfo.startCursor, part.pageInfo.hasPreviousPage];
  }
  expect(backward).toEqual(whole);
});

it('logs no errors', () => expect(api.loggedErrors).toEqual([]));

it('a dry run tells why the post would not be published, as the call does', async () => {
  const by = owner;
  const account = await api.records.anAccount({
    workspaceId: by.workspace.id,
    network: 'mastodon',
    sandbox: true,
  });
  const media = await api.records.aMedia({ workspaceId: by.workspace.id, title: 'Menu' });
  await api.database.prisma.mediaFile.create({
    data: { mediaId: media.id, workspaceId: by.workspace.id, status: 'waiting', token: 't' },
  });
  const post = await api.records.aPost({ by, account, scheduledAt: new Date(inDays(2)) });
  const reasonOf = async (dryRun: boolean, items = [{ id: media.id }]): Promise<string> => {
    const { data } = await api.execute(
      by,
      'mutation ($input: UpdatePostInput!) { updatePost(input: $input) { post { stateReason actions { action allowed } } userErrors { message } } }',
      { input: { id: post.id, post: { text: 'New', media: items }, dryRun } },
    );
    expect(data.updatePost.userErrors).toEqual([]);
    return data.updatePost.post;
  };
  const tried = await reasonOf(true);
  expect(tried).toMatchObject({
    stateReason: expect.stringMatching(/only after all of its files have arrived\.$/),
  });
  expect(tried).toEqual(await reasonOf(false));
  await api.database.pool.query('UPDATE workspace SET locked = true WHERE id = $1', [
    by.workspace.id,
  ]);
  const locked = await reasonOf(true, []);
  await api.database.pool.query('UPDATE workspace SET locked = false WHERE id = $1', [
    by.workspace.id,
  ]);
  expect(locked).toMatchObject({ stateReason: expect.stringMatching(/workspace is locked/) });
});
