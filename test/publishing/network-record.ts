import type { OpenDatabase } from '../../src/persistence/database.js';
import type { DeliveryGuarantee } from '../../src/domain/networks/network-definition.js';
import { STORED_STATES, type StoredState } from '../../src/domain/posts/states.js';
import { CLOCK_AHEAD_SECONDS } from './load.js';
import { lastDecision, type PostRecord, type RecordedAction } from './post-record.js';

/** A post at the end of a round, with what the sandbox network has of it. */
export interface PublishedRow {
  readonly id: string;
  readonly guarantee: DeliveryGuarantee;
  readonly storedState: number;
  readonly isDeleted: boolean;
  readonly isDue: boolean;
  readonly text: string;
  /** Whether its text was changed on the network after it was published. */
  readonly isEditedThere: boolean;
  readonly result: 'published' | 'failed' | 'unconfirmed' | 'missed' | null;
  readonly message: string | null;
  /** Texts of the copies that the network has, oldest first. */
  readonly copies: readonly string[];
  /**
   * Copies that the network had listed when the service asked for the last time before it sent
   * another one, or gave up.
   */
  readonly ignoredCopies: number;
}

const LISTED_AT = `listed_at - interval '${CLOCK_AHEAD_SECONDS} seconds'`;
const LATER = 'sandbox_delivery later WHERE later.post_doc_id = p.doc_id AND later.id > d.id';
const ROWS = `
SELECT p.doc_id AS id, s.guarantee, p.stored_state AS "storedState", p.deleted_at IS NOT NULL AS "isDeleted",
       p.scheduled_at < now() + interval '1 hour' AS "isDue", b.text,
       EXISTS (SELECT FROM job j WHERE j.post_id = p.id AND j.kind = 'network_edit') AS "isEditedThere",
       u.result, u.error->>'message' AS message,
       ARRAY(SELECT d.content->>'text' FROM sandbox_delivery d WHERE d.post_doc_id = p.doc_id ORDER BY d.id) AS copies,
       (SELECT count(*)::int FROM sandbox_delivery d
         WHERE d.post_doc_id = p.doc_id
           AND (u.result <> 'published' OR EXISTS (SELECT FROM ${LATER}))
           AND ${LISTED_AT} <= (
             SELECT max(t.finished_at) FROM publication_attempt t
              WHERE t.post_id = p.id AND t.finished_at <= (SELECT COALESCE(min(later.taken_at), 'infinity') FROM ${LATER}))) AS "ignoredCopies"
  FROM post p JOIN post_body b ON b.post_id = p.id JOIN sandbox_account s ON s.account_id = p.account_id
  LEFT JOIN publication u ON u.post_id = p.id
 WHERE p.account_id = ANY($1::text[]) ORDER BY p.id`;

export const readRows = async (
  { pool }: Pick<OpenDatabase, 'pool'>,
  accountIds: readonly string[],
): Promise<PublishedRow[]> => (await pool.query<PublishedRow>(ROWS, [accountIds])).rows;

const isIn = ({ storedState }: PublishedRow, ...states: readonly StoredState[]): boolean =>
  states.some((state) => STORED_STATES[state].number === storedState);

const PENDING: readonly StoredState[] = ['scheduled_pending'];
const OVER: readonly StoredState[] = ['published_posted', 'failed'];

/** What contradicts the guarantee of the network, whatever the clients asked for. */
function publicationViolation(row: PublishedRow): string | null {
  const { guarantee, copies, ignoredCopies, result, message, isDeleted } = row;
  const isOver = isIn(row, ...OVER);
  if (copies.length > 1 && guarantee !== 'compared') return 'it is there more than once';
  if (guarantee === 'compared' && ignoredCopies > 0)
    return 'the network had shown it, and it was sent again or given up';
  if (copies.length > 0 && !isOver) return 'it is there, but is not published';
  if (copies.length === 0 && isIn(row, 'published_posted')) return 'it is published, but not there';
  if (isIn(row, 'failed') && (!message || !result)) return 'it failed without a reason';
  if (result === 'unconfirmed' && isIn(row, 'failed') && guarantee !== 'cannot_tell')
    return 'it is unconfirmed, although the network can tell';
  const isLost = isIn(row, 'failed') && result !== 'unconfirmed' && copies.length > 0;
  if (isLost && guarantee !== 'compared') return 'it failed, but is there';
  if (isIn(row, 'scheduled', 'scheduled_approved') && row.isDue && !isDeleted)
    return 'it was due, and nothing happened';
  if (isIn(row, 'published_posted') && !row.isEditedThere && !copies.includes(row.text))
    return 'the network has another text';
  return null;
}

