import type { Command } from 'commander';
import { enumKeys } from '../../domain/enums.js';
import { EVENT_TYPES, type EventType } from '../../domain/events/event.js';
import type { TailedEvent } from '../../services/events/tail-events.js';
import { readCount, choiceOption } from '../arguments.js';
import type { Cli } from '../cli-context.js';
import { abortOnSignal } from '../terminal.js';
import { assertWorkspaceExists } from './records.js';

interface TailOptions {
  readonly workspace: string;
  readonly type?: readonly EventType[];
  readonly after?: string;
  readonly limit?: number;
}

/** Adds the command that follows the events of a workspace. */
export function addEventCommands(program: Command, cli: Cli): void {
  const events = program.command('events').description('follow what happens in a workspace');
  events
    .command('tail')
    .description(
      'print the events of a workspace as they happen, including those of private drafts, until you press Ctrl-C',
    )
    .requiredOption('--workspace <id>', 'ID of the workspace (wks_…)')
    .addOption(
      choiceOption(
        '--type <types...>',
        'types of the events to print, by default all',
        enumKeys<EventType>(EVENT_TYPES),
      ),
    )
    .option(
      '--after <cursor>',
      'cursor of an event. The command first prints the events after this one',
    )
    .option('--limit <count>', 'stop after this many events', readCount)
    .action((options: TailOptions) => tail(cli, options));
}

/** Prints each event on a line. */
async function tail(
  { withContext, printResult }: Cli,
  { workspace: workspaceId, type: types, after, limit = Infinity }: TailOptions,
): Promise<void> {
  await withContext(
    async ({ admin, events }) => {
      await assertWorkspaceExists(admin, workspaceId);
      await abortOnSignal(async (signal) => {
        let count = 0;
        const request = { workspaceId, after: after ?? null, signal };
        for await (const event of events().events(request)) {
          if (types && !types.includes(event.type)) continue;
          printResult(event, formatEvent(event));
          if ((count += 1) >= limit) break;
        }
      });
    },
    { readsOnly: true },
  );
}

/** Time, type, record, states, who changed it, and the names of the changed fields. */
function formatEvent(event: TailedEvent): string {
  const { type, at, documentId, recordId, accountId, version, before, after, changed } = event;
  const states = [before, after].filter((state) => state !== null);
  return [
    at.toISOString(),
    type,
    recordId ?? documentId ?? accountId ?? '',
    version === null ? '' : `v${version}`,
    [...new Set(states)].join(' → '),
    `${event.userId ?? 'service'} (${event.api})`,
    changed.join(','),
  ]
    .filter((part) => part !== '')
    .join('  ');
}
