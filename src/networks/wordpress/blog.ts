import { numberAt, textAt, valueAt } from '../http-client/json-path.js';
import { baseUrl } from '../http-client/base-url.js';
import type { Answer, Dialect } from '../http-client/answer.js';
import type { Line } from '../http-client/network-client.js';

/** WordPress's codes of refusals that mean something else than their status says. */
export const wordpressDialect: Dialect = {
  name: 'WordPress',
  words: (json) => [textAt(json, 'message'), ...paramWords(json)].filter(Boolean).join(' ') || null,
  exception({ json }: Answer) {
    const code = textAt(json, 'code');
    // The term is there already under a name that the database takes for the same: the refusal tells its id.
    if (code === 'term_exists' && numberAt(json, 'data', 'term_id') !== null) return 'fine';
    return code === 'rest_no_route' ? 'NETWORK_UNAVAILABLE' : null;
  },
};

/** What is wrong with each parameter, where it is told. */
const paramWords = (json: unknown): string[] =>
  Object.values(
    (valueAt(json, 'data', 'params') as Record<string, unknown> | undefined) ?? {},
  ).filter((one) => typeof one === 'string');

/** A blog's REST interface, asked as one of its users with an application password. */
export interface Blog {
  readonly address: string;
  ask(
    method: 'GET' | 'POST',
    path: string,
    query?: Readonly<Record<string, string>>,
    json?: unknown,
  ): Promise<unknown>;
  /** Sends a file as it is. */
  upload(
    path: string,
    query: Readonly<Record<string, string>>,
    file: { name: string; type: string; bytes: Uint8Array<ArrayBuffer> },
  ): Promise<unknown>;
}

export const WORDPRESS_CREDENTIALS = {
  site: { meaning: 'The blog’s address, as https://blog.example.', secret: false },
  username: {
    meaning: 'The name of one of its users who may edit published posts.',
    secret: false,
  },
  applicationPassword: {
    meaning: 'An application password of that user (Users, Profile, Application Passwords).',
    secret: true,
  },
} as const;
type WordpressKeys = Readonly<Record<keyof typeof WORDPRESS_CREDENTIALS, string>>;

export function openBlog(line: Line, { site, username, applicationPassword }: WordpressKeys): Blog {
  const address = baseUrl(site, line.web);
  const basic = Buffer.from(`${username}:${applicationPassword}`).toString('base64');
  line.keepSecret(basic);
  const headers = { Authorization: `Basic ${basic}`, Accept: 'application/json' };
  const urlOf = (path: string, query: Readonly<Record<string, string>> = {}): URL => {
    const url = new URL(`${address}/wp-json${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  };
  return {
    address,
    ask: (method, path, query, json) =>
      line.ask(method, urlOf(path, query), { headers, ...(json !== undefined && { json }) }),
    upload: (path, query, { name, type, bytes }) =>
      line.ask('POST', urlOf(path, query), {
        headers: {
          ...headers,
          'Content-Type': type,
          'Content-Disposition': `attachment; filename="${name}"`,
        },
        body: bytes,
      }),
  };
}
