import { isEditable } from '../../src/domain/networks/live-fields.js';
import { JOB_RETRIES, pauseAfter } from '../../src/domain/jobs/job-retries.js';
import { NETWORK_PACE, laneOf } from '../../src/domain/networks/network-pace.js';
import { NETWORKS } from '../../src/domain/networks/networks.js';
import { wordsOf } from '../../src/domain/vocabulary.js';

describe('pauses between attempts', () => {
  it('double up to a limit, and end', () => {
    const pauses = Array.from({ length: JOB_RETRIES.mostAttempts }, (_, index) =>
      pauseAfter(index + 1, 0),
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
    expect(pauseAfter(JOB_RETRIES.mostAttempts + 1, 0)).toBeNull();
  });

  it('lose up to half by chance', () => {
    expect([pauseAfter(3, 0), pauseAfter(3, 0.5), pauseAfter(3, 1)]).toEqual([8_000, 6_000, 4_000]);
  });
});

describe('lanes', () => {
  it('are there for exactly the networks that edits go to', () => {
    for (const network of wordsOf(NETWORKS))
      expect([network, NETWORK_PACE[network] !== null]).toEqual([network, isEditable(network)]);
  });

  it('are the network’s own, and one for all of the sandbox', () => {
    expect(laneOf({ network: 'youtube', sandbox: false })).toEqual({
      lane: 'youtube',
      atOnce: 1,
      perMinute: 6,
    });
    expect(laneOf({ network: 'youtube', sandbox: true })).toEqual(
      laneOf({ network: 'tiktok', sandbox: true }),
    );
    expect(laneOf({ network: 'tiktok', sandbox: false })).toBeNull();
  });
});
