/** The API a request belongs to; `rest` includes the pages and unknown paths. */
export type Api = 'graphql' | 'rest' | 'health';

const APIS: ReadonlyMap<string, Api> = new Map([
  ['/graphql', 'graphql'],
  ['/healthz', 'health'],
  ['/readyz', 'health'],
]);

/** The API that serves a path. */
export const apiOf = (path: string): Api => APIS.get(path) ?? 'rest';
