import type { OpenDatabase } from '../../src/persistence/database.js';
import { EVENT_ID } from '../../src/persistence/events/event-store.js';
import type { ReceivedMessage } from './received-events.js';
import type { Change, RequestHistory } from './request-history.js';
import { groupBy, REVISIONS_SQL, type Revision } from './stored-posts.js';
import type { TestPosts } from './test-posts.js';

/** An event, as the checks read it from the database. */
interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly post: string | null;
  readonly version: number | null;
  readonly user: string | null;
  readonly api: string;
  readonly fields: readonly string[];
}

/** The events of a workspace, in the order in which readers read them. */
export const EVENTS_SQL = `SELECT ${EVENT_ID} AS id, e.type, e.doc_id AS post, e.version, e.user_id AS user, e.api, e.changed AS fields
  FROM event e WHERE e.workspace_id = $1 ORDER BY e.transaction_id, e.sequence`;

/** Events whose version is not that of a new revision. */
const WITHOUT_REVISION: ReadonlySet<string> = new Set([
  'post.created',
  'post.scheduled',
  'post.deleted',
  'post.network_updated',
  'job.finished',
]);

const describe = ({ type, post, version }: Pick<EventRow, 'type' | 'post' | 'version'>): string =>
  `${type} ${post} ${version}`;
const keyOf = (post: string | null, version: number | null): string => `${post} ${version}`;

/** The field that a kind of change always sets; `text` for kinds that are not listed. */
const FIELDS: Readonly<Record<string, string>> = { labels: 'labels' };

/** Each revision has one event with its version, and each such event has its revision. */
function revisionEventViolations(
  events: readonly EventRow[],
  revisions: readonly Revision[],
): string[] {
  const byVersion = groupBy(
    events.filter(({ type, post }) => post !== null && !WITHOUT_REVISION.has(type)),
    ({ post, version }) => keyOf(post, version),
  );
  const known = new Set(revisions.map(({ post, version }) => keyOf(post, version)));
  return [
    ...[...known]
      .filter((key) => byVersion.get(key)?.length !== 1)
      .map((key) => `version ${key} has ${byVersion.get(key)?.length ?? 0} events`),
    ...[...byVersion.keys()]
      .filter((key) => !known.has(key))
      .map((key) => `an event has the version ${key}, which is no revision`),
  ];
}

/** The event of an acknowledged change tells who made it, how, and what it changed. */
function changeEventViolations(
  { kind, mark, posts, outcome, version, request }: Change,
  events: ReadonlyMap<string, readonly EventRow[]>,
  userId: string,
): string[] {
  if (outcome !== 'acknowledged') return [];
  const api = request.path === '/graphql' ? 'graphql' : 'rest';
  return posts.flatMap((post) => {
    const ofPost = (events.get(post) ?? []).filter((event) =>
      kind === 'delete'
        ? event.type === 'post.deleted'
        : event.version === version && event.type === 'post.updated',
    );
    const [event] = ofPost;
    if (ofPost.length !== 1 || !event)
      return [`${kind} ${mark} of ${post} has ${ofPost.length} events`];
    const isRight =
      event.user === userId &&
      event.api === api &&
      (kind === 'delete' || event.fields.includes(FIELDS[kind] ?? 'text'));
    return isRight
      ? []
      : [`${kind} ${mark} of ${post} through ${api} has the event ${JSON.stringify(event)}`];
  });
}

/** A subscriber received exactly the stored events, in their order. */
function subscriberViolations(
  received: RequestHistory['subscribers'][number],
  events: readonly EventRow[],
  number: number,
): string[] {
  const present = (list: readonly { id: string; type: string; version: number | null }[]) =>
    list.map(({ id, type, version }) => `${id} ${type.toLowerCase().replace('.', '_')} ${version}`);
  const [expected, got] = [present(events), present(received)];
  const first = expected.findIndex((event, index) => event !== got[index]);
  if (first === -1 && got.length === expected.length) return [];
  const at = first === -1 ? expected.length : first;
  return [
    `subscriber ${number} received ${got.length} of ${expected.length} events; at ${at} it has ${got[at]} instead of ${expected[at]}`,
  ];
}

/** The receiver got a message about every event, and only signed ones that are true. */
function messageViolations(
  messages: readonly ReceivedMessage[],
  events: readonly EventRow[],
): string[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  const received = new Map<string, string>();
  const violations = messages.flatMap(({ id, data }) => {
    if (!data) return [`the message ${id} has a wrong signature`];
    const event = byId.get(data.event_id);
    if (!event) return [`the message ${id} is about the unknown event ${data.event_id}`];
    if ((data.version ?? null) !== event.version)
      return [`the message ${id} has the version ${data.version} of ${describe(event)}`];
    const earlier = received.get(event.id);
    received.set(event.id, id);
    return earlier === undefined || earlier === id
      ? []
      : [`the messages ${earlier} and ${id} are both about ${describe(event)}`];
  });
  return [
    ...violations,
    ...events
      .filter(({ id }) => !received.has(id))
      .map((event) => `no message is about ${describe(event)}`),
  ];
}

/** Compares the events with the changes, and what was received with the events. */
export async function eventViolations(
  { pool }: Pick<OpenDatabase, 'pool'>,
  { changes, subscribers, messages }: RequestHistory,
  { viewer }: TestPosts,
): Promise<string[]> {
  const events = (await pool.query<EventRow>(EVENTS_SQL, [viewer.workspace.id])).rows;
  const revisions = (await pool.query<Revision>(REVISIONS_SQL, [viewer.workspace.id])).rows;
  const byPost = groupBy(
    events.filter(({ post }) => post !== null),
    ({ post }) => post!,
  );
  return [
    ...revisionEventViolations(events, revisions),
    ...changes.flatMap((change) => changeEventViolations(change, byPost, viewer.user.id)),
    ...subscribers.flatMap((received, index) => subscriberViolations(received, events, index + 1)),
    ...messageViolations(messages, events),
  ];
}
