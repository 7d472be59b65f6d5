import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  ACCOUNT_TYPES,
  NETWORKS,
  type AccountType,
  type Network,
} from '../../domain/networks/networks.js';
import { PLANS, ROLES, wordsOf, type Plan, type Role } from '../../domain/vocabulary.js';
import { isTimeZone } from '../../services/posts/zone-time.js';
import { addAccountCommands } from './account-commands.js';
import { assertWorkspace, CliError, groupOf, userNamed, type Cli } from '../cli.js';
import { addConnectCommand } from './connect-command.js';
import { readName } from './key-commands.js';

interface NewAccount {
  workspace: string;
  name: string;
  network: Network;
  type?: AccountType;
  socialId: string;
  sandbox: boolean;
}

const oneOf = (flag: string, meaning: string, words: readonly string[]): Option =>
  new Option(flag, meaning).choices(words);

/** What a new installation needs before there is anything to serve: people, workspaces, members, accounts. */
export function addRecordCommands(program: Command, cli: Cli): void {
  const { open, say } = cli;
  const made = (kind: string, id: string, name: string): void =>
    say({ id, name }, `${kind} ${name}: ${id}`);

  groupOf(program, 'users')
    .command('create')
    .description('add a person')
    .requiredOption('--name <name>', 'as shown', readName)
    .requiredOption('--email <address>', 'one user each', readEmail)
    .addOption(
      oneOf(
        '--plan <plan>',
        'business is the one with this interface',
        wordsOf<Plan>(PLANS),
      ).default('business'),
    )
    .option('--rate-limit <requests>', 'an own limit for each window of 2 minutes', readLimit)
    .action(
      ({
        name,
        email,
        plan,
        rateLimit,
      }: {
        name: string;
        email: string;
        plan: Plan;
        rateLimit?: number;
      }) =>
        open(async ({ admin, ids }) => {
          if (await admin.findUser(email)) throw new CliError(`There is a user ${email} already`);
          const id = ids.prefixed('usr');
          await admin.addUser({ id, name, email, plan, rateLimitOverride: rateLimit ?? null });
          made('User', id, name);
        }),
    );

  groupOf(program, 'workspaces')
    .command('create')
    .description('add a workspace; its owner is a member at once')
    .requiredOption('--name <name>', 'as shown', readName)
    .requiredOption('--owner <id or e-mail>', 'the plan is this user’s')
    .option(
      '--time-zone <zone>',
      'IANA name; series keep their wall-clock time in it',
      readZone,
      'UTC',
    )
    .option('--requires-approval', 'changes by editors wait for approval', false)
    .action(
      ({
        name,
        owner,
        timeZone,
        requiresApproval,
      }: {
        name: string;
        owner: string;
        timeZone: string;
        requiresApproval: boolean;
      }) =>
        open(async ({ admin, ids }) => {
          const id = ids.prefixed('wks');
          await admin.addWorkspace(
            { id, name, picture: null, timeZone, requiresApproval },
            (await userNamed(admin, owner)).id,
          );
          made('Workspace', id, name);
        }),
    );

  groupOf(program, 'members')
    .command('add')
    .description('let a user into a workspace')
    .requiredOption('--workspace <id>', 'where')
    .requiredOption('--user <id or e-mail>', 'who')
    .addOption(
      oneOf(
        '--role <role>',
        'what they are there',
        wordsOf<Role>(ROLES).filter((role) => role !== 'owner'),
      ).makeOptionMandatory(),
    )
    .option('--post-actions', 'an editor who may change others’ posts', false)
    .action(
      ({
        workspace,
        user,
        role,
        postActions,
      }: {
        workspace: string;
        user: string;
        role: Role;
        postActions: boolean;
      }) =>
        open(async ({ admin }) => {
          await assertWorkspace(admin, workspace);
          const { id, name } = await userNamed(admin, user);
          await admin.addMember({ workspaceId: workspace, userId: id, role, postActions });
          say(
            { workspaceId: workspace, userId: id, role, postActions },
            `${name} is now ${role} of ${workspace}`,
          );
        }),
    );

  const accounts = groupOf(program, 'accounts');
  addConnectCommand(accounts, cli);
  addAccountCommands(accounts, cli);
  accounts
    .command('create')
    .description('a record alone; `connect` makes an account that can be edited on its network')
    .requiredOption('--workspace <id>', 'where')
    .requiredOption('--name <name>', 'as shown', readName)
    .addOption(
      oneOf(
        '--network <network>',
        'which network',
        wordsOf<Network>(NETWORKS),
      ).makeOptionMandatory(),
    )
    .addOption(
      oneOf(
        '--type <type>',
        'what it is there; by default the network’s first kind',
        wordsOf<AccountType>(ACCOUNT_TYPES),
      ),
    )
    .requiredOption('--social-id <id>', 'the network’s own id', readName)
    .option('--sandbox', 'it lives on the sandbox network: nothing of it leaves the service', false)
    .action(
      ({
        workspace,
        name,
        network,
        socialId,
        sandbox,
        type = NETWORKS[network].accountTypes[0],
      }: NewAccount) =>
        open(async ({ admin, ids }) => {
          await assertWorkspace(admin, workspace);
          const allowed: readonly AccountType[] = NETWORKS[network].accountTypes;
          if (!allowed.includes(type))
            throw new CliError(`${network} has ${allowed.join(', ')}; not ${type}`);
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
          made('Account', id, name);
        }),
    );
}

function readEmail(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text) || text.length > 254)
    throw new InvalidArgumentError('An e-mail address is allowed.');
  return text;
}

/** Requests in a window. */
export function readLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('A whole number from 1 to 999999999 is allowed.');
  return Number(text);
}

/** A time zone, as IANA spells it. */
export function readZone(text: string): string {
  if (!isTimeZone(text))
    throw new InvalidArgumentError('An IANA name is allowed, such as Europe/Berlin.');
  return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone; // as it is spelled
}
