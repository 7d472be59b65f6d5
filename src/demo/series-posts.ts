import type { RecurringRule } from '../domain/posts/post.js';
import type { Network } from '../domain/networks/networks.js';
import type { PostType } from '../domain/vocabulary.js';
import { occurrences } from '../services/posts/recurrence.js';
import type { Calendar } from './calendar.js';
import type { Part } from './cast.js';
import type { Brief } from './post-builder.js';
import type { Scene } from './scene.js';

interface Plot {
  type: PostType;
  network: Network;
  creator: Part;
  daysOfWeek: number[];
  weeksBack: number;
  future: number;
  hasQueued?: boolean;
}

const PLOTS: readonly Plot[] = [
  {
    type: 'status',
    network: 'mastodon',
    creator: 'owner',
    daysOfWeek: [0, 3],
    weeksBack: 4,
    future: 8,
  },
  {
    type: 'photo',
    network: 'facebook',
    creator: 'editor',
    daysOfWeek: [4],
    weeksBack: 3,
    future: 4,
  },
  // Deleting a series is refused while one of its children is queued (D23).
  {
    type: 'status',
    network: 'telegram',
    creator: 'owner',
    daysOfWeek: [1],
    weeksBack: 2,
    future: 3,
    hasQueued: true,
  },
];
const WEEK = 7 * 86_400_000;

/** Weekly series with the posts that they have made: past ones published, the next ones scheduled (D17, D23). */
export function seriesBriefs(
  { workspace }: Scene,
  { now, past, hours }: Calendar,
): { series: Brief; children: Brief[] }[] {
  return PLOTS.map(({ weeksBack, future, daysOfWeek, hasQueued = false, ...who }) => {
    const startDate = new Date(past(2).getTime() - weeksBack * WEEK);
    const rule = { repeat: 'weekly', repeatRate: 1, daysOfWeek, startDate } as const;
    const dates = occurrences(rule, workspace.timeZone, {
      after: new Date(startDate.getTime() - 1),
      max: 100,
      until: new Date(now.getTime() + future * WEEK),
    });
    const before = dates.filter((date) => date <= now);
    const ahead = dates.filter((date) => date > now).slice(0, future);
    const recurring: RecurringRule = {
      startDate: startDate.toISOString(),
      endDate: null,
      repeat: 'weekly',
      repeatRate: 1,
      daysOfWeek,
    };
    const child =
      (cell: 'published_posted' | 'scheduled') =>
      (at: Date): Brief => ({ ...who, cell, at });
    const queued: Brief[] = hasQueued
      ? [{ ...who, cell: 'scheduled', at: hours(1.5), queuedAt: hours(-0.02) }]
      : [];
    return {
      series: { ...who, cell: 'recurring', at: ahead[0] ?? null, recurring },
      children: [
        ...before.map(child('published_posted')),
        ...queued,
        ...ahead.map(child('scheduled')),
      ],
    };
  });
}
