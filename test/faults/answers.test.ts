import { brokenAnswers, WITHIN_MS } from './answers.js';
import { FAULT_KINDS } from './fault-kinds.js';
import { aJournal, type Attempt, type FaultTime, type Journal } from './journal.js';

const RIGHT: Attempt = {
  status: 200,
  code: 'OK',
  message: '',
  retryAfter: null,
  startedAt: 0,
  endedAt: 5,
  gateway: 0,
  hasTwin: false,
};
const AWAY: Attempt = { ...RIGHT, status: 503, code: 'UNAVAILABLE', retryAfter: '5' };
const IN_FLIGHT: Attempt = {
  ...RIGHT,
  status: 409,
  code: 'IDEMPOTENCY_IN_FLIGHT',
  endedAt: 10_200,
  hasTwin: true,
};
const NONE: Attempt = { ...RIGHT, status: null, code: 'UND_ERR_SOCKET' };
const LATE = WITHIN_MS + 100;

/** One that was mended when it had gone on for a second. */
function aFault(name: string, from: number, victim: number | null = null): FaultTime {
  return {
    kind: FAULT_KINDS.find((kind) => kind.name === name)!,
    from,
    to: from + 1_100,
    recoveryMs: 100,
    victim,
  };
}
const [killed, silent, worker, redis] = [
  aFault('a gateway is killed', -100, 0),
  aFault('PostgreSQL is silent', -100),
  aFault('a worker is killed', -100, 0),
  aFault('Redis is killed', -100),
];
const aNight = (attempt: Attempt, ...faults: FaultTime[]): Journal => ({
  ...aJournal(),
  attempts: [attempt],
  faults,
});

it.each<[string, Attempt, FaultTime[]]>([
  ['what is right', RIGHT, []],
  ['what is right and late while the database is away', { ...RIGHT, endedAt: LATE }, [silent]],
  ['what has waited for a twin', { ...RIGHT, endedAt: 9_000, hasTwin: true }, [killed]],
  ['503 while the database is away', AWAY, [silent]],
  ['503 shortly after', { ...AWAY, startedAt: 1_900, endedAt: 1_910 }, [silent]],
  ['503 of a gateway that starts', AWAY, [killed]],
  [
    '503 for who waited for a twin when the database went away',
    { ...AWAY, endedAt: 9_000, hasTwin: true },
    [killed, aFault('PostgreSQL is silent', 8_000)],
  ],
  [
    '503 for who met the end of an outage, waited for a twin, and met another',
    { ...AWAY, startedAt: 900, endedAt: 5_000, hasTwin: true },
    [silent, aFault('PostgreSQL is killed', 4_900)],
  ],
  ['409 for a twin of a dead gateway', IN_FLIGHT, [killed]],
  ['nothing, from a dead gateway', NONE, [killed]],
])('finds nothing wrong with %s', (_what, attempt, faults) => {
  expect(brokenAnswers(aNight(attempt, ...faults))).toEqual([]);
});

it.each<[string, Attempt, FaultTime[], RegExp]>([
  ['is late without a fault', { ...RIGHT, endedAt: LATE }, [], /^200 OK .* without a fault$/],
  [
    'is late while Redis is away',
    { ...RIGHT, endedAt: LATE },
    [redis],
    /^200 OK .* after Redis is killed$/,
  ],
  [
    'is too late even while the database is away',
    { ...RIGHT, endedAt: 4_100 },
    [silent],
    /^200 OK .* after 4100 ms/,
  ],
  [
    'waited for a twin that nothing left',
    { ...RIGHT, endedAt: 9_000, hasTwin: true },
    [],
    /^200 OK .* after 9000 ms/,
  ],
  [
    'says nothing of when to try again',
    { ...AWAY, retryAfter: null },
    [silent],
    /^503 UNAVAILABLE .*Retry-After null/,
  ],
  [
    'says when to try again in other words',
    { ...AWAY, retryAfter: 'soon' },
    [silent],
    /Retry-After soon/,
  ],
  [
    'tells of an outage as if all were well',
    { ...AWAY, status: 200 },
    [silent],
    /^200 UNAVAILABLE/,
  ],
  ['tells of an outage where there is none', AWAY, [], /^503 UNAVAILABLE .* without a fault$/],
  [
    'tells of an outage because a worker is away',
    AWAY,
    [worker],
    /^503 UNAVAILABLE .* after a worker is killed$/,
  ],
  [
    'tells of an outage because the other gateway was killed',
    { ...AWAY, gateway: 1 },
    [killed],
    /^503 UNAVAILABLE .* from gateway 2 .* after a gateway is killed$/,
  ],
  [
    'tells of an outage because Redis is away',
    AWAY,
    [redis],
    /^503 UNAVAILABLE .* after Redis is killed$/,
  ],
  [
    'tells of an outage that is over',
    { ...AWAY, startedAt: 2_100, endedAt: 2_110 },
    [silent],
    /^503 UNAVAILABLE/,
  ],
  ['tells of an outage too late', { ...AWAY, endedAt: LATE }, [silent], /^503 UNAVAILABLE/],
  [
    'tells of one outage when the next has begun',
    { ...AWAY, startedAt: -100, endedAt: LATE, hasTwin: true },
    [{ ...silent, to: WITHIN_MS - 400 }, aFault('PostgreSQL is killed', WITHIN_MS - 400)],
    /^503 UNAVAILABLE .* after PostgreSQL is silent and .* after PostgreSQL is killed$/,
  ],
  [
    'tells of an outage that ended while it waited for a twin',
    { ...AWAY, startedAt: 900, endedAt: 5_000, hasTwin: true },
    [silent],
    /^503 UNAVAILABLE .* after 4100 ms/,
  ],
  [
    'gives up on a twin that there is not',
    { ...IN_FLIGHT, hasTwin: false },
    [killed],
    /^409 IDEMPOTENCY_IN_FLIGHT/,
  ],
  [
    'gives up on a twin too late',
    { ...IN_FLIGHT, endedAt: 12_100 },
    [killed],
    /^409 IDEMPOTENCY_IN_FLIGHT/,
  ],
  ['gives up on a twin that nothing left', IN_FLIGHT, [worker], /^409 IDEMPOTENCY_IN_FLIGHT/],
  ['does not come, and nobody was killed', NONE, [silent], /^no answer UND_ERR_SOCKET/],
  [
    'does not come from a gateway that lives',
    { ...NONE, gateway: 1 },
    [killed],
    /^no answer UND_ERR_SOCKET .* from gateway 2/,
  ],
  [
    'does not come, and that is found out late',
    { ...NONE, endedAt: LATE },
    [killed],
    /^no answer UND_ERR_SOCKET/,
  ],
])('would see an answer that %s', (_what, attempt, faults, complaint) => {
  expect(brokenAnswers(aNight(attempt, ...faults))).toEqual([expect.stringMatching(complaint)]);
});
