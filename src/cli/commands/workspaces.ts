import type { Command } from 'commander';
import type { WorkspaceContents } from '../../persistence/admin/deletion-store.js';
import { readName, readTimeZone, readChange, CliError } from '../arguments.js';
import type { Cli } from '../cli-context.js';
import {
  requireUser,
  assertWorkspaceExists,
  listRecords,
  isConfirmed,
  reportDeletedPosts,
} from './records.js';

/** Adds the commands that manage workspaces. */
export function addWorkspaceCommands(program: Command, cli: Cli): void {
  const workspaces = program.command('workspaces').description('manage workspaces');
  addCreateWorkspace(workspaces, cli);
  addUpdateWorkspace(workspaces, cli);
  addLock(workspaces, cli);
  addUnlock(workspaces, cli);
  addListWorkspaces(workspaces, cli);
  addDeleteWorkspace(workspaces, cli);
}

interface CreateWorkspaceOptions {
  name: string;
  owner: string;
  timeZone: string;
  requiresApproval: boolean;
}

function addCreateWorkspace(workspaces: Command, { withContext, printResult }: Cli): void {
  workspaces
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

interface UpdateWorkspaceOptions {
  name?: string;
  timeZone?: string;
  requiresApproval?: boolean;
}

function addUpdateWorkspace(workspaces: Command, { withContext, printResult }: Cli): void {
  workspaces
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

const countPosts = (count: number): string => (count === 1 ? '1 post' : `${count} posts`);

function addLock(workspaces: Command, { withContext, printResult }: Cli): void {
  workspaces
    .command('lock')
    .description(
      'lock a workspace. Its scheduled and recycling posts are not published until you unlock it',
    )
    .argument('<id>', 'ID of the workspace (wks_…)')
    .action((id: string) =>
      withContext(async ({ admin, workspaceLock }) => {
        await assertWorkspaceExists(admin, id);
        const posts = await workspaceLock.lock(id);
        printResult({ id, locked: true, posts }, `Locked ${id} and ${countPosts(posts)}.`);
      }),
    );
}

function addUnlock(workspaces: Command, { withContext, printResult }: Cli): void {
  workspaces
    .command('unlock')
    .description(
      'unlock a workspace. Its scheduled and recycling posts return to their previous states',
    )
    .argument('<id>', 'ID of the workspace (wks_…)')
    .action((id: string) =>
      withContext(async ({ admin, workspaceLock }) => {
        await assertWorkspaceExists(admin, id);
        const posts = await workspaceLock.unlock(id);
        printResult({ id, locked: false, posts }, `Unlocked ${id} and ${countPosts(posts)}.`);
      }),
    );
}

function addListWorkspaces(workspaces: Command, cli: Cli): void {
  workspaces
    .command('list')
    .description('list workspaces, oldest first')
    .action(() =>
      listRecords(cli, ({ lists }) => lists.workspaces(), {
        none: 'There are no workspaces.',
        columns: {
          id: ({ id }) => id,
          owner: ({ owner }) => owner?.name ?? null,
          plan: ({ owner }) => owner?.plan ?? null,
          members: ({ members }) => members,
          'time zone': ({ timeZone }) => timeZone,
          approval: ({ requiresApproval }) => (requiresApproval ? 'required' : null),
          locked: ({ locked }) => (locked ? 'locked' : null),
          name: ({ name }) => name,
        },
      }),
    );
}

function addDeleteWorkspace(workspaces: Command, cli: Cli): void {
  workspaces
    .command('delete')
    .description('permanently delete a workspace with its posts, accounts, media and labels')
    .argument('<id>', 'ID of the workspace (wks_…)')
    .option(
      '--confirm <id>',
      'ID of the workspace. Without this option, the command only reports what it would delete',
    )
    .action((id: string, { confirm }: { confirm?: string }) =>
      cli.withContext(async ({ deletions }) => {
        const contents = await deletions.workspace(id);
        if (!contents) throw new CliError(`Workspace ${JSON.stringify(id)} does not exist`);
        const summary = formatWorkspace(contents);
        if (!isConfirmed(cli, { confirm, contents, summary })) return;
        await deletions.deleteWorkspace(id, reportDeletedPosts(cli));
        cli.printResult({ deleted: true, ...contents }, `Deleted ${id}: ${summary}`);
      }),
    );
}

const formatWorkspace = ({ name, posts, accounts, members }: WorkspaceContents): string =>
  `${name}. Posts: ${posts}. Accounts: ${accounts}. Members who lose access: ${members}.`;
