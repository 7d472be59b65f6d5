import type { AdminStore } from '../../services/admin/admin-ports.js';
import { CliError } from '../cli-error.js';

/**
 * Finds a user by id or e-mail address.
 * @throws CliError if there is none
 */
export async function requireUser(
  admin: AdminStore,
  idOrEmail: string,
): Promise<{ id: string; name: string }> {
  const user = await admin.findUser(idOrEmail);
  if (!user)
    throw new CliError(
      `User ${JSON.stringify(idOrEmail)} does not exist: pass an id (usr_…) or an e-mail address`,
    );
  return user;
}

/** @throws CliError if there is no workspace with this id */
export async function assertWorkspaceExists(admin: AdminStore, id: string): Promise<void> {
  if (!(await admin.hasWorkspace(id)))
    throw new CliError(`Workspace ${JSON.stringify(id)} does not exist`);
}
