import { API_KEYS } from './seed.js';

/** A request of the load generator. */
export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const headersOf = (workspace: string | null, member = 0): Record<string, string> => ({
  Authorization: `Bearer-API ${API_KEYS[member % API_KEYS.length]}`,
  ...(workspace && { 'Service-Workspace-Id': workspace }),
});

/** A GraphQL request. `workspace` is null if the operation needs none. */
export const graphql = (
  workspace: string | null,
  operationName: string,
  query: string,
  variables: object,
  member = 0,
): Request => ({
  method: 'POST',
  path: '/graphql',
  headers: { ...headersOf(workspace, member), 'Content-Type': 'application/json' },
  body: JSON.stringify({ operationName, query, variables }),
});

/** Requests of v1. */
export const v1 = {
  list: (workspace: string, page = 0): Request => ({
    method: 'GET',
    path: page === 0 ? '/v1/posts' : `/v1/posts?page=${page}`,
    headers: headersOf(workspace),
  }),
  detail: (workspace: string, id: string): Request => ({
    method: 'GET',
    path: `/v1/posts/${id}`,
    headers: headersOf(workspace),
  }),
};
