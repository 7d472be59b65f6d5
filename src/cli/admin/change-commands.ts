import { Option, type Command } from 'commander';
import { PLANS, ROLES, wordsOf, type Plan, type Role } from '../../domain/vocabulary.js';
import {
  assertWorkspace,
  CliError,
  groupOf,
  MisuseError,
  userNamed,
  type Cli,
  type Session,
} from '../cli.js';
import { readName } from './key-commands.js';
import { readLimit, readZone } from './record-commands.js';

interface MemberOptions {
  workspace: string;
  user: string;
  role?: Role;
  postActions?: boolean;
}

/** Changes to what grants depend on: when the command ends, every gateway has them (D33). */
export function addChangeCommands(program: Command, { open, say }: Cli): void {
  groupOf(program, 'users')
    .command('update')
    .description('change plan or limit')
    .argument('<id or e-mail>', 'whose')
    .addOption(
      new Option('--plan <plan>', 'theirs, and of the workspaces they own').choices(
        wordsOf<Plan>(PLANS),
      ),
    )
    .option('--rate-limit <requests>', 'an own limit for each window of 2 minutes', readLimit)
    .option('--no-rate-limit', 'the default limit again')
    .action(
      async (who: string, { plan, rateLimit }: { plan?: Plan; rateLimit?: number | false }) => {
        const change = given({ plan, rateLimitOverride: rateLimit === false ? null : rateLimit });
        await open(async ({ admin }) => {
          const { id, name } = await userNamed(admin, who);
          await admin.updateUser(id, change);
          say({ id, ...change }, `${name} (${id}) is changed.`);
        });
      },
    );

  groupOf(program, 'workspaces')
    .command('update')
    .description('change settings')
    .argument('<id>', 'wks_…')
    .option('--name <name>', 'as shown', readName)
    .option('--time-zone <zone>', 'IANA name; series keep their wall-clock time in it', readZone)
    .option('--requires-approval', 'changes by editors wait for approval')
    .option('--no-requires-approval', 'they do not')
    .action(
      async (
        id: string,
        options: { name?: string; timeZone?: string; requiresApproval?: boolean },
      ) => {
        const change = given(options);
        await open(async ({ admin }) => {
          await assertWorkspace(admin, id);
          await admin.updateWorkspace(id, change);
          say({ id, ...change }, `${id} is changed.`);
        });
      },
    );

  groupOf(program, 'members')
    .command('update')
    .description('change a role')
    .requiredOption('--workspace <id>', 'where')
    .requiredOption('--user <id or e-mail>', 'who')
    .addOption(
      new Option('--role <role>', 'what they are there').choices(
        wordsOf<Role>(ROLES).filter((role) => role !== 'owner'),
      ),
    )
    .option('--post-actions', 'an editor who may change others’ posts')
    .option('--no-post-actions', 'one who may not')
    .action(async ({ role, postActions, ...place }: MemberOptions) => {
      const change = given({ role, postActions });
      await open(async ({ admin }) => {
        const member = await memberOf(admin, place);
        await admin.updateMember(member.workspaceId, member.userId, change);
        say({ ...member, ...change }, `${member.userId} is changed in ${member.workspaceId}.`);
      });
    });

  groupOf(program, 'members')
    .command('remove')
    .description('end a membership')
    .requiredOption('--workspace <id>', 'where')
    .requiredOption('--user <id or e-mail>', 'who')
    .action((place: MemberOptions) =>
      open(async ({ admin }) => {
        const member = await memberOf(admin, place);
        await admin.removeMember(member.workspaceId, member.userId);
        say(
          { ...member, removed: true },
          `${member.userId} is no member of ${member.workspaceId} any more.`,
        );
      }),
    );
}

/** What was given of the options; there has to be something. */
function given<Options extends object>(
  options: Options,
): { [Key in keyof Options]: Exclude<Options[Key], undefined> } {
  const change = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  );
  if (Object.keys(change).length === 0)
    throw new MisuseError('There is nothing to change: give an option');
  return change as { [Key in keyof Options]: Exclude<Options[Key], undefined> };
}

/** A member other than the owner, who stays: a workspace has one owner. */
async function memberOf(
  admin: Session['admin'],
  { workspace, user }: MemberOptions,
): Promise<{ workspaceId: string; userId: string }> {
  await assertWorkspace(admin, workspace);
  const { id: userId, name } = await userNamed(admin, user);
  const role = await admin.roleOf(workspace, userId);
  if (role === null) throw new CliError(`${name} is no member of ${workspace}`);
  if (role === 'owner') throw new CliError(`${name} owns ${workspace}: an owner stays`);
  return { workspaceId: workspace, userId };
}
