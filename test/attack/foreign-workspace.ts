import { rowsContaining } from '../fixtures/database-rows.js';
import type { KeyedViewer } from '../fixtures/records.js';
import type { AuditedGateway } from './audited-gateway.js';
import { documentIds, foreignIds, prefixedIds, type ForeignId } from './foreign-ids.js';
import { createForeignRecords, MARK, type KeyUse } from './foreign-records.js';

/** A workspace whose data must not be readable or changeable from another workspace. */
export interface ForeignWorkspace {
  /** Idempotency keys used in this workspace: by its owner, and by the member that was added. */
  readonly keyUses: { readonly owner: KeyUse; readonly member: KeyUse };
  /** One of each kind. */
  readonly ids: readonly ForeignId[];
  /** Values of this workspace in a text, except the value that was sent. */
  findLeaks(text: string, sent: string): readonly string[];
  /**
   * Rows that were added and removed since the creation, except those that contain the id of the
   * other workspace.
   */
  rowChanges(
    otherWorkspaceId: string,
  ): Promise<{ added: readonly string[]; removed: readonly string[] }>;
}

/** Creates a workspace with a record of every kind that has an id, and adds a member. */
export async function createForeignWorkspace(
  gateway: AuditedGateway,
  member: Pick<KeyedViewer, 'user'>,
): Promise<ForeignWorkspace> {
  gateway.addSecrets(MARK);
  const records = await createForeignRecords(gateway, member);
  const { keyUse, memberKeyUse } = records;
  const values = [
    MARK,
    keyUse.key,
    ...Object.values(prefixedIds(records)),
    ...Object.values(documentIds(records)),
    keyUse.deletedId,
    memberKeyUse.key,
    memberKeyUse.updatedId,
    memberKeyUse.deletedId,
  ];
  const ids = await foreignIds(gateway, records);
  const readRows = (): Promise<string[]> => rowsContaining(gateway.db.pool, values);
  const before = new Set(await readRows());
  return {
    ids,
    keyUses: { owner: keyUse, member: memberKeyUse },
    findLeaks: (text, sent) => values.filter((value) => text.replaceAll(sent, '').includes(value)),
    async rowChanges(otherWorkspaceId) {
      const after = await readRows();
      return {
        added: after.filter((row) => !before.has(row) && !row.includes(otherWorkspaceId)),
        removed: [...before].filter((row) => !after.includes(row)),
      };
    },
  };
}
