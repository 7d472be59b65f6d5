import { isDate } from '../../domain/input/date-readers.js';
import {
  changedFields,
  isMoreThanLabels,
  isSame,
  mergePatch,
  type PatchReferences,
} from '../../domain/changes/merge-patch.js';
import {
  PATCH_FIELDS,
  type Post,
  type PostPatch,
  type RecurringRule,
} from '../../domain/posts/post.js';
import type { Cell } from '../../domain/posts/states.js';
import { cellAfter } from '../../domain/posts/transitions.js';
import { needsApproval, type Viewer } from '../../domain/access/viewer.js';
import type { Ids } from '../ports.js';
import { occurrences } from './recurrence.js';
import { zoneDayEnd, zoneMidnight } from './zone-time.js';

/** How far ahead the children of a series are made: so many, or so long, whichever ends first. */
const MOST_CHILDREN = 52;
const HORIZON_MS = 366 * 86_400_000;
/** The last moment that a date of a post may have. */
const LAST_DATE = new Date('2100-12-31T23:59:59Z');

const iso = (date: Date): string => date.toISOString().replace(/\.\d{3}Z$/, 'Z');

/** A rule as it is kept: bare dates become instants of the workspace's zone (D8), its first and its last moment of the day. */
export function resolveRule(
  rule: RecurringRule | null | undefined,
  zone: string,
): RecurringRule | null | undefined {
  if (!rule) return rule;
  const instant = (
    text: string | null | undefined,
    ofDay: (date: string, zone: string) => Date,
  ): string | null | undefined =>
    text ? iso(isDate(text) ? ofDay(text, zone) : new Date(text)) : text;
  const resolved = { ...rule };
  if (rule.startDate !== undefined) resolved.startDate = instant(rule.startDate, zoneMidnight)!;
  if (rule.endDate !== undefined) resolved.endDate = instant(rule.endDate, zoneDayEnd)!;
  return resolved;
}

/**
 * A series' rule with what it leaves unsaid: it starts at the post's own date and repeats every single time. The rule
 * that the post has stays as it is kept where it says the same.
 */
export function completeRule(
  rule: RecurringRule,
  { scheduledAt, recurring }: Pick<Post, 'scheduledAt' | 'recurring'>,
): RecurringRule {
  const complete = (one: RecurringRule): RecurringRule => ({
    repeatRate: 1,
    ...(scheduledAt ? { startDate: iso(scheduledAt) } : {}),
    ...one,
  });
  return recurring && isSame(complete(recurring), complete(rule)) ? recurring : complete(rule);
}

/** The dates of a series still to come, as far ahead as children are made; the next one however far it is (D17). */
export function comingDates(rule: RecurringRule, zone: string, now: Date): Date[] {
  const { repeat, repeatRate, daysOfWeek, startDate, endDate } = rule;
  if (!repeat || !startDate) return [];
  const complete = {
    repeat,
    repeatRate: repeatRate ?? 1,
    daysOfWeek: daysOfWeek ?? [],
    startDate: new Date(startDate),
    endDate: endDate ? new Date(endDate) : null,
  };
  const soon = occurrences(complete, zone, {
    after: now,
    max: MOST_CHILDREN,
    until: new Date(now.getTime() + HORIZON_MS),
  });
  return soon.length > 0
    ? soon
    : occurrences(complete, zone, { after: now, max: 1, until: LAST_DATE });
}

/** Fields of a series that are its own and no child's. */
const SERIES_ONLY: ReadonlySet<string> = new Set(['recurring', 'recycling', 'scheduledAt']);

/** What of a series' patch a child takes: not what it changed for itself (D23). */
const patchForChild = (patch: PostPatch, child: Post): PostPatch =>
  Object.fromEntries(
    PATCH_FIELDS.filter(
      (field) =>
        patch[field] !== undefined && !SERIES_ONLY.has(field) && !child.ownFields.includes(field),
    ).map((field) => [field, patch[field]]),
  );

export interface ChildChanges {
  readonly updated: readonly { before: Post; after: Post }[];
  readonly made: readonly Post[];
  readonly removed: readonly Post[];
}

interface SeriesChange {
  readonly after: Post;
  readonly patch: PostPatch;
  readonly references: PatchReferences;
  readonly children: readonly Post[];
  /** The series' new dates; null where the rule did not change. */
  readonly dates: readonly Date[] | null;
  /** The state of children that are made, where nobody has to approve them. */
  readonly leaf: Cell;
  readonly now: Date;
}

/**
 * What an update of a series does to its future children (D23): they take the patch but for what they changed
 * themselves; a changed rule gives the n-th child the n-th date, makes what is missing and removes what is over.
 */
export function childChanges(
  viewer: Viewer,
  ids: Ids,
  { after, patch, references, children, dates, leaf, now }: SeriesChange,
): ChildChanges {
  const isWaiting = needsApproval(viewer);
  const staying = dates ? children.slice(0, dates.length) : children;
  const updated = staying.map((before, index) => {
    const merged = mergePatch(before, patchForChild(patch, before), references);
    const scheduledAt =
      dates && !before.ownFields.includes('scheduledAt') ? dates[index]! : before.scheduledAt;
    const child = { ...merged, scheduledAt };
    const cell =
      isWaiting && isMoreThanLabels(changedFields(before, child))
        ? cellAfter(before.cell, 'changed_without_approval')
        : before.cell;
    return { before, after: { ...child, cell } };
  });
  const made = (dates ?? []).slice(children.length).map((scheduledAt): Post => ({
    ...after,
    id: ids.document(),
    databaseId: 0,
    version: 1,
    cell: isWaiting ? 'scheduled_pending' : leaf,
    scheduledAt,
    createdAt: now,
    updatedAt: now,
    origin: 'service',
    parentId: after.databaseId,
    recurring: null,
    recycling: null,
    ownFields: [],
    networkSync: null,
    analytics: null,
    hasQueuedChild: false,
  }));
  return {
    updated: updated
      .filter((one) => changedFields(one.before, one.after).length > 0)
      .map((one) => ({
        before: one.before,
        after: { ...one.after, version: one.before.version + 1, updatedAt: now },
      })),
    made,
    removed: dates ? children.slice(dates.length) : [],
  };
}
