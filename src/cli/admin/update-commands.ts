import { Option, type Command } from 'commander';
import { PLANS, ROLES, enumKeys, type Plan, type Role } from '../../domain/enums.js';
import { assertWorkspaceExists, requireUser } from './find-records.js';
import { CliError, UsageError } from '../cli-error.js';
import { commandGroup } from '../command-group.js';
import type { Cli, CliContext } from '../cli-context.js';
import { readName, readCount, readTimeZone } from './option-readers.js';

/**
 * Adds the commands that change users, workspaces and members. Cached grants depend on these; a
 * change is effective in every gateway when the command ends (D33).
 */
export function addUpdateCommands(program: Command, cli: Cli): void {
  addUpdateUser(program, cli);
  addUpdateWorkspace(program, cli);
  addUpdateMember(program, cli);
  addRemoveMember(program, cli);
}

function addUpdateUser(program: Command, { withContext, printResult }: Cli): void {
  commandGroup(program, 'users')
    .command('update')
    .description('change the plan or rate limit of a user')
    .argument('<id or email>', 'ID or email address of the user')
    .addOption(
      new Option('--plan <plan>', 'plan of the user and of the workspaces they own').choices(
        enumKeys<Plan>(PLANS),
      ),
    )
    .option(
      '--rate-limit <requests>',
      'requests per 2-minute window, instead of the default limit',
      readCount,
    )
    .option('--no-rate-limit', 'restore the default rate limit')
    .action(
      async (
        idOrEmail: string,
        { plan, rateLimit }: { plan?: Plan; rateLimit?: number | false },
      ) => {
        const change = readChange({
          plan,
          rateLimitOverride: rateLimit === false ? null : rateLimit,
        });
        await withContext(async ({ admin }) => {
          const { id, name } = await requireUser(admin, idOrEmail);
          await admin.updateUser(id, change);
          printResult({ id, ...change }, `Updated ${name} (${id}).`);
        });
      },
    );
}

interface UpdateWorkspaceOptions {
  name?: string;
  timeZone?: string;
  requiresApproval?: boolean;
}

function addUpdateWorkspace(program: Command, { withContext, printResult }: Cli): void {
  commandGroup(program, 'workspaces')
    .command('update')
    .description('change the settings of a workspace')
    .argument('<id>', 'ID of the workspace (wks_…)')
    .option('--name <name>', 'display name', readName)
    .option(
      '--time-zone <zone>',
      'IANA time zone for the local times of series, recycling posts and queues',
      readTimeZone,
    )
    .option('--requires-approval', 'require approval for changes by editors')
    .option('--no-requires-approval', 'do not require approval for changes by editors')
    .action(async (id: string, options: UpdateWorkspaceOptions) => {
      const change = readChange(options);
      await withContext(async ({ admin }) => {
        await assertWorkspaceExists(admin, id);
        await admin.updateWorkspace(id, change);
        printResult({ id, ...change }, `Updated ${id}.`);
      });
    });
}

interface MembershipOptions {
  workspace: string;
  user: string;
}
interface UpdateMemberOptions extends MembershipOptions {
  role?: Role;
  postActions?: boolean;
}

function addUpdateMember(program: Command, { withContext, printResult }: Cli): void {
  commandGroup(program, 'members')
    .command('update')
    .description('change the role of a member')
    .requiredOption('--workspace <id>', 'ID of the workspace')
    .requiredOption('--user <id or email>', 'ID or email address of the member')
    .addOption(
      new Option('--role <role>', 'role in the workspace').choices(
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

function addRemoveMember(program: Command, { withContext, printResult }: Cli): void {
  commandGroup(program, 'members')
    .command('remove')
    .description('remove a member from a workspace')
    .requiredOption('--workspace <id>', 'ID of the workspace')
    .requiredOption('--user <id or email>', 'ID or email address of the member')
    .action((membership: MembershipOptions) =>
      withContext(async ({ admin }) => {
        const member = await requireNonOwnerMember(admin, membership);
        await admin.removeMember(member.workspaceId, member.userId);
        printResult(
          { ...member, removed: true },
          `Removed ${member.userId} from ${member.workspaceId}.`,
        );
      }),
    );
}

/**
 * Returns the options that were passed.
 * @throws UsageError if there are none
 */
function readChange<Options extends object>(
  options: Options,
): { [Key in keyof Options]: Exclude<Options[Key], undefined> } {
  const change = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  );
  if (Object.keys(change).length === 0)
    throw new UsageError('Nothing to change: pass at least one option');
  return change as { [Key in keyof Options]: Exclude<Options[Key], undefined> };
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
