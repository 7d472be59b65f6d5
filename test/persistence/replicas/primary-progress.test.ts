import { createPrimaryProgress } from '../../../src/persistence/replicas/primary-progress.js';

test('measures the time since the primary was at a position', () => {
  const progress = createPrimaryProgress();
  expect(progress.lagOf(1_000, 0)).toBe(Infinity);
  progress.add(100, '00000001', 10);
  progress.add(200, '00000001', 20);
  progress.add(300, '00000001', 30);
  expect([99, 100, 199, 200, 299, 300, 400].map((at) => progress.lagOf(at, 50))).toEqual([
    Infinity,
    40,
    40,
    30,
    30,
    20,
    20,
  ]);
});

test('counts no lag while the primary is idle', () => {
  const progress = createPrimaryProgress();
  progress.add(100, '00000001', 0);
  progress.add(100, '00000001', 5_000);
  expect(progress.lagOf(100, 5_100)).toBe(100);
});

test('knows the primary for a second after its answer', () => {
  const progress = createPrimaryProgress();
  expect(progress.isKnown(0)).toBe(false);
  progress.add(100, '00000001', 1_000);
  expect([1_000, 1_999, 2_000].map(progress.isKnown)).toEqual([true, true, false]);
});

test('forgets the positions of an earlier timeline', () => {
  const progress = createPrimaryProgress();
  progress.add(100, '00000001', 0);
  progress.add(300, '00000001', 10);
  progress.add(200, '00000002', 20);
  expect(progress.lagOf(150, 30)).toBe(Infinity);
  expect(progress.lagOf(200, 30)).toBe(10);
});

test('forgets positions after ten minutes', () => {
  const progress = createPrimaryProgress();
  progress.add(100, '00000001', 0);
  progress.add(200, '00000001', 600_001);
  expect(progress.lagOf(150, 600_002)).toBe(Infinity);
});
