import { GatewayError } from '../../domain/errors.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Account, UserSummary } from '../../domain/posts/post.js';
import type { Clock } from '../clock.js';
import type { WorkspaceRecordStore } from '../workspaces/workspace-ports.js';

/** The account that an import adds posts to, and their creator. */
export interface ImportTarget {
  readonly workspaceId: string;
  readonly account: Account;
  readonly member: UserSummary;
  /**
   * Start of the import: the creation time of posts whose source contains none, and the time of
   * their metrics.
   */
  readonly at: Date;
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
export async function findImportTarget(
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
