import fc from 'fast-check';
import { mutatedText } from '../fixtures/random/mutations.js';
import { callers, type FuzzResponse, type FuzzRequest } from './fuzz-request.js';
import { readGraphqlResponse } from './graphql-response.js';
import { assertNoServerError, type FuzzTarget } from './fuzz-target.js';

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
];
const PATHS = [
  '/',
  '/graphql',
  '/graphql/',
  '/graphql?query=%7B__typename%7D',
  '/graphql?query=%7B__typename%7D&variables=%7B',
  '/GRAPHQL',
  '/v1',
  '/v1/',
  '/v1/posts',
  '/v1/posts?page=0',
  '/v1//posts',
  '/v1/posts/%',
  '/v1/posts/%ff',
  '/v1/posts/%00',
  '/v1/posts/..%2f..',
  '/v1/../sandbox/clock',
  '/v2/posts',
  '/v1/openapi.json',
  '/sandbox',
  '/sandbox/clock',
  '/sandbox/nope/faults',
  '/healthz',
  '/readyz',
  '/metrics',
  '/docs',
  '/docs/',
  '/playground',
  '/playground/..%2f..%2fpackage.json',
  '/favicon.ico',
];
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: [
    'text/html',
    '*/*;q=0',
    'application/json;q=2',
    ',,,',
    'x'.repeat(4_000),
    'multipart/mixed;deferSpec=20220824',
  ],
  'content-type': [
    'application/json',
    'application/json; charset=utf-16',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    ';',
    'application/graphql',
  ],
  'content-encoding': ['gzip', 'br', 'identity', 'x'],
  'accept-encoding': ['gzip', 'identity;q=0'],
  'if-match': ['*', '"', 'W/'],
  'if-none-match': ['*', '"1-x"'],
  range: ['bytes=0-0', 'bytes=9-1'],
  authorization: [
    'Bearer-API',
    'bearer-api x',
    'Basic eDp5',
    'Bearer-API x, Bearer-API y',
    'Bearer-API \u00e9',
  ],
  'x-forwarded-for': ['1.2.3.4', '::1, x'],
  'x-forwarded-proto': ['http', 'https', 'x'],
  host: ['evil.example', '127.0.0.1:99999', '-'],
  'x-request-id': ['a', 'a\u00e9', 'x'.repeat(200)],
  'idempotency-key': ['k1', ' ', 'x'.repeat(300)],
  'service-workspace-id': ['wks_1', '%', 'x'.repeat(3_000)],
  cookie: ['a=b'],
  origin: ['null'],
  'x-http-method-override': ['DELETE'],
};
const BODIES = [
  '',
  '{}',
  '[]',
  'null',
  '1',
  '"',
  '{"query":"{__typename}"}',
  '{"query":"{__typename}","query":"{viewer{plan}}"}',
  '\ufeff{}',
  '{"post":{}}',
  '{"post":{"text":"a","text":"b"}}',
  '['.repeat(5_000),
  '{"a":'.repeat(2_000),
  '"\\ud800"',
  '{"advance_seconds":1e999}',
  'query={__typename}',
];

/**
 * Whether a response is a GraphQL response: for a browser `/graphql` is a page, and some methods
 * have no body.
 */
const isGraphql = ({ path }: FuzzRequest, { headers, text }: FuzzResponse): boolean =>
  /^\/graphql(?=\?|$)/.test(path) && text !== '' && /json/.test(headers.get('content-type') ?? '');

/** Requests of any method to any path, with headers and bodies that are valid HTTP but unusual. */
export const httpTarget: FuzzTarget<FuzzRequest> = {
  name: 'http',
  share: 8,
  requests() {
    const headers = fc.record(
      Object.fromEntries(
        Object.entries(HEADERS).map(([name, values]) => [name, fc.constantFrom(...values)]),
      ),
      { requiredKeys: [] },
    );
    const fewHeaders = fc
      .tuple(headers, fc.subarray(Object.keys(HEADERS), { maxLength: 4 }))
      .map(
        ([all, names]) =>
          Object.fromEntries(
            names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])),
          ) as Record<string, string>,
      );
    const paths = fc.oneof(
      fc.constantFrom(...PATHS),
      mutatedText(
        fc.constantFrom(...PATHS),
        fc.constantFrom('/', '%', '%2e', '?', '&', '=', '//', ';', '[0]'),
      ).map((path) => `/${path.slice(1)}`),
    );
    return fc
      .record({
        caller: callers,
        method: fc.constantFrom(...METHODS),
        path: paths,
        headers: fewHeaders,
        body: fc.oneof(
          fc.constant(undefined),
          fc.constantFrom(...BODIES),
          mutatedText(fc.constantFrom(...BODIES), fc.string({ maxLength: 5 })),
        ),
      })
      .map(({ caller, ...request }) => ({
        ...caller,
        ...request,
        body:
          request.method === 'GET' || request.method === 'HEAD' || request.method === 'TRACE'
            ? undefined
            : request.body,
      }));
  },
  async check(request, { send }) {
    const response = await send(request);
    assertNoServerError(response);
    if (isGraphql(request, response)) readGraphqlResponse(response);
    return String(response.status);
  },
};
