import type { ImportRecord } from '../../src/domain/imports/imported-post.js';
import type { Post } from '../../src/domain/posts/post.js';
import type { PostFilter } from '../../src/domain/posts/post-query.js';
import type { Viewer } from '../../src/domain/access/viewer.js';
import { readMastodonOutbox } from '../../src/importers/mastodon/mastodon-outbox.js';
import { readWordpressExport } from '../../src/importers/wordpress/wordpress-wxr.js';
import { NO_EPOCHS } from '../../src/redis/grants-versions.js';
import { createAdminStore } from '../../src/persistence/admin/admin-store.js';
import { createDirectoryStore } from '../../src/persistence/directory/directory-store.js';
import { createJobRecords, createJobStore } from '../../src/persistence/jobs/job-store.js';
import { createPostStore } from '../../src/persistence/posts/post-store.js';
import { importPosts, type ImportParts } from '../../src/services/imports/import-posts.js';
import { createIds } from '../../src/services/random-ids.js';
import { createOf, FOLLOWERS, noteIdOf, outboxOf } from '../fixtures/small-outbox.js';
import { exportOf, itemOf } from '../fixtures/small-wxr.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';

const NOW = new Date('2026-03-04T05:06:07.890Z');
const ids = createIds();
let db: TestDatabase;
let parts: ImportParts;
/** A workspace of its own for each test. */
let place: { workspaceId: string; accountId: string; ownerId: string };

beforeAll(async () => {
  db = await testDatabase();
  parts = {
    store: createPostStore(db.pool),
    directory: createDirectoryStore(db.prisma, db.pool),
    jobs: createJobRecords(db.pool),
    ids,
    clock: { now: () => NOW },
  };
});
afterAll(() => db.drop());
beforeEach(async () => {
  const admin = createAdminStore(db.prisma, NO_EPOCHS);
  const [workspaceId, accountId, ownerId] = [
    ids.prefixed('wks'),
    ids.prefixed('acc'),
    ids.prefixed('usr'),
  ];
  await admin.addUser({
    id: ownerId,
    name: 'Ada',
    email: `${ownerId}@example.com`,
    plan: 'business',
  });
  await admin.addWorkspace(
    { id: workspaceId, name: 'Atelier', picture: null, timeZone: 'UTC', requiresApproval: true },
    ownerId,
  );
  await admin.addAccount(workspaceId, {
    id: accountId,
    name: 'Blog',
    network: 'wordpress',
    type: 'blog',
    socialId: accountId,
    picture: null,
    needsReauth: false,
    sandbox: false,
  });
  place = { workspaceId, accountId, ownerId };
});

async function* once(xml: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(xml);
}
const recordsOf = (xml: string): AsyncGenerator<ImportRecord> =>
  readWordpressExport(() => once(xml), { now: NOW });
const bring = (xml: string, more: Partial<Parameters<typeof importPosts>[1]> = {}) =>
  importPosts(
    parts,
    { ...place, network: 'wordpress', totalBytes: Buffer.byteLength(xml), ...more },
    recordsOf(xml),
  );

const viewer = (): Viewer =>
  ({
    user: { id: place.ownerId, name: 'Ada', picture: null },
    role: 'owner',
    workspace: { id: place.workspaceId },
  }) as Viewer;
const listed = (filter: PostFilter) =>
  createPostStore(db.pool).list(
    viewer(),
    {
      filter,
      order: { field: 'scheduled_at', direction: 'desc' },
      slice: { kind: 'window', limit: 200, fromEnd: false },
    },
    {
      fields: new Set(['title', 'analytics'] as const),
      totalCount: true,
      facets: false,
      items: true,
    },
  );
const titles = async (filter: PostFilter): Promise<unknown[]> =>
  (await listed(filter)).posts.map(({ title }) => title);
async function posts(): Promise<Post[]> {
  const rows = await db.prisma.post.findMany({
    where: { workspaceId: place.workspaceId, deletedAt: null },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  const found = await createPostStore(db.pool).byDatabaseId(
    viewer(),
    rows.map(({ id }) => Number(id)),
  );
  return rows.map(({ id }) => found.get(Number(id))!);
}
/** Every row of the workspace's posts, to see that nothing changed. */
const everything = async (): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      [
        db.pool.query('SELECT * FROM post WHERE workspace_id = $1 ORDER BY id', [
          place.workspaceId,
        ]),
        db.pool.query(
          'SELECT b.* FROM post_body b JOIN post p ON p.id = b.post_id WHERE workspace_id = $1 ORDER BY p.id',
          [place.workspaceId],
        ),
        db.pool.query('SELECT * FROM media WHERE workspace_id = $1 ORDER BY id', [
          place.workspaceId,
        ]),
      ].map(async (query) => (await query).rows),
    ),
  );

