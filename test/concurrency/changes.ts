import type { Post } from '../../src/domain/posts/post.js';
import { inconsistencies } from '../fixtures/inconsistencies.js';
import { amiss, codeOf, mutation, REFUSALS, tally, UNCLEAR, type Answer } from './asking.js';
import { anyOf, inParallel, type Stage } from './stage.js';

interface Shown {
  readonly text: string;
  readonly labels: readonly string[];
}
/** A change that was asked for, by a mark that no other has, and what was said of it. */
interface Asked extends Span {
  readonly mark: string;
  readonly expected: number | undefined;
  readonly outcome: Outcome;
}
/** From when it was sent until it was answered, by the clock of this process. */
interface Span {
  readonly sentAt: number;
  readonly endedAt: number;
}
interface Deletion extends Span {
  readonly code: string;
}
interface Outcome {
  readonly code: string;
  readonly version?: number;
  readonly shown?: Shown;
}
/** A change that is in the history of a post. */
interface Revision {
  readonly version: number;
  readonly text: string | null;
  readonly labels: readonly { name: string }[] | null;
}

/** So many fight about so few that most changes meet another one. */
const CLIENTS = 64;
const POSTS = 8;
/** Labels that several changes want at once, and that one of them makes. */
const SHARED = 40;
const EXPLAINED = new Set(['done', 'deleted', 'CONFLICT', 'POST_NOT_FOUND', UNCLEAR]);

const names = (labels: readonly { name: string }[]): string[] =>
  labels.map(({ name }) => name).sort();

