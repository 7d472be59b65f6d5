import { createHash } from 'node:crypto';
import { GatewayError, type Refusal } from '../../domain/errors.js';
import { canonicalJson } from '../../domain/changes/merge-patch.js';
import type { FulfilledClaim, IdempotencyPlace, IdempotencyStore } from '../ports.js';

const TWIN_WAIT_MS = 10_000; // D27
const LOOK_AGAIN_MS = 50;
/** How often, and for how long, a claim is given back where that did not succeed: after that it ends by itself. */
const GIVE_BACK_AGAIN_MS = 250;
const GIVE_BACK_MS = 30_000;

/** A claim that the work fulfils itself, in the transaction of its change, by handing it to the store. */
export type Claim = (outcome: unknown) => FulfilledClaim;

/** What the work came to. `recorded`: it is in the record already; `record`: it shall be; `forget`: it shall not (401, 403, 412 …). */
export interface Worked<T> {
  readonly outcome: T;
  readonly memory: 'recorded' | 'record' | 'forget';
}

interface Keyed {
  readonly place: IdempotencyPlace;
  readonly input: unknown;
}

export type Once<T> =
  | { readonly kind: 'worked'; readonly outcome: T }
  | { readonly kind: 'replayed'; readonly outcome: unknown }
  | { readonly kind: 'mismatch'; readonly refusal: Refusal };

const MISMATCH: Refusal = {
  code: 'IDEMPOTENCY_MISMATCH',
  message: 'The idempotency key was used before with another input.',
  path: ['idempotencyKey'],
  rule: 'D27',
};

/**
 * Does the work once for a key: a twin in flight is waited for, a recorded outcome is given again, another input
 * under the same key is a mismatch.
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT after 10 seconds
 */
export async function once<T>(
  store: IdempotencyStore,
  { place, input }: Keyed,
  work: (claim: Claim) => Promise<Worked<T>>,
): Promise<Once<T>> {
  const fingerprint = createHash('sha256').update(canonicalJson(input)).digest('base64url');
  const deadline = performance.now() + TWIN_WAIT_MS;
  for (;;) {
    const claimed = await store.claim(place, fingerprint);
    if (claimed.kind === 'claimed')
      return { kind: 'worked', outcome: await workUnder(store, place, claimed.claim, work) };
    if (claimed.fingerprint !== fingerprint) return { kind: 'mismatch', refusal: MISMATCH };
    if (claimed.kind === 'recorded') return { kind: 'replayed', outcome: claimed.outcome };
    if (performance.now() > deadline) throw new GatewayError('IDEMPOTENCY_IN_FLIGHT');
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

async function workUnder<T>(
  store: IdempotencyStore,
  place: IdempotencyPlace,
  claim: string,
  work: (claim: Claim) => Promise<Worked<T>>,
): Promise<T> {
  const fulfil: Claim = (outcome) => ({ place, claim, outcome });
  try {
    const { outcome, memory } = await work(fulfil);
    if (memory === 'record') await store.record(fulfil(outcome));
    if (memory === 'forget') await store.abandon(place, claim);
    return outcome;
  } catch (error) {
    await store.abandon(place, claim).catch(() => void abandonLater(store, place, claim));
    throw error;
  }
}

/** Whoever asks again once the database is back need not wait for the end of a claim that stands for nothing. */
async function abandonLater(
  store: IdempotencyStore,
  place: IdempotencyPlace,
  claim: string,
): Promise<void> {
  for (const last = performance.now() + GIVE_BACK_MS; performance.now() < last;) {
    await new Promise((resolve) => {
      setTimeout(resolve, GIVE_BACK_AGAIN_MS).unref();
    });
    const isGivenBack = await store.abandon(place, claim).then(
      () => true,
      () => false,
    );
    if (isGivenBack) return;
  }
}
