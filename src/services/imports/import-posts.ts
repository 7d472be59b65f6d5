import type { ImportProgress, ImportReport } from '../../domain/imports/import-report.js';
import type { ImportRecord } from '../../domain/imports/imported-post.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Clock } from '../clock.js';
import type { Ids } from '../ids.js';
import type { WorkspaceRecordStore } from '../workspaces/workspace-ports.js';
import type { JobWriter } from '../jobs/job-ports.js';
import type { PostStore } from '../posts/post-ports.js';
import { createImportJob } from './import-job.js';
import { ImportRun } from './import-run.js';
import { findImportTarget } from './import-target.js';

export interface ImportDependencies {
  readonly store: Pick<
    PostStore,
    'findMedia' | 'labelsByName' | 'reserveIds' | 'save' | 'existingImportKeys'
  >;
  readonly workspaceRecords: Pick<WorkspaceRecordStore, 'accounts' | 'membersOf'>;
  readonly jobs: JobWriter;
  readonly ids: Ids;
  readonly clock: Clock;
}

interface ImportRequest {
  readonly workspaceId: string;
  /** The network of the posts, and of the account. */
  readonly network: Network;
  readonly accountId: string;
  /** The member who becomes the creator of the posts; the owner by default. */
  readonly memberId?: string | undefined;
  /** Size of the source in bytes, for the progress. */
  readonly totalBytes: number;
  /** Stops the import after the current item. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Imports posts from a source, in its order and in bounded memory. Each post is saved completely or
 * not at all. Posts that were imported before are not changed, even if they were deleted since;
 * items that cannot be saved are reported. A job reports the progress to API clients (D42).
 * @throws GatewayError BAD_USER_INPUT for an unknown workspace, account or member; UNAVAILABLE
 */
export async function importPosts(
  dependencies: ImportDependencies,
  { totalBytes, signal, ...targetRequest }: ImportRequest,
  records: AsyncIterable<ImportRecord>,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportReport> {
  const target = await findImportTarget(dependencies, targetRequest);
  const job = await createImportJob(dependencies, target);
  const run = new ImportRun(dependencies, { target, job, onProgress, totalBytes, signal });
  try {
    const report = await run.execute(records);
    await job.end(report);
    return report;
  } catch (error) {
    await job.abort().catch(() => {}); // the database may be the cause: throw the first error
    throw error;
  }
}
