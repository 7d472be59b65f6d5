import type { GatewayResponse, GatewayRequest } from './gateway-client.js';

/** An update, independent of the API that it is sent to. */
export interface UpdateInput {
  readonly id: string;
  /**
   * Fields with the same name in both APIs, and `scheduledAt` and `recurring`, which only GraphQL
   * has by these names.
   */
  readonly patch: Readonly<Record<string, unknown>>;
  readonly key: string | null;
  readonly expectedVersion?: number;
}

/** Result of a change, as a response reports it. */
export interface ChangeResult {
  readonly outcome: 'acknowledged' | 'rejected';
  readonly code: string | null;
  readonly version: number | null;
  readonly job: string | null;
  readonly text: string | null;
}

const UPDATE =
  'mutation($input: UpdatePostInput!) { updatePost(input: $input) { post { version text } job { id } userErrors { code } } }';
const DELETE =
  'mutation($input: DeletePostsInput!) { deletePosts(input: $input) { deletedIds userErrors { code } } }';
const graphql = (query: string, input: object): GatewayRequest => ({
  method: 'POST',
  path: '/graphql',
  body: { query, variables: { input } },
});

const NO_RESULT = { code: null, version: null, job: null, text: null } as const;
const rejectedWith = (code: string): ChangeResult => ({ ...NO_RESULT, outcome: 'rejected', code });
const ACKNOWLEDGED: ChangeResult = { ...NO_RESULT, outcome: 'acknowledged' };
const isRejection = ({ status }: GatewayResponse): boolean => status === 412 || status === 422;
export const versionOf = (etag: unknown): number => Number(/^"(\d+)-/.exec(String(etag))?.[1]);

/** How an API expresses a change. */
interface ApiFormat<Input> {
  toRequest(input: Input): GatewayRequest;
  /** Null if the response does not report a result. */
  readResult(response: GatewayResponse): ChangeResult | null;
}

/** The update of a post in both APIs. */
export const UPDATES: Readonly<Record<'graphql' | 'v1', ApiFormat<UpdateInput>>> = {
  graphql: {
    toRequest: ({ id, patch, key, expectedVersion }) =>
      graphql(UPDATE, {
        id,
        post: patch,
        ...(key && { idempotencyKey: key }),
        ...(expectedVersion && { expectedVersion }),
      }),
    readResult({ status, body }) {
      const payload = status === 200 ? body.data?.updatePost : null;
      if (!payload) return null;
      const { post, job, userErrors } = payload;
      return userErrors.length > 0
        ? rejectedWith(userErrors[0].code)
        : { ...ACKNOWLEDGED, version: post.version, job: job?.id ?? null, text: post.text };
    },
  },
  v1: {
    toRequest: ({ id, patch, key, expectedVersion }) => ({
      method: 'PUT',
      path: `/v1/posts/${id}`,
      body: { post: patch },
      headers: {
        ...(key && { 'Idempotency-Key': key }),
        ...(expectedVersion && { 'If-Match': `"${expectedVersion}-0"` }),
      },
    }),
    readResult(response) {
      if (isRejection(response)) return rejectedWith(response.code);
      const { status, headers, body } = response;
      return status === 200
        ? {
            ...ACKNOWLEDGED,
            version: versionOf(headers['etag']),
            job: (headers['x-job-id'] as string | undefined) ?? null,
            text: body.text,
          }
        : null;
    },
  },
};

/** The deletion of several posts, all or none. */
export const DELETIONS: Readonly<
  Record<'graphql' | 'v1', ApiFormat<{ ids: readonly string[]; key: string | null }>>
> = {
  graphql: {
    toRequest: ({ ids, key }) => graphql(DELETE, { ids, ...(key && { idempotencyKey: key }) }),
    readResult({ status, body }) {
      const payload = status === 200 ? body.data?.deletePosts : null;
      if (!payload) return null;
      return payload.userErrors.length > 0
        ? rejectedWith(payload.userErrors[0].code)
        : ACKNOWLEDGED;
    },
  },
  v1: {
    toRequest: ({ ids, key }) => ({
      method: 'DELETE',
      path: `/v1/posts?${ids.map((id) => `post_ids[]=${id}`).join('&')}`,
      headers: { ...(key && { 'Idempotency-Key': key }) },
    }),
    readResult: (response) =>
      isRejection(response)
        ? rejectedWith(response.code)
        : response.status === 200
          ? ACKNOWLEDGED
          : null,
  },
};
