import type { Viewer } from '../../src/domain/viewer.js';
import type { Plan, Role } from '../../src/domain/vocabulary.js';
import { CELLS, type Cell } from '../../src/domain/states.js';
import { createAdminStore } from '../../src/persistence/admin-store.js';
import { createIds } from '../../src/services/random-ids.js';
import type { TestDatabase } from '../setup/database.js';

const ids = createIds();

/** Makes what the directory's tests stand on: people, workspaces and plain posts, each with an id of its own. */
export function worldIn({ prisma }: Pick<TestDatabase, 'prisma'>) {
  const admin = createAdminStore(prisma);
  return {
    async user(name: string, plan: Plan = 'business'): Promise<string> {
      const id = ids.prefixed('usr');
      await admin.addUser({ id, name, email: `${id}@example.com`, plan });
      return id;
    },
    async workspace(ownerId: string): Promise<string> {
      const id = ids.prefixed('wks');
      await admin.addWorkspace({ id, name: 'Kiosk', picture: null, timeZone: 'Europe/Berlin', requiresApproval: true }, ownerId);
      return id;
    },
    member: (workspaceId: string, userId: string, role: Role, postActions = false) => admin.addMember({ workspaceId, userId, role, postActions }),
    async post(workspaceId: string, creatorId: string, cell: Cell): Promise<bigint> {
      const { id } = await prisma.post.create({ data: { docId: ids.document(), workspaceId, creatorId, cell: CELLS[cell].number, type: 'status' }, select: { id: true } });
      return id;
    },
    async media(workspaceId: string, inLibrary: boolean, createdAt = new Date()): Promise<string> {
      const id = ids.prefixed('med');
      await prisma.media.create({ data: { id, workspaceId, type: 'photo', url: `https://media.example.com/${id}.jpg`, inLibrary, createdAt } });
      return id;
    },
  };
}

/** As far as the directory asks: who looks, and where. */
export const viewing = (workspaceId: string, userId: string): Viewer =>
  ({ user: { id: userId, name: 'Someone', picture: null }, workspace: { id: workspaceId } }) as Viewer;
