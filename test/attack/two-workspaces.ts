import type { KeyedViewer } from '../fixtures/records.js';
import { openAuditedGateway, type AuditedGateway } from './audited-gateway.js';
import { createForeignWorkspace, type ForeignWorkspace } from './foreign-workspace.js';
import { createOwnPosts } from './own-posts.js';

/**
 * Two workspaces on one gateway with a stopped clock. Both callers name the first workspace in the
 * header.
 */
export interface TwoWorkspaces {
  readonly gateway: AuditedGateway;
  /** Owner of the first workspace, not a member of the foreign one. */
  readonly nonMember: KeyedViewer;
  readonly memberOfBoth: KeyedViewer;
  readonly foreign: ForeignWorkspace;
}

export async function createTwoWorkspaces(): Promise<TwoWorkspaces> {
  const gateway = await openAuditedGateway({
    clock: { now: () => new Date('2030-06-12T08:00:00Z') },
  });
  const { records, owner } = gateway;
  await createOwnPosts(gateway, owner);
  const memberOfBoth = await records.aViewer({
    workspaceId: owner.workspace.id,
    role: 'admin',
    userId: (await records.aUser({ name: 'Both' })).id,
  });
  const foreign = await createForeignWorkspace(gateway, memberOfBoth);
  return { gateway, nonMember: owner, memberOfBoth, foreign };
}
