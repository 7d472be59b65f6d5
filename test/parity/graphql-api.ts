import { enumName } from '../../src/graphql/schema/enums.js';
import { timestampOrNull } from '../../src/domain/timestamp.js';
import type { TestGateway } from '../fixtures/gateway.js';
import type { PostPatch } from '../../src/domain/posts/post-fields.js';
import type { KeyedViewer } from '../fixtures/records.js';
import {
  refused,
  toRestKeys,
  toV1Message,
  type ActionName,
  type Api,
  type Json,
  type Outcome,
  type WriteOptions,
} from './api.js';

const SUMMARY =
  'id text type url state accountId user { id name picture } scheduledAt postLink hasMedia network';
const DETAIL = `id text state type accountId account { id type name picture } user { id name picture } scheduledAt createdAt updatedAt postLink
  media { id type url altText } link { url title description imageUrl } labels { id name color } auto
  recycling { solo gap gapFreq startDate expireCount } recurring { frequency repeatEvery weekdays startDate }`;

const SERIES = 'series { made kept moved { from to } removed independent }';

/** What both APIs tell of the post after an action. */
const ACTED = 'id state text scheduledAt accountId';
const MUTATIONS: Readonly<Record<ActionName, string>> = {
  schedule: 'schedulePosts',
  review: 'reviewPosts',
  retry: 'retryPosts',
  pause: 'pausePosts',
  resume: 'resumePosts',
  unpublish: 'unpublishPosts',
  restore: 'restorePosts',
  resolve: 'resolvePublication',
  revert: 'revertPost',
};
const HAS_JOB: ReadonlySet<ActionName> = new Set(['schedule', 'retry', 'unpublish']);

/** An input of v1 with the names and enum values of GraphQL. */
const toGraphqlInput = (input: Readonly<Record<string, unknown>>): Json =>
  Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
      ['mode', 'decision', 'visibility', 'policy'].includes(key)
        ? (value as string).toUpperCase()
        : value,
    ]),
  );

const ENUM_FIELDS = ['state', 'type', 'network'] as const;
const time = (text: string | null): string | null =>
  timestampOrNull(text === null ? null : new Date(text));

/**
 * Converts a GraphQL post to the format of the REST API: enum values in lower case, times with an
 * offset instead of Z.
 */
function toRestPost({ version: _version, ...post }: Json): unknown {
  for (const field of ENUM_FIELDS)
    if (typeof post[field] === 'string') post[field] = (post[field] as string).toLowerCase();
  for (const key of ['scheduledAt', 'createdAt', 'updatedAt'])
    if (post[key] !== undefined) post[key] = time(post[key]);
  if (post.recurring) post.recurring.startDate = time(post.recurring.startDate);
  return toRestKeys(post);
}

/** Converts what an update does to a series to the format of the REST API. */
const toRestSeries = ({ made, kept, moved, removed, independent }: Json): unknown => ({
  made: made.map(time),
  kept: kept.map(time),
  moved: moved.map(({ from, to }: Json) => ({ from: time(from), to: time(to) })),
  removed: removed.map(time),
  independent,
});

