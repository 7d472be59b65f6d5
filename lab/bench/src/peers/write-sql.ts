import { randomBytes } from 'node:crypto';
import { searchRowOfText } from '../product.js';

export interface Update {
  readonly id: string;
  readonly text: string;
  readonly expectedVersion: number;
}

/**
 * A hand-written text update: version check, row, body, search index and revision in one statement
 * and thus in one transaction. Returns no row if the version is another one.
 */
export const UPDATE_SQL = `
WITH target AS (
  UPDATE post SET version = version + 1, updated_at = now() WHERE doc_id = $1 AND workspace_id = $2 AND version = $3 AND deleted_at IS NULL AND (stored_state NOT IN (24, 25) OR creator_id = $4) RETURNING id, version, updated_at),
history AS (
  INSERT INTO revision (post_id, version, user_id, at, changes)
  SELECT t.id, t.version, $4, t.updated_at, jsonb_build_object('text', jsonb_build_object('from', b.text, 'to', $5::text)) FROM target t JOIN post_body b ON b.post_id = t.id),
body AS (UPDATE post_body b SET text = $5 FROM target t WHERE b.post_id = t.id),
words AS (UPDATE post_search s SET normal = $6, tokens = $7::text[] FROM target t WHERE s.post_id = t.id)
SELECT version, updated_at AS "updatedAt" FROM target`;

/** The benchmark updates posts without a title, so that the search tokens are those of the text. */
export function updateValues(
  workspace: string,
  viewer: string,
  { id, text, expectedVersion }: Update,
): unknown[] {
  const { normal, tokens } = searchRowOfText(workspace, text);
  return [id, workspace, expectedVersion, viewer, text, normal, tokens];
}

/**
 * A hand-written deletion with the effects of the product's: the posts that the viewer ($3) sees
 * and may delete are hidden, their children detached, their cap slots freed.
 */
export const DELETE_SQL = `
WITH target AS (
  UPDATE post SET deleted_at = now() WHERE doc_id = ANY($1::char(24)[]) AND workspace_id = $2 AND deleted_at IS NULL AND (stored_state NOT IN (24, 25) OR creator_id = $3) AND (queued_at IS NULL OR reminder) RETURNING id, doc_id),
orphans AS (UPDATE post c SET parent_id = NULL FROM target WHERE c.parent_id = target.id AND c.deleted_at IS NULL),
freed AS (DELETE FROM cap_slot USING target WHERE post_id = target.id)
SELECT doc_id AS id FROM target`;

/** Scheduled posts with the same text. */
export interface Creation {
  readonly text: string;
  readonly targets: readonly { readonly accountId: string; readonly scheduledAt: string | Date }[];
}

export const newDocumentId = (): string => randomBytes(12).toString('hex');

/**
 * A hand-written creation with the rows of the product's: posts, bodies, search index, cap slots and
 * events, in one statement. $1 to $3: document IDs, accounts and times.
 */
export const CREATE_SQL = `
WITH target AS (SELECT * FROM unnest($1::char(24)[], $2::text[], $3::timestamptz[]) AS t(doc_id, account_id, at)),
created AS (
  INSERT INTO post (doc_id, workspace_id, account_id, creator_id, stored_state, type, network, scheduled_at, created_at, updated_at, group_id)
  SELECT t.doc_id, $4, a.id, $5, 1, 'status', a.network, t.at, now(), now(), 'grp_' || $1[1] FROM target t JOIN account a ON a.id = t.account_id AND a.workspace_id = $4
  RETURNING id, doc_id, account_id, scheduled_at),
bodies AS (INSERT INTO post_body (post_id, text, created_api, options, tags, categories, own_fields) SELECT id, $6, 'graphql', '{}', '{}', '{}', '{}' FROM created),
words AS (INSERT INTO post_search (post_id, normal, tokens) SELECT id, $7, $8::text[] FROM created),
slots AS (INSERT INTO cap_slot (account_id, post_kind, at, post_id) SELECT account_id, 'post', scheduled_at, id FROM created),
events AS (
  INSERT INTO event (at, workspace_id, user_id, api, type, post_id, doc_id, account_id, version, changed, state_after)
  SELECT now(), $4, $5, 'graphql', e.type, c.id, c.doc_id, c.account_id, 1, '{}', 1 FROM created c, unnest('{post.created,post.scheduled}'::text[]) e(type))
SELECT doc_id AS id FROM created`;

export function createValues(
  workspace: string,
  viewer: string,
  { text, targets }: Creation,
): unknown[] {
  const { normal, tokens } = searchRowOfText(workspace, text);
  return [
    targets.map(newDocumentId),
    targets.map(({ accountId }) => accountId),
    targets.map(({ scheduledAt }) => scheduledAt),
    workspace,
    viewer,
    text,
    normal,
    tokens,
  ];
}
