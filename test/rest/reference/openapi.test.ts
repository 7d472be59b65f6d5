import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ERRORS } from '../../../src/domain/errors.js';
import { createOpenApi } from '../../../src/rest/reference/openapi.js';
import { ROUTES } from '../../../src/rest/v1.js';
import { departures } from '../bodies/json-shape.js';
import { postPatch } from '../post-patch-type.js';

interface Media { schema: Record<string, unknown>; example: unknown }
interface Operation {
  operationId: string;
  parameters: { name: string; in: string; required: boolean; schema: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; headers: Record<string, unknown>; content?: Record<string, Media> }>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Record<string, unknown>>; headers: Record<string, unknown>; securitySchemes: Record<string, unknown> };
}

const document = JSON.parse(JSON.stringify(createOpenApi(postPatch))) as Document;
const { schemas } = document.components;
const operations = Object.entries(document.paths).flatMap(([path, verbs]) => Object.entries(verbs).map(([verb, operation]) => ({ path, verb, operation })));
const bodies = operations.flatMap(({ operation }) => [
  ...Object.entries(operation.responses).flatMap(([status, { content }]) => (content ? [{ name: `${operation.operationId} ${status}`, ...content['application/json']! }] : [])),
  ...(operation.requestBody ? [{ name: `${operation.operationId} body`, ...operation.requestBody.content['application/json']! }] : []),
]);

describe('the reference', () => {
  it('is committed as it is (`npm run schema` writes it)', () => {
    const committed = readFileSync(path.join(__dirname, '../../../src/rest/openapi.json'), 'utf8');
    expect(JSON.parse(committed)).toEqual(document);
  });

  it('is OpenAPI 3.1 and has every route', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(operations.map(({ path, verb }) => `${verb.toUpperCase()} ${path}`).sort()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  });

  it.each(['schemas', 'headers'] as const)('has all %s that it points to, and points to all it has', (kind) => {
    const named = new Set([...JSON.stringify(document).matchAll(/#\/components\/(\w+)\/([\w-]+)/g)].filter(([, one]) => one === kind).map(([, , name]) => name!));
    expect([...named].sort()).toEqual(Object.keys(document.components[kind]).sort());
  });

  it.each(operations)('$operation.operationId names its path’s parameters', ({ path, operation }) => {
    const inPath = operation.parameters.filter((one) => one.in === 'path');
    expect(inPath.map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(inPath.every(({ required }) => required)).toBe(true);
    expect(new Set(operation.parameters.map((one) => `${one.in} ${one.name}`)).size).toBe(operation.parameters.length);
  });

  it.each(bodies)('the example of $name fits its schema', ({ schema, example }) => {
    expect(example).toBeDefined();
    expect(departures(example, schema, schemas)).toEqual([]);
  });

  it('tells of rate headers on every counted answer', () => {
    for (const { operation } of operations) {
      for (const [status, { headers }] of Object.entries(operation.responses)) {
        expect({ status, counted: 'X-RateLimit-Limit' in headers }).toEqual({ status, counted: status !== '401' });
      }
    }
  });

  it('tells of the answers that the document names', () => {
    expect(Object.keys(document.paths['/v1/posts/{id}']!.get!.responses)).toEqual(['200', '304', '400', '401', '403', '422', '429', '500', '503']);
    expect(Object.keys(document.paths['/v1/posts/{id}']!.put!.responses)).toEqual(
      ['200', '400', '401', '403', '409', '412', '413', '415', '422', '429', '500', '503'],
    );
    expect(document.paths['/v1/posts/{id}']!.put!.responses['412']!.description).toContain(ERRORS.CONFLICT.meaning);
  });

  it('says of the update what is read: null clears, but type, and nothing else is known', () => {
    const { properties, additionalProperties } = schemas.PostPatch as { properties: Record<string, Record<string, unknown>>; additionalProperties: boolean };
    expect(additionalProperties).toBe(false);
    expect(Object.keys(properties)).toHaveLength(20);
    expect(properties.type!.type).toBe('string');
    expect(properties.text).toMatchObject({ type: ['string', 'null'], maxLength: 100_000 });
    expect(properties.duration).toMatchObject({ type: ['integer', 'null'], minimum: 1, maximum: 365 });
    expect(properties.labels).toMatchObject({ type: ['array', 'null'], items: { $ref: '#/components/schemas/LabelInput' }, maxItems: 50 });
    expect(schemas.LabelInput).toMatchObject({ required: ['name'] });
  });
});