const PICTURE = {
  id: 90,
  type: 'attachment',
  title: 'Hafen',
  attachmentUrl: 'HTTPS://blog.example/a.jpg',
  meta: { _wp_attachment_image_alt: 'Ein Boot' },
};
const ZERO = '0000-00-00 00:00:00';

it('brings a post in whole: text, blocks, dates, terms, media and comments', async () => {
  const report = await bring(
    exportOf(
      itemOf({
        id: 7,
        title: 'Am Hafen',
        body: '<h2>Früh</h2>\n\nDie <b>Boote</b>.\n\n<img src="http://blog.example/b.png" alt="Kräne">',
        excerpt: 'Kurz',
        name: 'hafen',
        categories: ['Reisen', 'Meer'],
        tags: ['boot'],
        comments: ['1', '1', '0'],
        meta: { _thumbnail_id: '90' },
        extra: '<wp:post_modified_gmt>2020-06-01 08:09:10</wp:post_modified_gmt>',
      }),
      itemOf(PICTURE),
    ),
  );
  expect(report).toMatchObject({
    taken: { published_posted: 1 },
    takenCount: 1,
    alreadyThere: 0,
    failedCount: 0,
    malformed: null,
    stopped: false,
    skipped: { attachment: { count: 1, titles: ['Hafen'] } },
  });
  const [post] = await posts();
  expect(post).toMatchObject({
    cell: 'published_posted',
    type: 'article',
    network: 'wordpress',
    accountId: place.accountId,
    creatorId: place.ownerId,
    origin: 'imported',
    version: 1,
    remoteId: '7',
    title: 'Am Hafen',
    text: 'Früh\n\nDie Boote.',
    excerpt: 'Kurz',
    url: 'hafen',
    postLink: 'https://blog.example/hafen/',
    hasMedia: true,
    scheduledAt: new Date('2020-05-01T12:00:00Z'),
    createdAt: new Date('2020-05-01T12:00:00Z'),
    updatedAt: new Date('2020-06-01T08:09:10Z'),
    categories: ['Reisen', 'Meer'],
    tags: ['boot'],
    labels: [],
    networkSync: null,
    parentId: null,
    media: [
      { url: 'https://blog.example/a.jpg', altText: 'Ein Boot', title: 'Hafen', type: 'photo' },
      { url: 'http://blog.example/b.png', altText: 'Kräne' },
    ],
    featuredMedia: { url: 'https://blog.example/a.jpg', altText: 'Ein Boot' },
    analytics: { comments: 2, likes: null, reach: null, engagementRate: null, updatedAt: NOW },
  });
  expect(post!.content.map(({ type }) => type)).toEqual(['header', 'paragraph', 'media']);
  expect(await db.prisma.capSlot.count({ where: { accountId: place.accountId } })).toBe(0);
  expect(await db.prisma.notification.count({ where: { workspaceId: place.workspaceId } })).toBe(0);
  expect(await createJobStore(db.prisma).find(place.workspaceId, report.jobId)).toMatchObject({
    kind: 'import',
    status: 'completed',
    progress: 1,
    failures: [],
    finishedAt: NOW,
  });
});

