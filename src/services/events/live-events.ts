import type { Viewer } from '../../domain/access/viewer.js';
import { invalidArguments, type Problem, GatewayError } from '../../domain/errors.js';
import type { EventType } from '../../domain/events/event.js';
import { STREAM_LIMITS } from '../../domain/events/stream-limits.js';
import type { WorkspaceRecordStore } from '../../persistence/workspaces/workspace-record-store.js';
import type { Post } from '../../domain/posts/post.js';
import type { KeyUse } from '../../persistence/access/key-store.js';
import type { CurrentGrants } from '../access/current-grants.js';
import { writeEventCursor } from './event-cursor.js';
import type { DatabasePosition, EventPositions } from './event-positions.js';
import { createLiveEventPresenter, type LiveEvent } from './live-event.js';
import { waitIfUnavailable, type EventSequence, type StreamEnd } from './event-stream.js';
import type { StreamSlots } from './stream-slots.js';
import type { WorkspaceFeeds } from './workspace-feeds.js';

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
const matchesFilters = (
  { type, accountId }: { readonly type: EventType; readonly accountId: string | null },
  { types, accountIds }: EventFilters,
): boolean =>
  (types === null || types.includes(type)) &&
  (accountIds === null || (accountId !== null && accountIds.includes(accountId)));

/**
 * Checks filters, so that a mistake is not an empty stream.
 * @throws GatewayError BAD_USER_INPUT for empty lists, and for accounts of other workspaces
 */
