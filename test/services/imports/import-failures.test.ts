import type { ImportRecord } from '../../../src/domain/imports/imported-post.js';
import { NO_GRANTS_VERSIONS } from '../../../src/redis/grants-versions.js';
import { createAdminStore } from '../../../src/persistence/admin/admin-store.js';
import { createJobStore } from '../../../src/persistence/jobs/job-store.js';
import { importPosts } from '../../../src/services/imports/import-posts.js';
import { exportOf, itemOf } from '../../fixtures/small-wxr.js';
import {
  ids,
  db,
  dependencies,
  target,
  recordsOf,
  importXml,
  listTitles,
  readPosts,
  setUpImports,
} from './import-environment.js';

setUpImports();

it('stops at malformed input with its position, and keeps the posts before it', async () => {
  const xml = `${exportOf(itemOf({ id: 1, title: 'Davor' })).replace('</channel></rss>\n', '')}<item><title>Halb</title><wp:post_id>2</wp:post_id></oops>`;
  const report = await importXml(xml);
  expect(report).toMatchObject({
    importedCount: 1,
    malformed: {
      reason: expect.any(String),
      position: { byte: Buffer.byteLength(xml), line: xml.split('\n').length },
    },
  });
  expect(await listTitles({})).toEqual(['Davor']);
  expect(await createJobStore(db).find(target.workspaceId, report.jobId)).toMatchObject({
    status: 'completed',
    failures: [
      { id: target.accountId, message: expect.stringContaining('Reading the file failed') },
    ],
  });
  const broken = await importXml('<rss><channel><item>');
  expect(await createJobStore(db).find(target.workspaceId, broken.jobId)).toMatchObject({
    status: 'failed',
  });
});

it('reports an item that cannot be saved, saves no part of it, and imports the rest', async () => {
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
  const report = await importXml(xml);
  await db.pool.query('ALTER TABLE post_analytics DROP CONSTRAINT no_thirteen');
  expect(report).toMatchObject({
    importedCount: 2,
    failedCount: 1,
    failed: [
      { sourceId: '2', title: 'Beitrag 2', message: expect.stringContaining('no_thirteen') },
    ],
  });
  expect(await listTitles({})).toHaveLength(2);
  expect(await db.prisma.media.count({ where: { workspaceId: target.workspaceId } })).toBe(2);
  expect((await createJobStore(db).find(target.workspaceId, report.jobId))!.failures).toEqual([
    {
      id: target.accountId,
      code: 'RULE_VIOLATION',
      message: expect.stringContaining('Beitrag 2'),
    },
  ]);
  expect(await importXml(xml)).toMatchObject({ importedCount: 1, alreadyImported: 2 });
});

it('truncates long texts between words and keeps the full text in the blocks', async () => {
  const report = await importXml(
    exportOf(
      itemOf({
        id: 1,
        title: `${'Titel 😀 '.repeat(400)}`,
        excerpt: 'x'.repeat(30_000),
        body: 'Wort 😀 '.repeat(30_000),
      }),
    ),
  );
  expect(report).toMatchObject({ importedCount: 1, failedCount: 0, truncated: { count: 1 } });
  const [post] = await readPosts();
  expect([...post!.text].length).toBeGreaterThan(99_900);
  expect([...post!.text].length).toBeLessThanOrEqual(100_000);
  expect(post!.text.endsWith('Wort 😀') || post!.text.endsWith('Wort')).toBe(true);
  expect([...post!.title!].length).toBeLessThanOrEqual(2_000);
  expect(post!.excerpt).toBe('x'.repeat(20_000));
  expect(JSON.stringify(post!.content).length).toBeGreaterThan(200_000);
});

it('treats hostile strings as text', async () => {
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
    dependencies,
    { ...target, network: 'wordpress', totalBytes: 0 },
    records(),
  );
  expect(report).toMatchObject({ importedCount: 1, failedCount: 0 });
  expect((await readPosts())[0]).toMatchObject({
    text: 'a\ufffdb\ufffd',
    title: expect.stringMatching(/^\ufffd.*\ufffd$/s),
    content: [{ data: { html: '\ufffd\ufffd', '\ufffd': ['\ufffd'] } }],
  });
});

it('rejects unknown accounts and members, and lists the existing ones', async () => {
  const { workspaceId, accountId, ownerId } = target;
  const other = ids.prefixed('acc');
  await createAdminStore(db, NO_GRANTS_VERSIONS).addAccount(workspaceId, {
    id: other,
    name: 'Seite',
    network: 'facebook',
    type: 'page',
    socialId: '1',
    picture: null,
    needsReauth: false,
    sandbox: false,
  });
  await expect(importXml(exportOf(), { accountId: other })).rejects.toThrow(
    `"${other}" is not a wordpress account of this workspace. Its wordpress accounts: ${accountId} (Blog).`,
  );
  await expect(importXml(exportOf(), { memberId: 'usr_nobody' })).rejects.toThrow(
    `"usr_nobody" is not a member of this workspace. Its members: ${ownerId} (Ada).`,
  );
  await expect(importXml(exportOf(), { workspaceId: 'wks_none' })).rejects.toThrow(
    'Workspace "wks_none" does not exist.',
  );
  expect(await db.prisma.job.count({ where: { workspaceId } })).toBe(0);
});

it('stops between items when aborted', async () => {
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
    dependencies,
    { ...target, network: 'wordpress', totalBytes: 0, signal: controller.signal },
    records(),
  );
  expect(report).toMatchObject({ stopped: true, importedCount: 29 });
  expect(await listTitles({})).toHaveLength(29);
});

it('imports each item once if two imports run concurrently', async () => {
  const xml = exportOf(...Array.from({ length: 50 }, (_, index) => itemOf({ id: index + 1 })));
  const reports = await Promise.all([importXml(xml), importXml(xml)]);
  expect(
    reports.map(({ importedCount, alreadyImported, failedCount }) => [
      importedCount + alreadyImported,
      failedCount,
    ]),
  ).toEqual([
    [50, 0],
    [50, 0],
  ]);
  expect(await listTitles({})).toHaveLength(50);
});
