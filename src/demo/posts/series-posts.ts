import type { PostType } from '../../domain/enums.js';
import type { Network } from '../../domain/networks/networks.js';
import type { RecurringRule } from '../../domain/posts/post-settings.js';
import { findOccurrences, toInstantString } from '../../services/posts/series/series-dates.js';
import type { DemoDates } from '../demo-context.js';
import type { DemoUserKey } from '../demo-users.js';
import type { DemoWorkspace } from '../demo-workspaces.js';
import type { PostSpec } from './post-builder.js';

interface SeriesDefinition {
  type: PostType;
  network: Network;
  creator: DemoUserKey;
  daysOfWeek: number[];
  weeksBack: number;
  future: number;
  hasQueued?: boolean;
}

const SERIES: readonly SeriesDefinition[] = [
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
  // A series cannot be deleted while one of its children is queued (D23).
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
const WEEK_MS = 7 * 86_400_000;

/**
 * Weekly series with their occurrences: published in the past, scheduled in the future (D17, D23).
 */
export function createSeriesSpecs(
  { workspace }: DemoWorkspace,
  { now, past, hoursFromNow }: DemoDates,
): { series: PostSpec; children: PostSpec[] }[] {
  return SERIES.map(({ weeksBack, future, daysOfWeek, hasQueued = false, ...fields }) => {
    const startDate = new Date(past(2).getTime() - weeksBack * WEEK_MS);
    const rule = { repeat: 'weekly', repeatRate: 1, daysOfWeek, startDate } as const;
    const dates = findOccurrences(rule, workspace.timeZone, {
      after: new Date(startDate.getTime() - 1),
      max: 100,
      until: new Date(now.getTime() + future * WEEK_MS),
    });
    const pastDates = dates.filter((date) => date <= now);
    const futureDates = dates.filter((date) => date > now).slice(0, future);
    const recurring: RecurringRule = {
      startDate: toInstantString(startDate),
      repeat: 'weekly',
      repeatRate: 1,
      daysOfWeek,
    };
    const child =
      (storedState: 'published_posted' | 'scheduled') =>
      (scheduledAt: Date): PostSpec => ({ ...fields, storedState, scheduledAt });
    const queuedOccurrences: PostSpec[] = hasQueued
      ? [
          {
            ...fields,
            storedState: 'scheduled',
            scheduledAt: hoursFromNow(1.5),
            queuedAt: hoursFromNow(-0.02),
          },
        ]
      : [];
    return {
      series: {
        ...fields,
        storedState: 'recurring',
        scheduledAt: futureDates[0] ?? null,
        recurring,
      },
      children: [
        ...pastDates.map(child('published_posted')),
        ...queuedOccurrences,
        ...futureDates.map(child('scheduled')),
      ],
    };
  });
}
