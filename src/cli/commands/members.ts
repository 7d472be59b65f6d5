import type { Command } from 'commander';
import { enumKeys, ROLES, type Role } from '../../domain/enums.js';
import { readChange, CliError, choiceOption } from '../arguments.js';
import type { Cli, CliContext } from '../cli-context.js';
import { requireUser, assertWorkspaceExists, listRecords } from './records.js';

/** Adds the commands that manage the members of workspaces. */
export function addMemberCommands(program: Command, cli: Cli): void {
  const members = program.command('members').description('manage the members of a workspace');
  addAddMember(members, cli);
  addUpdateMember(members, cli);
  addRemoveMember(members, cli);
  addListMembers(members, cli);
}

interface AddMemberOptions {
  workspace: string;
  user: string;
  role: Role;
  postActions: boolean;
}

function addAddMember(members: Command, { withContext, printResult }: Cli): void {
  members
    .command('add')
    .description('add a user to a workspace')
    .requiredOption('--workspace <id>', 'ID of the workspace')
    .requiredOption('--user <id or email>', 'user to add')
    .addOption(
      choiceOption(
        '--role <role>',
        'role in the workspace',
        enumKeys<Role>(ROLES).filter((role) => role !== 'owner'),
      ).makeOptionMandatory(),
    )
    .option('--post-actions', 'allow an editor to change posts of other users', false)
    .action(({ workspace, user, role, postActions }: AddMemberOptions) =>
      withContext(async ({ admin }) => {
        await assertWorkspaceExists(admin, workspace);
        const { id, name } = await requireUser(admin, user);
        await admin.addMember({ workspaceId: workspace, userId: id, role, postActions });
        printResult(
          { workspaceId: workspace, userId: id, role, postActions },
          `${name} is now ${role} of ${workspace}`,
        );
      }),
    );
}

interface MembershipOptions {
  workspace: string;
  user: string;
}
interface UpdateMemberOptions extends MembershipOptions {
  role?: Role;
  postActions?: boolean;
}

function addUpdateMember(members: Command, { withContext, printResult }: Cli): void {
  members
    .command('update')
    .description('change the role of a member')
    .requiredOption('--workspace <id>', 'ID of the workspace')
    .requiredOption('--user <id or email>', 'ID or email address of the member')
    .addOption(
      choiceOption(
        '--role <role>',
        'role in the workspace',
        enumKeys<Role>(ROLES).filter((role) => role !== 'owner'),
      ),
    )
    .option('--post-actions', 'allow an editor to change posts of other users')
    .option('--no-post-actions', 'do not allow an editor to change posts of other users')
    .action(async ({ role, postActions, ...membership }: UpdateMemberOptions) => {
      const change = readChange({ role, postActions });
      await withContext(async ({ admin }) => {
        const member = await requireNonOwnerMember(admin, membership);
        await admin.updateMember(member.workspaceId, member.userId, change);
        printResult({ ...member, ...change }, `Updated ${member.userId} in ${member.workspaceId}.`);
      });
    });
}

function addRemoveMember(members: Command, { withContext, printResult }: Cli): void {
  members
    .command('remove')
    .description(
      'remove a member from a workspace; the owner gets the private drafts of the member',
    )
    .requiredOption('--workspace <id>', 'ID of the workspace')
    .requiredOption('--user <id or email>', 'ID or email address of the member')
    .action((membership: MembershipOptions) =>
      withContext(async ({ admin }) => {
        const member = await requireNonOwnerMember(admin, membership);
        const privateDrafts = await admin.removeMember(member.workspaceId, member.userId);
        printResult(
          { ...member, removed: true, privateDrafts },
          `Removed ${member.userId} from ${member.workspaceId}. Private drafts that the owner of the workspace has now: ${privateDrafts}.`,
        );
      }),
    );
}

/**
 * Finds a member who can be changed or removed. The owner cannot: a workspace has exactly one.
 * @throws CliError if the user is the owner or not a member
 */
async function requireNonOwnerMember(
  admin: CliContext['admin'],
  { workspace, user }: MembershipOptions,
): Promise<{ workspaceId: string; userId: string }> {
  await assertWorkspaceExists(admin, workspace);
  const { id: userId, name } = await requireUser(admin, user);
  const role = await admin.roleOf(workspace, userId);
  if (role === null) throw new CliError(`${name} is not a member of ${workspace}`);
  if (role === 'owner')
    throw new CliError(
      `${name} owns ${workspace}: the owner of a workspace cannot be changed or removed`,
    );
  return { workspaceId: workspace, userId };
}

function addListMembers(members: Command, cli: Cli): void {
  members
    .command('list')
    .description('list the members of a workspace, sorted by role')
    .requiredOption('--workspace <id>', 'ID of the workspace')
    .action(({ workspace }: { workspace: string }) =>
      listRecords(
        cli,
        async ({ admin, lists }) => {
          await assertWorkspaceExists(admin, workspace);
          return lists.members(workspace);
        },
        {
          none: 'There are no members.',
          columns: {
            user: ({ userId }) => userId,
            email: ({ email }) => email,
            role: ({ role }) => role,
            'post actions': ({ postActions }) => (postActions ? 'yes' : null),
            name: ({ name }) => name,
          },
        },
      ),
    );
}
