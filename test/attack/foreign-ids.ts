import { writeCursor } from '../../src/graphql/schema/connection.js';
import type { KeyedViewer } from '../fixtures/records.js';
import type { AuditedGateway } from './audited-gateway.js';
import { MARK, type ForeignRecords } from './foreign-records.js';

/** A kind of id: one of the foreign workspace, and a similar one that does not exist. */
export interface ForeignId {
  readonly kind: string;
  readonly foreign: string;
  readonly unknown: string;
}

/** Kinds of foreign id that are the document id of a post. */
export const DOCUMENT_KINDS = [
  'post',
  'published post',
  'private draft',
  'series',
  'child of a series',
] as const;

/** An idempotency key that no request has used. */
export const UNUSED_KEY = 'zora-idempotency';
const UNKNOWN_DOCUMENT = 'fedcba9876543210fedcba98';
const UNKNOWN_DATABASE_ID = 1_999_999_999;
const UNKNOWN_SUFFIX = '0000000000000000';

const withUnknownSuffix = (id: string): string => id.slice(0, 4) + UNKNOWN_SUFFIX;

/** Document ids of the foreign posts, by kind. */
export function documentIds(
  records: ForeignRecords,
): Record<(typeof DOCUMENT_KINDS)[number], string> {
  return {
    post: records.scheduled.id,
    'published post': records.keyUse.updatedId,
    'private draft': records.draft.id,
    series: records.series.id,
    'child of a series': records.child.id,
  };
}

/** Ids with a type prefix, by type. */
export function prefixedIds(records: ForeignRecords): Readonly<Record<string, string>> {
  return {
    account: records.accountId,
    label: records.labelId,
    media: records.mediaId,
    user: records.owner.user.id,
    workspace: records.owner.workspace.id,
    job: records.keyUse.jobId,
    notification: records.notificationId,
    key: records.keyId,
    webhook: records.webhookId,
    'delivery of a webhook': records.deliveryId,
    connection: records.connectionId,
    'connect link': records.linkId,
  };
}

/** Ids of all kinds. */
export async function foreignIds(
  gateway: Pick<AuditedGateway, 'graphql'>,
  records: ForeignRecords,
): Promise<ForeignId[]> {
  const cursors = await readCursors(gateway, records);
  return [
    ...Object.entries(documentIds(records)).map(([kind, foreign]) => ({
      kind,
      foreign,
      unknown: UNKNOWN_DOCUMENT,
    })),
    {
      kind: 'post by database ID',
      foreign: String(records.scheduled.databaseId),
      unknown: String(UNKNOWN_DATABASE_ID),
    },
    ...Object.entries(prefixedIds(records)).map(([kind, foreign]) => ({
      kind,
      foreign,
      unknown: withUnknownSuffix(foreign),
    })),
    ...Object.entries(cursors).map(([list, cursor]) => ({
      kind: `cursor of ${list}`,
      foreign: cursor,
      unknown: unknownCursorLike(cursor),
    })),
    { kind: 'idempotency key', foreign: records.keyUse.key, unknown: UNUSED_KEY },
  ];
}

const END = '{ pageInfo { endCursor } }';
const CURSORS = `query($series: ID!) {
  posts(first: 1) ${END}
  labels(first: 1) ${END}
  media(first: 1) ${END}
  viewer { notifications(first: 1) ${END} }
  post(id: $series) { occurrences(first: 1) ${END} }
}`;

/** A cursor of each list, by the name of the list. */
async function readCursors(
  { graphql }: Pick<AuditedGateway, 'graphql'>,
  { owner, series }: { owner: KeyedViewer; series: { id: string } },
): Promise<Record<string, string>> {
  const { body } = await graphql(CURSORS, { series: series.id }, { as: owner });
  const { viewer, post, ...lists } = body.data;
  const connections: Record<string, { pageInfo: { endCursor: string } }> = {
    ...lists,
    notifications: viewer.notifications,
    occurrences: post.occurrences,
  };
  return Object.fromEntries(
    Object.entries(connections).map(([list, { pageInfo }]) => [list, pageInfo.endCursor]),
  );
}

/** A cursor of the same list and position, without values of the foreign workspace. */
function unknownCursorLike(cursor: string): string {
  const [order, at, id] = JSON.parse(
    Buffer.from(cursor, 'base64url')
      .toString()
      .replace(/^[^[]*/, ''),
  ) as [string, string, string | number];
  return writeCursor(order, {
    sortValue: at.replace(MARK, 'Nobody'),
    id: typeof id === 'number' ? UNKNOWN_DATABASE_ID : withUnknownSuffix(id),
  });
}
