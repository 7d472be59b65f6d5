import { PHASES, type Interrupted } from './attempt-phases.js';
import type { PublishedRow } from './network-record.js';
import type { PostRecord } from './post-record.js';

const count = <T>(items: readonly T[], matches: (item: T) => boolean): number =>
  items.filter(matches).length;

/** What happened so far, one line per figure. */
export function reportLines(
  { rows, records }: { rows: readonly PublishedRow[]; records: readonly PostRecord[] },
  interrupted: Interrupted,
): string[] {
  const actions = records.flatMap((record) => record.actions);
  const done = (name: string): number =>
    count(actions, ({ action, outcome }) => action === name && outcome === 'done');
  const byGuarantee = (['exact', 'compared', 'cannot_tell'] as const).map((guarantee) => {
    const own = rows.filter((row) => row.guarantee === guarantee);
    const results = (['published', 'failed', 'missed', 'unconfirmed'] as const).map(
      (result) => `${count(own, (row) => row.result === result)} ${result}`,
    );
    return `${guarantee}: ${results.join(', ')}; ${count(own, ({ copies }) => copies.length > 1)} there twice`;
  });
  return [
    `${rows.length} posts; acknowledged: ${done('create')} creations, ${done('edit')} edits, ${done('delete')} deletions, ${done('approve')} approvals, ${done('decline')} declinations, ${done('move')} moves, ${done('draft')} made drafts; ${done('cause')} network faults; ${count(actions, ({ outcome }) => outcome === 'unknown')} without an answer`,
    `attempts interrupted: ${PHASES.map((phase) => `${interrupted[phase]} ${phase}`).join(', ')}`,
    ...byGuarantee,
  ];
}
