import type { Post } from '../../src/domain/posts/post.js';
import { dataInconsistencies } from '../fixtures/data-inconsistencies.js';
import {
  deletionViolations,
  labelNames,
  orderViolations,
  revisionViolations,
  type Outcome,
  type Revision,
  type SentChange,
  type SentDeletion,
} from './change-order.js';
import { randomOf, runClients, type TestEnvironment } from './environment.js';
import { mutation, type GatewayResponse } from './gateway-client.js';
import { codeOf, countEach, unexpectedCodes, UNAVAILABLE, V1_ERROR_CODES } from './outcomes.js';

/** Many clients and few posts, so that most changes conflict. */
const CLIENTS = 64;
const POSTS = 8;
/** Labels that several changes set, and that one of them creates. */
const SHARED_LABELS = 40;
const EXPECTED_CODES = new Set(['done', 'deleted', 'CONFLICT', 'POST_NOT_FOUND', UNAVAILABLE]);

/** What the clients sent, by post ID. */
interface SentRequests {
  readonly changes: ReadonlyMap<string, SentChange[]>;
  readonly deletions: ReadonlyMap<string, SentDeletion[]>;
}

function readV1Outcome({ status, headers, body }: GatewayResponse): Outcome {
  if (status !== 200)
    return { code: V1_ERROR_CODES[status] ?? `${status} ${JSON.stringify(body)}` };
  return {
    code: 'done',
    version: Number(/^"(\d+)-/.exec(String(headers.etag))![1]),
    content: { text: body.text, labels: labelNames(body.labels) },
  };
}
function readGraphqlOutcome(response: GatewayResponse): Outcome {
  const payload = response.body.data?.updatePost;
  if (!payload) return { code: codeOf(response) };
  return payload.post
    ? {
        code: 'done',
        version: payload.post.version,
        content: { text: payload.post.text, labels: labelNames(payload.post.labels) },
      }
    : { code: payload.userErrors[0].code };
}

const randomPatch = (mark: string): object =>
  Math.random() < 0.4
    ? {
        labels: [mark, `shared ${Math.floor(Math.random() * SHARED_LABELS)}`].map((name) => ({
          name,
        })),
      }
    : { text: mark };

/** Changes the text or the labels of a random post, sometimes with an expected version. */
async function sendChange(
  { gatewayClient, members }: TestEnvironment,
  post: Post,
  { gateway, mark, sent }: { gateway: number; mark: string; sent: SentRequests },
): Promise<void> {
  const as = randomOf(members);
  const changes = sent.changes.get(post.id)!;
  const patch = randomPatch(mark);
  const latestVersion = changes.reduce(
    (version, { outcome }) => Math.max(version, outcome.version ?? 1),
    1,
  );
  const expectedVersion = Math.random() < 0.2 ? latestVersion : undefined;
  const input = {
    id: post.id,
    post: patch,
    ...(expectedVersion !== undefined && { expectedVersion }),
  };
  const sentAt = performance.now();
  const outcome =
    Math.random() < 0.5
      ? readGraphqlOutcome(
          await gatewayClient.send(
            gateway,
            mutation(as, 'updatePost', input, 'post { version text labels { name } }'),
          ),
        )
      : readV1Outcome(
          await gatewayClient.send(gateway, {
            as,
            method: 'PUT',
            path: `/v1/posts/${post.id}`,
            body: { post: patch },
            ...(expectedVersion !== undefined && {
              headers: { 'if-match': `"${expectedVersion}-x"` },
            }),
          }),
        );
  changes.push({ mark, expectedVersion, sentAt, endedAt: performance.now(), outcome });
}

async function sendDeletion(
  { gatewayClient, members }: TestEnvironment,
  { id }: Post,
  { gateway, sent }: { gateway: number; sent: SentRequests },
): Promise<void> {
  const sentAt = performance.now();
  const { status, body } = await gatewayClient.send(gateway, {
    as: randomOf(members),
    method: 'DELETE',
    path: `/v1/posts?post_ids[]=${id}`,
  });
  const code =
    status === 200 ? 'deleted' : (V1_ERROR_CODES[status] ?? `${status} ${JSON.stringify(body)}`);
  sent.deletions.get(id)!.push({ code, sentAt, endedAt: performance.now() });
}

const STORED_SQL = `SELECT p.doc_id AS id, p.version, p.deleted_at IS NOT NULL AS "isDeleted", b.text, ARRAY(SELECT l.name FROM post_label x JOIN label l ON l.id = x.label_id WHERE x.post_id = p.id ORDER BY l.name) AS labels,
    ARRAY(SELECT json_build_object('version', r.version, 'text', r.changes->'text'->'to', 'labels', r.changes->'labels'->'to') FROM revision r WHERE r.post_id = p.id ORDER BY r.version) AS revisions
  FROM post p JOIN post_body b ON b.post_id = p.id WHERE p.doc_id = ANY($1)`;

interface StoredRow {
  id: string;
  version: number;
  isDeleted: boolean;
  text: string;
  labels: string[];
  revisions: Revision[];
}

/** Compares the stored posts with what was sent and returned. */
function changeViolations(
  posts: readonly Post[],
  sent: SentRequests,
  rows: readonly StoredRow[],
): string[] {
  return posts.flatMap((post) => {
    const { version, text, labels, isDeleted, revisions } = rows.find(({ id }) => id === post.id)!;
    const changes = sent.changes.get(post.id)!;
    const deletions = sent.deletions.get(post.id)!;
    const content = { text, labels: [...labels].sort() };
    return [
      ...revisionViolations(post, changes, { version, content, revisions }),
      ...orderViolations(post, changes, { deletions, revisions }),
      ...deletionViolations(post, deletions, isDeleted),
    ];
  });
}

/**
 * Lets 64 clients update, label and delete the same posts through both APIs of two gateways, and
 * checks that the changes have one order, that of the versions.
 * @returns the violations and a summary of the run
 */
export async function contendedChanges(
  environment: TestEnvironment,
  steps: number,
): Promise<{ violations: string[]; summary: string }> {
  const {
    gateways: { db, records },
    members: [owner],
  } = environment;
  const posts: Post[] = [];
  for (let count = 0; count < POSTS; count += 1)
    posts.push(await records.aPost({ by: owner, text: 'first' }));
  const deletable = posts.slice(0, POSTS / 2);
  const sent: SentRequests = {
    changes: new Map(posts.map(({ id }) => [id, []])),
    deletions: new Map(posts.map(({ id }) => [id, []])),
  };
  await runClients(CLIENTS, steps, (client, step) => {
    const gateway = client + step;
    return step >= steps / 2 && Math.random() < 0.02
      ? sendDeletion(environment, randomOf(deletable), { gateway, sent })
      : sendChange(environment, randomOf(posts), { gateway, mark: `c${client}s${step}`, sent });
  });
  const codes = [
    ...[...sent.changes.values()].flat().map(({ outcome }) => outcome.code),
    ...[...sent.deletions.values()].flat().map(({ code }) => code),
  ];
  const { rows } = await db.pool.query<StoredRow>(STORED_SQL, [posts.map(({ id }) => id)]);
  return {
    violations: [
      ...changeViolations(posts, sent, rows),
      ...unexpectedCodes(codes, EXPECTED_CODES),
      ...(await dataInconsistencies(db, [owner])),
    ],
    summary: `${CLIENTS} clients, ${POSTS} posts, ${codes.length} changes: ${countEach(codes)}`,
  };
}
