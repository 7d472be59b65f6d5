import type { Viewer } from '../../domain/access/viewer.js';
import { enumKeys } from '../../domain/enums.js';
import type { PostFilter } from '../../domain/posts/post-query.js';
import {
  STATE_FILTERS,
  STORED_STATES,
  isScheduled,
  storedStateNumbers,
  storedStatesOf,
} from '../../domain/posts/states.js';
import type { PublicationStatus } from '../../domain/publishing/publication-record.js';
import { isPublishable } from '../../domain/publishing/publication.js';
import { type Lexeme, type SearchTerm, readSearchQuery } from '../../domain/search/search-query.js';
import { workspaceTokens } from './post-rows.js';
import type { Parameters } from '../sql.js';

/** Whether a search can start from the index of search terms: not if it only excludes terms. */
const hasRequiredTerm = (query: string): boolean => readSearchQuery(query).all.length > 0;

/** SQL for a term in rows `s`. */
type Condition = (term: SearchTerm) => string;

function conditionIn(workspaceId: string, p: Parameters): Condition {
  const formQuery = (lexemes: readonly Lexeme[]): string =>
    workspaceTokens(
      workspaceId,
      lexemes.map(({ token }) => token),
    )
      .map((token, index) => `'${escaped(token)}'${lexemes[index]!.isPrefix ? ':*' : ''}`)
      .join(' & ');
  return ({ forms, patterns }) => {
    if (forms.length === 0) return 'false';
    const condition = `array_to_tsvector(s.tokens) @@ ${p.add(forms.map(formQuery).join(' | '), 'tsquery')}`;
    return patterns === null
      ? condition
      : `(${condition} AND (${patterns.map((pattern) => `position(${p.add(pattern, 'text')} IN s.normal) > 0`).join(' OR ')}))`;
  };
}

