import type { Account } from '../../domain/posts/post.js';
import type { Network } from '../../domain/networks/networks.js';
import type { AccountRecord, AccountAdmin } from './account-ports.js';
import type { ConnectedAccount, Credentials, Networks } from '../networks/network-ports.js';
import type { AccountStatusService } from './account-status.js';
import type { Ids } from '../clock-and-ids.js';

export interface ConnectAccountDependencies {
  readonly networks: Networks;
  readonly accounts: AccountAdmin;
  readonly ids: Ids;
  readonly accountStatus: Pick<AccountStatusService, 'markReconnected'>;
}

interface ConnectRequest {
  readonly workspaceId: string;
  readonly network: Network;
  readonly credentials: Credentials;
  /** The account to connect; by default the one with the network's id, or a new one. */
  readonly accountId?: string | undefined;
  /** Replaces the network's name of the account. */
  readonly name?: string | undefined;
}

type ConnectOutcome =
  | {
      readonly kind: 'connected';
      readonly account: Account;
      readonly isNew: boolean;
      readonly restored: number;
    }
  | { readonly kind: 'refused'; readonly reason: string };

const refused = (reason: string): ConnectOutcome => ({ kind: 'refused', reason });

/**
 * Queries the network for the account of the credentials, and stores them with that account, which is created if it does
 * not exist. Credentials that the network rejects are not stored. An account that needed reauthorization is reconnected
 * (D22).
 */
export async function connectAccount(
  dependencies: ConnectAccountDependencies,
  request: ConnectRequest,
): Promise<ConnectOutcome> {
  const { workspaceId, network, credentials } = request;
  const adapter = dependencies.networks[network];
  if (!adapter)
    return refused(`${network} does not support edits, so its accounts need no credentials`);
  const checked = await adapter.check(credentials);
  if (checked.kind === 'failed') return refused(`${checked.message} (${checked.code})`);
  const before = await dependencies.accounts.find(
    request.accountId === undefined
      ? { workspaceId, network, socialId: checked.socialId }
      : { id: request.accountId },
  );
  if (!before && request.accountId !== undefined)
    return refused(`Account ${JSON.stringify(request.accountId)} does not exist`);
  const reason = before && mismatch(before, request, checked);
  if (reason) return refused(reason);
  const account = accountOf(before, dependencies.ids, request, checked);
  await dependencies.accounts.connect(workspaceId, account, credentials);
  const restored = before ? await dependencies.accountStatus.markReconnected(account.id) : 0;
  return { kind: 'connected', account, isNew: before === null, restored };
}

/** Why these credentials do not belong to the account; null if they may. */
function mismatch(
  before: AccountRecord,
  { workspaceId, network }: ConnectRequest,
  { socialId, name }: ConnectedAccount,
): string | null {
  if (before.workspaceId !== workspaceId) return `${before.id} belongs to another workspace`;
  if (before.network !== network) return `${before.id} is an account on ${before.network}`;
  if (before.sandbox) return `${before.id} is on the sandbox network and needs no credentials`;
  // An account that was never connected has a provisional social id, which the network's one replaces.
  if (before.connectedAt && before.socialId !== socialId)
    return `The credentials belong to ${name} (${socialId}), but ${before.id} is ${before.name} (${before.socialId})`;
  return null;
}

function accountOf(
  before: AccountRecord | null,
  ids: Ids,
  { network, name }: ConnectRequest,
  checked: ConnectedAccount,
): Account {
  const { socialId, picture } = checked;
  if (!before)
    return {
      id: ids.prefixed('acc'),
      network,
      type: checked.type,
      name: name ?? checked.name,
      socialId,
      picture,
      needsReauth: false,
      sandbox: false,
    };
  const { workspaceId: _workspaceId, connectedAt: _connectedAt, ...account } = before;
  // The type is kept as well: daily caps depend on it (D39).
  return { ...account, name: name ?? before.name, socialId, picture };
}
