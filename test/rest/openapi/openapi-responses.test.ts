import { COMMON_HEADERS } from '../../../src/http/responses.js';
import { assertDescribedByOpenApi } from '../../fixtures/openapi-responses.js';

describe('assertDescribedByOpenApi', () => {
  const counted = {
    'X-RateLimit-Limit': '100',
    'X-RateLimit-Remaining': '99',
    'X-RateLimit-Reset': '1795250400',
  };
  const common = {
    'X-Request-Id': 'r',
    'X-API-Version': 'v1',
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization',
    'Content-Type': 'application/json; charset=utf-8',
  };
  const headers: Record<string, string> = { ...COMMON_HEADERS, ...common, ...counted };
  const body: object = { status: 'completed', payload: { failures: {} } };
  const check =
    (
      changes: {
        method?: string;
        path?: string;
        status?: number;
        headers?: Record<string, string | undefined>;
        text?: string;
      } = {},
    ) =>
    () =>
      assertDescribedByOpenApi({
        method: 'GET',
        path: '/v1/job_status/job_1',
        status: 200,
        text: JSON.stringify(body),
        ...changes,
        headers: new Headers(
          Object.entries({ ...headers, ...changes.headers }).filter(
            (one): one is [string, string] => one[1] !== undefined,
          ),
        ),
      });

  it('accepts described responses', () => {
    expect(check()).not.toThrow();
    expect(check({ method: 'HEAD', text: '' })).not.toThrow();
    expect(
      check({
        path: '/v1/nothing',
        status: 404,
        text: JSON.stringify({ errors: ['x'], code: 'NOT_FOUND', message: 'x' }),
      }),
    ).not.toThrow();
  });

  it.each([
    ['a status', { status: 201 }, /status: expected one of 200/],
    [
      'a body',
      { text: JSON.stringify({ ...body, more: 1 }) },
      /body: \/ must NOT have additional properties/,
    ],
    [
      'a missing header',
      { headers: { 'X-Request-Id': undefined } },
      /header x-request-id: missing/,
    ],
    [
      'a missing security header',
      { headers: { 'X-Frame-Options': undefined } },
      /header x-frame-options: missing/,
    ],
    ['an unknown header', { headers: { 'X-More': '1' } }, /header x-more: not described/],
    [
      'a header’s value',
      { headers: { 'X-RateLimit-Limit': 'many' } },
      /header x-ratelimit-limit: \/ must be integer/,
    ],
    ['a type', { headers: { 'Content-Type': 'text/html' } }, /content-type: text\/html/],
    ['a path', { path: '/v1/nothing' }, /neither path nor method/],
    ['a body of HEAD', { method: 'HEAD' }, /body: expected none/],
  ])('rejects %s', (_what, changes, reason) => expect(check(changes)).toThrow(reason));
});
