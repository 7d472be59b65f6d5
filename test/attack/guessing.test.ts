import { randomBytes } from 'node:crypto';
import { KEY_ENTROPY_BYTES, keyValue } from '../../src/domain/access/api-key.js';
import { FAILURE_LIMIT } from '../../src/domain/access/rate-window.js';
import { statementsOf } from '../fixtures/statements.js';
import { suite } from '../setup/suite.js';
import { attackedGateway, type Attacked } from './attacked.js';

/** Guessing keys, from the address that others ask from with theirs (D38). */
let gateway: Attacked;
beforeAll(async () => {
  gateway = await attackedGateway({ clock: { now: () => new Date('2030-06-12T08:00:00Z') } });
});
afterAll(() => gateway.close());

/** Of the right form, with the right checksum: a key that nobody was given. */
const aGuess = (): string => keyValue(randomBytes(KEY_ENTROPY_BYTES));
const tally = (statuses: readonly number[]): Record<number, number> =>
  statuses.reduce<Record<number, number>>(
    (counts, status) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }),
    {},
  );

it('lets 20 guesses a minute through both doors together, and every request with a key that holds', async () => {
  const [GUESSES, OWN] = suite.form === 'short' ? [60, 15] : [200, 50];
  const { owner } = gateway;
  const doors = [
    (key: string) => gateway.v1('GET', '/posts', { key, workspace: owner.workspace.id }),
    (key: string) => gateway.graphql('{ __typename }', {}, { key }),
  ];
  const [guesses, own] = await Promise.all([
    Promise.all(Array.from({ length: GUESSES }, (_, index) => doors[index % 2]!(aGuess()))),
    Promise.all(Array.from({ length: OWN }, (_, index) => doors[index % 2]!(owner.apiKey))),
  ]);
  expect(tally(guesses.map(({ status }) => status))).toEqual({
    401: FAILURE_LIMIT,
    429: GUESSES - FAILURE_LIMIT,
  });
  expect(tally(own.map(({ status }) => status))).toEqual({ 200: OWN });
  expect(
    guesses.filter(({ status, headers }) => status === 429 && headers.get('retry-after') === null),
  ).toEqual([]);
  // Nor does it matter that nobody has asked with a key before.
  const another = await gateway.records.aKey({ userId: owner.user.id });
  expect(
    (await Promise.all(doors.map((door) => door(another)))).map(({ status }) => status),
  ).toEqual([200, 200]);
  suite.tell(
    `Guessing: of ${GUESSES} guesses at once ${FAILURE_LIMIT} were told that they are none, and ${OWN} of ${OWN} requests with a key passed.`,
  );
});

it('has no other budget for who claims another address', async () => {
  const from = (address: string) =>
    gateway.v1('GET', '/posts', {
      key: aGuess(),
      headers: {
        'X-Forwarded-For': address,
        'X-Forwarded-Proto': 'https',
        Forwarded: `for=${address};proto=https`,
      },
    });
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => from(`203.0.113.${index}`)),
  );
  // Nobody trusts who says so: what comes with such a header came over plain HTTP, and its key is not even looked at (D36).
  expect([...new Set(answers.map(({ body }) => body.code))]).toEqual(['HTTPS_REQUIRED']);
});

it('asks the database for what may be a key alone, and as often for each', async () => {
  const asked = async (key: string) =>
    (await statementsOf(() => gateway.v1('GET', '/posts', { key }))).statements.length;
  const malformed = [
    '',
    'x',
    'spk_live_',
    `${aGuess().slice(0, -1)}!`,
    `${aGuess()}x`,
    'spk_live_'.padEnd(45, '0'),
  ];
  for (const key of malformed) expect([key, await asked(key)]).toEqual([key, 0]);
  expect(await asked(aGuess())).toBe(1);

  const revoked = await gateway.records.aKey({ userId: gateway.owner.user.id });
  await gateway.db.prisma.apiKey.updateMany({
    where: { prefix: revoked.slice(0, 13) },
    data: { revokedAt: new Date() },
  });
  const expired = await gateway.records.aKey({
    userId: gateway.owner.user.id,
    expiresAt: new Date('2030-06-12T07:00:00Z'),
  });
  expect([await asked(revoked), await asked(expired)]).toEqual([1, 1]);
});
