import { randomBytes } from 'node:crypto';
import { KEY_ENTROPY_BYTES, createKeyValue } from '../../src/domain/access/api-key.js';
import { FAILURE_LIMIT } from '../../src/domain/access/rate-window.js';
import { recordStatements } from '../fixtures/statements.js';
import { suite } from '../setup/suite.js';
import { openAuditedGateway } from './audited-gateway.js';
import { forAllTests } from '../fixtures/lifecycle.js';

/** Guessed keys from an address from which valid keys are used too (D38). */
const gateway = forAllTests(
  () => openAuditedGateway({ clock: { now: () => new Date('2030-06-12T08:00:00Z') } }),
  'close',
);

/** A well-formed key with a valid checksum that does not exist. */
const guessKey = (): string => createKeyValue(randomBytes(KEY_ENTROPY_BYTES));
const countByStatus = (statuses: readonly number[]): Record<number, number> =>
  statuses.reduce<Record<number, number>>(
    (counts, status) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }),
    {},
  );

it('checks 20 guesses a minute over both APIs together, and every request with a valid key', async () => {
  const [guessCount, validCount] = suite.length === 'short' ? [60, 15] : [200, 50];
  const { owner } = gateway;
  const apis = [
    (key: string) => gateway.v1('GET', '/posts', { key, workspace: owner.workspace.id }),
    (key: string) => gateway.graphql('{ __typename }', {}, { key }),
  ];
  const [guesses, valid] = await Promise.all([
    Promise.all(Array.from({ length: guessCount }, (_, index) => apis[index % 2]!(guessKey()))),
    Promise.all(Array.from({ length: validCount }, (_, index) => apis[index % 2]!(owner.apiKey))),
  ]);
  expect(countByStatus(guesses.map(({ status }) => status))).toEqual({
    401: FAILURE_LIMIT,
    429: guessCount - FAILURE_LIMIT,
  });
  expect(countByStatus(valid.map(({ status }) => status))).toEqual({ 200: validCount });
  expect(
    guesses.filter(({ status, headers }) => status === 429 && headers.get('retry-after') === null),
  ).toEqual([]);
  // A valid key is accepted even if it was not used before.
  const unusedKey = await gateway.records.aKey({ userId: owner.user.id });
  expect(
    (await Promise.all(apis.map((send) => send(unusedKey)))).map(({ status }) => status),
  ).toEqual([200, 200]);
  suite.report(
    `Guessing: of ${guessCount} concurrent guesses ${FAILURE_LIMIT} were answered with 401, and ${validCount} of ${validCount} requests with a valid key succeeded.`,
  );
});

it('has no separate limit for a forged client address', async () => {
  const sendFrom = (address: string) =>
    gateway.v1('GET', '/posts', {
      key: guessKey(),
      headers: {
        'X-Forwarded-For': address,
        'X-Forwarded-Proto': 'https',
        Forwarded: `for=${address};proto=https`,
      },
    });
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, index) => sendFrom(`203.0.113.${index}`)),
  );
  // The sender is not a trusted proxy: the request counts as plain HTTP, and its key is not read
  // (D36).
  expect([...new Set(responses.map(({ body }) => body.code))]).toEqual(['HTTPS_REQUIRED']);
});

it('queries the database only for well-formed keys, and once for each', async () => {
  const countStatements = async (key: string) =>
    (await recordStatements(() => gateway.v1('GET', '/posts', { key }))).statements.length;
  const malformed = [
    '',
    'x',
    'spk_live_',
    `${guessKey().slice(0, -1)}!`,
    `${guessKey()}x`,
    'spk_live_'.padEnd(45, '0'),
  ];
  for (const key of malformed) expect([key, await countStatements(key)]).toEqual([key, 0]);
  expect(await countStatements(guessKey())).toBe(1);

  const revoked = await gateway.records.aKey({ userId: gateway.owner.user.id });
  await gateway.db.prisma.apiKey.updateMany({
    where: { prefix: revoked.slice(0, 13) },
    data: { revokedAt: new Date() },
  });
  const expired = await gateway.records.aKey({
    userId: gateway.owner.user.id,
    expiresAt: new Date('2030-06-12T07:00:00Z'),
  });
  expect([await countStatements(revoked), await countStatements(expired)]).toEqual([1, 1]);
});