const STATES = [
  ['published', 'publish', '2020-05-01 12:00:00', '', ['published', 'published_posted', 'all']],
  ['hidden', 'publish', '2020-05-02 12:00:00', 'geheim', ['published', 'published_hidden']],
  ['private', 'private', '2020-05-03 12:00:00', '', ['published_hidden']],
  ['future', 'future', '2031-05-04 12:00:00', '', ['scheduled']],
  ['pending', 'pending', '2031-05-05 12:00:00', '', ['scheduled_pending', 'scheduled']],
  ['late', 'pending', '2020-05-06 12:00:00', '', ['draft_public', 'draft_dated', 'draft']],
  ['open', 'pending', ZERO, '', ['draft_public', 'draft_undated']],
  ['dated', 'draft', '2020-05-07 12:00:00', '', ['draft_dated', 'draft']],
  ['undated', 'draft', ZERO, '', ['draft_undated', 'draft']],
] as const;
it('keeps every state and its date, and the lists find them', async () => {
  const xml = exportOf(
    ...STATES.map(([title, status, dateGmt, password], index) =>
      itemOf({
        id: index + 1,
        title,
        status,
        dateGmt,
        password,
        body: `Wort${title} gemeinsam`,
        tags: [title],
      }),
    ),
  );
  expect((await bring(xml)).takenCount).toBe(STATES.length);
  for (const [title, , dateGmt, , filters] of STATES) {
    for (const state of filters) expect(await titles({ states: [state] })).toContain(title);
    expect(await titles({ query: `"wort${title}" gemeinsam` })).toEqual([title]);
    const day = new Date(`${dateGmt.replace(' ', 'T')}Z`);
    if (dateGmt !== ZERO) expect(await titles({ from: day, to: day })).toEqual([title]);
  }
  expect((await titles({ states: ['published_hidden'] })).sort()).toEqual(['hidden', 'private']);
  expect(
    await titles({
      accountIds: [place.accountId],
      networks: ['wordpress'],
      types: ['article'],
      memberId: place.ownerId,
    }),
  ).toHaveLength(STATES.length);
  const undated = (await posts()).find(({ title }) => title === 'undated');
  expect(undated).toMatchObject({
    scheduledAt: null,
    createdAt: expect.any(Date),
    analytics: { comments: 0 },
  });
});

it('changes nothing when run again: what was edited or deleted here stays so', async () => {
  const xml = exportOf(
    itemOf({ id: 1, title: 'Erster' }),
    itemOf({ id: 2, title: 'Zweiter' }),
    itemOf({ id: 3, title: 'Dritter' }),
  );
  await bring(xml);
  const [first, second] = await posts();
  await db.prisma.post.update({ where: { id: second!.databaseId }, data: { deletedAt: NOW } });
  await db.prisma.postBody.update({
    where: { postId: first!.databaseId },
    data: { title: 'Geändert' },
  });
  const before = await everything();
  expect(await bring(xml)).toMatchObject({ takenCount: 0, alreadyThere: 3, failedCount: 0 });
  expect(await everything()).toBe(before);
  expect(await titles({ states: ['all'] })).toEqual(['Dritter', 'Geändert']);
});

it('takes only what an interrupted or older import lacks, an item that stands twice once, and another blog’s items too', async () => {
  await bring(exportOf(itemOf({ id: 1, title: 'A' })));
  const again = exportOf(
    itemOf({ id: 1, title: 'A neu' }),
    itemOf({ id: 2, title: 'B' }),
    itemOf({ id: 2, title: 'B neu' }),
  );
  expect(await bring(again)).toMatchObject({ takenCount: 1, alreadyThere: 2 });
  const blog = again.replace(
    '<title>Ein Blog</title>',
    '<title>x</title><link>https://Other.example/</link>',
  );
  expect(await bring(blog)).toMatchObject({ takenCount: 2, alreadyThere: 1 });
  expect(await bring(blog.replace('https://Other.example/', 'http://other.example'))).toMatchObject(
    { takenCount: 0, alreadyThere: 3 },
  );
  expect((await titles({})).sort()).toEqual(['A', 'A neu', 'B', 'B']);
});

it('reuses the workspace’s media, and makes each address once', async () => {
  const image = '<img src="https://blog.example/c.jpg" alt="Neu">';
  await bring(exportOf(itemOf({ id: 1, body: image })));
  await bring(
    exportOf(
      ...[2, 3, 4].map((id) =>
        itemOf({ id, body: `${image}<img src="https://blog.example/d.jpg">` }),
      ),
    ),
  );
  expect(
    (
      await db.prisma.media.findMany({
        where: { workspaceId: place.workspaceId },
        orderBy: { url: 'asc' },
      })
    ).map(({ url }) => url),
  ).toEqual(['https://blog.example/c.jpg', 'https://blog.example/d.jpg']);
  expect((await posts()).map(({ media }) => media.length)).toEqual([1, 2, 2, 2]);
});

