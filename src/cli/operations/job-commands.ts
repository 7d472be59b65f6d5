import { InvalidArgumentError, Option, type Command } from 'commander';
import { JOB_STATUSES, wordsOf, type JobStatus } from '../../domain/vocabulary.js';
import type { JobEntry } from '../../services/jobs/operator-jobs.js';
import { MisuseError, type Cli } from '../cli.js';
import { minuteOf, table } from '../table.js';

const MOST_LISTED = 10_000;

/** The dead letters: what failed for good is shown with its reason, and tried again when the reason is gone. */
export function addJobCommands(program: Command, { open, say, fail }: Cli): void {
  const jobs = program.command('jobs').description('work that goes on after an answer');

  jobs
    .command('list')
    .description('jobs of all workspaces, newest first; the failed ones, unless told otherwise')
    .addOption(
      new Option('--status <status>', 'which ones')
        .choices(wordsOf<JobStatus>(JOB_STATUSES))
        .default('failed'),
    )
    .option('--limit <count>', 'at most', readLimit, 100)
    .action(({ status, limit }: { status: JobStatus; limit: number }) =>
      open(async ({ operatorJobs }) => {
        const entries = await operatorJobs.list(status, limit);
        say(entries, entries.length === 0 ? `No job is ${status}.` : listOf(entries));
      }),
    );

  jobs
    .command('retry')
    .description('begin failed jobs again')
    .argument('[ids...]', 'job_…')
    .option('--all', 'every failed one', false)
    .action(async (ids: string[], { all }: { all: boolean }) => {
      if (all === ids.length > 0) throw new MisuseError('Give the ids of jobs, or --all');
      await open(async ({ operatorJobs }) => {
        const retried = await operatorJobs.retry(all ? 'every failed one' : ids);
        const others = ids.filter((id) => !retried.includes(id));
        const notes = others.map((id) => `${id} is no job that failed and can be begun again`);
        say(
          { retried, notRetried: others },
          [
            `${retried.length} ${retried.length === 1 ? 'job begins' : 'jobs begin'} again.`,
            ...notes,
          ].join('\n'),
        );
        if (others.length > 0) fail();
      });
    });
}

const listOf = (entries: readonly JobEntry[]): string =>
  table(
    ['id', 'kind', 'tried', 'begun', 'workspace', 'about', 'why'],
    entries.map(({ id, kind, attempts, createdAt, workspaceId, about, failures: [first] }) => [
      id,
      kind,
      attempts,
      minuteOf(createdAt),
      workspaceId,
      about,
      first ? `${first.code}: ${first.message}` : null,
    ]),
  );

function readLimit(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > MOST_LISTED)
    throw new InvalidArgumentError(`A whole number from 1 to ${MOST_LISTED} is allowed.`);
  return Number(text);
}
