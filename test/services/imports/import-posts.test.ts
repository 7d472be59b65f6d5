import { createJobStore } from '../../../src/persistence/jobs/job-store.js';
import { exportOf, itemOf } from '../../fixtures/small-wxr.js';
import {
  NOW,
  db,
  target,
  importXml,
  listTitles,
  readPosts,
  dumpRows,
  setUpImports,
} from './import-environment.js';

setUpImports();

const PICTURE = {
  id: 90,
  type: 'attachment',
  title: 'Hafen',
  attachmentUrl: 'HTTPS://blog.example/a.jpg',
  meta: { _wp_attachment_image_alt: 'Ein Boot' },
};
const ZERO = '0000-00-00 00:00:00';

it('imports a complete post: text, blocks, dates, terms, media and comments', async () => {
  const report = await importXml(
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
    importedByState: { published_posted: 1 },
    importedCount: 1,
    alreadyImported: 0,
    failedCount: 0,
    malformed: null,
    stopped: false,
    skipped: { attachment: { count: 1, titles: ['Hafen'] } },
  });
  const [post] = await readPosts();
  expect(post).toMatchObject({
    storedState: 'published_posted',
    type: 'article',
    network: 'wordpress',
    accountId: target.accountId,
    creatorId: target.ownerId,
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
  expect(await db.prisma.capSlot.count({ where: { accountId: target.accountId } })).toBe(0);
  expect(await db.prisma.notification.count({ where: { workspaceId: target.workspaceId } })).toBe(
    0,
  );
  expect(await createJobStore(db).find(target.workspaceId, report.jobId)).toMatchObject({
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
it('keeps every state and its date, and lists find the posts', async () => {
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
  expect((await importXml(xml)).importedCount).toBe(STATES.length);
  for (const [title, , dateGmt, , filters] of STATES) {
    for (const state of filters) expect(await listTitles({ states: [state] })).toContain(title);
    expect(await listTitles({ query: `"wort${title}" gemeinsam` })).toEqual([title]);
    const day = new Date(`${dateGmt.replace(' ', 'T')}Z`);
    if (dateGmt !== ZERO) expect(await listTitles({ from: day, to: day })).toEqual([title]);
  }
  expect((await listTitles({ states: ['published_hidden'] })).sort()).toEqual([
    'hidden',
    'private',
  ]);
  expect(
    await listTitles({
      accountIds: [target.accountId],
      networks: ['wordpress'],
      types: ['article'],
      memberId: target.ownerId,
    }),
  ).toHaveLength(STATES.length);
  const undated = (await readPosts()).find(({ title }) => title === 'undated');
  expect(undated).toMatchObject({
    scheduledAt: null,
    createdAt: expect.any(Date),
    analytics: { comments: 0 },
  });
});

it('changes nothing when run again: edited and deleted posts are kept as they are', async () => {
  const xml = exportOf(
    itemOf({ id: 1, title: 'Erster' }),
    itemOf({ id: 2, title: 'Zweiter' }),
    itemOf({ id: 3, title: 'Dritter' }),
  );
  await importXml(xml);
  const [first, second] = await readPosts();
  await db.prisma.post.update({ where: { id: second!.databaseId }, data: { deletedAt: NOW } });
  await db.prisma.postBody.update({
    where: { postId: first!.databaseId },
    data: { title: 'Geändert' },
  });
  const before = await dumpRows();
  expect(await importXml(xml)).toMatchObject({
    importedCount: 0,
    alreadyImported: 3,
    failedCount: 0,
  });
  expect(await dumpRows()).toBe(before);
  expect(await listTitles({ states: ['all'] })).toEqual(['Dritter', 'Geändert']);
});

it('imports only posts missing from an earlier import, duplicates once, and items of another blog', async () => {
  await importXml(exportOf(itemOf({ id: 1, title: 'A' })));
  const again = exportOf(
    itemOf({ id: 1, title: 'A neu' }),
    itemOf({ id: 2, title: 'B' }),
    itemOf({ id: 2, title: 'B neu' }),
  );
  expect(await importXml(again)).toMatchObject({ importedCount: 1, alreadyImported: 2 });
  const blog = again.replace(
    '<title>Ein Blog</title>',
    '<title>x</title><link>https://Other.example/</link>',
  );
  expect(await importXml(blog)).toMatchObject({ importedCount: 2, alreadyImported: 1 });
  expect(
    await importXml(blog.replace('https://Other.example/', 'http://other.example')),
  ).toMatchObject({ importedCount: 0, alreadyImported: 3 });
  expect((await listTitles({})).sort()).toEqual(['A', 'A neu', 'B', 'B']);
});

it('reuses the workspace’s media, and creates each URL once', async () => {
  const image = '<img src="https://blog.example/c.jpg" alt="Neu">';
  await importXml(exportOf(itemOf({ id: 1, body: image })));
  await importXml(
    exportOf(
      ...[2, 3, 4].map((id) =>
        itemOf({ id, body: `${image}<img src="https://blog.example/d.jpg">` }),
      ),
    ),
  );
  expect(
    (
      await db.prisma.media.findMany({
        where: { workspaceId: target.workspaceId },
        orderBy: { url: 'asc' },
      })
    ).map(({ url }) => url),
  ).toEqual(['https://blog.example/c.jpg', 'https://blog.example/d.jpg']);
  expect((await readPosts()).map(({ media }) => media.length)).toEqual([1, 2, 2, 2]);
});
