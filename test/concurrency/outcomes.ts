import type { GatewayResponse } from './gateway-client.js';

/** A duplicate request must have its outcome after this many attempts. */
const MAX_ATTEMPTS = 20;

/**
 * Repeats an idempotent request until its outcome is known.
 * @param firstCodes receives the code of the first response
 * @throws Error if the outcome is still unknown after 20 attempts
 */
export async function retryUntilKnown<Result>(
  send: () => Promise<Result>,
  codeOfResult: (result: Result) => string,
  firstCodes: string[] = [],
): Promise<Result> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const result = await send();
    if (attempt === 1) firstCodes.push(codeOfResult(result));
    if (!['IDEMPOTENCY_IN_FLIGHT', UNAVAILABLE].includes(codeOfResult(result))) return result;
  }
  throw new Error(`outcome still unknown after ${MAX_ATTEMPTS} attempts`);
}

/**
 * The service is too busy: the outcome is unknown, and the change is applied completely or not at
 * all.
 */
export const UNAVAILABLE = 'UNAVAILABLE';

/** Error codes of v1 by status. */
export const V1_ERROR_CODES: Readonly<Record<number, string>> = {
  409: 'IDEMPOTENCY_IN_FLIGHT',
  412: 'CONFLICT',
  422: 'POST_NOT_FOUND',
  503: UNAVAILABLE,
};

/** Outcome of a mutation: `done`, or the code of the first error. */
export function codeOf({ status, body }: GatewayResponse): string {
  const [payload] = Object.values((body.data ?? {}) as Record<string, any>);
  if (payload) return payload.userErrors[0]?.code ?? 'done';
  const code = body.errors?.[0]?.extensions?.code;
  return code === UNAVAILABLE || code === 'IDEMPOTENCY_IN_FLIGHT'
    ? code
    : `${status} ${JSON.stringify(body.errors)}`;
}

/** Codes that are not expected, and `UNAVAILABLE` if it is more than half of the codes. */
export function unexpectedCodes(
  codes: readonly string[],
  expectedCodes: ReadonlySet<string>,
): string[] {
  const unavailable = codes.filter((code) => code === UNAVAILABLE).length;
  return [
    ...codes.filter((code) => !expectedCodes.has(code)).map((code) => `unexpected code: ${code}`),
    ...(unavailable > codes.length / 2
      ? [`${unavailable} of ${codes.length} responses were ${UNAVAILABLE}`]
      : []),
  ];
}

/** Count of each value, as text. */
export function countEach(values: readonly (string | number)[]): string {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    .map(([value, count]) => `${value}: ${count}`)
    .join(', ');
}