it('stops where the file breaks, with the position, and keeps what came before', async () => {
  const xml = `${exportOf(itemOf({ id: 1, title: 'Davor' })).replace('</channel></rss>\n', '')}<item><title>Halb</title><wp:post_id>2</wp:post_id></oops>`;
  const report = await bring(xml);
  expect(report).toMatchObject({
    takenCount: 1,
    malformed: {
      reason: expect.any(String),
      position: { byte: Buffer.byteLength(xml), line: xml.split('\n').length },
    },
  });
  expect(await titles({})).toEqual(['Davor']);
  expect(await createJobStore(db.prisma).find(place.workspaceId, report.jobId)).toMatchObject({
    status: 'completed',
    failures: [{ id: place.accountId, message: expect.stringContaining('cannot be read on') }],
  });
  const broken = await bring('<rss><channel><item>');
  expect(await createJobStore(db.prisma).find(place.workspaceId, broken.jobId)).toMatchObject({
    status: 'failed',
  });
});

it('reports an item that cannot be saved, leaves nothing of it, and takes the rest', async () => {
  await db.pool.query(
    `ALTER TABLE post_analytics ADD CONSTRAINT no_thirteen CHECK (comments <> 13)`,
  );
  const xml = exportOf(
    ...[1, 2, 3].map((id) =>
      itemOf({
        id,
        title: `Beitrag ${id}`,
        comments: id === 2 ? Array<string>(13).fill('1') : [],
        body: `<img src="https://blog.example/${id}.jpg">`,
      }),
    ),
  );
  const report = await bring(xml);
  await db.pool.query('ALTER TABLE post_analytics DROP CONSTRAINT no_thirteen');
  expect(report).toMatchObject({
    takenCount: 2,
    failedCount: 1,
    failed: [
      { sourceId: '2', title: 'Beitrag 2', message: expect.stringContaining('no_thirteen') },
    ],
  });
  expect(await titles({})).toHaveLength(2);
  expect(await db.prisma.media.count({ where: { workspaceId: place.workspaceId } })).toBe(2);
  expect((await createJobStore(db.prisma).find(place.workspaceId, report.jobId))!.failures).toEqual(
    [
      {
        id: place.accountId,
        code: 'RULE_VIOLATION',
        message: expect.stringContaining('Beitrag 2'),
      },
    ],
  );
  expect(await bring(xml)).toMatchObject({ takenCount: 1, alreadyThere: 2 });
});

it('cuts what is too long between words and keeps all of it in the blocks', async () => {
  const report = await bring(
    exportOf(
      itemOf({
        id: 1,
        title: `${'Titel 😀 '.repeat(400)}`,
        excerpt: 'x'.repeat(30_000),
        body: 'Wort 😀 '.repeat(30_000),
      }),
    ),
  );
  expect(report).toMatchObject({ takenCount: 1, failedCount: 0, shortened: { count: 1 } });
  const [post] = await posts();
  expect([...post!.text].length).toBeGreaterThan(99_900);
  expect([...post!.text].length).toBeLessThanOrEqual(100_000);
  expect(post!.text.endsWith('Wort 😀') || post!.text.endsWith('Wort')).toBe(true);
  expect([...post!.title!].length).toBeLessThanOrEqual(2_000);
  expect(post!.excerpt).toBe('x'.repeat(20_000));
  expect(JSON.stringify(post!.content).length).toBeGreaterThan(200_000);
});

it('takes hostile strings as text', async () => {
  const nasty = '&#x1; <script>alert(1)</script> \u202e \' "; DROP TABLE post;-- 𝕏 &#0; &#xD800;';
  async function* records(): AsyncGenerator<ImportRecord> {
    for await (const record of recordsOf(
      exportOf(
        itemOf({
          id: 1,
          title: nasty,
          body: nasty,
          tags: [nasty],
          name: "a'b",
          extra: '<wp:post_modified>9999-99-99</wp:post_modified>',
        }),
      ),
    )) {
      if (record.kind !== 'post') {
        yield record;
        continue;
      }
      const { post } = record;
      yield {
        kind: 'post',
        post: {
          ...post,
          title: `\0${post.title}\ud800`,
          text: `a\udfffb\0`,
          sourceId: '9'.repeat(9_000),
          content: [{ type: 'html', data: { html: '\0\ud800', '\0': ['\udc00'] } }],
        },
      };
    }
  }
  const report = await importPosts(
    parts,
    { ...place, network: 'wordpress', totalBytes: 0 },
    records(),
  );
  expect(report).toMatchObject({ takenCount: 1, failedCount: 0 });
  expect((await posts())[0]).toMatchObject({
    text: 'a\ufffdb\ufffd',
    title: expect.stringMatching(/^\ufffd.*\ufffd$/s),
    content: [{ data: { html: '\ufffd\ufffd', '\ufffd': ['\ufffd'] } }],
  });
});

