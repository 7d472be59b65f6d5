import type { Network } from '../../domain/networks/networks.js';
import type { Account } from '../../domain/posts/post.js';
import type { Credentials } from '../networks/network-ports.js';

/** An account as an operator sees it. */
export interface AccountRecord extends Account {
  workspaceId: string;
  /** When its credentials were stored; null where it has none. */
  connectedAt: Date | null;
}

/** Accounts as an operator works on them. */
export interface AccountRecords {
  /** Of one workspace or of all, oldest first. */
  accounts(workspaceId?: string): Promise<AccountRecord[]>;
  /** By its id, or by what its network calls it. */
  find(
    by: { id: string } | { workspaceId: string; network: Network; socialId: string },
  ): Promise<AccountRecord | null>;
  /** Makes the account or brings the one of that id up to date, and stores its credentials, together or not at all. */
  connect(workspaceId: string, account: Account, credentials: Credentials): Promise<void>;
}
