import { DELETIONS, UPDATES } from '../faults/change-formats.js';
import type { GatewayRequest, GatewayResponse } from '../faults/gateway-client.js';
import type { Action, Api, LoadAccount, PostRecord } from './post-record.js';

/** A request, and how to read the acknowledgement from its response. */
export interface ActionRequest {
  readonly action: Action;
  readonly api: Api;
  readonly value: string;
  readonly request: GatewayRequest;
  /** Null if the response acknowledges nothing. */
  readAcknowledgement(response: GatewayResponse): Acknowledgement | null;
}

/** What a response that acknowledges a change tells about the post. */
export interface Acknowledgement {
  readonly id?: string;
  readonly version?: number;
  /** The job that has the IDs of the created posts. */
  readonly job?: string;
}

const mutation = (field: string, selection: string, input: object): GatewayRequest => ({
  method: 'POST',
  path: '/graphql',
  body: {
    query: `mutation($input: ${field[0]!.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { ${selection} userErrors { code message } } }`,
    variables: { input },
  },
});

/** The first post of a payload without refusals. */
const firstPost =
  (field: string) =>
  ({ status, body }: GatewayResponse): Acknowledgement | null => {
    const payload = status === 200 ? body.data?.[field] : null;
    return payload?.userErrors.length === 0 ? (payload.posts[0] as Acknowledgement) : null;
  };

/** Creates a post of this text. Without a time it is published now. */
export function createRequest(
  api: Api,
  { account }: PostRecord,
  { text, scheduledAt, key }: { text: string; scheduledAt: string | null; key: string },
): ActionRequest {
  const base = { action: 'create', api, value: `${text} at ${scheduledAt ?? 'once'}` } as const;
  if (api === 'graphql')
    return {
      ...base,
      request: mutation('createPosts', 'posts { id version }', {
        targets: [{ accountId: account.id }],
        post: { type: 'STATUS', text },
        mode: scheduledAt ? 'SCHEDULE' : 'SHARE_NOW',
        scheduledAt,
        idempotencyKey: key,
      }),
      readAcknowledgement: firstPost('createPosts'),
    };
  const target = { id: account.id, ...(scheduledAt && { scheduled_at: scheduledAt }) };
  return {
    ...base,
    request: {
      method: 'POST',
      path: scheduledAt ? '/v1/posts/schedule' : '/v1/posts/schedule/publish',
      headers: { 'Idempotency-Key': key },
      body: {
        bulk: {
          state: 'scheduled',
          posts: [{ networks: { default: { type: 'status', text } }, accounts: [target] }],
        },
      },
    },
    readAcknowledgement: ({ status, body }) => (status === 202 ? { job: body.job_id } : null),
  };
}

/** Creates a post for each account and text, all due at the same time. */
export const createManyRequest = (
  posts: readonly { readonly account: LoadAccount; readonly text: string }[],
  { scheduledAt, key }: { scheduledAt: string; key: string },
): GatewayRequest =>
  mutation('createPosts', 'posts { id }', {
    targets: posts.map(({ account, text }) => ({ accountId: account.id, post: { text } })),
    post: { type: 'STATUS' },
    mode: 'SCHEDULE',
    scheduledAt,
    idempotencyKey: key,
  });
/** Whether every post was created. */
export function createsPosts({ status, body }: GatewayResponse): boolean {
  const { posts, userErrors } = body?.data?.createPosts ?? {};
  return status === 200 && Boolean(posts) && userErrors.length === 0;
}
/** @throws Error if not every post was created */
export function postIdsOf(response: GatewayResponse): string[] {
  const { status, body } = response;
  if (!createsPosts(response))
    throw new Error(`no posts were created: ${status} ${JSON.stringify(body)}`);
  return (body.data.createPosts.posts as { id: string }[]).map(({ id }) => id);
}

function readUpdate(api: Api, response: GatewayResponse): Acknowledgement | null {
  const result = UPDATES[api].readResult(response);
  return result?.outcome === 'acknowledged' ? { version: result.version! } : null;
}

export const editRequest = (
  api: Api,
  { id }: PostRecord,
  { text, key }: { text: string; key: string },
): ActionRequest => ({
  action: 'edit',
  api,
  value: text,
  request: UPDATES[api].toRequest({ id: id!, patch: { text }, key }),
  readAcknowledgement: (response) => readUpdate(api, response),
});

export const deleteRequest = (api: Api, { id }: PostRecord, key: string): ActionRequest => ({
  action: 'delete',
  api,
  value: '',
  request: DELETIONS[api].toRequest({ ids: [id!], key }),
  readAcknowledgement: (response) =>
    DELETIONS[api].readResult(response)?.outcome === 'acknowledged' ? {} : null,
});

/** Moves a post to another time, or back to the drafts. Only GraphQL can. */
export function moveRequest(
  { id }: PostRecord,
  { scheduledAt, key }: { scheduledAt: string | null; key: string },
  field: 'schedulePosts' | 'updatePost',
): ActionRequest {
  if (!scheduledAt || field === 'schedulePosts')
    return {
      action: scheduledAt ? 'move' : 'draft',
      api: 'graphql',
      value: scheduledAt ?? '',
      request: mutation('schedulePosts', 'posts { id version }', {
        ids: [id],
        mode: scheduledAt ? 'SCHEDULE' : 'DRAFT',
        scheduledAt,
        idempotencyKey: key,
      }),
      readAcknowledgement: firstPost('schedulePosts'),
    };
  return {
    action: 'move',
    api: 'graphql',
    value: scheduledAt,
    request: UPDATES.graphql.toRequest({ id: id!, patch: { scheduledAt }, key }),
    readAcknowledgement: (response) => readUpdate('graphql', response),
  };
}

export const reviewRequest = (
  { id, version }: PostRecord,
  action: 'approve' | 'decline',
  key: string,
): ActionRequest => ({
  action,
  api: 'graphql',
  value: `version ${version}`,
  request: mutation('reviewPosts', 'posts { id version }', {
    posts: [{ id, expectedVersion: version }],
    decision: action.toUpperCase(),
    ...(action === 'decline' && { note: 'Not now.' }),
    publishLate: true,
    idempotencyKey: key,
  }),
  readAcknowledgement: firstPost('reviewPosts'),
});

/** Faults of the calls that publish the post. */
export interface PostFaults {
  readonly delay_ms?: number;
  readonly publish?: { readonly fault: string; readonly times: number };
}
export const faultRequest = ({ id }: PostRecord, faults: PostFaults): ActionRequest => ({
  action: 'cause',
  api: 'v1',
  value: JSON.stringify(faults),
  request: { method: 'PUT', path: `/sandbox/${id}/faults`, body: faults },
  readAcknowledgement: ({ status }) => (status === 200 ? {} : null),
});

/** The ID of the post that a job of v1 created; undefined if the response does not contain it. */
export const createdPostOf = ({ status, body }: GatewayResponse): string | undefined =>
  status === 200 ? (body.payload?.posts?.[0]?.id as string | undefined) : undefined;
