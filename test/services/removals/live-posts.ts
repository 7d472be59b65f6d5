import type { Job } from '../../../src/domain/jobs/job.js';
import type { Account, Post } from '../../../src/domain/posts/post.js';
import type { Viewer } from '../../../src/domain/access/viewer.js';
import type { TestPublishing } from '../../fixtures/publishing.js';

/** A post that is on the sandbox network. */
export async function aLivePost(
  publishing: TestPublishing,
  { by, account }: { by: Viewer; account: Account },
  text = 'Live',
): Promise<Post> {
  const post = await publishing.aDuePost({ by, account, text });
  await publishing.sweep();
  await publishing.runJobs();
  return publishing.storedPost(by, post.id);
}

/** The types of the events of a post, oldest first. */
export async function eventTypesOf(
  { sql }: Pick<TestPublishing, 'sql'>,
  { id }: Pick<Post, 'id'>,
): Promise<string[]> {
  const rows = await sql<{ type: string }>(
    'SELECT type FROM event WHERE doc_id = $1 ORDER BY transaction_id, sequence',
    id,
  );
  return rows.map(({ type }) => type);
}

/** The job of an outcome as it is stored now; null if it has none. */
export const storedJob = async (
  { database }: Pick<TestPublishing, 'database'>,
  outcome: { readonly job?: Job | null },
) =>
  outcome.job ? database.prisma.job.findUniqueOrThrow({ where: { id: outcome.job.id } }) : null;
