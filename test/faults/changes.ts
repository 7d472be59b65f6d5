import type { Answer, Request } from './asking.js';

/** A change before it is sent: each door writes it down in its own way. */
export interface Wish {
  readonly id: string;
  /** Fields that both doors call by the same name; `scheduledAt` and `recurring` are GraphQL's alone. */
  readonly patch: Readonly<Record<string, unknown>>;
  readonly key: string | null;
  readonly expectedVersion?: number;
}

/** What an answer says of a change; null where it says nothing of it. */
export interface Told {
  readonly outcome: 'done' | 'refused';
  readonly code: string | null;
  readonly version: number | null;
  readonly job: string | null;
  readonly text: string | null;
}

const UPDATE =
  'mutation($input: UpdatePostInput!) { updatePost(input: $input) { post { version text } job { id } userErrors { code } } }';
const DELETE =
  'mutation($input: DeletePostsInput!) { deletePosts(input: $input) { deletedIds userErrors { code } } }';
const graphql = (query: string, input: object): Request => ({
  method: 'POST',
  path: '/graphql',
  body: { query, variables: { input } },
});

const NOTHING = { code: null, version: null, job: null, text: null } as const;
const refusedBy = (code: string): Told => ({ ...NOTHING, outcome: 'refused', code });
const DONE: Told = { ...NOTHING, outcome: 'done' };
const isRefusal = ({ status }: Answer): boolean => status === 412 || status === 422;
export const versionOf = (etag: unknown): number => Number(/^"(\d+)-/.exec(String(etag))?.[1]);

interface Door<Asked> {
  write(asked: Asked): Request;
  read(answer: Answer): Told | null;
}

/** The update of a post at both doors. */
export const UPDATES: Readonly<Record<'graphql' | 'v1', Door<Wish>>> = {
  graphql: {
    write: ({ id, patch, key, expectedVersion }) =>
      graphql(UPDATE, {
        id,
        post: patch,
        ...(key && { idempotencyKey: key }),
        ...(expectedVersion && { expectedVersion }),
      }),
    read({ status, body }) {
      const payload = status === 200 ? body.data?.updatePost : null;
      if (!payload) return null;
      const { post, job, userErrors } = payload;
      return userErrors.length > 0
        ? refusedBy(userErrors[0].code)
        : { ...DONE, version: post.version, job: job?.id ?? null, text: post.text };
    },
  },
  v1: {
    write: ({ id, patch, key, expectedVersion }) => ({
      method: 'PUT',
      path: `/v1/posts/${id}`,
      body: { post: patch },
      headers: {
        ...(key && { 'Idempotency-Key': key }),
        ...(expectedVersion && { 'If-Match': `"${expectedVersion}-0"` }),
      },
    }),
    read(answer) {
      if (isRefusal(answer)) return refusedBy(answer.code);
      const { status, headers, body } = answer;
      return status === 200
        ? {
            ...DONE,
            version: versionOf(headers['etag']),
            job: (headers['x-job-id'] as string | undefined) ?? null,
            text: body.text,
          }
        : null;
    },
  },
};

/** The deletion of several posts, which go together. */
export const DELETIONS: Readonly<
  Record<'graphql' | 'v1', Door<{ ids: readonly string[]; key: string | null }>>
> = {
  graphql: {
    write: ({ ids, key }) => graphql(DELETE, { ids, ...(key && { idempotencyKey: key }) }),
    read({ status, body }) {
      const payload = status === 200 ? body.data?.deletePosts : null;
      if (!payload) return null;
      return payload.userErrors.length > 0 ? refusedBy(payload.userErrors[0].code) : DONE;
    },
  },
  v1: {
    write: ({ ids, key }) => ({
      method: 'DELETE',
      path: `/v1/posts?${ids.map((id) => `post_ids[]=${id}`).join('&')}`,
      headers: { ...(key && { 'Idempotency-Key': key }) },
    }),
    read: (answer) =>
      isRefusal(answer) ? refusedBy(answer.code) : answer.status === 200 ? DONE : null,
  },
};
