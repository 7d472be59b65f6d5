import {
  amiss,
  codeOf,
  insist,
  mutation,
  REFUSALS,
  tally,
  UNCLEAR,
  type Answer,
  type Request,
} from './asking.js';
import type { Stage } from './stage.js';

const TWINS = 20;
/** What a twin may hear at first: the first one is still under way (D27), or it is too busy here. */
const EXPLAINED = new Set(['done', 'IDEMPOTENCY_IN_FLIGHT', UNCLEAR]);

/** What an answer says of the outcome, in the words of neither door. */
interface Said {
  readonly code: string;
  readonly outcome: string;
  readonly isReplayed: boolean | null;
}

function read(answer: Answer): Said {
  const { status, headers, body } = answer;
  if (body.data !== undefined || body.errors?.[0]?.extensions) {
    const payload = body.data?.updatePost;
    return {
      code: codeOf(answer),
      outcome: `version ${payload?.post?.version} ${payload?.post?.text}`,
      isReplayed: null,
    };
  }
  const code = status === 200 ? 'done' : (REFUSALS[status] ?? `${status} ${JSON.stringify(body)}`);
  const outcome = body.deleted_ids
    ? body.deleted_ids.join()
    : `version ${/^"(\d+)-/.exec(String(headers.etag))?.[1]} ${body.text}`;
  return { code, outcome, isReplayed: headers['idempotency-replayed'] === 'true' };
}

/**
 * Sends the same request with the same idempotency key 20 times at once, to two gateways and through both doors (D27):
 * an update of a published post, which makes a job, and a deletion.
 * @returns what is broken, and the figures
 */
export async function twins(
  { gateways: { db, records }, asker, members: [as] }: Stage,
  rounds: number,
): Promise<{ broken: string[]; figures: string }> {
  const account = await records.anAccount({
    workspaceId: as.workspace.id,
    network: 'linkedin',
    sandbox: true,
  });
  const [broken, codes, heard]: [string[], string[], string[]] = [[], [], []];

  const same = async (what: string, requests: readonly Request[]): Promise<void> => {
    const told = Array.from({ length: TWINS }, (_none, twin) =>
      insist(
        async () => read(await asker.ask(twin >> 1, requests[twin % requests.length]!)),
        ({ code }) => code,
        heard,
      ),
    );
    const said = await Promise.all(told);
    codes.push(
      ...said.map(({ code, isReplayed }) => `${what} ${code}${isReplayed ? ' replayed' : ''}`),
    );
    const outcomes = [...new Set(said.map(({ code, outcome }) => `${code} ${outcome}`))];
    if (outcomes.length !== 1 || said[0]!.code !== 'done')
      broken.push(`${what}: twins were told ${outcomes.join(' and ')}`);
    // None, where the first was told that it is unclear.
    const firsts = said.filter(({ isReplayed }) => isReplayed === false).length;
    if (firsts > 1)
      broken.push(`${what}: ${firsts} of ${TWINS} were told that theirs was the first`);
  };
  for (let round = 0; round < rounds; round += 1) {
    const post = await records.aPost({ by: as, account, cell: 'published_posted' });
    const [text, key] = [`round ${round}`, `key ${round}`];
    await same('update', [
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
      broken.push(
        `round ${round}: version ${effect!.version} and ${effect!.jobs} jobs for one update`,
      );
    await same('delete', [
      {
        as,
        method: 'DELETE',
        path: `/v1/posts?post_ids[]=${post.id}`,
        headers: { 'idempotency-key': key },
      },
    ]);
  }
  const late = heard.filter((code) => code !== 'done').length;
  if (late > heard.length / 2) broken.push(`${late} of ${heard.length} twins had to ask again`);
  return {
    broken: [...broken, ...amiss(heard, EXPLAINED)],
    figures: `${rounds} rounds of ${TWINS} twins: ${tally(codes)}; told first: ${tally(heard)}`,
  };
}
