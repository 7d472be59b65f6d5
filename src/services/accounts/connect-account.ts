import type { Account } from '../../domain/posts/post.js';
import type { Network } from '../../domain/networks/networks.js';
import type { AccountRecord, AccountRecords } from './account-records.js';
import type { ConnectedAccount, Credentials, Networks } from '../networks/network-ports.js';
import type { Standings } from './account-status.js';
import type { Ids } from '../ports.js';

export interface ConnectParts {
  readonly networks: Networks;
  readonly accounts: AccountRecords;
  readonly ids: Ids;
  readonly standings: Pick<Standings, 'restored'>;
}

interface ConnectRequest {
  readonly workspaceId: string;
  readonly network: Network;
  readonly credentials: Credentials;
  /** The account to connect; without it the one that the network calls so, or a new one. */
  readonly accountId?: string | undefined;
  /** Instead of the network's name for it. */
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
 * Asks the network whose the credentials are, and stores them with that account, which is made where there is none.
 * Nothing is stored that the network does not take. An account that needed reauthorization no longer does (D22).
 */
export async function connectAccount(
  parts: ConnectParts,
  request: ConnectRequest,
): Promise<ConnectOutcome> {
  const { workspaceId, network, credentials } = request;
  const adapter = parts.networks[network];
  if (!adapter) return refused(`${network} takes no edits: there is nothing to connect`);
  const checked = await adapter.check(credentials);
  if (checked.kind === 'failed') return refused(`${checked.message} (${checked.code})`);
  const before = await parts.accounts.find(
    request.accountId === undefined
      ? { workspaceId, network, socialId: checked.socialId }
      : { id: request.accountId },
  );
  if (!before && request.accountId !== undefined)
    return refused(`There is no account ${JSON.stringify(request.accountId)}`);
  const reason = before && mismatch(before, request, checked);
  if (reason) return refused(reason);
  const account = accountOf(before, parts.ids, request, checked);
  await parts.accounts.connect(workspaceId, account, credentials);
  const restored = before ? await parts.standings.restored(account.id) : 0;
  return { kind: 'connected', account, isNew: before === null, restored };
}

/** Why these credentials are not that account's; null where they may be. */
function mismatch(
  before: AccountRecord,
  { workspaceId, network }: ConnectRequest,
  { socialId, name }: ConnectedAccount,
): string | null {
  if (before.workspaceId !== workspaceId) return `${before.id} is an account of another workspace`;
  if (before.network !== network) return `${before.id} is an account of ${before.network}`;
  if (before.sandbox) return `${before.id} lives on the sandbox network and needs no credentials`;
  // One that never was connected has the id that its maker gave it: the network knows better.
  if (before.connectedAt && before.socialId !== socialId)
    return `These are the credentials of ${name} (${socialId}), and ${before.id} is ${before.name} (${before.socialId})`;
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
  return { ...account, name: name ?? before.name, socialId, picture }; // its type too stays: its posts are counted by it (D39)
}
