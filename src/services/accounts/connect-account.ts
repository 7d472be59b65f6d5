import { OPERATOR } from '../../domain/events/actor.js';
import type { Account } from '../../domain/posts/post.js';
import type { Credentials } from '../../domain/networks/network-definition.js';
import type { Network } from '../../domain/networks/networks.js';
import type { AccountRecord, AccountStore } from '../../persistence/credentials/account-store.js';
import type { ConnectedAccount, Networks } from '../networks/network-ports.js';
import type { AccountStatusService } from './account-status.js';
import type { Ids } from '../ids.js';

export interface ConnectAccountDependencies {
  readonly networks: Networks;
  readonly accounts: Pick<AccountStore, 'find' | 'connect'>;
  readonly ids: Ids;
  readonly accountStatus: Pick<AccountStatusService, 'markReconnected'>;
}

interface ConnectRequest {
  readonly workspaceId: string;
  readonly network: Network;
  readonly credentials: Credentials;
  /** The account to connect; by default the one with the network's ID, or a new one. */
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
 * Queries the network for the account of the credentials, and stores them with that account, which
 * is created if it does not exist. Credentials that the network rejects are not stored. An account
 * that needed reauthorization is reconnected (D22).
 */
export async function connectAccount(
  dependencies: ConnectAccountDependencies,
  request: ConnectRequest,
): Promise<ConnectOutcome> {
  const { workspaceId, network, credentials } = request;
  const adapter = dependencies.networks[network];
  if (!adapter)
    return refused(
      `The gateway neither publishes nor edits posts on ${network}, so its accounts need no credentials`,
    );
  const checked = await adapter.check(credentials);
  if (checked.kind === 'failed') return refused(`${checked.message} (${checked.code})`);
  const existing = await dependencies.accounts.find(
    request.accountId === undefined
      ? { workspaceId, network, socialId: checked.socialId }
      : { id: request.accountId },
  );
  if (!existing && request.accountId !== undefined)
    return refused(`Account ${JSON.stringify(request.accountId)} does not exist`);
  const reason = existing && mismatch(existing, request, checked);
  if (reason) return refused(reason);
  const account = accountOf(existing, dependencies.ids, request, checked);
  await dependencies.accounts.connect(workspaceId, account, credentials);
  const restored = existing
    ? await dependencies.accountStatus.markReconnected(account.id, OPERATOR)
    : 0;
  return { kind: 'connected', account, isNew: existing === null, restored };
}

/** Why these credentials do not belong to the account; null if they may. */
function mismatch(
  existing: AccountRecord,
  { workspaceId, network }: ConnectRequest,
  { socialId, name }: ConnectedAccount,
): string | null {
  if (existing.workspaceId !== workspaceId) return `${existing.id} belongs to another workspace`;
  if (existing.network !== network) return `${existing.id} is an account on ${existing.network}`;
  if (existing.sandbox) return `${existing.id} is on the sandbox network and needs no credentials`;
  // An account that was never connected has a provisional social ID, which the network's one
  // replaces.
  if (existing.connectedAt && existing.socialId !== socialId)
    return `The credentials belong to ${name} (${socialId}), but ${existing.id} is ${existing.name} (${existing.socialId})`;
  return null;
}

function accountOf(
  existing: AccountRecord | null,
  ids: Ids,
  { network, name }: ConnectRequest,
  checked: ConnectedAccount,
): Account {
  const { socialId, picture } = checked;
  if (!existing)
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
  const { workspaceId: _workspaceId, connectedAt: _connectedAt, ...account } = existing;
  // The type is kept as well: daily caps depend on it (D39).
  return { ...account, name: name ?? existing.name, socialId, picture, needsReauth: false };
}
