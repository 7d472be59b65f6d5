import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ERRORS } from '../../../src/domain/errors.js';
import { createOpenApi } from '../../../src/rest/openapi/openapi.js';
import { OPENAPI_PATH, ROUTES } from '../../../src/rest/routes.js';
import { COMMON_HEADERS } from '../../../src/http/responses.js';
import { schemaViolations } from '../../fixtures/openapi-responses.js';
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
          ...Object.values(operation.requestBody.content)[0]!,
        },
      ]
    : []),
]);

describe('the OpenAPI document', () => {
  it('is committed (run `npm run schema` to update it)', () => {
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
    'defines all %s that it references, and references all that it defines',
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
    '$operation.operationId declares its path parameters',
    ({ path, operation: { parameters = [] } }) => {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => name)).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      );
      expect(inPath.every(({ required }) => required)).toBe(true);
      expect(new Set(parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).size).toBe(
        parameters.length,
      );
    },
  );

  it.each(bodies)('the example of $name matches its schema', ({ schema, example }) => {
    expect(example).toBeDefined();
    if (schema.$ref)
      expect(schemaViolations(example, schema.$ref.replace('#/components/schemas/', ''))).toEqual(
        [],
      );
  });

  it('describes the rate limit headers of every counted response', () => {
    for (const { operation } of operations.filter(({ path }) => path !== OPENAPI_PATH)) {
      for (const [status, { headers }] of Object.entries(operation.responses)) {
        expect({ status, counted: 'X-RateLimit-Limit' in headers }).toEqual({
          status,
          counted: status !== '401',
        });
      }
    }
  });

  it('describes the responses of the interface document', () => {
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
      '204',
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
      ERRORS.CONFLICT.description,
    );
  });

  it('describes updates as they are read: all fields but type are nullable, and no others are allowed', () => {
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

  it('lists the headers of every response', () => {
    const described = ['Vary', 'Cache-Control', 'X-API-Version'];
    for (const name of Object.keys(COMMON_HEADERS).filter((one) => !described.includes(one)))
      expect(document.info.description).toContain(name);
  });
});
