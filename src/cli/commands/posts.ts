import type { Command } from 'commander';
import { readLimit } from '../arguments.js';
import type { Cli } from '../cli-context.js';
import { formatMinute } from '../terminal.js';
import { assertWorkspaceExists, listRecords } from './records.js';

/** Adds the command that lists published posts with their metrics. */
export function addPostCommands(program: Command, cli: Cli): void {
  program
    .command('posts')
    .description('show published posts')
    .command('numbers')
    .description('list the published posts of a workspace with their metrics, by engagement')
    .requiredOption('--workspace <id>', 'ID of the workspace (wks_…)')
    .option('--limit <count>', 'maximum number of posts', readLimit, 20)
    .action(({ workspace, limit }: { workspace: string; limit: number }) =>
      listRecords(
        cli,
        async ({ admin, analytics }) => {
          await assertWorkspaceExists(admin, workspace);
          return analytics.mostEngaging(workspace, limit);
        },
        {
          none: 'No metrics of published posts have been read yet.',
          columns: {
            id: ({ id }) => id,
            network: ({ network }) => network,
            scheduled: ({ scheduledAt }) => scheduledAt && formatMinute(scheduledAt),
            engagement: ({ engagement }) => engagement,
            likes: ({ likes }) => likes,
            comments: ({ comments }) => comments,
            shares: ({ shares }) => shares,
            reach: ({ reach }) => reach,
            read: ({ updatedAt }) => formatMinute(updatedAt),
            next: ({ nextAt }) => nextAt && formatMinute(nextAt),
          },
        },
      ),
    );
}
