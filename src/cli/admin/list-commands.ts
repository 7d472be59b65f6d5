import type { Command } from 'commander';
import { assertWorkspace, groupOf, type Cli } from '../cli.js';
import { minuteOf, table } from '../table.js';

/** What there is, with the ids that other commands ask for. */
export function addListCommands(program: Command, { open, say }: Cli): void {
  groupOf(program, 'users')
    .command('list')
    .description('everybody, oldest first')
    .action(() =>
      open(async ({ lists }) => {
        const all = await lists.users();
        say(
          all,
          all.length === 0
            ? 'There are no users.'
            : table(
                ['id', 'e-mail', 'plan', 'own limit', 'since', 'name'],
                all.map((one) => [
                  one.id,
                  one.email,
                  one.plan,
                  one.rateLimitOverride,
                  minuteOf(one.createdAt),
                  one.name,
                ]),
              ),
        );
      }),
    );

  groupOf(program, 'workspaces')
    .command('list')
    .description('all of them, oldest first')
    .action(() =>
      open(async ({ lists }) => {
        const all = await lists.workspaces();
        say(
          all,
          all.length === 0
            ? 'There are no workspaces.'
            : table(
                ['id', 'owner', 'plan', 'members', 'time zone', 'approval', 'name'],
                all.map(({ id, owner, members, timeZone, requiresApproval, name }) => [
                  id,
                  owner?.name ?? null,
                  owner?.plan ?? null,
                  members,
                  timeZone,
                  requiresApproval ? 'required' : null,
                  name,
                ]),
              ),
        );
      }),
    );

  groupOf(program, 'members')
    .command('list')
    .description('everybody in a workspace, by role')
    .requiredOption('--workspace <id>', 'which one')
    .action(({ workspace }: { workspace: string }) =>
      open(async ({ admin, lists }) => {
        await assertWorkspace(admin, workspace);
        const all = await lists.members(workspace);
        say(
          all,
          table(
            ['user', 'e-mail', 'role', 'post actions', 'name'],
            all.map((one) => [
              one.userId,
              one.email,
              one.role,
              one.postActions ? 'yes' : null,
              one.name,
            ]),
          ),
        );
      }),
    );
}
