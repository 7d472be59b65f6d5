import type { AdminStore } from '../../persistence/admin/admin-store.js';
import { CliError } from '../cli-error.js';

/**
 * Finds a user by ID or email address.
 * @throws CliError if there is none
 */
export async function requireUser(
  admin: AdminStore,
  idOrEmail: string,
): Promise<{ id: string; name: string }> {
  const user = await admin.findUser(idOrEmail);
  if (!user)
    throw new CliError(
      `User ${JSON.stringify(idOrEmail)} does not exist: pass an ID (usr_…) or an email address`,
    );
  return user;
}

/** @throws CliError if there is no workspace with this ID */
export async function assertWorkspaceExists(admin: AdminStore, id: string): Promise<void> {
  if (!(await admin.hasWorkspace(id)))
    throw new CliError(`Workspace ${JSON.stringify(id)} does not exist`);
}
