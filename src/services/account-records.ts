import type { Account } from '../domain/post.js';

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
  /** Null where there is none of that id. */
  find(id: string): Promise<AccountRecord | null>;
}
