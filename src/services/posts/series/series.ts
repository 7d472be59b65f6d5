import { isDate } from '../../../domain/input/date-readers.js';
import {
  changedFields,
  isMoreThanLabels,
  isSame,
  mergePatch,
  type PatchReferences,
} from '../../../domain/changes/merge-patch.js';
import { PATCH_FIELDS, type PostPatch } from '../../../domain/posts/post-patch.js';
import type { Post } from '../../../domain/posts/post.js';
import type { RecurringRule } from '../../../domain/posts/post-settings.js';
import type { StoredState } from '../../../domain/posts/states.js';
import { storedStateAfter } from '../../../domain/posts/transitions.js';
import { needsApproval, type Viewer } from '../../../domain/access/viewer.js';
import type { Ids } from '../../ids.js';
import { findOccurrences } from './recurrence.js';
import { zoneDayEnd, zoneMidnight } from './zone-time.js';

/** Children of a series are created this far ahead: at most MAX_CHILDREN, within HORIZON_MS. */
const MAX_CHILDREN = 52;
const HORIZON_MS = 366 * 86_400_000;
/** The latest allowed `scheduledAt`. */
const LAST_DATE = new Date('2100-12-31T23:59:59Z');

const iso = (date: Date): string => date.toISOString().replace(/\.\d{3}Z$/, 'Z');

/**
 * A rule as it is stored: bare dates become instants in the workspace's zone (D8), the start of the
 * first day and the end of the last.
 */
export function resolveRule(
  rule: RecurringRule | null | undefined,
  zone: string,
): RecurringRule | null | undefined {
  if (!rule) return rule;
  const instant = (
    text: string | null | undefined,
    toInstant: (date: string, zone: string) => Date,
  ): string | null | undefined =>
    text ? iso(isDate(text) ? toInstant(text, zone) : new Date(text)) : text;
  const resolved = { ...rule };
  if (rule.startDate !== undefined) resolved.startDate = instant(rule.startDate, zoneMidnight)!;
  if (rule.endDate !== undefined) resolved.endDate = instant(rule.endDate, zoneDayEnd)!;
  return resolved;
}

/**
 * A rule with defaults: it starts at the post's own date, with a repeat rate of 1. If it equals the
 * post's stored rule, the stored one is returned unchanged.
 */
export function completeRule(
  rule: RecurringRule,
  { scheduledAt, recurring }: Pick<Post, 'scheduledAt' | 'recurring'>,
): RecurringRule {
  const complete = (incomplete: RecurringRule): RecurringRule => ({
    repeatRate: 1,
    ...(scheduledAt ? { startDate: iso(scheduledAt) } : {}),
    ...incomplete,
  });
  return recurring && isSame(complete(recurring), complete(rule)) ? recurring : complete(rule);
}

/**
 * The future dates of a series within the horizon of children; at least the next one, however far
 * ahead (D17).
 */
export function upcomingDates(rule: RecurringRule, zone: string, now: Date): Date[] {
  const { repeat, repeatRate, daysOfWeek, startDate, endDate } = rule;
  if (!repeat || !startDate) return [];
  const complete = {
    repeat,
    repeatRate: repeatRate ?? 1,
    daysOfWeek: daysOfWeek ?? [],
    startDate: new Date(startDate),
    endDate: endDate ? new Date(endDate) : null,
  };
  const datesInHorizon = findOccurrences(complete, zone, {
    after: now,
    max: MAX_CHILDREN,
    until: new Date(now.getTime() + HORIZON_MS),
  });
  return datesInHorizon.length > 0
    ? datesInHorizon
    : findOccurrences(complete, zone, { after: now, max: 1, until: LAST_DATE });
}

/** Fields of a series that its children do not have. */
const SERIES_ONLY: ReadonlySet<string> = new Set(['recurring', 'recycling', 'scheduledAt']);

/**
 * The part of a series' patch that applies to a child: without the fields that the child changed
 * itself (D23).
 */
const patchForChild = (patch: PostPatch, child: Post): PostPatch =>
  Object.fromEntries(
    PATCH_FIELDS.filter(
      (field) =>
        patch[field] !== undefined && !SERIES_ONLY.has(field) && !child.ownFields.includes(field),
    ).map((field) => [field, patch[field]]),
  );

/** Children of a series to update, create and delete. */
export interface ChildChanges {
  readonly updated: readonly { before: Post; after: Post }[];
  readonly created: readonly Post[];
  readonly deleted: readonly Post[];
}

interface SeriesChange {
  readonly after: Post;
  readonly patch: PostPatch;
  readonly references: PatchReferences;
  readonly children: readonly Post[];
  /** The new dates of the series; null if the rule did not change. */
  readonly dates: readonly Date[] | null;
  /** The stored state of created children, unless they need approval. */
  readonly childState: StoredState;
  readonly now: Date;
}

/**
 * The changes of a series' future children (D23). The patch applies to them except for fields they
 * changed themselves. If the rule changed, the n-th child gets the n-th date, missing children are
 * created and surplus ones deleted.
 */
export function planChildChanges(
  viewer: Viewer,
  ids: Ids,
  { after, patch, references, children, dates, childState, now }: SeriesChange,
): ChildChanges {
  const isPendingApproval = needsApproval(viewer);
  const remaining = dates ? children.slice(0, dates.length) : children;
  const updated = remaining.map((before, index) => {
    const merged = mergePatch(before, patchForChild(patch, before), references);
    const scheduledAt =
      dates && !before.ownFields.includes('scheduledAt') ? dates[index]! : before.scheduledAt;
    const child = { ...merged, scheduledAt };
    const storedState =
      isPendingApproval && isMoreThanLabels(changedFields(before, child))
        ? storedStateAfter(before.storedState, 'changed_without_approval')
        : before.storedState;
    return { before, after: { ...child, storedState } };
  });
  const created = (dates ?? []).slice(children.length).map((scheduledAt): Post => ({
    ...after,
    id: ids.document(),
    databaseId: 0,
    version: 1,
    storedState: isPendingApproval ? 'scheduled_pending' : childState,
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
      .filter(({ before, after: child }) => changedFields(before, child).length > 0)
      .map(({ before, after: child }) => ({
        before,
        after: { ...child, version: before.version + 1, updatedAt: now },
      })),
    created,
    deleted: dates ? children.slice(dates.length) : [],
  };
}
