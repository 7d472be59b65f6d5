import { responseViolations, MAX_RESPONSE_MS } from './response-rules.js';
import { FAULT_KINDS } from './fault-kinds.js';
import {
  createRequestHistory,
  type Attempt,
  type InjectedFault,
  type RequestHistory,
} from './request-history.js';

const OK: Attempt = {
  status: 200,
  code: 'OK',
  message: '',
  retryAfter: null,
  startedAt: 0,
  endedAt: 5,
  gateway: 0,
  isRetry: false,
};
const UNAVAILABLE: Attempt = { ...OK, status: 503, code: 'UNAVAILABLE', retryAfter: '5' };
const IN_FLIGHT: Attempt = {
  ...OK,
  status: 409,
  code: 'IDEMPOTENCY_IN_FLIGHT',
  endedAt: 10_200,
  isRetry: true,
};
const NO_RESPONSE: Attempt = { ...OK, status: null, code: 'UND_ERR_SOCKET' };
const TOO_LATE = MAX_RESPONSE_MS + 100;

/** A fault of 1 s, and 0.1 s until the gateways serve again. */
function createFault(name: string, from: number, target: number | null = null): InjectedFault {
  return {
    kind: FAULT_KINDS.find((kind) => kind.name === name)!,
    from,
    to: from + 1_100,
    recoveryMs: 100,
    target,
  };
}
const [killed, unresponsive, worker, redis] = [
  createFault('a gateway is killed', -100, 0),
  createFault('PostgreSQL does not respond', -100),
  createFault('a worker is killed', -100, 0),
  createFault('Redis is killed', -100),
];
/** Changes can wait for 25 s. */
const withoutStandby: InjectedFault = {
  ...unresponsive,
  kind: { ...unresponsive.kind, maxWaitMs: 25_000 },
};
const historyOf = (attempt: Attempt, ...faults: InjectedFault[]): RequestHistory => ({
  ...createRequestHistory(),
  attempts: [attempt],
  faults,
});

it.each<[string, Attempt, InjectedFault[]]>([
  ['a result in time', OK, []],
  ['a late result while the database is unavailable', { ...OK, endedAt: TOO_LATE }, [unresponsive]],
  ['a retry that waited for its first attempt', { ...OK, endedAt: 9_000, isRetry: true }, [killed]],
  ['503 while the database is unavailable', UNAVAILABLE, [unresponsive]],
  [
    '503 that is late by no more than the time without a core',
    { ...UNAVAILABLE, endedAt: TOO_LATE, withoutCoreMs: 100 },
    [unresponsive],
  ],
  [
    '503 shortly after an outage',
    { ...UNAVAILABLE, startedAt: 1_900, endedAt: 1_910 },
    [unresponsive],
  ],
  ['503 from a starting gateway', UNAVAILABLE, [killed]],
  [
    '503 for a retry that was waiting when the database became unavailable',
    { ...UNAVAILABLE, endedAt: 9_000, isRetry: true },
    [killed, createFault('PostgreSQL does not respond', 8_000)],
  ],
  [
    '503 for a retry that waited from the end of one outage to the start of the next',
    { ...UNAVAILABLE, startedAt: 900, endedAt: 5_000, isRetry: true },
    [unresponsive, createFault('PostgreSQL is killed', 4_900)],
  ],
  [
    '503 for a change that waited for a standby',
    { ...UNAVAILABLE, endedAt: 24_900 },
    [withoutStandby],
  ],
  ['409 for a retry whose first attempt was on a killed gateway', IN_FLIGHT, [killed]],
  ['no response from a killed gateway', NO_RESPONSE, [killed]],
])('accepts %s', (_what, attempt, faults) => {
  expect(responseViolations(historyOf(attempt, ...faults))).toEqual([]);
});