export function graphqlApi({ graphql }: TestGateway): Api {
  const failed = ({ errors }: Json): Outcome => {
    const [
      {
        message,
        extensions: { code, problems },
      },
    ] = errors;
    return refused(
      code,
      (problems as { message: string }[] | undefined)?.map((one) => one.message) ?? [message],
    );
  };
  async function send(
    as: KeyedViewer,
    query: string,
    variables: object,
  ): Promise<{ data?: Json; refusal?: Outcome }> {
    const { body } = await graphql(query, variables as Record<string, unknown>, { as });
    return body.errors ? { refusal: failed(body) } : { data: body.data };
  }
  const toInput = ({ expectedVersion, key, dryRun = false }: WriteOptions) => ({
    expectedVersion,
    idempotencyKey: key,
    dryRun,
  });
  const toEnumNames = (values: readonly string[] | undefined) => values?.map(enumName);

  return {
    name: 'graphql',
    async list(as, { states, types, ...filter }) {
      const { data, refusal } = await send(
        as,
        `query($filter: PostFilter) { posts(filter: $filter, first: 10) { totalCount nodes { ${SUMMARY} } } }`,
        { filter: { ...filter, states: toEnumNames(states), types: toEnumNames(types) } },
      );
      if (!data) return refusal!;
      // v1 returns the URL of link posts only; GraphQL returns every post's `url`, including a
      // blog's slug.
      const posts = data.posts.nodes.map((post: Json) =>
        toRestPost({ ...post, url: post.type === 'LINK' ? post.url : null }),
      );
      return { kind: 'ok', body: { posts, total: data.posts.totalCount } };
    },
    async get(as, id) {
      const { data, refusal } = await send(
        as,
        `query($id: ID!) { post(id: $id) { version ${DETAIL} } }`,
        { id },
      );
      return data
        ? { kind: 'ok', body: toRestPost(data.post), version: data.post.version, hasJob: false }
        : refusal!;
    },
    async update(as, id, patch, options) {
      const post = { ...patch, ...(patch.type && { type: enumName(patch.type) }) };
      const { data, refusal } = await send(
        as,
        `mutation($input: UpdatePostInput!) { updatePost(input: $input) { post { version ${DETAIL} } ${SERIES} job { id } userErrors { code message } } }`,
        { input: { id, post, ...toInput(options) } },
      );
      if (!data) return refusal!;
      const { userErrors, post: updatedPost, series, job } = data.updatePost as Json;
      if (userErrors.length > 0)
        return refused(
          userErrors[0].code,
          userErrors.map((one: Json) => one.message),
        );
      return {
        kind: 'ok',
        body: {
          ...(toRestPost(updatedPost) as Json),
          ...(series && { series_change: toRestSeries(series) }),
        },
        version: options.dryRun ? null : updatedPost.version,
        hasJob: job !== null,
      };
    },
    async create(as, { mode, visibility = 'account', targets, post, variants = {} }, options) {
      const toPatch = (patch: PostPatch) => ({
        ...patch,
        ...(patch.type && { type: enumName(patch.type) }),
      });
      const { key, dryRun = false } = options;
      const { data, refusal } = await send(
        as,
        'mutation($input: CreatePostsInput!) { createPosts(input: $input) { results { accountId state scheduledAt code } userErrors { code message } } }',
        {
          input: {
            mode: enumName(mode),
            visibility: enumName(visibility),
            targets: targets.map(({ labels, ...target }) => ({
              ...target,
              ...(labels && { post: { labels } }),
            })),
            post: toPatch(post),
            variants: Object.entries(variants).map(([network, variant]) => ({
              network: enumName(network),
              post: toPatch(variant),
            })),
            allowDuplicate: true,
            idempotencyKey: key,
            dryRun,
          },
        },
      );
      if (!data) return refusal!;
      const { results, userErrors } = data.createPosts as Json;
      if (results.length === 0)
        return refused(
          userErrors[0].code,
          userErrors.map((one: Json) => one.message),
        );
      return {
        kind: 'ok',
        body: {
          posts: results
            .filter((result: Json) => result.code === null)
            .map(({ accountId, state, scheduledAt }: Json) => ({
              account_id: accountId,
              state: state.toLowerCase(),
              scheduled_at: time(scheduledAt),
            })),
          failures: userErrors.map((one: Json) => toV1Message(one.message)).sort(),
        },
      };
    },
    async act(as, { name, ids, input = {} }, { key, dryRun = false }) {
      const { versions, ...rest } = input;
      const isOne = name === 'resolve' || name === 'revert';
      const mutation = MUTATIONS[name];
      const posts =
        name === 'review'
          ? {
              posts: ids.map((id, index) => ({
                id,
                expectedVersion: (versions as number[] | undefined)?.[index],
              })),
            }
          : { ids };
      const variables = {
        ...(isOne ? { id: ids[0] } : posts),
        ...toGraphqlInput(rest),
        idempotencyKey: key,
        dryRun,
      };
      const fields = isOne
        ? `post { ${ACTED} }`
        : `results { id done code message post { ${ACTED} } }`;
      const { data, refusal } = await send(
        as,
        `mutation($input: ${mutation[0]!.toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $input) { ${fields} ${HAS_JOB.has(name) ? 'job { id }' : ''} userErrors { code message } } }`,
        { input: variables },
      );
      if (!data) return refusal!;
      const { results, post, job = null, userErrors } = data[mutation] as Json;
      const isRefused = isOne ? post === null : !results.some(({ done }: Json) => done);
      if (isRefused) {
        // v1 names the post of each message, because one response is about all of them.
        const messages: string[] =
          isOne || results.length === 0
            ? userErrors.map((one: Json) =>
                name === 'resolve' ? `${ids[0]}: ${one.message}` : one.message,
              )
            : results.map(({ id, message }: Json) => `${id}: ${message}`);
        return refused(userErrors[0].code, messages);
      }
      if (name === 'revert') return { kind: 'ok', body: toRestPost(post) };
      const all = isOne ? [{ id: ids[0], done: true, code: null, message: null, post }] : results;
      return {
        kind: 'ok',
        body: {
          results: all.map((result: Json) => ({
            ...result,
            message: result.message && toV1Message(result.message),
            post: result.post && toRestPost(result.post),
          })),
          hasJob: job !== null,
        },
      };
    },
    async remove(as, ids, { key, dryRun = false, onNetwork = false }) {
      const { data, refusal } = await send(
        as,
        'mutation($input: DeletePostsInput!) { deletePosts(input: $input) { job { id } results { id code message } userErrors { code message } } }',
        { input: { ids, idempotencyKey: key, dryRun, onNetwork } },
      );
      if (!data) return refusal!;
      const { job, results, userErrors } = data.deletePosts as Json;
      if (results.length === 0)
        return refused(
          userErrors[0].code,
          userErrors.map((one: Json) => one.message),
        );
      const failures: Json[] = results.filter(({ code }: Json) => code !== null);
      const messages = Object.fromEntries(failures.map(({ id, message }) => [id, [message]]));
      if (job) return { kind: 'ok', body: { failures: messages } };
      const accepted: Json[] = results.filter(({ code }: Json) => code === null);
      if (accepted.length > 0) {
        return {
          kind: 'ok',
          body: {
            deleted_ids: accepted.map(({ id }) => id),
            ...(failures.length > 0 && { failures: messages }),
          },
        };
      }
      // If no post is deleted, v1 responds with 422 if every id is unknown, with 409 if every post is
      // being published, otherwise with 403 (D31).
      const [first, ...others] = new Set<string>(failures.map(({ code }) => code));
      const code =
        others.length === 0 && ['POST_NOT_FOUND', 'PUBLISHING'].includes(first!)
          ? first!
          : 'FORBIDDEN';
      return refused(
        code,
        failures.map(({ id, message }) => `${id}: ${message}`),
      );
    },
  };
}
