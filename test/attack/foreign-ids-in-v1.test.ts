import type { KeyedViewer } from '../fixtures/records.js';
import { statementsOf } from '../fixtures/statements.js';
import { suite } from '../setup/suite.js';
import { V1_PLACES } from './own.js';
import { differencesIn, steady, twoTenants, type Tenants, type Told } from './tenants.js';
import type { V1Place } from './v1-places.js';
import { DOCUMENT_KINDS } from './victim.js';

jest.setTimeout(120_000);

/** A document id that exists elsewhere is 403 (D18, D30). */
const TOLD = [
  'GET /v1/posts/{id}: path id',
  'PUT /v1/posts/{id}: path id',
  'DELETE /v1/posts: query post_ids[]',
  ...[
    'GET /sandbox/{id}',
    'DELETE /sandbox/{id}',
    'GET /sandbox/{id}/faults',
    'PUT /sandbox/{id}/faults',
    'DELETE /sandbox/{id}/faults',
  ].map((operation) => `${operation}: path id`),
].flatMap((place) => DOCUMENT_KINDS.map((kind) => `${place}: ${kind}`));

let tenants: Tenants;
beforeAll(async () => {
  tenants = await twoTenants();
});
afterAll(() => tenants.gateway.close());

let requests = 0;

const answerOf =
  (as: KeyedViewer, place: V1Place) =>
  async (id: string): Promise<Told> => {
    requests += 1;
    const { path, headers, body } = place.request(id);
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const { result, statements } = await statementsOf(() =>
      tenants.gateway.ask(path, {
        method: place.method,
        asking: { as },
        headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
        ...sent,
      }),
    );
    const text = JSON.stringify([result.status, steady(result.headers), result.body]);
    return { text, statements: statements.length, isFault: result.status >= 500 };
  };

/** Parameters, and what is an id in a body. */
const takesIds = ({ name }: V1Place): boolean => !name.includes(': body ') || /\bid$/.test(name);

const found = (as: KeyedViewer, chosen: readonly V1Place[]): Promise<string[]> =>
  differencesIn(chosen, tenants.victim, { answerOf: (place) => answerOf(as, place), takesIds });

it('finds the fields of bodies, those inside of others too', () => {
  const fields = V1_PLACES.flatMap(({ name }) => name.split(': body ')[1] ?? []);
  expect(fields).toEqual(
    expect.arrayContaining([
      'post.text',
      'post.media.id',
      'post.media.user_tags.id',
      'post.location.id',
      'post.details.sponsor.id',
      'advance_seconds',
      'fail.code',
    ]),
  );
  expect(
    V1_PLACES.find(({ name }) => name.endsWith(': body post.labels.color'))!.request('x').body,
  ).toEqual({ post: { labels: [{ name: 'own', color: 'x' }] } });
});

it('tells a stranger of a foreign id nothing that it does not tell of an unknown one, but where the document asks for it', async () => {
  expect(await found(tenants.stranger, V1_PLACES)).toEqual([...TOLD].sort());
});

it('tells a member of both workspaces no more in the one they name in the header', async () => {
  const others = V1_PLACES.filter(({ name }) => !name.endsWith('header Service-Workspace-Id'));
  expect(await found(tenants.memberOfBoth, others)).toEqual([...TOLD].sort());
});

it('has changed nothing of the victim’s', async () => {
  expect(await tenants.victim.changes(tenants.stranger.workspace.id)).toEqual({
    came: [],
    went: [],
  });
  suite.tell(
    `Foreign ids in REST v1: ${V1_PLACES.length} places × ${tenants.victim.ids.length} kinds, ${requests} requests.`,
  );
});