function ofRest({ status, headers, body }: Answer): Outcome {
  if (status !== 200) return { code: REFUSALS[status] ?? `${status} ${JSON.stringify(body)}` };
  return {
    code: 'done',
    version: Number(/^"(\d+)-/.exec(String(headers.etag))![1]),
    shown: { text: body.text, labels: names(body.labels) },
  };
}
function ofGraphql(answer: Answer): Outcome {
  const payload = answer.body.data?.updatePost;
  if (!payload) return { code: codeOf(answer) };
  return payload.post
    ? {
        code: 'done',
        version: payload.post.version,
        shown: { text: payload.post.text, labels: names(payload.post.labels) },
      }
    : { code: payload.userErrors[0].code };
}

const markOf = (
  { text, labels }: Pick<Revision, 'text' | 'labels'>,
  marks: ReadonlyMap<string, unknown>,
): string => text ?? labels?.find(({ name }) => marks.has(name))?.name ?? '';

/** Every change that was acknowledged is in the history once, as the version that was said, and was shown as the history up to it makes it; nothing that was refused is there. */
function departures(
  post: Post,
  asked: readonly Asked[],
  { revisions, ...stored }: { version: number; shown: Shown; revisions: readonly Revision[] },
): string[] {
  const byMark = new Map(asked.map((one) => [one.mark, one.outcome]));
  const kept = new Set<string>();
  let shown: Shown = { text: post.text, labels: [] };
  const broken = revisions.flatMap(({ version, text, labels }) => {
    shown = { text: text ?? shown.text, labels: labels ? names(labels) : shown.labels };
    const mark = markOf({ text, labels }, byMark);
    const outcome = byMark.get(mark);
    kept.add(mark);
    if (
      outcome?.code === UNCLEAR ||
      (outcome?.version === version && JSON.stringify(outcome.shown) === JSON.stringify(shown))
    )
      return [];
    return [
      `post ${post.id} has ${mark} as version ${version}, ${JSON.stringify(shown)}; answered was ${JSON.stringify(outcome)}`,
    ];
  });
  const lost = asked
    .filter(({ mark, outcome }) => outcome.code === 'done' && !kept.has(mark))
    .map(({ mark }) => `post ${post.id}: ${mark} was acknowledged and is lost`);
  const [is, due] = [stored, { version: revisions.length + 1, shown }].map((one) =>
    JSON.stringify(one),
  );
  return [
    ...broken,
    ...lost,
    ...(is === due ? [] : [`post ${post.id} is stored as ${is}; by its history it is ${due}`]),
  ];
}

/** What has to be so of one that was asked, for the answer that it got. */
const GROUNDS: Readonly<
  Record<
    string,
    (one: Asked, known: { next: Span | undefined; deletion: Span | undefined }) => boolean
  >
> = {
  done: ({ expected, outcome: { version } }) => expected === undefined || version === expected + 1,
  // The version that came after the expected one was asked for before the conflict was told.
  CONFLICT: ({ expected, endedAt }, { next }) =>
    expected !== undefined && next !== undefined && next.sentAt < endedAt,
  POST_NOT_FOUND: ({ endedAt }, { deletion }) =>
    deletion !== undefined && deletion.sentAt < endedAt,
};

/** Answers without grounds, versions in another order than clients have seen, and changes of a post that was known to be gone. */
function anachronisms(
  { id }: Post,
  asked: readonly Asked[],
  deletions: readonly Deletion[],
  revisions: readonly Revision[],
): string[] {
  const byMark = new Map(asked.map((one) => [one.mark, one]));
  const history = revisions.map((revision) => byMark.get(markOf(revision, byMark)));
  const deletion = deletions
    .filter(({ code }) => code === 'deleted' || code === UNCLEAR)
    .toSorted((a, b) => a.sentAt - b.sentAt)[0];
  const goneAt = Math.min(
    ...deletions.filter(({ code }) => code === 'deleted').map(({ endedAt }) => endedAt),
  );
  const groundless = asked.filter(
    (one) =>
      GROUNDS[one.outcome.code]?.(one, { next: history[one.expected! - 1], deletion }) === false,
  );
  const late = history.filter((one) => one && one.sentAt > goneAt);
  let sentAt = 0;
  const overtaken = history.filter((one) => {
    sentAt = Math.max(sentAt, one?.sentAt ?? 0);
    return one?.outcome.code === 'done' && one.endedAt < sentAt;
  });
  return Object.entries({
    'was answered without grounds': groundless,
    'was begun after the post was known to be gone': late,
    'was answered before an earlier version was asked for': overtaken,
  }).flatMap(([what, all]) =>
    all.map((one) => `post ${id}: what ${what} is ${JSON.stringify(one)}`),
  );
}

const STORED = `SELECT p.doc_id AS id, p.version, p.deleted_at IS NOT NULL AS "isDeleted", b.text, ARRAY(SELECT l.name FROM post_label x JOIN label l ON l.id = x.label_id WHERE x.post_id = p.id ORDER BY l.name) AS labels,
    ARRAY(SELECT json_build_object('version', r.version, 'text', r.changes->'text'->'to', 'labels', r.changes->'labels'->'to') FROM revision r WHERE r.post_id = p.id ORDER BY r.version) AS revisions
  FROM post p JOIN post_body b ON b.post_id = p.id WHERE p.doc_id = ANY($1)`;

/**
 * Lets 64 clients update, relabel and delete the same posts through both doors of two gateways, and holds the outcome
 * to one order, that of the versions.
 * @returns what is broken, and the figures
 */
export async function contendedChanges(
  { gateways: { db, records }, asker, members }: Stage,
  steps: number,
): Promise<{ broken: string[]; figures: string }> {
  const [owner] = members;
  const posts: Post[] = [];
  for (let count = 0; count < POSTS; count += 1)
    posts.push(await records.aPost({ by: owner, text: 'first' }));
  const doomed = posts.slice(0, POSTS / 2);
  const asked = new Map(posts.map(({ id }) => [id, [] as Asked[]]));
  const deletions = new Map(posts.map(({ id }) => [id, [] as Deletion[]]));
  const codes: string[] = [];

  const change = async (client: number, step: number): Promise<void> => {
    const [post, as, gateway, mark] = [
      anyOf(posts),
      anyOf(members),
      client + step,
      `c${client}s${step}`,
    ];
    const part =
      Math.random() < 0.4
        ? {
            labels: [mark, `shared ${Math.floor(Math.random() * SHARED)}`].map((name) => ({
              name,
            })),
          }
        : { text: mark };
    const known = asked
      .get(post.id)!
      .reduce((version, { outcome }) => Math.max(version, outcome.version ?? 1), 1);
    const expected = Math.random() < 0.2 ? known : undefined;
    const input = {
      id: post.id,
      post: part,
      ...(expected !== undefined && { expectedVersion: expected }),
    };
    const sentAt = performance.now();
    const outcome =
      Math.random() < 0.5
        ? ofGraphql(
            await asker.ask(
              gateway,
              mutation(as, 'updatePost', input, 'post { version text labels { name } }'),
            ),
          )
        : ofRest(
            await asker.ask(gateway, {
              as,
              method: 'PUT',
              path: `/v1/posts/${post.id}`,
              body: { post: part },
              ...(expected !== undefined && { headers: { 'if-match': `"${expected}-x"` } }),
            }),
          );
    codes.push(outcome.code);
    asked.get(post.id)!.push({ mark, expected, sentAt, endedAt: performance.now(), outcome });
  };
  const remove = async (gateway: number, { id }: Post): Promise<void> => {
    const sentAt = performance.now();
    const { status, body } = await asker.ask(gateway, {
      as: anyOf(members),
      method: 'DELETE',
      path: `/v1/posts?post_ids[]=${id}`,
    });
    const code =
      status === 200 ? 'deleted' : (REFUSALS[status] ?? `${status} ${JSON.stringify(body)}`);
    codes.push(code);
    deletions.get(id)!.push({ code, sentAt, endedAt: performance.now() });
  };
  await inParallel(CLIENTS, steps, (client, step) =>
    step >= steps / 2 && Math.random() < 0.02
      ? remove(client + step, anyOf(doomed))
      : change(client, step),
  );

  const { rows } = await db.pool.query<{
    id: string;
    version: number;
    isDeleted: boolean;
    text: string;
    labels: string[];
    revisions: Revision[];
  }>(STORED, [posts.map(({ id }) => id)]);
  const broken = posts.flatMap((post) => {
    const { version, text, labels, isDeleted, revisions } = rows.find(({ id }) => id === post.id)!;
    const said = deletions.get(post.id)!.map(({ code }) => code);
    const times = said.filter((code) => code === 'deleted').length;
    const isRight = isDeleted
      ? times === 1 || (times === 0 && said.includes(UNCLEAR))
      : times === 0;
    return [
      ...departures(post, asked.get(post.id)!, {
        version,
        shown: { text, labels: [...labels].sort() },
        revisions,
      }),
      ...anachronisms(post, asked.get(post.id)!, deletions.get(post.id)!, revisions),
      ...(isRight
        ? []
        : [`post ${post.id} was acknowledged as deleted ${times} times; deleted: ${isDeleted}`]),
    ];
  });
  return {
    broken: [...broken, ...amiss(codes, EXPLAINED), ...(await inconsistencies(db.pool, [owner]))],
    figures: `${CLIENTS} clients, ${POSTS} posts, ${codes.length} changes: ${tally(codes)}`,
  };
}
