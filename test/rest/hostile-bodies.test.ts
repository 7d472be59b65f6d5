import fc from 'fast-check';
import {
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputType,
} from 'graphql';
import { STORED_STATES, type StoredState } from '../../src/domain/posts/states.js';
import { NETWORKS } from '../../src/domain/networks/networks.js';
import { enumKeys } from '../../src/domain/enums.js';
import { v1FieldsOf } from '../../src/rest/field-mapping.js';
import { withGateway } from '../fixtures/gateway.js';
import { postPatch } from './post-patch-type.js';

const TEXTS = [
  '',
  ' ',
  'a',
  'A\0b',
  '\ud800',
  '😀',
  'x'.repeat(3000),
  'https://example.com/a.png',
  'http://example.com',
  'HTTPS://EXAMPLE.COM',
  'javascript:alert(1)',
  '2026-12-01',
  '2026-12-01T09:00:00Z',
  '2026-02-30',
  'days',
  'weekly',
  'Monday',
  'en',
  '#ff0000',
  'reel',
  'paragraph',
  'html',
  'public',
  "'; DROP TABLE post; --",
  '<script>',
  '%',
  '\\',
];
const text = fc.constantFrom(...TEXTS);
const SCALARS: Record<string, fc.Arbitrary<unknown>> = {
  String: text,
  ID: text,
  Int: fc.constantFrom(-1, 0, 1, 7, 365, 2147483647),
  Float: fc.constantFrom(0, 0.5, 1, -1, 1e308),
  Boolean: fc.boolean(),
  JSON: fc.oneof(
    fc.constantFrom<unknown>(0, 6, 'sunday'),
    fc.dictionary(text, fc.jsonValue(), { maxKeys: 3 }),
  ),
};

/** Values of an input type: mostly valid in shape, often invalid otherwise. */
function valuesOf(type: GraphQLInputType): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return valuesOf(type.ofType);
  if (isListType(type)) return fc.array(valuesOf(type.ofType), { maxLength: 3 });
  if (isEnumType(type))
    return fc.constantFrom(...type.getValues().map(({ name }) => name.toLowerCase()));
  if (!isInputObjectType(type)) return SCALARS[type.name]!;
  const fields = [...v1FieldsOf(type)].map(([name, field]): [string, fc.Arbitrary<unknown>] => [
    name,
    fc.option(valuesOf(field.type), { nil: null, freq: 8 }),
  ]);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
}

/** One to three fields per update, so that some updates are valid. */
const patches = fc
  .uniqueArray(fc.constantFrom(...v1FieldsOf(postPatch)), {
    minLength: 1,
    maxLength: 3,
    selector: ([name]) => name,
  })
  .chain((fields) =>
    fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valuesOf(field.type)]))),
  );
const gateway = withGateway();

it('responds to any update of any post with the detail or with errors', async () => {
  const { owner } = gateway;
  const statuses = new Set<number>();
  const target = fc.record({
    cell: fc.constantFrom(...(Object.keys(STORED_STATES) as StoredState[])),
    network: fc.constantFrom(...enumKeys(NETWORKS)),
  });
  await fc.assert(
    fc.asyncProperty(target, patches, async ({ cell: storedState, network }, patch) => {
      const account = await gateway.records.anAccount({ workspaceId: owner.workspace.id, network });
      const post = await gateway.records.aPost({
        by: owner,
        account,
        storedState,
        type: NETWORKS[network].postTypes[0]!,
      });
      const before = await gateway.v1('GET', `/posts/${post.id}`);
      const response = await gateway.v1('PUT', `/posts/${post.id}`, { body: { post: patch } });
      const after = await gateway.v1('GET', `/posts/${post.id}`);
      statuses.add(response.status);
      expect([200, 400, 422]).toContain(response.status);
      expect(after.body).toEqual(response.status === 200 ? response.body : before.body);
      if (response.status !== 200) expect(response.body.errors.length).toBeGreaterThan(0);
    }),
    { numRuns: 150 },
  );
  expect(statuses).toEqual(new Set([200, 400, 422]));
});
