import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import { numberAt, textAt } from '../http-client/json-path.js';
import type { NetworkClient } from '../http-client/network-client.js';
import type { ErrorMapping, NetworkResponse } from '../http-client/network-response.js';

/** Failures by the error codes of Meta's Graph APIs, which are more specific than their statuses. */
const FAILURE_CODES: Readonly<Record<number, NetworkFailureCode>> = {
  1: 'NETWORK_UNAVAILABLE',
  2: 'NETWORK_UNAVAILABLE',
  3: 'NETWORK_FORBIDDEN',
  4: 'NETWORK_RATE_LIMITED',
  10: 'NETWORK_FORBIDDEN',
  17: 'NETWORK_RATE_LIMITED',
  32: 'NETWORK_RATE_LIMITED',
  102: 'NETWORK_REAUTHORIZATION_NEEDED',
  190: 'NETWORK_REAUTHORIZATION_NEEDED',
  341: 'NETWORK_RATE_LIMITED',
  368: 'NETWORK_FORBIDDEN',
  613: 'NETWORK_RATE_LIMITED',
};
const isBetween = (code: number, first: number, last: number): boolean =>
  code >= first && code <= last;

/** Code and subcode of the error in a body; null if it contains none. */
export function graphError(json: unknown): { code: number; subcode: number | null } | null {
  const code = numberAt(json, 'error', 'code');
  return code === null ? null : { code, subcode: numberAt(json, 'error', 'error_subcode') };
}

/** What all Graph APIs mean by an error; null if the status of the response tells. */
export function graphFailureCode(json: unknown): NetworkFailureCode | null {
  const code = graphError(json)?.code;
  if (code === undefined) return null;
  if (FAILURE_CODES[code]) return FAILURE_CODES[code];
  if (isBetween(code, 200, 299)) return 'NETWORK_FORBIDDEN';
  return isBetween(code, 80_000, 80_099) ? 'NETWORK_RATE_LIMITED' : null;
}

/** Code and subcode of "no such object, or not visible". */
export const isNoSuchObject = (json: unknown): boolean => {
  const error = graphError(json);
  return error?.code === 100 && error.subcode === 33;
};

/** The longest time until an account or app may call again, in seconds; null if no header says. */
function secondsToRegainAccess(headers: Headers): number | null {
  const text = headers.get('x-business-use-case-usage') ?? '';
  const minutes = [...text.matchAll(/"estimated_time_to_regain_access":\s*(\d+)/g)].map((match) =>
    Number(match[1]),
  );
  const longest = Math.max(0, ...minutes);
  return longest > 0 ? longest * 60 : null;
}

/** How a Graph API reports errors. `failureCode`: what is special to one of them; null otherwise. */
export const graphErrors = (
  failureCode: (response: NetworkResponse) => NetworkFailureCode | 'ok' | null,
): ErrorMapping => ({
  errorMessage: (json) =>
    textAt(json, 'error', 'error_user_msg') ??
    textAt(json, 'error', 'message') ??
    textAt(json, 'error_message'),
  failureCode: (response) => failureCode(response) ?? graphFailureCode(response.json),
  retryAfterSeconds: ({ headers }) => secondsToRegainAccess(headers),
});

/** The errors of calls that no Graph API has errors of its own for, such as those for a consent. */
export const GRAPH_ERRORS = graphErrors(() => null);

/** Parameters of a request. */
export type GraphParams = Readonly<Record<string, string>>;

/** A Graph API, called with the token of an account. */
export interface GraphApi {
  readonly client: NetworkClient;
  get(path: string, params: GraphParams): Promise<unknown>;
  /** The same for what a result can do without; null if the request fails. */
  getOptional(path: string, params: GraphParams): Promise<unknown>;
  post(path: string, params: GraphParams): Promise<unknown>;
  delete(path: string): Promise<unknown>;
}

/** Opens the API at a URL without a slash at its end. */
export function openGraphApi(client: NetworkClient, url: string, accessToken: string): GraphApi {
  const headers = { Authorization: `Bearer ${accessToken}` };
  const addressOf = (path: string, params: GraphParams): string =>
    `${url}/${path}?${new URLSearchParams(params).toString()}`;
  return {
    client,
    get: (path, params) => client.request('GET', addressOf(path, params), { headers }),
    getOptional: (path, params) =>
      client.requestOptional('GET', addressOf(path, params), { headers }),
    post: (path, params) =>
      client.request('POST', `${url}/${path}`, { headers, body: new URLSearchParams(params) }),
    delete: (path) => client.request('DELETE', `${url}/${path}`, { headers }),
  };
}
