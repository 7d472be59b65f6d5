import type { PublicationPace } from '../../domain/networks/network-definition.js';

/** Start of the name of the rate bucket of an account, to which its ID is added. */
export const BUCKET_PREFIX = 'publish ';

/** The rate bucket of the publications and removals of an account. */
export const publicationBucketOf = (accountId: string): string => `${BUCKET_PREFIX}${accountId}`;

const MIN_DELAY_MS = 200;
/** Delay of a call whose account has as many publications in progress as its pace allows. */
export const busyAccountDelayMs = ({ intervalMs }: PublicationPace): number =>
  Math.max(intervalMs, MIN_DELAY_MS);
