import { Argument, type Command } from 'commander';
import { enumKeys, PLANS, type Plan } from '../../domain/enums.js';
import type { UserContents } from '../../persistence/admin/deletion-store.js';
import {
  readName,
  readEmail,
  readCount,
  CliError,
  readChange,
  UsageError,
  choiceOption,
} from '../arguments.js';
import type { Cli } from '../cli-context.js';
import { formatMinute } from '../terminal.js';
import { requireUser, listRecords, isConfirmed, reportDeletedPosts } from './records.js';

/** Adds the commands that manage users. A change is effective in every gateway when the command ends (D33). */
export function addUserCommands(program: Command, cli: Cli): void {
  const users = program.command('users').description('manage users');
  addCreateUser(users, cli);
  addUpdateUser(users, cli);
  addListUsers(users, cli);
  addDeleteUser(users, cli);
}

interface CreateUserOptions {
  name: string;
  email: string;
  plan: Plan;
  rateLimit?: number;
}

function addCreateUser(users: Command, { withContext, printResult }: Cli): void {
  users
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

function addUpdateUser(users: Command, { withContext, printResult }: Cli): void {
  users
    .command('update')
    .description('change the plan or rate limit of a user')
    .argument('<id or email>', 'ID or email address of the user')
    .addOption(
      choiceOption(
        '--plan <plan>',
        'plan of the user and of the workspaces they own',
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

function addListUsers(users: Command, cli: Cli): void {
  users
    .command('list')
    .description('list users, oldest first')
    .action(() =>
      listRecords(cli, ({ lists }) => lists.users(), {
        none: 'There are no users.',
        columns: {
          id: ({ id }) => id,
          email: ({ email }) => email,
          plan: ({ plan }) => plan,
          'rate limit': ({ rateLimitOverride }) => rateLimitOverride,
          created: ({ createdAt }) => formatMinute(createdAt),
          name: ({ name }) => name,
        },
      }),
    );
}

function addDeleteUser(users: Command, cli: Cli): void {
  users
    .command('delete')
    .description(
      'permanently delete a user. The posts that the user created in other users’ workspaces remain, but without the user’s name',
    )
    .argument('<id or email>', 'ID or email address of the user')
    .option('--posts', 'also delete the posts of the user in all workspaces', false)
    .option(
      '--confirm <id>',
      'ID of the user. Without this option, the command only reports what it would delete',
    )
    .action((idOrEmail: string, { posts, confirm }: { posts: boolean; confirm?: string }) =>
      cli.withContext(async ({ admin, deletions }) => {
        const { id } = await requireUser(admin, idOrEmail);
        const contents = (await deletions.user(id))!;
        if (contents.ownedWorkspaces.length > 0)
          throw new CliError(
            `${contents.name} owns ${contents.ownedWorkspaces.join(', ')}: run \`workspaces delete\` first`,
          );
        const summary = formatUser(contents, posts);
        if (!isConfirmed(cli, { confirm, contents, summary })) return;
        const outcome = await deletions.deleteUser(id, { posts }, reportDeletedPosts(cli));
        const note = outcome.remaining ? ' Their remaining content shows a deleted user.' : '';
        cli.printResult(
          { deleted: true, remaining: outcome.remaining, ...contents },
          `Deleted ${id}: ${summary}${note}`,
        );
      }),
    );
}

function formatUser(
  { name, email, keys, memberships, posts, privateDrafts }: UserContents,
  withPosts: boolean,
): string {
  const deletedPosts = withPosts
    ? `Posts: ${posts}.`
    : `Private drafts: ${privateDrafts}. Other posts, which stay: ${posts - privateDrafts}.`;
  return `${name} (${email}). Keys: ${keys}. Memberships: ${memberships}. ${deletedPosts}`;
}

/** Adds `limits set`. */
export function addLimitCommands(program: Command, { withContext, printResult }: Cli): void {
  program
    .command('limits')
    .description('manage rate limits: requests per 2-minute window')
    .command('set')
    .description('set the rate limit of a user')
    .argument('<id or email>', 'ID or email address of the user')
    .addArgument(new Argument('[requests]', 'requests per 2-minute window').argParser(readCount))
    .option('--default', 'restore the default limit (RATE_LIMIT_REQUESTS)')
    .action(
      async (idOrEmail: string, requests: number | undefined, options: { default?: boolean }) => {
        if ((options.default ?? false) === (requests !== undefined))
          throw new UsageError('Pass either a number of requests or --default');
        await withContext(async ({ admin }) => {
          const { id, name } = await requireUser(admin, idOrEmail);
          await admin.updateUser(id, { rateLimitOverride: requests ?? null });
          printResult(
            { id, rateLimitOverride: requests ?? null },
            requests === undefined
              ? `${name} (${id}) has the default rate limit.`
              : `${name} (${id}) has a rate limit of ${requests} requests per 2-minute window.`,
          );
        });
      },
    );
}
