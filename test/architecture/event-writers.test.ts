import { readText, sources } from './source-files.js';

/**
 * SQL or Prisma calls that change posts. Each statement that users could notice writes its events:
 * test/persistence/events runs all of them against a database that demands an event.
 */
const CHANGES_POSTS =
  /\b(?:INSERT INTO|UPDATE|DELETE FROM) post\b|\b(?:records|tx)\.post\.(?:create|update|delete|upsert)/;

/** The files that may, and where their events come from. */
const WRITERS: Readonly<Record<string, string>> = {
  'src/persistence/changes/change-writer.ts': 'writes the events of a change',
  'src/persistence/changes/post-inserter.ts': 'part of the change writer',
  'src/persistence/changes/post-updates.ts': 'part of the change writer',
  'src/persistence/admin/deletion-store.ts': 'deletes a user’s posts with events, or a workspace',
  'src/persistence/admin/admin-store.ts': 'deletes the workspaces of the demo, events included',
  'src/persistence/publishing/due-posts.ts': 'writes post.queued',
  'src/persistence/publishing/publication-ledger.ts':
    'arms attempts and records the progress of a publication; its result is a change',
  'src/persistence/jobs/purge-store.ts': 'removes posts that were deleted 30 days before',
};

it('posts are changed only by the change writer, or by statements that write their own events', () => {
  const writers = sources.filter((file) => CHANGES_POSTS.test(readText(file)));
  expect(writers.toSorted()).toEqual(Object.keys(WRITERS).toSorted());
});
