import { supportsEdits, NETWORKS, rateBucketOf } from '../../../src/domain/networks/networks.js';
import { JOB_RETRIES, jobRetryDelayMs } from '../../../src/domain/jobs/job.js';
import { enumKeys } from '../../../src/domain/enums.js';

describe('jobRetryDelayMs', () => {
  it('doubles up to the maximum, then returns null', () => {
    const pauses = Array.from({ length: JOB_RETRIES.maxAttempts }, (_, index) =>
      jobRetryDelayMs(index + 1, 0),
    );
    expect(pauses).toEqual([
      2_000,
      4_000,
      8_000,
      16_000,
      32_000,
      64_000,
      128_000,
      256_000,
      512_000,
      null,
    ]);
    expect(jobRetryDelayMs(JOB_RETRIES.maxAttempts + 1, 0)).toBeNull();
  });

  it('is shortened randomly by up to half', () => {
    expect([jobRetryDelayMs(3, 0), jobRetryDelayMs(3, 0.5), jobRetryDelayMs(3, 1)]).toEqual([
      8_000, 6_000, 4_000,
    ]);
  });
});

describe('rateBucketOf', () => {
  it('returns a bucket exactly for the networks that support edits', () => {
    for (const network of enumKeys(NETWORKS))
      expect([network, NETWORKS[network].editRate !== null]).toEqual([
        network,
        supportsEdits(network),
      ]);
  });

  it('returns the network’s own bucket, and one for all sandbox accounts', () => {
    expect(rateBucketOf({ network: 'youtube', sandbox: false })).toEqual({
      bucket: 'youtube',
      maxConcurrent: 1,
      maxPerMinute: 6,
    });
    expect(rateBucketOf({ network: 'youtube', sandbox: true })).toEqual(
      rateBucketOf({ network: 'tiktok', sandbox: true }),
    );
    expect(rateBucketOf({ network: 'tiktok', sandbox: false })).toBeNull();
  });
});
