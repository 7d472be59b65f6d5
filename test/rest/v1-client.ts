import type { Post } from '../../src/domain/posts/post.js';
import type { RequestOptions, TestGateway, TestResponse } from '../fixtures/gateway.js';
import type { KeyedViewer } from '../fixtures/records.js';

export type V1Response = TestResponse<any>;
export const ANONYMOUS: RequestOptions = { key: null, workspace: null };
/** A document ID that no post has. */
export const UNKNOWN_ID = 'ffffffffffffffffffffffff';

type Headers = Record<string, string>;

/** Sends requests to REST v1, as the owner by default. */
export interface V1Client {
  get(path: string, as?: KeyedViewer, headers?: Headers): Promise<V1Response>;
  /** PUT /v1/posts/{id}. */
  put(
    post: Pick<Post, 'id'> | string,
    patch: unknown,
    headers?: Headers,
    query?: string,
  ): Promise<V1Response>;
  /** DELETE /v1/posts with the query. */
  del(query: string, as?: KeyedViewer, headers?: Headers): Promise<V1Response>;
}

export const createV1Client = (gateway: TestGateway): V1Client => ({
  get: (path, as = gateway.owner, headers = {}) => gateway.v1('GET', path, { as, headers }),
  put: (post, patch, headers = {}, query = '') =>
    gateway.v1('PUT', `/posts/${typeof post === 'string' ? post : post.id}${query}`, {
      headers,
      body: { post: patch },
    }),
  del: (query, as = gateway.owner, headers = {}) =>
    gateway.v1('DELETE', `/posts?${query}`, { as, headers }),
});

/** Expects an error response with this status and code. */
export function expectError(response: V1Response, status: number, code: string): void {
  expect({ status: response.status, code: response.body?.code }).toEqual({ status, code });
  expect(Object.keys(response.body).sort()).toEqual(['code', 'errors', 'message']);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
}
