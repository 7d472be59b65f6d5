import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { DIALECTS } from './dialects.js';
import type { Request } from './requests.js';
import { restore, type Targets } from './targets.js';
import { DEEP_PAGE, DEEP_WORKSPACES, type OperationContext, type Operation } from './operations.js';
import { send, type RunningServer } from './running-server.js';

/** Number of requests of an operation whose responses are compared. */
const COMPARED = 20;

async function requestJson(running: RunningServer, request: Request): Promise<any> {
  const response = await send(running.origin, request);
  const text = await response.text();
  if (!response.ok)
    throw new Error(
      `${running.server.name} responds ${response.status} to ${request.path} ${request.body ?? ''}: ${text.slice(0, 500)}`,
    );
  const body = JSON.parse(text) as { errors?: unknown };
  if (body.errors)
    throw new Error(
      `${running.server.name} responds with errors to ${request.body}: ${text.slice(0, 500)}`,
    );
  return body;
}

/** Cursor of page 100 in each deep workspace, differing by paging through this server. */
export async function deepCursors(
  running: RunningServer,
  targets: Targets,
): Promise<Record<string, string>> {
  const dialect = DIALECTS[running.server.dialect];
  const cursors: Record<string, string> = {};
  for (const workspace of targets.readers.slice(0, DEEP_WORKSPACES)) {
    let after: string | undefined;
    for (let page = 1; page < DEEP_PAGE; page++) {
      const next = dialect.endCursor(
        await requestJson(running, dialect.posts({ workspace, counted: false, after })),
      );
      if (!next) break; // a small seed has fewer pages
      after = next;
    }
    cursors[workspace] = after!;
  }
  return cursors;
}

/** The rows after a change: every server must leave the same. */
async function rowsOf(pool: pg.Pool, ids: readonly string[]): Promise<unknown> {
  const { rows } = await pool.query(
    `SELECT p.doc_id, p.version, p.deleted_at IS NOT NULL AS deleted, b.text, s.normal, s.tokens,
            (SELECT json_agg(json_build_object('version', r.version, 'user', r.user_id, 'changes', r.changes) ORDER BY r.version) FROM revision r WHERE r.post_id = p.id) AS revisions,
            (SELECT count(*)::int FROM cap_slot c WHERE c.post_id = p.id) AS slots
       FROM post p JOIN post_body b ON b.post_id = p.id JOIN post_search s ON s.post_id = p.id WHERE p.doc_id = ANY($1::char(24)[]) ORDER BY p.doc_id`,
    [ids],
  );
  return rows;
}

/** The rows of new posts: every server must insert the same, apart from IDs and times of creation. */
async function newRowsOf(pool: pg.Pool, accountIds: readonly string[]): Promise<unknown> {
  const { rows } = await pool.query(
    `SELECT to_jsonb(p) - '{id,doc_id,created_at,updated_at,group_id}'::text[] AS post, to_jsonb(b) - 'post_id' AS body,
            to_jsonb(s) - 'post_id' AS search, count(*) OVER (PARTITION BY p.group_id)::int AS "groupSize",
            (SELECT json_agg(json_build_object('kind', c.post_kind, 'at', c.at)) FROM cap_slot c WHERE c.post_id = p.id) AS slots,
            (SELECT json_agg(to_jsonb(e) - '{transaction_id,sequence,at,post_id,doc_id,key_id}'::text[] ORDER BY e.type) FROM event e WHERE e.doc_id = p.doc_id) AS events
       FROM post p JOIN post_body b ON b.post_id = p.id JOIN post_search s ON s.post_id = p.id
      WHERE p.account_id = ANY($1::text[]) ORDER BY p.account_id`,
    [accountIds],
  );
  return rows;
}

/**
 * Sends an update and repeats it with the version that is outdated then, or sends a creation or a
 * deletion, and reads the rows. All changes are undone.
 */
async function changeResponses(
  running: RunningServer,
  operation: Operation,
  context: OperationContext,
  pool: pg.Pool,
): Promise<unknown[]> {
  const { dialect, targets } = context;
  const results: unknown[] = [];
  if (operation.name.startsWith('M1')) {
    const post = targets.updates[0]!;
    await pool.query('UPDATE post SET version = 1 WHERE doc_id = $1', [post.id]);
    await pool.query(
      "UPDATE post_body SET text = 'Before' FROM post p WHERE p.id = post_id AND doc_id = $1",
      [post.id],
    );
    const request = dialect.update({
      ...post,
      expectedVersion: 1,
      text: 'A new text for everybody',
    });
    for (const attempt of [request, request])
      results.push(
        dialect.normalize(await requestJson(running, attempt)),
        await rowsOf(pool, [post.id]),
      );
  } else if (operation.name === 'C1') {
    const { workspace, accountIds } = targets.creations[0]!;
    const request = dialect.create({
      workspace,
      text: 'A new text for everybody',
      targets: accountIds.map((accountId) => ({ accountId, scheduledAt: '2031-05-01T10:00:00Z' })),
    });
    results.push(
      dialect.normalize(await requestJson(running, request)),
      await newRowsOf(pool, accountIds),
    );
  } else {
    const { workspace, ids } = targets.deletions[0]!;
    results.push(
      dialect.normalize(await requestJson(running, dialect.remove(workspace, ids))),
      await rowsOf(pool, ids),
    );
  }
  await restore(pool);
  return results;
}

/** Responses of a server to an operation, in comparable form. */
export async function responsesOf(
  running: RunningServer,
  operation: Operation,
  context: OperationContext,
  pool: pg.Pool,
): Promise<unknown[]> {
  if (operation.changes) return changeResponses(running, operation, context, pool);
  const traffic = operation.traffic(context, 0, 1);
  const requests = 'cycle' in traffic ? traffic.cycle.slice(0, COMPARED) : [];
  const results: unknown[] = [];
  for (const request of requests) {
    const body = await requestJson(running, request);
    results.push(operation.api === 'v1' ? body : context.dialect.normalize(body));
  }
  return results;
}

/** Path and values of the reference difference between two responses. */
function difference(a: unknown, b: unknown, path = ''): string | null {
  if (isDeepStrictEqual(a, b)) return null;
  const bothObjects = typeof a === 'object' && typeof b === 'object' && a !== null && b !== null;
  if (!bothObjects)
    return `${path}: ${JSON.stringify(a)?.slice(0, 200)} and ${JSON.stringify(b)?.slice(0, 200)}`;
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  for (const key of keys) {
    const differing = difference(
      (a as Record<string, unknown>)[key],
      (b as Record<string, unknown>)[key],
      `${path}.${key}`,
    );
    if (differing) return differing;
  }
  return `${path}: same values, other order of keys`;
}

/** Keeps the responses of the reference server and compares those of the others with them. */
export function createComparison(): (
  name: string,
  operation: string,
  results: readonly unknown[],
) => void {
  const reference = new Map<string, { name: string; results: readonly unknown[] }>();
  return (name, operation, results) => {
    const expected = reference.get(operation);
    if (!expected) return void reference.set(operation, { name, results });
    const differing = difference(expected.results, results);
    if (differing)
      throw new Error(
        `${operation}: ${expected.name} and ${name} respond differently at ${differing}`,
      );
  };
}
