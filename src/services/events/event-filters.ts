import type { Viewer } from '../../domain/access/viewer.js';
import { invalidArguments, type Problem } from '../../domain/errors.js';
import type { EventType } from '../../domain/events/event-types.js';
import { STREAM_LIMITS } from '../../domain/events/stream-limits.js';
import type { WorkspaceRecordStore } from '../../persistence/workspaces/workspace-record-store.js';

/** Which events a client wants; null for all. */
export interface EventFilters {
  readonly types: readonly EventType[] | null;
  readonly accountIds: readonly string[] | null;
}

function assertNone(problems: readonly Problem[]): void {
  const [first, ...others] = problems;
  if (first) throw invalidArguments([first, ...others]);
}

/** Whether an event is among those that a client wants. */
export const matchesFilters = (
  { type, accountId }: { readonly type: EventType; readonly accountId: string | null },
  { types, accountIds }: EventFilters,
): boolean =>
  (types === null || types.includes(type)) &&
  (accountIds === null || (accountId !== null && accountIds.includes(accountId)));

/**
 * Checks filters, so that a mistake is not an empty stream.
 * @throws GatewayError BAD_USER_INPUT for empty lists, and for accounts of other workspaces
 */
export async function assertFilters(
  viewer: Viewer,
  { types, accountIds }: EventFilters,
  accounts: Pick<WorkspaceRecordStore, 'accountsById'>,
): Promise<void> {
  const { accountIds: max } = STREAM_LIMITS;
  const problems: Problem[] = [];
  if (types?.length === 0)
    problems.push({
      path: ['types'],
      message: 'must not be empty. Omit it for events of all types.',
    });
  if (accountIds?.length === 0)
    problems.push({
      path: ['accountIds'],
      message: 'must not be empty. Omit it for events of all accounts.',
    });
  if (accountIds && accountIds.length > max)
    problems.push({ path: ['accountIds'], message: `may have at most ${max} IDs.` });
  assertNone(problems);
  if (!accountIds) return;
  const known = await accounts.accountsById(viewer.workspace.id, accountIds);
  assertNone(
    accountIds.flatMap((id, index) =>
      known.has(id)
        ? []
        : { path: ['accountIds', index], message: 'is not an account of this workspace.' },
    ),
  );
}
