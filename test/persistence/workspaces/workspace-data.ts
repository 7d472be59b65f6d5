import {
  createWorkspaceRecordStore,
  type WorkspaceRecordStore,
} from '../../../src/persistence/workspaces/workspace-record-store.js';
import type {
  Slice,
  SlicePage,
  SlicePosition,
} from '../../../src/domain/workspaces/workspace-records.js';
import type { Viewer } from '../../../src/domain/access/viewer.js';
import { recordsIn, type Records } from '../../fixtures/records.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';

/**
 * A directory of two workspaces: Olga owns the first one, Emil is its editor, and Stan owns the
 * other one.
 */
export interface WorkspaceData {
  readonly db: TestDatabase;
  readonly records: Records;
  readonly workspaceRecords: WorkspaceRecordStore;
  readonly olga: Viewer;
  readonly emil: Viewer;
  readonly stan: Viewer;
  readonly workspaceId: string;
  readonly otherWorkspaceId: string;
}

export async function createWorkspaceData(): Promise<WorkspaceData> {
  const db = await testDatabase();
  const records = recordsIn(db);
  const workspace = await records.aWorkspace({ requiresApproval: true });
  const olga = await records.aViewer({
    workspaceId: workspace.id,
    userId: workspace.ownerId,
    role: 'owner',
  });
  const emil = await records.aViewer({
    workspaceId: workspace.id,
    role: 'editor',
    postActions: true,
    name: 'Emil',
  });
  const stan = await records.aViewer({ name: 'Stan', plan: 'free' });
  return {
    db,
    records,
    workspaceRecords: createWorkspaceRecordStore(db),
    olga,
    emil,
    stan,
    workspaceId: olga.workspace.id,
    otherWorkspaceId: stan.workspace.id,
  };
}

/** Where a list is read from, and how much at a time. */
interface Paging {
  readonly limit: number;
  readonly fromEnd: boolean;
}

/** Reads a list window by window from one end. Returns the IDs in list order. */
export async function readAllPages<T extends { id: string }>(
  read: (slice: Slice) => Promise<SlicePage<T>>,
  sortValueOf: (item: T) => string,
  { limit, fromEnd }: Paging,
): Promise<string[]> {
  const ids: string[] = [];
  for (let position: SlicePosition | undefined, more = true; more;) {
    const page = await read({
      limit,
      fromEnd,
      ...(position && { [fromEnd ? 'before' : 'after']: position }),
    });
    expect(fromEnd ? page.hasNextPage : page.hasPreviousPage).toBe(position !== undefined);
    ids.splice(fromEnd ? 0 : ids.length, 0, ...page.items.map(({ id }) => id));
    const edge = fromEnd ? page.items[0] : page.items.at(-1);
    position = edge && { sortValue: sortValueOf(edge), id: edge.id };
    more = fromEnd ? page.hasPreviousPage : page.hasNextPage;
  }
  return ids;
}