async function assertFilters(
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

/** Why a stream has ended, for metrics. */
export type StreamEndLabel = 'closed' | 'too_slow' | 'shutdown' | 'error';

/** Measures streams of events. */
export interface StreamMetrics {
  opened(): void;
  delivered(): void;
  closed(reason: StreamEndLabel): void;
}

const TOO_MANY = `The key has ${STREAM_LIMITS.perKey} open event streams, which is the maximum. Close one of them first.`;
const SHUTTING_DOWN = 'The gateway is shutting down. Connect again in a moment.';

/** Which events to stream. */
export interface LiveEventsRequest extends EventFilters {
  /** Cursor of an event or of a page of changes; null starts with the present. */
  readonly after: string | null;
  /** Cursor at which the client lost an earlier stream: takes precedence over `after`. */
  readonly lastEventId: string | null;
  /** Properties of the posts to read with the events. */
  readonly fields: ReadonlySet<keyof Post>;
}

/** An event of a stream. Streams of the same key can get the same objects. */
export interface StreamedEvent {
  readonly event: LiveEvent;
  /** The client, with the current rights of its key and membership. */
  readonly viewer: Viewer;
}

/** The events of one client. */
export interface EventStream
  extends AsyncIterableIterator<StreamedEvent, undefined>, Pick<EventSequence, 'waitFor'> {
  /** Where the stream starts. */
  readonly cursor: string;
  /** @throws GatewayError if the client may read no more */
  next(): Promise<IteratorResult<StreamedEvent, undefined>>;
  /** Has no effect after the end. */
  end(reason: StreamEnd | Error): void;
  /** Why the stream has ended; null while it is open. */
  readonly ended: StreamEnd | Error | null;
}

/** Streams of events as they happen (D74). */
export interface LiveEvents {
  /** @throws GatewayError BAD_USER_INPUT, CURSOR_EXPIRED, RATE_LIMITED, UNAVAILABLE */
  open(viewer: Viewer, request: LiveEventsRequest): Promise<EventStream>;
  /** Ends all streams. None can be opened any more. */
  endAll(): void;
  close(): Promise<void>;
}

export interface LiveEventsDependencies {
  readonly feeds: WorkspaceFeeds;
  readonly positions: EventPositions;
  readonly grants: CurrentGrants;
  readonly slots: StreamSlots;
  readonly accounts: Pick<WorkspaceRecordStore, 'accountsById'>;
  /** Called before events are delivered: later reads of the user show what they are about. */
  readonly acknowledge: () => Promise<void>;
  readonly metrics?: StreamMetrics | undefined;
}

/** An open stream, and the key that it was opened with. */
interface OpenStream extends KeyUse {
  readonly sequence: EventSequence;
}

/** Creates the streams of a process. */
export function createLiveEvents({
  feeds,
  positions,
  grants,
  slots,
  accounts,
  acknowledge,
  metrics,
}: LiveEventsDependencies): LiveEvents {
  const streams = new Set<OpenStream>();
  const { present } = createLiveEventPresenter();
  let isClosed = false;
  let revocationCheck: NodeJS.Timeout | undefined;

  /** Keys and memberships can end while no event comes. */
  async function endRevoked(): Promise<void> {
    for (const { sequence, ...use } of await grants.findEnded([...streams]))
      await grants.viewer(use).catch((error: Error) => sequence.end(error));
  }

  function add(stream: OpenStream): void {
    streams.add(stream);
    metrics?.opened();
    revocationCheck ??= setInterval(
      () => void endRevoked().catch(() => undefined), // the database is unavailable
      STREAM_LIMITS.revocationCheckMs,
    ).unref();
  }

  function remove(stream: OpenStream, reason: StreamEnd | Error): void {
    streams.delete(stream);
    slots.release(stream.keyId);
    metrics?.closed(reason instanceof Error ? 'error' : reason);
    if (streams.size > 0) return;
    clearInterval(revocationCheck);
    revocationCheck = undefined;
  }

  const readStart = (
    workspaceId: string,
    { after, lastEventId }: LiveEventsRequest,
  ): Promise<DatabasePosition> | null => {
    if (lastEventId !== null) return positions.read(workspaceId, lastEventId, 'Last-Event-ID');
    return after === null ? null : positions.read(workspaceId, after, 'after');
  };

  async function openSequence(
    { workspace: { id: workspaceId } }: Viewer,
    request: LiveEventsRequest,
  ) {
    const from = await readStart(workspaceId, request);
    const horizon = await feeds.horizon();
    if (from) positions.assertContinues(from, horizon);
    const { database } = horizon;
    const end = positions.present(horizon);
    const start = from?.position ?? end;
    const scope = { workspaceId, database };
    const client = { ...scope, fields: request.fields };
    return {
      sequence: feeds.join(client, { start, present: end }),
      cursor: writeEventCursor(scope, start),
      scope,
    };
  }

  /** The client's rights, read after the events that they are asked for. */
  function currentRights(viewer: Viewer): (readAt: number) => Promise<Viewer> {
    const use = { keyId: viewer.key.id, workspaceId: viewer.workspace.id };
    let current = { viewer, readAt: -Infinity };
    return async (readAt) => {
      while (current.readAt < readAt) {
        const startedAt = performance.now();
        const read = await grants.viewer(use).catch(waitIfUnavailable);
        if (read) current = { viewer: read, readAt: startedAt };
      }
      return current.viewer;
    };
  }

  return {
    async open(viewer, request) {
      await assertFilters(viewer, request, accounts);
      if (isClosed) throw new GatewayError('UNAVAILABLE', SHUTTING_DOWN);
      const keyId = viewer.key.id;
      if (!(await slots.acquire(keyId))) throw new GatewayError('RATE_LIMITED', TOO_MANY);
      const opened = await openSequence(viewer, request).catch((error: Error) => {
        slots.release(keyId);
        throw error;
      });
      const { sequence, cursor, scope } = opened;
      const stream: OpenStream = { keyId, workspaceId: viewer.workspace.id, sequence };
      sequence.onEnd((reason) => remove(stream, reason));
      add(stream);
      if (isClosed) sequence.end('shutdown');
      const viewerAfter = currentRights(viewer);
      let acknowledgedAt = -Infinity;
      const events: EventStream = {
        cursor,
        waitFor: sequence.waitFor,
        end: sequence.end,
        get ended() {
          return sequence.ended;
        },
        [Symbol.asyncIterator]: () => events,
        async next() {
          for (;;) {
            const item = await sequence.next();
            if (!item) return { done: true, value: undefined };
            const current = await viewerAfter(item.readAt);
            const event = present(item.event, current, scope);
            if (!event || !matchesFilters(event, request)) continue;
            if (acknowledgedAt < item.readAt) {
              acknowledgedAt = performance.now();
              await acknowledge();
            }
            metrics?.delivered();
            return { done: false, value: { event, viewer: current } };
          }
        },
      };
      return events;
    },
    endAll() {
      isClosed = true;
      for (const { sequence } of streams) sequence.end('shutdown');
    },
    async close() {
      this.endAll();
      slots.close();
      await feeds.close();
    },
  };
}
