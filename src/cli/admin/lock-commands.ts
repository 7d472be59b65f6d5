import type { Command } from 'commander';
import { commandGroup } from '../command-group.js';
import type { Cli } from '../cli-context.js';
import { assertWorkspaceExists } from './find-records.js';

/** Adds the commands that lock and unlock workspaces. */
export function addLockCommands(program: Command, cli: Cli): void {
  addLock(program, cli);
  addUnlock(program, cli);
}

const countPosts = (count: number): string => (count === 1 ? '1 post' : `${count} posts`);

function addLock(program: Command, { withContext, printResult }: Cli): void {
  commandGroup(program, 'workspaces')
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

function addUnlock(program: Command, { withContext, printResult }: Cli): void {
  commandGroup(program, 'workspaces')
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
