import { readMastodonOutbox } from '../../../src/importers/mastodon/mastodon-outbox.js';
import { NO_GRANTS_VERSIONS } from '../../../src/redis/grants-versions.js';
import { createAdminStore } from '../../../src/persistence/admin/admin-store.js';
import { createJobStore } from '../../../src/persistence/jobs/job-store.js';
import { importPosts } from '../../../src/services/imports/import-posts.js';
import { createOf, FOLLOWERS, noteIdOf, outboxOf } from '../../fixtures/small-outbox.js';
import {
  asStream,
  NOW,
  ids,
  db,
  dependencies,
  target,
  listTitles,
  readPosts,
  dumpRows,
  setUpImports,
} from './import-environment.js';

setUpImports();

describe('a Mastodon outbox', () => {
  const LABELS = {
    reply: { name: 'Reply', color: '#112233' },
    followers: { name: 'followers only', color: '#808080' },
  };
  let accountId: string;
  beforeEach(async () => {
    accountId = ids.prefixed('acc');
    const { workspaceId } = target;
    await createAdminStore(db, NO_GRANTS_VERSIONS).addAccount(workspaceId, {
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
      dependencies,
      { ...target, accountId, network: 'mastodon', totalBytes: Buffer.byteLength(json), ...more },
      readMastodonOutbox(asStream(json)),
    );
  const labeled = (number: number): object =>
    createOf({ number, inReplyTo: noteIdOf(1), to: [FOLLOWERS], cc: [] });

  it('is imported completely: text, warning, poll, media, language, labels and metrics', async () => {
    await db.prisma.label.create({
      data: {
        id: ids.prefixed('lbl'),
        workspaceId: target.workspaceId,
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
          oneOf: [
            { name: 'Hafer', replies: { totalItems: 8 } },
            { name: 'Kuh', replies: { totalItems: 3 } },
          ],
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
      importedByState: { published_posted: 1 },
      importedCount: 1,
      failedCount: 0,
      malformed: null,
    });
    const [post] = await readPosts();
    expect(post).toMatchObject({
      storedState: 'published_posted',
      type: 'poll',
      network: 'mastodon',
      accountId,
      creatorId: target.ownerId,
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
      analytics: {
        likes: 5,
        shares: 6,
        comments: null,
        reach: null,
        pollVotes: [8, 3],
        updatedAt: NOW,
      },
    });
    expect(
      await listTitles({
        query: '陶芸 kuh',
        networks: ['mastodon'],
        types: ['poll'],
        labelIds: [post!.labels[1]!.id],
      }),
    ).toEqual(['Kaffee']);
    expect(await db.prisma.capSlot.count({ where: { accountId } })).toBe(0);
    expect(await createJobStore(db).find(target.workspaceId, report.jobId)).toMatchObject({
      kind: 'import',
      status: 'completed',
      progress: 1,
      failures: [],
    });
  });

  it('has no analytics if the archive contains no counts', async () => {
    await bringOutbox(
      outboxOf(createOf({ number: 1 }), createOf({ number: 2, likes: { totalItems: 0 } })),
    );
    expect((await readPosts()).map(({ analytics }) => analytics)).toEqual([
      null,
      expect.objectContaining({ likes: 0, shares: null, pollVotes: null }),
    ]);
  });

  it('changes nothing when imported again, and imports only missing posts', async () => {
    await bringOutbox(outboxOf(createOf({ number: 1 }), labeled(2)));
    const before = await dumpRows();
    expect(
      await bringOutbox(outboxOf(createOf({ number: 1, content: 'neu' }), labeled(2))),
    ).toMatchObject({ importedCount: 0, alreadyImported: 2 });
    expect(await dumpRows()).toBe(before);
    expect(
      await bringOutbox(outboxOf(createOf({ number: 1 }), labeled(2), labeled(3))),
    ).toMatchObject({ importedCount: 1, alreadyImported: 2, failedCount: 0 });
    expect(
      (await readPosts()).map(({ labels, title, details }) => [
        labels.map(({ name }) => name),
        title,
        details,
      ]),
    ).toEqual([
      [[], null, null],
      [['followers only', 'reply'], null, null],
      [['followers only', 'reply'], null, null],
    ]);
    expect(await db.prisma.label.count({ where: { workspaceId: target.workspaceId } })).toBe(2);
  });

  it('creates each label once if two imports run concurrently', async () => {
    const [first, second] = [
      [1, 2, 3],
      [4, 5, 6],
    ].map((numbers) => outboxOf(...numbers.map(labeled)));
    const reports = await Promise.all([bringOutbox(first!), bringOutbox(second!)]);
    expect(reports.map(({ importedCount, failedCount }) => [importedCount, failedCount])).toEqual([
      [3, 0],
      [3, 0],
    ]);
    expect(await db.prisma.label.count({ where: { workspaceId: target.workspaceId } })).toBe(2);
  });

  it('is rejected for an account of another network; posts without a title are listed by their text', async () => {
    await expect(bringOutbox(outboxOf(), { accountId: target.accountId })).rejects.toThrow(
      `"${target.accountId}" is not a mastodon account of this workspace. Its mastodon accounts: ${accountId} (@ada).`,
    );
    expect(await db.prisma.job.count({ where: { workspaceId: target.workspaceId } })).toBe(0);
    expect(
      await bringOutbox(outboxOf(createOf({ content: `Anfang ${'Wort '.repeat(30_000)}` }))),
    ).toMatchObject({
      importedCount: 1,
      truncated: { count: 1, titles: [expect.stringMatching(/^Anfang Wort.{0,90}$/)] },
    });
  });
});
