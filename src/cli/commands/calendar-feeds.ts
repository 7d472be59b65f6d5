import type { Command } from 'commander';
import { enumKeys } from '../../domain/enums.js';
import { STATE_FILTERS, type StateFilter } from '../../domain/posts/states.js';
import type { FeedOwner } from '../../services/posts/calendar-feeds.js';
import { choiceOption, CliError } from '../arguments.js';
import type { Cli, CliContext } from '../cli-context.js';
import { formatMinute } from '../terminal.js';
import { assertWorkspaceExists, listRecords, requireUser } from './records.js';

interface OwnerOptions {
  readonly workspace: string;
  readonly user: string;
}

const ownerOf = async (
  { admin }: CliContext,
  { workspace, user }: OwnerOptions,
): Promise<FeedOwner> => {
  await assertWorkspaceExists(admin, workspace);
  return { workspaceId: workspace, userId: (await requireUser(admin, user)).id, keyId: null };
};

/** Adds the commands that create, list and revoke calendar feeds (D96). */
export function addCalendarFeedCommands(program: Command, cli: Cli): void {
  const feeds = program
    .command('calendar-feeds')
    .description('manage the addresses from which calendar programs read the posts of a member');
  addCreateFeed(feeds, cli);
  addListFeeds(feeds, cli);
  addRevokeFeed(feeds, cli);
}

const forMember = (command: Command): Command =>
  command
    .requiredOption('--workspace <id>', 'ID of the workspace')
    .requiredOption('--user <id or email>', 'member whose posts the feed shows');

function addCreateFeed(feeds: Command, { withContext, printResult }: Cli): void {
  forMember(
    feeds.command('create').description('create a feed and print its address, which is shown once'),
  )
    .option('--account <ids...>', 'only posts of these accounts', [])
    .addOption(
      choiceOption(
        '--state <states...>',
        'only posts in these states or groups of states',
        enumKeys<StateFilter>(STATE_FILTERS),
      ).default([], 'all'),
    )
    .action((options: OwnerOptions & { account: string[]; state: StateFilter[] }) =>
      withContext(async (context) => {
        const outcome = await context.calendarFeeds().create(await ownerOf(context, options), {
          accountIds: options.account,
          states: options.state,
        });
        if (outcome.kind === 'refused') throw new CliError(outcome.refusals[0].message);
        const { feed, url } = outcome;
        printResult({ ...feed, url }, `${feed.id}: ${url}`);
      }),
    );
}

function addListFeeds(feeds: Command, cli: Cli): void {
  forMember(feeds.command('list').description('list the feeds of a member, newest first')).action(
    (options: OwnerOptions) =>
      listRecords(
        cli,
        async (context) => context.calendarFeeds().list(await ownerOf(context, options)),
        {
          none: 'The member has no calendar feeds.',
          columns: {
            id: ({ id }) => id,
            created: ({ createdAt }) => formatMinute(createdAt),
            accounts: ({ accountIds }) => accountIds.join(',') || 'all',
            states: ({ states }) => states.join(',') || 'all',
          },
        },
      ),
  );
}

function addRevokeFeed(feeds: Command, { withContext, printResult }: Cli): void {
  forMember(
    feeds
      .command('revoke')
      .description('revoke a feed. Its address leads to nothing from the next request on')
      .argument('<id>', 'ID of the feed (cal_…)'),
  ).action((id: string, options: OwnerOptions) =>
    withContext(async (context) => {
      const outcome = await context.calendarFeeds().revoke(await ownerOf(context, options), id);
      if (outcome.kind === 'refused') throw new CliError(outcome.refusals[0].message);
      printResult(outcome.feed, `${id} is revoked.`);
    }),
  );
}