it('refuses accounts and members that cannot take posts, and names those that can', async () => {
  const { workspaceId, accountId, ownerId } = place;
  const other = ids.prefixed('acc');
  await createAdminStore(db.prisma, NO_EPOCHS).addAccount(workspaceId, {
    id: other,
    name: 'Seite',
    network: 'facebook',
    type: 'page',
    socialId: '1',
    picture: null,
    needsReauth: false,
    sandbox: false,
  });
  await expect(bring(exportOf(), { accountId: other })).rejects.toThrow(
    `"${other}" is no wordpress account of this workspace; it has ${accountId} (Blog).`,
  );
  await expect(bring(exportOf(), { memberId: 'usr_nobody' })).rejects.toThrow(
    `"usr_nobody" is no member of this workspace; its members are ${ownerId} (Ada).`,
  );
  await expect(bring(exportOf(), { workspaceId: 'wks_none' })).rejects.toThrow(
    'There is no workspace "wks_none".',
  );
  expect(await db.prisma.job.count({ where: { workspaceId } })).toBe(0);
});

it('stops between items when told to', async () => {
  const controller = new AbortController();
  async function* records(): AsyncGenerator<ImportRecord> {
    for await (const record of recordsOf(
      exportOf(...Array.from({ length: 60 }, (_, index) => itemOf({ id: index + 1 }))),
    )) {
      if (record.kind === 'post' && record.post.sourceId === '30') controller.abort();
      yield record;
    }
  }
  const report = await importPosts(
    parts,
    { ...place, network: 'wordpress', totalBytes: 0, signal: controller.signal },
    records(),
  );
  expect(report).toMatchObject({ stopped: true, takenCount: 29 });
  expect(await titles({})).toHaveLength(29);
});

it('brings each item in once when two imports run at the same time', async () => {
  const xml = exportOf(...Array.from({ length: 50 }, (_, index) => itemOf({ id: index + 1 })));
  const reports = await Promise.all([bring(xml), bring(xml)]);
  expect(
    reports.map(({ takenCount, alreadyThere, failedCount }) => [
      takenCount + alreadyThere,
      failedCount,
    ]),
  ).toEqual([
    [50, 0],
    [50, 0],
  ]);
  expect(await titles({})).toHaveLength(50);
});

