import { isObjectType, parse, validate } from 'graphql';
import type { KeyedViewer } from '../fixtures/records.js';
import { statementsOf } from '../fixtures/statements.js';
import { suite } from '../setup/suite.js';
import { PLACES, SCHEMA } from './own.js';
import type { Place } from './places.js';
import { differencesIn, steady, twoTenants, type Tenants, type Told } from './tenants.js';
import { DOCUMENT_KINDS } from './victim.js';

jest.setTimeout(300_000);

/** Where an answer may tell a foreign id from an unknown one: a document id that exists elsewhere is FORBIDDEN on get and update (D18) and not accessible to a deletion (D30). */
const TOLD = [
  'Query.post.id',
  'Mutation.updatePost.input.id',
  'Mutation.deletePosts.input.ids',
].flatMap((place) => DOCUMENT_KINDS.map((kind) => `${place}: ${kind}`));
/** Where a member of both workspaces is told of the other one, whichever they name in the header: that they are its member. */
const TOLD_TO_MEMBERS = ['Query.node.id: workspace', 'Query.nodes.ids: workspace'];

let tenants: Tenants;
beforeAll(async () => {
  tenants = await twoTenants();
});
afterAll(() => tenants.gateway.close());

let requests = 0;

const valueFor = ({ type }: Place, id: string): unknown =>
  (type === 'Int' || type === 'Float') && /^\d+$/.test(id) ? Number(id) : id;

const answerOf =
  (as: KeyedViewer, place: Place) =>
  async (id: string): Promise<Told> => {
    requests += 1;
    const {
      result: { status, headers, body },
      statements,
    } = await statementsOf(() =>
      tenants.gateway.graphql(place.query, { value: place.value(valueFor(place, id)) }, { as }),
    );
    const { rateLimit: _rate, ...extensions } = (body.extensions ?? {}) as { rateLimit?: unknown };
    const text = JSON.stringify([status, steady(headers), { ...body, extensions }]);
    return { text, statements: statements.length, isFault: text.includes('INTERNAL_SERVER_ERROR') };
  };

const PATCH = 'Mutation.updatePost.input.post.';
/** Where an id belongs, or a cursor or a key. */
const takesIds = ({ name, type }: Place): boolean =>
  type === 'ID' || (type === 'String' && !name.startsWith(PATCH));

const found = (as: KeyedViewer, chosen: readonly Place[]): Promise<string[]> =>
  differencesIn(chosen, tenants.victim, { answerOf: (place) => answerOf(as, place), takesIds });

it('finds every argument of every field', () => {
  const objects = Object.values(SCHEMA.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith('__'));
  const withArguments = objects.flatMap((type) =>
    Object.values(type.getFields()).flatMap((field) =>
      field.args.map((argument) => `${type.name}.${field.name}.${argument.name}`),
    ),
  );
  expect(
    [...new Set(PLACES.map(({ name }) => name.split('.').slice(0, 3).join('.')))].sort(),
  ).toEqual(withArguments.sort());
  expect(PLACES.flatMap(({ query }) => validate(SCHEMA, parse(query)))).toEqual([]);
});

it('tells a stranger of a foreign id nothing that it does not tell of an unknown one, but where the document asks for it', async () => {
  expect(await found(tenants.stranger, PLACES)).toEqual([...TOLD].sort());
});

it('tells a member of both workspaces no more in the one they name in the header, but that they are a member', async () => {
  expect(await found(tenants.memberOfBoth, PLACES)).toEqual([...TOLD, ...TOLD_TO_MEMBERS].sort());
});

it('has changed nothing of the victim’s', async () => {
  expect(await tenants.victim.changes(tenants.stranger.workspace.id)).toEqual({
    came: [],
    went: [],
  });
  suite.tell(
    `Foreign ids in GraphQL: ${PLACES.length} places × ${tenants.victim.ids.length} kinds, ${requests} requests.`,
  );
});