it.each<[string, Attempt, InjectedFault[], RegExp]>([
  ['is late without a fault', { ...OK, endedAt: TOO_LATE }, [], /^200 OK .* without a fault$/],
  [
    'is late while Redis is unavailable',
    { ...OK, endedAt: TOO_LATE },
    [redis],
    /^200 OK .* after Redis is killed$/,
  ],
  [
    'is too late even for an outage of the database',
    { ...OK, endedAt: 4_100 },
    [unresponsive],
    /^200 OK .* after 4100 ms/,
  ],
  [
    'is too late even for a change that waited for a standby',
    { ...UNAVAILABLE, endedAt: 25_100 },
    [withoutStandby],
    /^503 UNAVAILABLE .* after 25100 ms/,
  ],
  [
    'is a retry that waited although no fault interrupted its first attempt',
    { ...OK, endedAt: 9_000, isRetry: true },
    [],
    /^200 OK .* after 9000 ms/,
  ],
  [
    'has no Retry-After',
    { ...UNAVAILABLE, retryAfter: null },
    [unresponsive],
    /^503 UNAVAILABLE .*Retry-After null/,
  ],
  [
    'has a Retry-After that is not a number',
    { ...UNAVAILABLE, retryAfter: 'soon' },
    [unresponsive],
    /Retry-After soon/,
  ],
  [
    'reports an outage with status 200',
    { ...UNAVAILABLE, status: 200 },
    [unresponsive],
    /^200 UNAVAILABLE/,
  ],
  ['reports an outage without a fault', UNAVAILABLE, [], /^503 UNAVAILABLE .* without a fault$/],
  [
    'reports an outage because a worker is down',
    UNAVAILABLE,
    [worker],
    /^503 UNAVAILABLE .* after a worker is killed$/,
  ],
  [
    'reports an outage because the other gateway was killed',
    { ...UNAVAILABLE, gateway: 1 },
    [killed],
    /^503 UNAVAILABLE .* from gateway 2 .* after a gateway is killed$/,
  ],
  [
    'reports an outage because Redis is unavailable',
    UNAVAILABLE,
    [redis],
    /^503 UNAVAILABLE .* after Redis is killed$/,
  ],
  [
    'reports an outage that is over',
    { ...UNAVAILABLE, startedAt: 2_100, endedAt: 2_110 },
    [unresponsive],
    /^503 UNAVAILABLE/,
  ],
  [
    'reports an outage too late',
    { ...UNAVAILABLE, endedAt: TOO_LATE },
    [unresponsive],
    /^503 UNAVAILABLE/,
  ],
  [
    'reports an outage later than the time without a core justifies',
    { ...UNAVAILABLE, endedAt: TOO_LATE, withoutCoreMs: 99 },
    [unresponsive],
    /^503 UNAVAILABLE .* after \d+ ms \(99 ms without a core\)/,
  ],
  [
    'reports an outage only when the next one has begun',
    { ...UNAVAILABLE, startedAt: -100, endedAt: TOO_LATE, isRetry: true },
    [
      { ...unresponsive, to: MAX_RESPONSE_MS - 400 },
      createFault('PostgreSQL is killed', MAX_RESPONSE_MS - 400),
    ],
    /^503 UNAVAILABLE .* after PostgreSQL does not respond and .* after PostgreSQL is killed$/,
  ],
  [
    'reports an outage that ended while the retry was waiting',
    { ...UNAVAILABLE, startedAt: 900, endedAt: 5_000, isRetry: true },
    [unresponsive],
    /^503 UNAVAILABLE .* after 4100 ms/,
  ],
  [
    'is 409 without a first attempt',
    { ...IN_FLIGHT, isRetry: false },
    [killed],
    /^409 IDEMPOTENCY_IN_FLIGHT/,
  ],
  ['is 409 too late', { ...IN_FLIGHT, endedAt: 12_100 }, [killed], /^409 IDEMPOTENCY_IN_FLIGHT/],
  [
    'is 409 although no fault interrupted the first attempt',
    IN_FLIGHT,
    [worker],
    /^409 IDEMPOTENCY_IN_FLIGHT/,
  ],
  [
    'is missing although no gateway was killed',
    NO_RESPONSE,
    [unresponsive],
    /^no response UND_ERR_SOCKET/,
  ],
  [
    'is missing from the gateway that was not killed',
    { ...NO_RESPONSE, gateway: 1 },
    [killed],
    /^no response UND_ERR_SOCKET .* from gateway 2/,
  ],
  [
    'is missing and noticed late',
    { ...NO_RESPONSE, endedAt: TOO_LATE },
    [killed],
    /^no response UND_ERR_SOCKET/,
  ],
])('rejects a response that %s', (_what, attempt, faults, violation) => {
  expect(responseViolations(historyOf(attempt, ...faults))).toEqual([
    expect.stringMatching(violation),
  ]);
});