/** A token inside the quotes of a tsquery. */
const escaped = (token: string): string => token.replace(/['\\]/g, '$&$&');

/**
 * SQL for the IDs of the posts that a search finds (D16). A property test compares it with the same
 * search in memory.
 */
function foundPostsSql(query: string, workspaceId: string, p: Parameters): string {
  const { all, none } = readSearchQuery(query);
  const condition = conditionIn(workspaceId, p);
  const conditions = [...all.map(condition), ...none.map((term) => `NOT ${condition(term)}`)];
  return `SELECT s.post_id FROM post_search s WHERE ${conditions.join(' AND ')}`;
}

/** The same as conditions of a post `p`. */
function searchConditions(query: string, workspaceId: string, p: Parameters): string[] {
  const { all, none } = readSearchQuery(query);
  const condition = conditionIn(workspaceId, p);
  const hasRow = (conditions: string): string =>
    `EXISTS (SELECT FROM post_search s WHERE s.post_id = p.id AND ${conditions})`;
  return [
    ...(all.length > 0 ? [hasRow(all.map(condition).join(' AND '))] : []),
    ...(none.length > 0 ? [`NOT ${hasRow(`(${none.map(condition).join(' OR ')})`)}`] : []),
  ];
}

const WAITING_STATES = storedStateNumbers(
  enumKeys(STORED_STATES).filter((state) => isScheduled(state) || isPublishable(state)),
).join(', ');
const openAttempt = (condition = ''): string =>
  `EXISTS (SELECT FROM publication_attempt t WHERE t.post_id = p.id AND t.finished_at IS NULL${condition})`;
const PROCESSING = openAttempt(' AND t.is_processing');

/** The condition of each status of a post that is not over; the domain derives the same status. */
const OPEN_STATUSES = {
  waiting: `p.queued_at IS NULL AND p.stored_state IN (${WAITING_STATES})`,
  queued: `p.queued_at IS NOT NULL AND p.armed_at IS NULL AND NOT ${openAttempt()}`,
  preparing: `p.queued_at IS NOT NULL AND p.armed_at IS NULL AND ${openAttempt()}`,
  sending: `p.armed_at IS NOT NULL AND NOT ${PROCESSING}`,
  processing: `p.armed_at IS NOT NULL AND ${PROCESSING}`,
} as const satisfies Partial<Record<PublicationStatus, string>>;
const isOpen = (status: PublicationStatus): status is keyof typeof OPEN_STATUSES =>
  Object.hasOwn(OPEN_STATUSES, status);

/** The condition of posts whose publication has one of these statuses (D57). */
function publicationCondition(statuses: readonly PublicationStatus[], p: Parameters): string {
  const results = statuses.filter((status) => !isOpen(status));
  const conditions: string[] = statuses.filter(isOpen).map((status) => OPEN_STATUSES[status]);
  if (results.length > 0)
    conditions.push(
      `p.queued_at IS NULL AND p.stored_state NOT IN (${WAITING_STATES}) AND EXISTS (SELECT FROM publication u WHERE u.post_id = p.id AND u.result = ANY(${p.add(results, 'publication_result[]')}))`,
    );
  return `(${conditions.map((condition) => `(${condition})`).join(' OR ')})`;
}

/** Statuses of posts that were handed over and are not done. */
const IN_PROGRESS: readonly PublicationStatus[] = ['queued', 'preparing', 'sending', 'processing'];
/** Results other than a published post, which few posts have. */
const NOT_PUBLISHED: readonly PublicationStatus[] = ['failed', 'unconfirmed', 'missed'];

/** SQL for the IDs of the few posts that can have one of these statuses; null if many can. */
function rarePublicationSql(
  statuses: readonly PublicationStatus[],
  viewer: Viewer,
  p: Parameters,
): string | null {
  const areAll = (rare: readonly PublicationStatus[]): boolean =>
    statuses.length > 0 && statuses.every((status) => rare.includes(status));
  if (areAll(IN_PROGRESS))
    return `SELECT q.id AS post_id FROM post q WHERE q.workspace_id = ${p.add(viewer.workspace.id, 'text')} AND q.queued_at IS NOT NULL`;
  return areAll(NOT_PUBLISHED)
    ? "SELECT u.post_id FROM publication u WHERE u.result IN ('failed', 'unconfirmed', 'missed')"
    : null;
}

/**
 * The condition that a query starts from: SQL for the IDs of its posts, and the rest of the filter.
 */
interface DrivingCondition {
  readonly sql: string;
  readonly remainingFilter: PostFilter;
}

/**
 * Groups drive the query first, since they match the fewest posts, then rare statuses of the
 * publication, required search terms and labels. Null without any of them: excluded terms are
 * absent from most posts.
 */
function drivingConditionOf(
  filter: PostFilter,
  viewer: Viewer,
  p: Parameters,
): DrivingCondition | null {
  const { query = '', labelIds = [], groupIds = [], parentId, ...rest } = filter;
  if (parentId !== undefined) return null; // a series has few occurrences, and an index on them
  if (groupIds.length > 0)
    return {
      sql: `SELECT g.id AS post_id FROM post g WHERE g.group_id = ANY(${p.add(groupIds, 'text[]')})`,
      remainingFilter: { ...filter, groupIds: [] },
    };
  const rarePublication = rarePublicationSql(filter.publication ?? [], viewer, p);
  if (rarePublication) return { sql: rarePublication, remainingFilter: filter };
  if (hasRequiredTerm(query))
    return {
      sql: foundPostsSql(query, viewer.workspace.id, p),
      remainingFilter: { ...rest, labelIds },
    };
  if (labelIds.length === 0) return null;
  return {
    sql: `SELECT DISTINCT pl.post_id FROM post_label pl WHERE pl.label_id = ANY(${p.add(labelIds, 'text[]')})`,
    remainingFilter: { ...rest, query },
  };
}

/**
 * SQL for all posts of a filter that search terms or labels drive; null without either. OFFSET 0
 * forces a lookup of each post by its key: the planner does not know the frequency of a term, since
 * one plan serves all terms, and would otherwise scan the whole workspace for a rare one.
 */
export function drivenPostsSql(filter: PostFilter, viewer: Viewer, p: Parameters): string | null {
  const driving = drivingConditionOf(filter, viewer, p);
  if (!driving) return null;
  const byKey = 'CROSS JOIN LATERAL (SELECT * FROM post WHERE id = driving.post_id OFFSET 0) p';
  return `SELECT p.id, p.sort_at, p.created_at, p.stored_state, p.network, p.type FROM (${driving.sql}) driving ${byKey} WHERE ${conditionsOf(driving.remainingFilter, viewer, p).join(' AND ')}`;
}

/** Conditions of the numbers `s` of posts with at least this engagement, by the index of a workspace. */
const engagementConditions = (minEngagement: number, viewer: Viewer, p: Parameters): string[] => [
  `s.workspace_id = ${p.add(viewer.workspace.id, 'text')}`,
  `s.engagement >= ${p.add(minEngagement, 'int')}`,
];

/** The scan of a list by engagement: the numbers `s` of its posts, in their order. */
export const engagementScanOf = (
  { minEngagement = 0, ...others }: PostFilter,
  viewer: Viewer,
  p: Parameters,
): IndexScan => ({
  from: 'post',
  each: null,
  conditions: [
    ...engagementConditions(minEngagement, viewer, p),
    ...conditionsOf(others, viewer, p),
  ],
});

/**
 * SQL for all posts of a filter by engagement, each by its key: their number depends on the value,
 * which the planner does not know. Null for other filters, and for series, which have few posts.
 */
export function engagedPostsSql(
  { minEngagement, ...others }: PostFilter,
  viewer: Viewer,
  p: Parameters,
): string | null {
  if (minEngagement === undefined || others.parentId !== undefined) return null;
  const conditions = [
    ...engagementConditions(minEngagement, viewer, p),
    ...conditionsOf(others, viewer, p),
  ];
  return `SELECT p.id, p.stored_state, p.network, p.type FROM post_analytics s CROSS JOIN LATERAL (SELECT * FROM post WHERE id = s.post_id OFFSET 0) p WHERE ${conditions.join(' AND ')}`;
}

const PRIVATE_STATES = storedStateNumbers(STATE_FILTERS.draft_private.storedStates);
const PRIVATE_LIST = PRIVATE_STATES.join(', ');
/**
 * Posts that are not private drafts. Written as a literal, so that the planner can use the partial
 * index of the whole list.
 */
export const IS_SHARED = `p.stored_state NOT IN (${PRIVATE_LIST})`;

/**
 * A scan of an index that reads posts of a filter in list order. With `each`, one scan per value of
 * a column, merged, so that no scan reads posts that do not match.
 */
export interface IndexScan {
  /** All posts, or those of a driving condition. */
  readonly from: 'post' | 'driven';
  /** A column, and SQL for the values to scan separately. */
  readonly each: { readonly column: string; readonly values: string } | null;
  readonly conditions: readonly string[];
}

const isUnset = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/**
 * Whether a filter restricts nothing but states: these counts are stored, and each state has an
 * index in list order.
 */
export const filtersByStateOnly = ({
  states: _states,
  exactStates: _exactStates,
  ...others
}: PostFilter): boolean => Object.values(others).every(isUnset);

const isNonEmpty = (list: readonly unknown[] | undefined): boolean =>
  list !== undefined && list.length > 0;

/** Conditions for the fields of a filter that no index scan covers. */
function fieldConditions(filter: PostFilter, viewer: Viewer, p: Parameters): string[] {
  const { types, networks, labelIds, groupIds, publication, from, to, parentId, query } = filter;
  const { minEngagement } = filter;
  const conditions: string[] = [];
  if (isNonEmpty(types)) conditions.push(`p.type = ANY(${p.add(types, 'post_type[]')})`);
  if (isNonEmpty(networks)) conditions.push(`p.network = ANY(${p.add(networks, 'network[]')})`);
  if (isNonEmpty(labelIds))
    conditions.push(
      `EXISTS (SELECT FROM post_label pl WHERE pl.post_id = p.id AND pl.label_id = ANY(${p.add(labelIds, 'text[]')}))`,
    );
  if (isNonEmpty(groupIds)) conditions.push(`p.group_id = ANY(${p.add(groupIds, 'text[]')})`);
  if (publication && isNonEmpty(publication)) conditions.push(publicationCondition(publication, p));
  if (from) conditions.push(`p.sort_at >= ${p.add(from, 'timestamptz')}`);
  if (to) conditions.push(`p.sort_at <= ${p.add(to, 'timestamptz')}`, "p.sort_at > '-infinity'");
  if (parentId !== undefined) conditions.push(`p.parent_id = ${p.add(parentId, 'bigint')}`);
  if (query) conditions.push(...searchConditions(query, viewer.workspace.id, p));
  if (minEngagement !== undefined)
    conditions.push(
      // A value, which PostgreSQL looks up by key: it would join EXISTS with the numbers of all posts.
      `(SELECT e.engagement FROM post_analytics e WHERE e.post_id = p.id) >= ${p.add(minEngagement, 'int')}`,
    );
  return conditions;
}

/**
 * The stored states of a filter: those that all members see (null for all of them), and the
 * viewer's own private drafts.
 */
function storedStatesOfFilter(filter: PostFilter): {
  shared: number[] | null;
  ownDrafts: number[];
} {
  const storedStates = storedStatesOf(filter.states ?? [], filter.exactStates);
  if (storedStates === null) return { shared: null, ownDrafts: PRIVATE_STATES };
  const numbers = storedStateNumbers(storedStates);
  return {
    shared: numbers.filter((number) => !PRIVATE_STATES.includes(number)),
    ownDrafts: numbers.filter((number) => PRIVATE_STATES.includes(number)),
  };
}

const SHARED_STATES = Object.values(STORED_STATES)
  .map(({ number }) => number)
  .filter((number) => !PRIVATE_STATES.includes(number));

/** The same, with all stored states listed. */
export function visibleStoredStates(filter: PostFilter): {
  shared: readonly number[];
  ownDrafts: readonly number[];
} {
  const { shared, ownDrafts } = storedStatesOfFilter(filter);
  return { shared: shared ?? SHARED_STATES, ownDrafts };
}

/** Conditions for the stored states of a filter and their visibility to the viewer. */
function visibilityConditions(filter: PostFilter, viewer: Viewer, p: Parameters): string[] {
  const { shared, ownDrafts } = storedStatesOfFilter(filter);
  const inStates =
    shared === null
      ? []
      : [`p.stored_state = ANY(${p.add([...shared, ...ownDrafts], 'smallint[]')})`];
  return ownDrafts.length === 0
    ? inStates
    : [...inStates, `(${IS_SHARED} OR p.creator_id = ${p.add(viewer.user.id, 'text')})`];
}

const workspaceCondition = (viewer: Viewer, p: Parameters): string =>
  `p.workspace_id = ${p.add(viewer.workspace.id, 'text')}`;

/**
 * All conditions of a filter for this viewer: for facets, and for lists without a better index
 * scan.
 */
export const conditionsOf = (filter: PostFilter, viewer: Viewer, p: Parameters): string[] => [
  workspaceCondition(viewer, p),
  ...conditionsInWorkspace(filter, viewer, p),
];

/** The same without the workspace, if another condition implies it. */
function conditionsInWorkspace(filter: PostFilter, viewer: Viewer, p: Parameters): string[] {
  const conditions = [
    'p.deleted_at IS NULL',
    ...visibilityConditions(filter, viewer, p),
    ...fieldConditions(filter, viewer, p),
  ];
  if (isNonEmpty(filter.accountIds))
    conditions.push(`p.account_id = ANY(${p.add(filter.accountIds, 'text[]')})`);
  if (filter.memberId !== undefined)
    conditions.push(`p.creator_id = ${p.add(filter.memberId, 'text')}`);
  return conditions;
}

/**
 * The index scans of a list sorted by `sort_at`. Together they read every visible post of the
 * filter exactly once.
 */
export function indexScansOf(filter: PostFilter, viewer: Viewer, p: Parameters): IndexScan[] {
  if (filter.parentId !== undefined)
    return [{ from: 'post', each: null, conditions: conditionsOf(filter, viewer, p) }];
  if (isNonEmpty(filter.accountIds)) {
    // Posts of an account belong to its workspace, which the subquery checks.
    const values = `SELECT a.id FROM account a WHERE a.workspace_id = ${p.add(viewer.workspace.id, 'text')} AND a.id = ANY(${p.add(filter.accountIds, 'text[]')})`;
    return [
      {
        from: 'post',
        each: { column: 'p.account_id', values },
        conditions: conditionsInWorkspace({ ...filter, accountIds: [] }, viewer, p),
      },
    ];
  }
  const { shared, ownDrafts } = storedStatesOfFilter(filter);
  const rest = (): string[] => [
    workspaceCondition(viewer, p),
    'p.deleted_at IS NULL',
    ...fieldConditions(filter, viewer, p),
  ];
  const byState = (
    storedStates: readonly number[],
    extraConditions: readonly string[] = [],
  ): IndexScan => ({
    from: 'post',
    each: {
      column: 'p.stored_state',
      values: `SELECT unnest(${p.add(storedStates, 'smallint[]')})`,
    },
    conditions: [...rest(), ...extraConditions],
  });
  const createdBy = (userId: string): string => `p.creator_id = ${p.add(userId, 'text')}`;
  if (filter.memberId !== undefined) {
    const creatorDrafts = filter.memberId === viewer.user.id ? ownDrafts : [];
    return [
      byState([...(shared ?? SHARED_STATES), ...creatorDrafts], [createdBy(filter.memberId)]),
    ];
  }
  const scans: IndexScan[] = [];
  if (shared === null) scans.push({ from: 'post', each: null, conditions: [...rest(), IS_SHARED] });
  // Filters that exclude each other leave no state: one scan of no state finds no post.
  else if (shared.length > 0 || ownDrafts.length === 0) scans.push(byState(shared));
  if (ownDrafts.length > 0) scans.push(byState(ownDrafts, [createdBy(viewer.user.id)]));
  return scans;
}
