import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { DIALECTS, type Request } from './dialects.js';
import { restore, type Facts } from './facts.js';
import { DEEP_PAGE, DEEP_WORKSPACES, type Asking, type Operation } from './operations.js';
import { send, type RunningServer } from './running-server.js';

/** So many of an operation's requests are compared. */
const COMPARED = 20;

async function ask(running: RunningServer, request: Request): Promise<any> {
  const response = await send(running.origin, request);
  const text = await response.text();
  if (!response.ok)
    throw new Error(
      `${running.server.name} answers ${response.status} to ${request.path} ${request.body ?? ''}: ${text.slice(0, 500)}`,
    );
  const answer = JSON.parse(text) as { errors?: unknown };
  if (answer.errors)
    throw new Error(
      `${running.server.name} answers with errors to ${request.body}: ${text.slice(0, 500)}`,
    );
  return answer;
}

/** Where each deep workspace's hundredth page begins, by this server's own cursors. */
export async function deepCursors(
  running: RunningServer,
  facts: Facts,
): Promise<Record<string, string>> {
  const dialect = DIALECTS[running.server.dialect];
  const cursors: Record<string, string> = {};
  for (const workspace of facts.readers.slice(0, DEEP_WORKSPACES)) {
    let after: string | undefined;
    for (let page = 1; page < DEEP_PAGE; page++) {
      const next = dialect.endCursor(
        await ask(running, dialect.posts({ workspace, counted: false, after })),
      );
      if (!next) break; // a small seed has fewer pages
      after = next;
    }
    cursors[workspace] = after!;
  }
  return cursors;
}

/** The rows that a change has written: every server must leave the same. */
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

/** One update, the same again with a version that is no longer the post's, and one deletion; the rows after each, all taken back. */
async function changesOf(
  running: RunningServer,
  operation: Operation,
  asking: Asking,
  pool: pg.Pool,
): Promise<unknown[]> {
  const { dialect, facts } = asking;
  const answers: unknown[] = [];
  if (operation.name === 'M1') {
    const post = facts.updates[0]!;
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
      answers.push(dialect.meaning(await ask(running, attempt)), await rowsOf(pool, [post.id]));
  } else {
    const { workspace, ids } = facts.deletions[0]!;
    answers.push(
      dialect.meaning(await ask(running, dialect.remove(workspace, ids))),
      await rowsOf(pool, ids),
    );
  }
  await restore(pool);
  return answers;
}

/** What a server answers to an operation, in words that all share. */
export async function answersOf(
  running: RunningServer,
  operation: Operation,
  asking: Asking,
  pool: pg.Pool,
): Promise<unknown[]> {
  if (operation.changes) return changesOf(running, operation, asking, pool);
  const traffic = operation.traffic(asking, 0, 1);
  const requests = 'cycle' in traffic ? traffic.cycle.slice(0, COMPARED) : [];
  const answers: unknown[] = [];
  for (const request of requests) {
    const answer = await ask(running, request);
    answers.push(operation.door === 'v1' ? answer : asking.dialect.meaning(answer));
  }
  return answers;
}

/** The first place where two answers differ, for whoever has to find out why. */
function difference(a: unknown, b: unknown, path = ''): string | null {
  if (isDeepStrictEqual(a, b)) return null;
  const bothObjects = typeof a === 'object' && typeof b === 'object' && a !== null && b !== null;
  if (!bothObjects)
    return `${path}: ${JSON.stringify(a)?.slice(0, 200)} and ${JSON.stringify(b)?.slice(0, 200)}`;
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  for (const key of keys) {
    const found = difference(
      (a as Record<string, unknown>)[key],
      (b as Record<string, unknown>)[key],
      `${path}.${key}`,
    );
    if (found) return found;
  }
  return `${path}: the same, in another order of keys`;
}

/** Remembers the first server's answers and holds the others to them. */
export function createComparison(): (
  name: string,
  operation: string,
  answers: readonly unknown[],
) => void {
  const first = new Map<string, { name: string; answers: readonly unknown[] }>();
  return (name, operation, answers) => {
    const before = first.get(operation);
    if (!before) return void first.set(operation, { name, answers });
    const found = difference(before.answers, answers);
    if (found)
      throw new Error(`${operation}: ${before.name} and ${name} answer differently at ${found}`);
  };
}
