import type { wordpress } from '../../domain/networks/wordpress.js';
import { numberAt, textAt, valueAt } from '../http-client/json-path.js';
import { readBaseUrl } from '../http-client/base-url.js';
import type { NetworkResponse, ErrorMapping } from '../http-client/network-response.js';
import type { NetworkClient } from '../http-client/network-client.js';
import { fileBody } from '../http-client/upload-body.js';
import type { FileStream } from '../../services/networks/network-ports.js';

/** Error mapping of WordPress. Some of its error codes are more specific than the status. */
export const wordpressErrors: ErrorMapping = {
  errorMessage: (json) =>
    [textAt(json, 'message'), ...paramMessages(json)].filter(Boolean).join(' ') || null,
  failureCode({ json }: NetworkResponse) {
    const code = textAt(json, 'code');
    // The term exists under a name that the database collation treats as equal; the error contains
    // its ID.
    if (code === 'term_exists' && numberAt(json, 'data', 'term_id') !== null) return 'ok';
    return code === 'rest_no_route' ? 'NETWORK_UNAVAILABLE' : null;
  },
};

/** The error message of each invalid parameter. */
const paramMessages = (json: unknown): string[] =>
  Object.values(
    (valueAt(json, 'data', 'params') as Record<string, unknown> | undefined) ?? {},
  ).filter((message) => typeof message === 'string');

/** A blog's REST API, called as one of its users with an application password. */
export interface WordpressApi {
  readonly baseUrl: string;
  get(path: string, query: Readonly<Record<string, string>>): Promise<unknown>;
  /** The length of a list. @throws NetworkRequestError */
  count(path: string, query: Readonly<Record<string, string>>): Promise<number>;
  post(path: string, query: Readonly<Record<string, string>>, json: unknown): Promise<unknown>;
  delete(path: string, query: Readonly<Record<string, string>>): Promise<unknown>;
  /** Sends a file as the request body. */
  upload(
    path: string,
    query: Readonly<Record<string, string>>,
    file: FileStream & { name: string },
  ): Promise<unknown>;
}

/** A blog's API and the client that it uses, which also downloads files. */
export interface BlogConnection {
  readonly api: WordpressApi;
  readonly client: NetworkClient;
}

/** Credentials of a blog user. */
export type WordpressCredentials = Readonly<
  Record<keyof typeof wordpress.adapter.credentials, string>
>;

/**
 * Creates the API of a blog.
 * @throws NetworkRequestError NETWORK_NOT_CONNECTED if `site` is not a valid URL
 */
export function createWordpressApi(
  client: NetworkClient,
  { site, username, applicationPassword }: WordpressCredentials,
): WordpressApi {
  const baseUrl = readBaseUrl(site, client.http);
  const basicAuth = Buffer.from(`${username}:${applicationPassword}`).toString('base64');
  client.addSecret(basicAuth);
  const headers = { Authorization: `Basic ${basicAuth}`, Accept: 'application/json' };
  const toUrl = (path: string, query: Readonly<Record<string, string>>): URL => {
    const url = new URL(`${baseUrl}/wp-json${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  };
  return {
    baseUrl,
    get: (path, query) => client.request('GET', toUrl(path, query), { headers }),
    async count(path, query) {
      const url = toUrl(path, { ...query, per_page: '1', _fields: 'id' });
      const total = Number((await client.fetch(url, { headers })).headers.get('x-wp-total') ?? NaN);
      return Number.isInteger(total) ? total : client.throwMissing('X-WP-Total header');
    },
    post: (path, query, json) => client.request('POST', toUrl(path, query), { headers, json }),
    delete: (path, query) => client.request('DELETE', toUrl(path, query), { headers }),
    upload: (path, query, { name, ...file }) =>
      client.request('POST', toUrl(path, query), {
        headers: {
          ...headers,
          'Content-Disposition': `attachment; filename="${name}"`,
        },
        body: fileBody(file),
      }),
  };
}
