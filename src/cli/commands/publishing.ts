import type { Command } from 'commander';
import type { PublishingStatus } from '../../domain/publishing/publication.js';
import { describePause } from '../../services/publishing/watch-pause.js';
import { readPastTime } from '../arguments.js';
import type { Cli } from '../cli-context.js';

/** Adds the commands that pause and resume the publication of posts. */
export function addPublishingCommands(program: Command, cli: Cli): void {
  const publishing = program
    .command('publishing')
    .description('pause and resume the publication of posts');
  addStatus(publishing, cli);
  addPause(publishing, cli);
  addResume(publishing, cli);
}

function addStatus(publishing: Command, { withContext, printResult }: Cli): void {
  publishing
    .command('status')
    .description('show whether publication is paused and how many posts are due')
    .action(() =>
      withContext(
        async (context) => {
          const status = await context.publishing.status();
          printResult(status, formatStatus(status));
        },
        { readsOnly: true },
      ),
    );
}

function addPause(publishing: Command, { withContext, printResult }: Cli): void {
  publishing
    .command('pause')
    .description('pause publication in all processes until you run `publishing resume`')
    .option(
      '--backup-from <time>',
      'time to which the database was restored. Before the gateway publishes a post that became due since then, it checks whether the post is already on its network',
      readPastTime,
    )
    .action(({ backupFrom = null }: { backupFrom?: Date | null }) =>
      withContext(async (context) => {
        await context.publishing.pause(backupFrom);
        const status = await context.publishing.status();
        printResult(status, formatStatus(status));
      }),
    );
}

function addResume(publishing: Command, { withContext, printResult }: Cli): void {
  publishing
    .command('resume')
    .description(
      'resume publication. After a restore, first stop the gateways and workers that use the replaced database',
    )
    .action(() =>
      withContext(async (context) => {
        const resumed = await context.publishing.resume();
        const status = await context.publishing.status();
        const note = resumed ? '' : 'Publication was not paused. ';
        printResult({ resumed, ...status }, `${note}${formatStatus(status)}`);
      }),
    );
}

const formatStatus = (status: PublishingStatus): string =>
  [
    status.pausedAt ? describePause(status) : 'Posts are published.',
    status.oldestDueAt
      ? `Due posts: ${status.duePosts}, the first since ${status.oldestDueAt.toISOString()}.`
      : 'No post is due.',
  ].join('\n');
