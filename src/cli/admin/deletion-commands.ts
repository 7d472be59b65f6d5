import type { Command } from 'commander';
import type { UserContents, WorkspaceContents } from '../../persistence/admin/deletion-store.js';
import { CliError } from '../cli-error.js';
import { commandGroup } from '../command-group.js';
import { requireUser } from './find-records.js';
import type { Cli } from '../cli-context.js';

/**
 * Adds the commands for permanent deletion. Without `--confirm` they only report what they would
 * delete.
 */
export function addDeletionCommands(program: Command, cli: Cli): void {
  addDeleteWorkspace(program, cli);
  addDeleteUser(program, cli);
}

function addDeleteWorkspace(program: Command, cli: Cli): void {
  commandGroup(program, 'workspaces')
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

function addDeleteUser(program: Command, cli: Cli): void {
  commandGroup(program, 'users')
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

interface Confirmation {
  readonly confirm: string | undefined;
  readonly contents: object & { readonly id: string };
  readonly summary: string;
}

/**
 * Returns true if `--confirm` repeats the ID. Without `--confirm`, prints what would be deleted and
 * returns false.
 */
function isConfirmed(
  { printResult, markFailed }: Cli,
  { confirm, contents, summary }: Confirmation,
): boolean {
  const { id } = contents;
  if (confirm === id) return true;
  if (confirm !== undefined)
    throw new CliError(
      `--confirm is ${JSON.stringify(confirm)}, but the ID is ${id}: nothing was deleted`,
    );
  printResult(
    { deleted: false, ...contents },
    `${summary}\nNothing was deleted. To delete it permanently, add --confirm ${id}`,
  );
  markFailed();
  return false;
}

const reportDeletedPosts =
  ({ reportProgress }: Cli) =>
  (done: number): void =>
    reportProgress(done, 'posts deleted');

const formatWorkspace = ({ name, posts, accounts, members }: WorkspaceContents): string =>
  `${name}. Posts: ${posts}. Accounts: ${accounts}. Members who lose access: ${members}.`;

function formatUser(
  { name, email, keys, memberships, posts, privateDrafts }: UserContents,
  withPosts: boolean,
): string {
  const deletedPosts = withPosts
    ? `Posts: ${posts}.`
    : `Private drafts: ${privateDrafts}. Other posts, which stay: ${posts - privateDrafts}.`;
  return `${name} (${email}). Keys: ${keys}. Memberships: ${memberships}. ${deletedPosts}`;
}
