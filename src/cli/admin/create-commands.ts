import { Option, type Command } from 'commander';
import { NETWORKS, type Network } from '../../domain/networks/networks.js';
import { PLANS, ROLES, enumKeys, type Plan, type Role } from '../../domain/enums.js';
import { addAccountCommands } from './account-commands.js';
import { assertWorkspaceExists, requireUser } from './find-records.js';
import { CliError } from '../cli-error.js';
import { commandGroup } from '../command-group.js';
import type { Cli } from '../cli-context.js';
import { addConnectCommand } from './connect-command.js';
import { readEmail, readName, readCount, readTimeZone } from './option-readers.js';
import { ACCOUNT_TYPES, type AccountType } from '../../domain/networks/network-definition.js';

/** Adds the commands that create users, workspaces, members and accounts. */
export function addCreateCommands(program: Command, cli: Cli): void {
  addCreateUser(program, cli);
  addCreateWorkspace(program, cli);
  addMemberCommand(program, cli);
  const accounts = commandGroup(program, 'accounts');
  addConnectCommand(accounts, cli);
  addAccountCommands(accounts, cli);
  addCreateAccount(accounts, cli);
}

interface CreateUserOptions {
  name: string;
  email: string;
  plan: Plan;
  rateLimit?: number;
}

function addCreateUser(program: Command, { withContext, printResult }: Cli): void {
  commandGroup(program, 'users')
    .command('create')
    .description('create a user')
    .requiredOption('--name <name>', 'display name', readName)
    .requiredOption('--email <address>', 'email address, unique among users', readEmail)
    .addOption(
      choiceOption(
        '--plan <plan>',
        'plan of the user. Only `business` includes API access',
        enumKeys<Plan>(PLANS),
      ).default('business'),
    )
    .option(
      '--rate-limit <requests>',
      'requests per 2-minute window, instead of the default limit',
      readCount,
    )
    .action(({ name, email, plan, rateLimit }: CreateUserOptions) =>
      withContext(async ({ admin, ids }) => {
        if (await admin.findUser(email))
          throw new CliError(`A user with the email address ${email} already exists`);
        const id = ids.prefixed('usr');
        await admin.addUser({ id, name, email, plan, rateLimitOverride: rateLimit ?? null });
        printResult({ id, name }, `User ${name}: ${id}`);
      }),
    );
}

interface CreateWorkspaceOptions {
  name: string;
  owner: string;
  timeZone: string;
  requiresApproval: boolean;
}

function addCreateWorkspace(program: Command, { withContext, printResult }: Cli): void {
  commandGroup(program, 'workspaces')
    .command('create')
    .description('create a workspace and add its owner as a member')
    .requiredOption('--name <name>', 'display name', readName)
    .requiredOption('--owner <id or email>', 'owner, whose plan applies to the workspace')
    .option(
      '--time-zone <zone>',
      'IANA time zone for the local times of series, recycling posts and queues',
      readTimeZone,
      'UTC',
    )
    .option('--requires-approval', 'require approval for changes by editors', false)
    .action(({ name, owner, timeZone, requiresApproval }: CreateWorkspaceOptions) =>
      withContext(async ({ admin, ids }) => {
        const id = ids.prefixed('wks');
        await admin.addWorkspace(
          { id, name, picture: null, timeZone, requiresApproval },
          (await requireUser(admin, owner)).id,
        );
        printResult({ id, name }, `Workspace ${name}: ${id}`);
      }),
    );
}

interface AddMemberOptions {
  workspace: string;
  user: string;
  role: Role;
  postActions: boolean;
}

function addMemberCommand(program: Command, { withContext, printResult }: Cli): void {
  commandGroup(program, 'members')
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

interface CreateAccountOptions {
  workspace: string;
  name: string;
  network: Network;
  type?: AccountType;
  socialId: string;
  sandbox: boolean;
}

function addCreateAccount(accounts: Command, { withContext, printResult }: Cli): void {
  accounts
    .command('create')
    .description(
      'create an account without credentials. To publish or edit posts on the network, use `accounts connect` instead',
    )
    .requiredOption('--workspace <id>', 'ID of the workspace')
    .requiredOption('--name <name>', 'display name', readName)
    .addOption(
      choiceOption(
        '--network <network>',
        'network of the account',
        enumKeys<Network>(NETWORKS),
      ).makeOptionMandatory(),
    )
    .addOption(
      choiceOption(
        '--type <type>',
        'type of the account, by default the first type that the network supports',
        enumKeys<AccountType>(ACCOUNT_TYPES),
      ),
    )
    .requiredOption('--social-id <id>', 'ID of the account on the network', readName)
    .option(
      '--sandbox',
      'put the account on the sandbox network, so that nothing is sent to the real network',
      false,
    )
    .action((options: CreateAccountOptions) =>
      withContext(async ({ admin, ids }) => {
        const { workspace, name, network, socialId, sandbox } = options;
        await assertWorkspaceExists(admin, workspace);
        const type = readAccountType(options);
        const id = ids.prefixed('acc');
        await admin.addAccount(workspace, {
          id,
          name,
          network,
          type,
          socialId,
          picture: null,
          needsReauth: false,
          sandbox,
        });
        printResult({ id, name }, `Account ${name}: ${id}`);
      }),
    );
}

function readAccountType({ network, type }: CreateAccountOptions): AccountType {
  const types: readonly [AccountType, ...AccountType[]] = NETWORKS[network].accountTypes;
  if (type !== undefined && !types.includes(type))
    throw new CliError(`${network} has no account type ${type}: use ${types.join(', ')}`);
  return type ?? types[0];
}

const choiceOption = (flags: string, description: string, choices: readonly string[]): Option =>
  new Option(flags, description).choices(choices);
