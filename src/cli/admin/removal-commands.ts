import type { Command } from 'commander';
import type { UserHoldings, WorkspaceHoldings } from '../../persistence/admin/deletion-store.js';
import { CliError, groupOf, userNamed, type Cli } from '../cli.js';

/** The end of records, for good. Each command first says what would go, and does it when it is confirmed with the id. */
export function addRemovalCommands(program: Command, { open, say, progress, fail }: Cli): void {
  const told = (done: number): void => progress(done, 'posts removed');

  /** True where the id was repeated; else tells what would go, and that nothing did. */
  function isConfirmed(
    {
      id,
      confirm,
      what,
    }: { id: string; confirm: string | undefined; what: object & { id: string } },
    text: string,
  ): boolean {
    if (confirm !== undefined && confirm !== id)
      throw new CliError(
        `--confirm names ${JSON.stringify(confirm)}, and this is ${id}: nothing was removed`,
      );
    if (confirm === id) return true;
    say(
      { removed: false, ...what },
      `${text}\nNothing was removed. To remove it for good: --confirm ${id}`,
    );
    fail();
    return false;
  }

  groupOf(program, 'workspaces')
    .command('delete')
    .description('remove a workspace for good, with its posts, accounts, media and labels')
    .argument('<id>', 'wks_…')
    .option(
      '--confirm <id>',
      'the same id again; without it nothing is removed, and what would be is told',
    )
    .action((id: string, { confirm }: { confirm?: string }) =>
      open(async ({ removals }) => {
        const what = await removals.workspace(id);
        if (!what) throw new CliError(`There is no workspace ${JSON.stringify(id)}`);
        if (!isConfirmed({ id, confirm, what }, workspaceText(what))) return;
        await removals.removeWorkspace(id, told);
        say({ removed: true, ...what }, `${id} is removed: ${workspaceText(what)}`);
      }),
    );

  groupOf(program, 'users')
    .command('delete')
    .description(
      'remove a user for good; posts in workspaces of others stay there, without the name',
    )
    .argument('<id or e-mail>', 'who')
    .option('--posts', 'remove the posts that they made, too, in all workspaces', false)
    .option(
      '--confirm <id>',
      'the user’s id; without it nothing is removed, and what would be is told',
    )
    .action((who: string, { posts, confirm }: { posts: boolean; confirm?: string }) =>
      open(async ({ admin, removals }) => {
        const { id } = await userNamed(admin, who);
        const what = (await removals.user(id))!;
        if (what.owned.length > 0)
          throw new CliError(
            `${what.name} owns ${what.owned.join(', ')}: \`workspaces delete\` first`,
          );
        if (!isConfirmed({ id, confirm, what }, userText(what, posts))) return;
        const { remains } = await removals.removeUser(id, { posts }, told);
        const rest = remains ? ' What is left of them in workspaces shows a deleted user.' : '';
        say(
          { removed: true, remains, ...what },
          `${id} is removed: ${userText(what, posts)}${rest}`,
        );
      }),
    );
}

const workspaceText = ({ name, posts, accounts, members }: WorkspaceHoldings): string =>
  `${name}. Posts: ${posts}. Accounts: ${accounts}. Members who lose it: ${members}.`;

function userText(
  { name, email, keys, memberships, posts, privateDrafts }: UserHoldings,
  withPosts: boolean,
): string {
  const fate = withPosts
    ? `Posts: ${posts}.`
    : `Private drafts: ${privateDrafts}. Other posts, which stay: ${posts - privateDrafts}.`;
  return `${name} (${email}). Keys: ${keys}. Memberships: ${memberships}. ${fate}`;
}
