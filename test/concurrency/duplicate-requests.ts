import { mutation, type GatewayResponse, type GatewayRequest } from './gateway-client.js';
import {
  UNAVAILABLE,
  V1_ERROR_CODES,
  codeOf,
  countEach,
  retryUntilKnown,
  unexpectedCodes,
} from './outcomes.js';
import type { TestEnvironment } from './environment.js';

const DUPLICATES = 20;
/**
 * Codes of first responses: a duplicate may get 409 while the first request is running (D27), or
 * 503 when the service is busy.
 */
const EXPECTED_CODES = new Set(['done', 'IDEMPOTENCY_IN_FLIGHT', UNAVAILABLE]);

/** A response, independent of the API. */
interface ReadResponse {
  readonly code: string;
  readonly outcome: string;
  readonly isReplayed: boolean | null;
}

function readResponse(response: GatewayResponse): ReadResponse {
  const { status, headers, body } = response;
  if (body.data !== undefined || body.errors?.[0]?.extensions) {
    const payload = body.data?.updatePost;
    return {
      code: codeOf(response),
      outcome: `version ${payload?.post?.version} ${payload?.post?.text}`,
      isReplayed: null,
    };
  }
  const code =
    status === 200 ? 'done' : (V1_ERROR_CODES[status] ?? `${status} ${JSON.stringify(body)}`);
  const outcome = body.deleted_ids
    ? body.deleted_ids.join()
    : `version ${/^"(\d+)-/.exec(String(headers.etag))?.[1]} ${body.text}`;
  return { code, outcome, isReplayed: headers['idempotency-replayed'] === 'true' };
}

/**
 * Sends the same request with the same idempotency key 20 times concurrently, to two gateways and
 * through both APIs (D27): an update of a published post, which creates a job, and a deletion.
 * @returns the violations and a summary of the run
 */
export async function duplicateRequests(
  { gateways: { db, records }, gatewayClient, members: [as] }: TestEnvironment,
  rounds: number,
): Promise<{ violations: string[]; summary: string }> {
  const account = await records.anAccount({
    workspaceId: as.workspace.id,
    network: 'linkedin',
    sandbox: true,
  });
  const [violations, codes, firstCodes]: [string[], string[], string[]] = [[], [], []];

  const sendDuplicates = async (
    operation: string,
    requests: readonly GatewayRequest[],
  ): Promise<void> => {
    const pending = Array.from({ length: DUPLICATES }, (_none, index) =>
      retryUntilKnown(
        async () =>
          readResponse(await gatewayClient.send(index >> 1, requests[index % requests.length]!)),
        ({ code }) => code,
        firstCodes,
      ),
    );
    const responses = await Promise.all(pending);
    codes.push(
      ...responses.map(
        ({ code, isReplayed }) => `${operation} ${code}${isReplayed ? ' replayed' : ''}`,
      ),
    );
    const outcomes = [...new Set(responses.map(({ code, outcome }) => `${code} ${outcome}`))];
    if (outcomes.length !== 1 || responses[0]!.code !== 'done')
      violations.push(`${operation}: duplicate requests got ${outcomes.join(' and ')}`);
    // None if the outcome of the first request was unknown to its client.
    const notReplayed = responses.filter(({ isReplayed }) => isReplayed === false).length;
    if (notReplayed > 1)
      violations.push(
        `${operation}: ${notReplayed} of ${DUPLICATES} responses are not marked as replayed`,
      );
  };
  for (let round = 0; round < rounds; round += 1) {
    const post = await records.aPost({ by: as, account, storedState: 'published_posted' });
    const [text, key] = [`round ${round}`, `key ${round}`];
    await sendDuplicates('update', [
      {
        as,
        method: 'PUT',
        path: `/v1/posts/${post.id}`,
        headers: { 'idempotency-key': key },
        body: { post: { text } },
      },
      mutation(
        as,
        'updatePost',
        { id: String(post.databaseId), post: { text }, idempotencyKey: key },
        'post { version text }',
      ),
    ]);
    const {
      rows: [effect],
    } = await db.pool.query<{ version: number; jobs: number }>(
      "SELECT version, (SELECT count(*)::int FROM job WHERE post_id = p.id AND kind = 'network_edit') AS jobs FROM post p WHERE doc_id = $1",
      [post.id],
    );
    if (effect!.version !== 2 || effect!.jobs !== 1)
      violations.push(
        `round ${round}: version ${effect!.version} and ${effect!.jobs} jobs for one update`,
      );
    await sendDuplicates('delete', [
      {
        as,
        method: 'DELETE',
        path: `/v1/posts?post_ids[]=${post.id}`,
        headers: { 'idempotency-key': key },
      },
    ]);
  }
  const retried = firstCodes.filter((code) => code !== 'done').length;
  if (retried > firstCodes.length / 2)
    violations.push(`${retried} of ${firstCodes.length} duplicate requests had to be repeated`);
  return {
    violations: [...violations, ...unexpectedCodes(firstCodes, EXPECTED_CODES)],
    summary: `${rounds} rounds of ${DUPLICATES} duplicate requests: ${countEach(codes)}; first responses: ${countEach(firstCodes)}`,
  };
}