/** The state in which a post must be after an action that was acknowledged as the last one. */
const EXPECTED: Partial<Record<RecordedAction['action'], (row: PublishedRow) => boolean>> = {
  delete: ({ isDeleted }) => isDeleted,
  decline: (row) => isIn(row, 'scheduled_declined'),
  draft: (row) => isIn(row, 'draft_dated', 'draft_undated'),
  move: (row) => !row.isDue && !isIn(row, ...OVER),
  approve: (row) => (row.isDue ? isIn(row, ...OVER) : isIn(row, 'scheduled_approved')),
};

/** What contradicts the last action that was acknowledged. */
function decisionViolation(row: PublishedRow, record: PostRecord): string | null {
  const decision = lastDecision(record);
  if (!decision) return null;
  if (decision.action === 'create')
    return isIn(row, ...(record.needsApproval ? PENDING : OVER)) && !row.isDeleted
      ? null
      : 'it was created, and neither published nor failed';
  if (decision.action !== 'delete' && row.isDeleted) return 'it is deleted, but nobody deleted it';
  if (EXPECTED[decision.action]!(row)) return null;
  return `the action ${decision.action} was acknowledged last, and the state is another one`;
}

/** A post that contradicts what was acknowledged, or what its network guarantees. */
export interface PublishingViolation {
  readonly violation: string;
  readonly row: PublishedRow | null;
  readonly record: PostRecord | null;
}

/** Compares the posts of a round with the sandbox network's record and with the acknowledgements. */
export function findPublishingViolations(
  rows: readonly PublishedRow[],
  records: readonly PostRecord[],
): PublishingViolation[] {
  const recordOf = new Map(records.flatMap((record) => (record.id ? [[record.id, record]] : [])));
  const rowIds = new Set(rows.map(({ id }) => id));
  const unknown = records.filter(({ id, actions }) => !id && actions[0]!.outcome === 'unknown');
  const unexplained = rows.filter(({ id }) => !recordOf.has(id));
  return [
    ...rows.flatMap((row) => {
      const record = recordOf.get(row.id) ?? null;
      const violation =
        publicationViolation(row) ?? (record ? decisionViolation(row, record) : null);
      return violation ? [{ violation, row, record }] : [];
    }),
    ...records.flatMap((record) =>
      record.id && !rowIds.has(record.id)
        ? [{ violation: 'it was acknowledged, but does not exist', row: null, record }]
        : [],
    ),
    ...unexplained
      .slice(unknown.length)
      .map((row) => ({ violation: 'nobody created it', row, record: null })),
  ];
}

const HISTORY = `
SELECT json_build_object(
  'post', (SELECT to_jsonb(p) FROM post p WHERE p.doc_id = $1),
  'publication', (SELECT to_jsonb(u) FROM publication u JOIN post p ON p.id = u.post_id WHERE p.doc_id = $1),
  'attempts', (SELECT json_agg(t ORDER BY t.number) FROM publication_attempt t JOIN post p ON p.id = t.post_id WHERE p.doc_id = $1),
  'jobs', (SELECT json_agg(j ORDER BY j.created_at) FROM job j JOIN post p ON p.id = j.post_id WHERE p.doc_id = $1),
  'deliveries', (SELECT json_agg(d ORDER BY d.id) FROM sandbox_delivery d WHERE d.post_doc_id = $1),
  'events', (SELECT json_agg(json_build_object('type', e.type, 'at', e.at) ORDER BY e.sequence) FROM event e WHERE e.doc_id = $1))::text AS history`;

/** The violation with the history of its post: what clients asked for, and what was stored. */
export async function describeViolation(
  { pool }: Pick<OpenDatabase, 'pool'>,
  { violation, row, record }: PublishingViolation,
): Promise<string> {
  const id = row?.id ?? record?.id;
  const { rows } = await pool.query<{ history: string }>(HISTORY, [id]);
  const actions = record?.actions.map(
    ({ action, api, from, to, value, outcome, code }) =>
      `  ${from} to ${to}: ${action} (${api}) ${value}: ${outcome} ${code ?? ''}`,
  );
  return [`${id}: ${violation}`, ...(actions ?? []), `  ${rows[0]!.history}`].join('\n');
}
