import type { PostPatch } from '../../src/domain/posts/post-fields.js';
import type { TestResponse, TestGateway } from '../fixtures/gateway.js';
import {
  each,
  refused,
  toRestKeys,
  type Api,
  type Json,
  type Outcome,
  type Params,
  type WriteOptions,
} from './api.js';

/** What both APIs tell of the post after an action. */
const detailOf = ({ id, state, text, scheduled_at, account_id }: Json): Json => ({
  id,
  state,
  text,
  scheduled_at,
  account_id,
});

export function restApi({ v1 }: Pick<TestGateway, 'v1'>): Api {
  const toOutcome = ({ status, body, headers }: TestResponse<Json>): Outcome => {
    if (status !== 200) return refused(body.code, body.errors);
    const tag = headers.get('etag');
    return {
      kind: 'ok',
      body,
      version: tag === null ? null : parseInt(tag.slice(1), 10),
      hasJob: headers.has('x-job-id'),
    };
  };
  const headersOf = ({ key, expectedVersion }: WriteOptions): Record<string, string> => ({
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...(expectedVersion !== undefined && { 'If-Match': `"${expectedVersion}-any"` }),
  });
  const dryRunParam = ({ dryRun }: WriteOptions): Params => (dryRun ? [['dry_run', 'true']] : []);

  return {
    name: 'rest',
    async list(as, { states, types, accountIds, memberId, from, to, query }) {
      const single = Object.entries({
        member_id: memberId,
        from: from?.toISOString(),
        to: to?.toISOString(),
        query,
      });
      const params = new URLSearchParams([
        ...each('state[]', states),
        ...each('postType', types),
        ...each('account_ids[]', accountIds),
        ...single.flatMap(([name, value]) => each(name, value === undefined ? [] : [value])),
      ]);
      const outcome = toOutcome(await v1('GET', `/posts?${params}`, { as }));
      return outcome.kind === 'ok'
        ? {
            kind: 'ok',
            body: { posts: (outcome.body as Json).posts, total: (outcome.body as Json).total },
          }
        : outcome;
    },
    get: async (as, id) => toOutcome(await v1('GET', `/posts/${id}`, { as })),
    update: async (as, id, patch, options) =>
      toOutcome(
        await v1('PUT', `/posts/${id}?${new URLSearchParams(dryRunParam(options))}`, {
          as,
          headers: headersOf(options),
          body: { post: toRestKeys(patch) },
        }),
      ),
    async create(as, { mode, visibility = 'account', targets, post, variants = {} }, options) {
      const content = ({ networkOptions, ...patch }: PostPatch): object => ({
        ...(toRestKeys(patch) as object),
        ...networkOptions,
      });
      const entry = {
        networks: {
          default: content(post),
          ...Object.fromEntries(
            Object.entries(variants).map(([network, variant]) => [network, content(variant)]),
          ),
        },
        accounts: targets.map(({ accountId: id, scheduledAt, labels }) => ({
          id,
          ...(scheduledAt && { scheduled_at: scheduledAt.toISOString() }),
          ...(labels && { labels }),
        })),
        ...(mode === 'add_to_queue' && { auto: true }),
      };
      const draft = visibility === 'account' ? 'draft' : `draft_${visibility}`;
      const state = mode === 'draft' ? draft : 'scheduled';
      const route = mode === 'share_now' ? '/posts/schedule/publish' : '/posts/schedule';
      const { status, body } = await v1(
        'POST',
        `${route}?${new URLSearchParams(dryRunParam(options))}`,
        { as, headers: headersOf(options), body: { bulk: { state, posts: [entry] } } },
      );
      if (status >= 400) return refused(body.code, body.errors);
      const payload =
        status === 202
          ? (await v1('GET', `/job_status/${body.job_id}`, { as })).body.payload
          : body;
      return {
        kind: 'ok',
        body: {
          posts: payload.posts.map(({ account_id, state: postState, scheduled_at }: Json) => ({
            account_id,
            state: postState,
            scheduled_at,
          })),
          failures: Object.values(payload.failures as Record<string, string[]>)
            .flat()
            .map((message) => message.replace(/^posts\[0\]: /, ''))
            .sort(),
        },
      };
    },
    async act(as, { name, ids, input = {} }, options) {
      const isOne = name === 'resolve' || name === 'revert';
      const params = new URLSearchParams(dryRunParam(options));
      const route = isOne ? `/posts/${ids[0]}/${name}` : `/posts/actions/${name}`;
      const { versions, ...rest } = input;
      const posts =
        name === 'review'
          ? {
              posts: ids.map((id, index) => ({
                id,
                expected_version: (versions as number[] | undefined)?.[index],
              })),
            }
          : { post_ids: ids };
      const { status, body } = await v1('POST', `${route}?${params}`, {
        as,
        headers: headersOf({ key: options.key }),
        body: { ...(!isOne && posts), ...rest },
      });
      if (status >= 400) return refused(body.code, body.errors);
      if (name === 'revert') return { kind: 'ok', body: detailOf(body) };
      return {
        kind: 'ok',
        body: {
          results: body.results.map(({ post, ...result }: Json) => ({
            ...result,
            post: post && detailOf(post),
          })),
          hasJob: body.job_id !== null,
        },
      };
    },
    async remove(as, ids, options) {
      const params = new URLSearchParams([
        ...each('post_ids[]', ids),
        ...dryRunParam(options),
        ...each('on_network', options.onNetwork ? ['true'] : []),
      ]);
      const response = await v1('DELETE', `/posts?${params}`, { as, headers: headersOf(options) });
      if (response.status === 202) {
        const job = await v1('GET', `/job_status/${response.body.job_id}`, { as });
        return { kind: 'ok', body: job.body.payload };
      }
      const outcome = toOutcome(response);
      return outcome.kind === 'ok' ? { kind: 'ok', body: outcome.body } : outcome;
    },
  };
}
