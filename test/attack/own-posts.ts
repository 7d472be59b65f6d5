import type { KeyedViewer } from '../fixtures/records.js';
import type { AuditedGateway } from './audited-gateway.js';

/** Document ids of the caller's own posts that requests name, so that responses contain data. */
export const OWN_POST_IDS = {
  series: 'aaaaaaaaaaaaaaaaaaaaaaaa',
  post: 'bbbbbbbbbbbbbbbbbbbbbbbb',
  published: 'dddddddddddddddddddddddd',
} as const;

/** Creates these posts with an account, a label and a media file. */
export async function createOwnPosts(
  { records }: Pick<AuditedGateway, 'records'>,
  by: KeyedViewer,
): Promise<void> {
  const { id: workspaceId } = by.workspace;
  const account = await records.anAccount({
    workspaceId,
    network: 'facebook',
    type: 'page',
    sandbox: true,
  });
  const series = await records.aPost({
    by,
    account,
    id: OWN_POST_IDS.series,
    storedState: 'recurring',
    recurring: { repeat: 'daily', startDate: '2030-06-10T08:00:00Z' },
  });
  await records.aPost({
    by,
    account,
    id: OWN_POST_IDS.post,
    parentId: series.databaseId,
    labels: [await records.aLabel({ workspaceId, name: 'apple' })],
  });
  await records.aPost({ by, account, id: OWN_POST_IDS.published, storedState: 'published_posted' });
  await records.aMedia({ workspaceId });
}
