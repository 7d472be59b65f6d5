import { GatewayError } from '../../domain/errors.js';
import type { ImportProgress, ImportReport } from '../../domain/imports/import-report.js';
import type { ImportRecord } from '../../domain/imports/imported-post.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Account, UserSummary } from '../../domain/posts/post.js';
import type { JobWriter } from '../../persistence/jobs/job-store.js';
import type { Clock } from '../clock.js';
import type { Ids } from '../ids.js';
import type { PostStore } from '../../persistence/posts/post-store.js';
import type { WorkspaceRecordStore } from '../../persistence/workspaces/workspace-record-store.js';
import { createImportJob, ImportRun } from './import-run.js';
import type { ImportTarget } from './plan-import.js';

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

interface ImportTargetRequest {
  readonly workspaceId: string;
  readonly network: Network;
  readonly accountId: string;
  readonly memberId?: string | undefined;
}

const MAX_ACCOUNTS = 1_000;

const refuse = (field: string, message: string): never => {
  throw new GatewayError('BAD_USER_INPUT', message, [{ path: [field], message }]);
};

const listNames = (records: readonly (Account | UserSummary)[]): string =>
  records.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none';

/**
 * @throws GatewayError BAD_USER_INPUT for an unknown workspace, account or member; the message
 * lists the existing ones
 */
async function findImportTarget(
  {
    workspaceRecords,
    clock,
  }: { workspaceRecords: Pick<WorkspaceRecordStore, 'accounts' | 'membersOf'>; clock: Clock },
  { workspaceId, network, accountId, memberId }: ImportTargetRequest,
): Promise<ImportTarget> {
  const members = (await workspaceRecords.membersOf([workspaceId])).get(workspaceId) ?? [];
  if (members.length === 0)
    refuse('workspace', `Workspace ${JSON.stringify(workspaceId)} does not exist.`);
  const accounts = await workspaceRecords.accounts(workspaceId, [network], MAX_ACCOUNTS, 0);
  const account =
    accounts.find(({ id }) => id === accountId) ??
    refuse(
      'account',
      `${JSON.stringify(accountId)} is not a ${network} account of this workspace. Its ${network} accounts: ${listNames(accounts)}.`,
    );
  const member =
    members.find(({ user, role }) =>
      memberId === undefined ? role === 'owner' : user.id === memberId,
    ) ??
    refuse(
      'member',
      `${JSON.stringify(memberId)} is not a member of this workspace. Its members: ${listNames(members.map(({ user }) => user))}.`,
    );
  return { workspaceId, account, member: member.user, at: clock.now() };
}
