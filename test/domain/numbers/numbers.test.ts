import { sandboxNumbers } from '../../../src/domain/networks/sandbox.js';
import {
  metricsOf,
  nextReadingAt,
  toAnalytics,
  type PostNumbers,
} from '../../../src/domain/numbers/numbers.js';

const HOUR_MS = 3_600_000;
const PUBLISHED = new Date('2026-01-01T00:00:00Z');
const after = (hours: number): Date => new Date(PUBLISHED.getTime() + hours * HOUR_MS);

test('numbers are read after 1 h, 6 h, 24 h, 3 d, 7 d, 30 d, then monthly for a year', () => {
  const hours: number[] = [];
  for (let now: Date | null = PUBLISHED; (now = nextReadingAt(PUBLISHED, now));)
    hours.push((now.getTime() - PUBLISHED.getTime()) / HOUR_MS);
  expect(hours.slice(0, 5)).toEqual([1, 6, 24, 72, 168]);
  expect(hours.slice(5)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => n * 720));
});

test('readings that were missed are not made up for', () => {
  expect(nextReadingAt(PUBLISHED, after(25))).toEqual(after(72));
  expect(nextReadingAt(PUBLISHED, after(9_000))).toBeNull();
});

test('engagement and rates follow from what the network counts', () => {
  const counted = { reach: 1_000, likes: 40, comments: 3, shares: null, saves: 7, linkClicks: 20 };
  expect(toAnalytics(counted, PUBLISHED)).toEqual({
    ...counted,
    engagement: 50,
    engagementRate: 0.05,
    clickThroughRate: 0.02,
    videoViews: null,
    postClicks: null,
    reachRate: null,
    pollVotes: null,
    updatedAt: PUBLISHED,
  });
  expect(toAnalytics({ comments: 0 }, PUBLISHED)).toMatchObject({
    engagement: 0,
    engagementRate: null,
    clickThroughRate: null,
  });
  expect(toAnalytics({ reach: 0, likes: 1 }, PUBLISHED).engagementRate).toBeNull();
  expect(toAnalytics({}, PUBLISHED).engagement).toBeNull();
  expect(metricsOf({ sources: { likes: 'a', reach: 'b' }, missing: 'c' })).toEqual([
    'reach',
    'likes',
    'engagement',
    'engagementRate',
  ]);
});

test('the sandbox network counts reproducibly, differently for each post, and never less than before', () => {
  const ages = [0, 1, 6, 24, 72, 168, 720, 8_640].map((hours) => hours * HOUR_MS);
  const ids = Array.from({ length: 200 }, (_, n) =>
    (0xabcdef00 + n).toString(16).padStart(24, '0'),
  );
  const final = ids.map((id) => sandboxNumbers(id, ages.at(-1)!));
  for (const id of ids) {
    const series = ages.map((age) => sandboxNumbers(id, age));
    expect(series).toEqual(ages.map((age) => sandboxNumbers(id, age)));
    for (const [index, numbers] of series.entries())
      for (const [metric, count] of Object.entries(series[index - 1] ?? {}))
        expect(numbers[metric as keyof PostNumbers]).toBeGreaterThanOrEqual(count as number);
  }
  const reach = final.map((numbers) => numbers.reach!).sort((a, b) => a - b);
  expect(reach[0]).toBeGreaterThanOrEqual(199);
  expect(reach.at(-1)).toBeLessThanOrEqual(20_000);
  expect(new Set(reach).size).toBeGreaterThan(190);
  // Half of the posts are seen by some 2,000 people.
  expect(reach[100]).toBeGreaterThan(1_000);
  expect(reach[100]).toBeLessThan(4_000);
  expect(final.every(({ likes, reach: seen }) => likes! > 0 && likes! < seen! / 10)).toBe(true);
});
