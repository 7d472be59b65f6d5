import type { Command } from 'commander';
import { assertWorkspaceExists } from './find-records.js';
import { commandGroup } from '../command-group.js';
import type { Cli } from '../cli-context.js';
import { formatMinute, formatTable } from '../text-table.js';

/**
 * Adds the commands that list users, workspaces and members with the IDs that other commands
 * require.
 */
export function addListCommands(program: Command, cli: Cli): void {
  addListUsers(program, cli);
  addListWorkspaces(program, cli);
  addListMembers(program, cli);
}

function addListUsers(program: Command, { withContext, printResult }: Cli): void {
  commandGroup(program, 'users')
    .command('list')
    .description('list users, oldest first')
    .action(() =>
      withContext(
        async ({ lists }) => {
          const users = await lists.users();
          printResult(
            users,
            users.length === 0
              ? 'There are no users.'
              : formatTable(
                  ['id', 'email', 'plan', 'rate limit', 'created', 'name'],
                  users.map((user) => [
                    user.id,
                    user.email,
                    user.plan,
                    user.rateLimitOverride,
                    formatMinute(user.createdAt),
                    user.name,
                  ]),
                ),
          );
        },
        { readsOnly: true },
      ),
    );
}

function addListWorkspaces(program: Command, { withContext, printResult }: Cli): void {
  commandGroup(program, 'workspaces')
    .command('list')
    .description('list workspaces, oldest first')
    .action(() =>
      withContext(
        async ({ lists }) => {
          const workspaces = await lists.workspaces();
          printResult(
            workspaces,
            workspaces.length === 0
              ? 'There are no workspaces.'
              : formatTable(
                  ['id', 'owner', 'plan', 'members', 'time zone', 'approval', 'locked', 'name'],
                  workspaces.map(
                    ({ id, owner, members, timeZone, requiresApproval, locked, name }) => [
                      id,
                      owner?.name ?? null,
                      owner?.plan ?? null,
                      members,
                      timeZone,
                      requiresApproval ? 'required' : null,
                      locked ? 'locked' : null,
                      name,
                    ],
                  ),
                ),
          );
        },
        { readsOnly: true },
      ),
    );
}

function addListMembers(program: Command, { withContext, printResult }: Cli): void {
  commandGroup(program, 'members')
    .command('list')
    .description('list the members of a workspace, sorted by role')
    .requiredOption('--workspace <id>', 'ID of the workspace')
    .action(({ workspace }: { workspace: string }) =>
      withContext(
        async ({ admin, lists }) => {
          await assertWorkspaceExists(admin, workspace);
          const members = await lists.members(workspace);
          printResult(
            members,
            formatTable(
              ['user', 'email', 'role', 'post actions', 'name'],
              members.map((member) => [
                member.userId,
                member.email,
                member.role,
                member.postActions ? 'yes' : null,
                member.name,
              ]),
            ),
          );
        },
        { readsOnly: true },
      ),
    );
}
