import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ERRORS } from '../../../src/domain/errors.js';
import { createOpenApi } from '../../../src/rest/openapi/openapi.js';
import { OPENAPI_PATH, ROUTES } from '../../../src/rest/v1.js';
import { COMMON_HEADERS } from '../../../src/http/responses.js';
import { assertDescribed, departures } from '../../fixtures/reference.js';
import { postPatch } from '../post-patch-type.js';

interface Media {
  schema: { $ref?: string };
  example: unknown;
}
interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; required: boolean; schema: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<
    string,
    { description: string; headers: Record<string, unknown>; content?: Record<string, Media> }
  >;
}
interface Document {
  openapi: string;
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Record<string, unknown>>;
    headers: Record<string, unknown>;
    securitySchemes: Record<string, unknown>;
  };
}

const ROOT = path.resolve(__dirname, '../../..');
const document = JSON.parse(JSON.stringify(createOpenApi(postPatch))) as Document;
const { schemas } = document.components;
const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({ path, verb, operation })),
);
const bodies = operations.flatMap(({ operation }) => [
  ...Object.entries(operation.responses).flatMap(([status, { content }]) =>
    content
      ? [{ name: `${operation.operationId} ${status}`, ...content['application/json']! }]
      : [],
  ),
  ...(operation.requestBody
    ? [
        {
          name: `${operation.operationId} body`,
          ...operation.requestBody.content['application/json']!,
        },
      ]
    : []),
]);

describe('the reference', () => {
  it('is committed as it is (`npm run schema` writes it)', () => {
    const committed = readFileSync(path.join(ROOT, 'src/rest/openapi.json'), 'utf8');
    expect(JSON.parse(committed)).toEqual(document);
  });

  it('is OpenAPI 3.1 and has every route', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(operations.map(({ path, verb }) => `${verb.toUpperCase()} ${path}`).sort()).toEqual(
      [...ROUTES.map(({ method, path }) => `${method} ${path}`), `GET ${OPENAPI_PATH}`].sort(),
    );
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(
      operations.length,
    );
  });

  it.each(['schemas', 'headers'] as const)(
    'has all %s that it points to, and points to all it has',
    (kind) => {
      const named = new Set(
        [...JSON.stringify(document).matchAll(/#\/components\/(\w+)\/([\w-]+)/g)]
          .filter(([, one]) => one === kind)
          .map(([, , name]) => name!),
      );
      expect([...named].sort()).toEqual(Object.keys(document.components[kind]).sort());
    },
  );

  it.each(operations)(
    '$operation.operationId names its path’s parameters',
    ({ path, operation: { parameters = [] } }) => {
      const inPath = parameters.filter((one) => one.in === 'path');
      expect(inPath.map(({ name }) => name)).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      );
      expect(inPath.every(({ required }) => required)).toBe(true);
      expect(new Set(parameters.map((one) => `${one.in} ${one.name}`)).size).toBe(
        parameters.length,
      );
    },
  );

  it.each(bodies)('the example of $name fits its schema', ({ schema, example }) => {
    expect(example).toBeDefined();
    if (schema.$ref)
      expect(departures(example, schema.$ref.replace('#/components/schemas/', ''))).toEqual([]);
  });

  it('tells of rate headers on every counted answer', () => {
    for (const { operation } of operations.filter(({ path }) => path !== OPENAPI_PATH)) {
      for (const [status, { headers }] of Object.entries(operation.responses)) {
        expect({ status, counted: 'X-RateLimit-Limit' in headers }).toEqual({
          status,
          counted: status !== '401',
        });
      }
    }
  });

  it('tells of the answers that the document names', () => {
    expect(Object.keys(document.paths['/v1/posts/{id}']!.get!.responses)).toEqual([
      '200',
      '304',
      '400',
      '401',
      '403',
      '422',
      '429',
      '500',
      '503',
    ]);
    expect(Object.keys(document.paths['/v1/posts/{id}']!.put!.responses)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '409',
      '412',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ]);
    expect(document.paths['/v1/posts/{id}']!.put!.responses['412']!.description).toContain(
      ERRORS.CONFLICT.meaning,
    );
  });

  it('says of the update what is read: null clears, but type, and nothing else is known', () => {
    const { properties, additionalProperties } = schemas.PostPatch as {
      properties: Record<string, Record<string, unknown>>;
      additionalProperties: boolean;
    };
    expect(additionalProperties).toBe(false);
    expect(Object.keys(properties)).toHaveLength(20);
    expect(properties.type!.type).toBe('string');
    expect(properties.text).toMatchObject({ type: ['string', 'null'], maxLength: 100_000 });
    expect(properties.duration).toMatchObject({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 365,
    });
    expect(properties.labels).toMatchObject({
      type: ['array', 'null'],
      items: { $ref: '#/components/schemas/LabelInput' },
      maxItems: 50,
    });
    expect(schemas.LabelInput).toMatchObject({ required: ['name'] });
  });

  it('has an example for every parameter and header', () => {
    const parameters = operations
      .flatMap(({ operation }) => operation.parameters ?? [])
      .filter((one) => !('$ref' in one));
    expect(
      parameters.filter((one) => !('example' in one) && !('examples' in (one.schema as object))),
    ).toEqual([]);
    expect(
      Object.values(document.components.headers as Record<string, object>).filter(
        (one) => !('example' in one),
      ),
    ).toEqual([]);
  });

  it('names the headers of every answer', () => {
    const described = ['Vary', 'Cache-Control', 'X-API-Version'];
    for (const name of Object.keys(COMMON_HEADERS).filter((one) => !described.includes(one)))
      expect(document.info.description).toContain(name);
  });
});

describe('an answer that is held to the reference', () => {
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
  const hold =
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
      assertDescribed({
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

  it('may be as it is described', () => {
    expect(hold()).not.toThrow();
    expect(hold({ method: 'HEAD', text: '' })).not.toThrow();
    expect(
      hold({
        path: '/v1/nothing',
        status: 404,
        text: JSON.stringify({ errors: ['x'], code: 'NOT_FOUND', message: 'x' }),
      }),
    ).not.toThrow();
  });

  it.each([
    ['a status', { status: 201 }, /status: there is none but 200/],
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
      'a missing guard',
      { headers: { 'X-Frame-Options': undefined } },
      /header x-frame-options: missing/,
    ],
    ['a header of its own', { headers: { 'X-More': '1' } }, /header x-more: not described/],
    [
      'a header’s value',
      { headers: { 'X-RateLimit-Limit': 'many' } },
      /header x-ratelimit-limit: \/ must be integer/,
    ],
    ['a type', { headers: { 'Content-Type': 'text/html' } }, /content-type: text\/html/],
    ['a path', { path: '/v1/nothing' }, /neither path nor method/],
    ['a body of HEAD', { method: 'HEAD' }, /there should be none/],
  ])('may not differ in %s', (_what, changes, reason) => expect(hold(changes)).toThrow(reason));
});