describe('a Mastodon outbox', () => {
  const LABELS = {
    reply: { name: 'Reply', color: '#112233' },
    followers: { name: 'followers only', color: '#808080' },
  };
  let accountId: string;
  beforeEach(async () => {
    accountId = ids.prefixed('acc');
    const { workspaceId } = place;
    await createAdminStore(db.prisma, NO_EPOCHS).addAccount(workspaceId, {
      id: accountId,
      name: '@ada',
      network: 'mastodon',
      type: 'profile',
      socialId: '1',
      picture: null,
      needsReauth: false,
      sandbox: false,
    });
  });
  const bringOutbox = (json: string, more: Partial<Parameters<typeof importPosts>[1]> = {}) =>
    importPosts(
      parts,
      { ...place, accountId, network: 'mastodon', totalBytes: Buffer.byteLength(json), ...more },
      readMastodonOutbox(once(json)),
    );
  const labelled = (number: number): object =>
    createOf({ number, inReplyTo: noteIdOf(1), to: [FOLLOWERS], cc: [] });

  it('comes in whole: text, warning, poll, media, language, labels and figures', async () => {
    await db.prisma.label.create({
      data: {
        id: ids.prefixed('lbl'),
        workspaceId: place.workspaceId,
        name: 'Reply',
        nameKey: 'reply',
        color: '#112233',
      },
    });
    const report = await bringOutbox(
      outboxOf(
        createOf({
          number: 42,
          type: 'Question',
          summary: 'Kaffee',
          content: '<p>Hafer<br>oder Kuh? 陶芸</p>',
          contentMap: { de: '<p>Hafer<br>oder Kuh? 陶芸</p>' },
          oneOf: [{ name: 'Hafer' }, { name: 'Kuh' }],
          endTime: '2023-01-04T03:04:05Z',
          inReplyTo: noteIdOf(1),
          to: [FOLLOWERS],
          cc: [],
          updated: '2023-01-03T00:00:00Z',
          attachment: [
            { type: 'Document', mediaType: 'image/gif', url: '/a.gif', name: 'Eine Tasse' },
          ],
          likes: { totalItems: 5 },
          shares: { totalItems: 6 },
        }),
      ),
    );
    expect(report).toMatchObject({
      taken: { published_posted: 1 },
      takenCount: 1,
      failedCount: 0,
      malformed: null,
    });
    const [post] = await posts();
    expect(post).toMatchObject({
      cell: 'published_posted',
      type: 'poll',
      network: 'mastodon',
      accountId,
      creatorId: place.ownerId,
      origin: 'imported',
      remoteId: '42',
      version: 1,
      title: 'Kaffee',
      text: 'Hafer\noder Kuh? 陶芸',
      excerpt: null,
      url: null,
      postLink: 'https://m.example/@ada/42',
      options: ['Hafer', 'Kuh'],
      duration: 2,
      details: { language: 'de' },
      scheduledAt: new Date('2023-01-02T03:04:05Z'),
      createdAt: new Date('2023-01-02T03:04:05Z'),
      updatedAt: new Date('2023-01-03T00:00:00Z'),
      media: [{ url: 'https://m.example/a.gif', type: 'gif', altText: 'Eine Tasse' }],
      hasMedia: true,
      content: [],
      tags: [],
      labels: [LABELS.reply, LABELS.followers],
      analytics: { likes: 5, shares: 6, comments: null, reach: null, updatedAt: NOW },
    });
    expect(
      await titles({
        query: '陶芸 kuh',
        networks: ['mastodon'],
        types: ['poll'],
        labelIds: [post!.labels[1]!.id],
      }),
    ).toEqual(['Kaffee']);
    expect(await db.prisma.capSlot.count({ where: { accountId } })).toBe(0);
    expect(await createJobStore(db.prisma).find(place.workspaceId, report.jobId)).toMatchObject({
      kind: 'import',
      status: 'completed',
      progress: 1,
      failures: [],
    });
  });

  it('changes nothing when it comes again, and brings only what it lacked', async () => {
    await bringOutbox(outboxOf(createOf({ number: 1 }), labelled(2)));
    const before = await everything();
    expect(
      await bringOutbox(outboxOf(createOf({ number: 1, content: 'neu' }), labelled(2))),
    ).toMatchObject({ takenCount: 0, alreadyThere: 2 });
    expect(await everything()).toBe(before);
    expect(
      await bringOutbox(outboxOf(createOf({ number: 1 }), labelled(2), labelled(3))),
    ).toMatchObject({ takenCount: 1, alreadyThere: 2, failedCount: 0 });
    expect(
      (await posts()).map(({ labels, title, details }) => [
        labels.map(({ name }) => name),
        title,
        details,
      ]),
    ).toEqual([
      [[], null, null],
      [['followers only', 'reply'], null, null],
      [['followers only', 'reply'], null, null],
    ]);
    expect(await db.prisma.label.count({ where: { workspaceId: place.workspaceId } })).toBe(2);
  });

  it('makes each label once when two imports run at the same time', async () => {
    const [first, second] = [
      [1, 2, 3],
      [4, 5, 6],
    ].map((numbers) => outboxOf(...numbers.map(labelled)));
    const reports = await Promise.all([bringOutbox(first!), bringOutbox(second!)]);
    expect(reports.map(({ takenCount, failedCount }) => [takenCount, failedCount])).toEqual([
      [3, 0],
      [3, 0],
    ]);
    expect(await db.prisma.label.count({ where: { workspaceId: place.workspaceId } })).toBe(2);
  });

  it('does not go to an account of another network, and names a post without a title by its text', async () => {
    await expect(bringOutbox(outboxOf(), { accountId: place.accountId })).rejects.toThrow(
      `"${place.accountId}" is no mastodon account of this workspace; it has ${accountId} (@ada).`,
    );
    expect(await db.prisma.job.count({ where: { workspaceId: place.workspaceId } })).toBe(0);
    expect(
      await bringOutbox(outboxOf(createOf({ content: `Anfang ${'Wort '.repeat(30_000)}` }))),
    ).toMatchObject({
      takenCount: 1,
      shortened: { count: 1, titles: [expect.stringMatching(/^Anfang Wort.{0,90}$/)] },
    });
  });
});
