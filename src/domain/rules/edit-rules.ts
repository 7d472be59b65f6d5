import { ERRORS, type Refusal, type ErrorCode } from '../errors.js';
import type { Post } from '../posts/post.js';
import { hasPostActions, type Viewer, needsApproval } from '../access/viewer.js';
import {
  isPrivateDraft,
  isDraft,
  isPublished,
  isScheduled,
  type StoredState,
} from '../posts/states.js';
import { type PatchField, type PostPatch, PATCH_FIELDS, fieldOf } from '../posts/post-fields.js';
import { LABELS, type PublishedEditRule } from '../networks/network-definition.js';
import { NETWORKS, NETWORK_KINDS, networkKindOf } from '../networks/networks.js';
import { codePoints } from '../input/readers.js';
import type { AppliesTo } from '../enums.js';
import { isUnconfirmed } from '../publishing/publication.js';

/** The fields of a post that the rules for edits read. */
export type EditSubject = Pick<
  Post,
  | 'storedState'
  | 'network'
  | 'type'
  | 'creatorId'
  | 'parentId'
  | 'queuedAt'
  | 'armedAt'
  | 'publicationRecord'
>;

/** Refuses what would change a post while it is being sent to its network (D57). */
export const PUBLISHING_REFUSAL: Refusal = {
  code: 'PUBLISHING',
  message:
    'The post is being published right now. Until the network has responded, only its labels can be changed.',
  path: [],
  rule: 'D57',
};

/** Refuses a change of what may be on the network as it was: it would not reach it (D54). */
const UNCONFIRMED_REFUSAL: Refusal = {
  code: 'RULE_VIOLATION',
  message:
    'It is unknown whether the post was published. Check its network and resolve the publication. Until then, only its labels can be changed.',
  path: [],
  rule: 'D54',
};

/** Why only the labels of the post can be changed at the moment, by every member; or null. */
export function contentRefusal(
  post: Pick<Post, 'storedState' | 'armedAt' | 'publicationRecord'>,
): Refusal | null {
  if (post.armedAt !== null) return PUBLISHING_REFUSAL;
  return isUnconfirmed(post) ? UNCONFIRMED_REFUSAL : null;
}

/** Why this viewer may not edit this post at all, or null (D4, D19). */
export function editRefusal(
  post: Pick<Post, 'storedState' | 'creatorId'>,
  viewer: Viewer,
): Refusal | null {
  const refuse = (message: string): Refusal => ({
    code: 'FORBIDDEN',
    message,
    path: [],
    rule: 'D19',
  });
  if (viewer.role === 'viewer')
    return refuse('Your role in this workspace is viewer. Viewers cannot edit posts.');
  if (isHidden(post, viewer)) return refuse(NOT_ACCESSIBLE);
  if (post.creatorId !== viewer.user.id && !hasPostActions(viewer))
    return refuse(
      'You can edit only your own posts, because your membership has no post-action access.',
    );
  return null;
}

/**
 * The same message for posts of other workspaces and for other users' private drafts, so that they
 * cannot be told apart (D13, D18).
 */
export const NOT_ACCESSIBLE = 'The post is not accessible in this workspace.';

/**
 * Whether a post is hidden from this viewer: private drafts of other users are, for every role
 * (D13).
 */
export const isHidden = (
  post: Pick<Post, 'storedState' | 'creatorId'>,
  viewer: Pick<Viewer, 'user'>,
): boolean => isPrivateDraft(post.storedState) && post.creatorId !== viewer.user.id;

const MISSING = {
  unknown: {
    code: 'POST_NOT_FOUND',
    message: ERRORS.POST_NOT_FOUND.description,
    path: [],
    rule: 'D18',
  },
  inaccessible: { code: 'FORBIDDEN', message: NOT_ACCESSIBLE, path: [], rule: 'D18' },
} as const satisfies Record<string, Refusal>;

/** The refusal for an ID without an accessible post (D18). */
export const missingPostRefusal = (kind: keyof typeof MISSING): Refusal => MISSING[kind];

/** Fields that only some posts have, whether published or not. */
const FIELD_AVAILABILITY = {
  scheduledAt: {
    rule: 'D29',
    message:
      'scheduledAt can be changed only on scheduled posts, drafts and future occurrences of a series.',
    has: (post: EditSubject): boolean => isScheduled(post.storedState) || isDraft(post.storedState),
  },
  recurring: {
    rule: 'D17',
    message:
      'recurring can be set only on drafts, series, and scheduled posts that are neither queued nor part of a series.',
    has: (post: EditSubject): boolean =>
      (isScheduled(post.storedState) && post.parentId === null && post.queuedAt === null) ||
      isDraft(post.storedState) ||
      post.storedState === 'recurring',
  },
} as const;

/** Why the post does not have this field, or null. */
export function availabilityRefusal(field: PatchField, post: EditSubject): Refusal | null {
  const entry = field === 'scheduledAt' || field === 'recurring' ? FIELD_AVAILABILITY[field] : null;
  return entry === null || entry.has(post)
    ? null
    : { code: 'RULE_VIOLATION', message: entry.message, path: [field], rule: entry.rule };
}

/** A scheduled time must be at least this far in the future (D29). */
export const MIN_LEAD_MS = 60_000;

/**
 * Checks the new time (D29): at least one minute in the future, and cleared on drafts only. An
 * unchanged time is always valid.
 */
export function scheduleRefusals(
  post: EditSubject & Pick<Post, 'scheduledAt'>,
  patch: PostPatch,
  now: Date,
): Refusal[] {
  if (patch.scheduledAt === undefined || isPublished(post.storedState)) return [];
  const refuse = (message: string): Refusal[] => [
    {
      code: 'RULE_VIOLATION',
      path: ['scheduledAt'],
      rule: FIELD_AVAILABILITY.scheduledAt.rule,
      message,
    },
  ];
  const unavailable = availabilityRefusal('scheduledAt', post);
  if (unavailable) return [unavailable];
  if (patch.scheduledAt === null)
    return isDraft(post.storedState) ? [] : refuse('scheduledAt can be cleared only on drafts.');
  if (patch.scheduledAt.getTime() === post.scheduledAt?.getTime()) return [];
  return patch.scheduledAt.getTime() >= now.getTime() + MIN_LEAD_MS
    ? []
    : refuse('scheduledAt must be at least one minute in the future.');
}

/** The rules for a published post; only labels if the network no longer shows the post (D22). */
const publishedEditRulesFor = (post: EditSubject): readonly PublishedEditRule[] =>
  post.storedState === 'published_posted' && post.network !== null
    ? NETWORKS[post.network].edits
    : [LABELS];

/** The `rule` of a refusal: the row of the table that applies to the post. */
const ruleNameFor = (post: EditSubject): string =>
  post.network === null
    ? 'Update post, rule 2'
    : `Update post, rule 2: ${NETWORK_KINDS[networkKindOf(post.network)].description.replace(/\.$/, '')}`;

/** The paths that a patch changes: each setting of `details` is a separate path. */
function changedPaths(patch: PostPatch): string[][] {
  const fields = PATCH_FIELDS.filter((field) => patch[field] !== undefined);
  return fields.flatMap((field) =>
    field === 'details' && patch.details
      ? Object.keys(patch.details).map((key) => ['details', key])
      : [[field]],
  );
}

/** Whether the change would reach the network without the approval that it needs (D24). */
const lacksApproval = (rule: PublishedEditRule, viewer: Viewer): boolean =>
  rule.appliesTo === 'service_and_network' && needsApproval(viewer);

/** What happened to a published post that its network no longer shows. */
const REMOVAL = { published_deleted: 'deleted', published_hidden: 'hidden' } as const;
const isRemoved = (storedState: StoredState): storedState is keyof typeof REMOVAL =>
  Object.hasOwn(REMOVAL, storedState);

interface PathCheck {
  readonly rule: PublishedEditRule | null;
  readonly refusal: Refusal | null;
}

/** Checks whether this viewer may change this path of a published post. */
function checkPublishedPath(path: readonly string[], post: EditSubject, viewer: Viewer): PathCheck {
  const field = path.join('.');
  const rules = publishedEditRulesFor(post);
  const rule = rules.find((candidate) => candidate.field === field) ?? null;
  const refuse = (
    message: string,
    code: ErrorCode = 'RULE_VIOLATION',
    ruleName = ruleNameFor(post),
  ): PathCheck => ({ rule, refusal: { code, message, path, rule: ruleName } });
  if (rule === null) {
    if (isRemoved(post.storedState))
      return refuse(
        `${field} cannot be changed, because the post was ${REMOVAL[post.storedState]} on its network. Only labels can be changed.`,
      );
    const editableFields = rules.map((candidate) => candidate.field).join(', ');
    return refuse(
      `${field} cannot be changed on a published post${post.network ? ` on ${post.network}` : ''}. Fields that can be changed: ${editableFields}.`,
    );
  }
  if (rule.types.length > 0 && !rule.types.includes(post.type)) {
    return refuse(
      `${field} can be changed only on published posts of type ${rule.types.join(', ')}; this post is of type ${post.type}.`,
    );
  }
  if (lacksApproval(rule, viewer)) {
    return refuse(
      `Changing ${field} would change the post on its network. That needs approval by an owner or admin.`,
      'APPROVAL_REQUIRED',
      'D24',
    );
  }
  return { rule, refusal: null };
}

/** The refusals of a patch of a published post, one for each refused path (D21). */
export function publishedEditRefusals(
  post: EditSubject,
  patch: PostPatch,
  viewer: Viewer,
): Refusal[] {
  if (!isPublished(post.storedState)) return [];
  return changedPaths(patch).flatMap((path) => {
    const { rule, refusal } = checkPublishedPath(path, post, viewer);
    if (refusal) return [refusal];
    const value = patch[path[0] as PatchField];
    if (rule?.maxLength && typeof value === 'string' && codePoints(value) > rule.maxLength) {
      const message = `${path.join('.')} may have at most ${rule.maxLength} characters on a published post on ${post.network}; it has ${codePoints(value)}.`;
      return [{ code: 'RULE_VIOLATION', message, path, rule: ruleNameFor(post) } satisfies Refusal];
    }
    return [];
  });
}

/**
 * Whether this viewer may change a field now, why not or under which condition, and where the
 * change applies.
 */
export interface FieldEditability {
  readonly field: PatchField;
  readonly allowed: boolean;
  readonly reason: string | null;
  readonly rule: string | null;
  readonly maxLength: number | null;
  readonly appliesTo: AppliesTo;
}

const refused = (
  field: PatchField,
  { message, rule }: Pick<Refusal, 'message' | 'rule'>,
): FieldEditability => ({
  field,
  allowed: false,
  reason: message,
  rule,
  maxLength: null,
  appliesTo: 'service',
});

const allowed = (
  field: PatchField,
  overrides: Partial<FieldEditability> = {},
): FieldEditability => ({
  field,
  allowed: true,
  reason: null,
  rule: null,
  maxLength: fieldOf(field).limit?.maxLength ?? null,
  appliesTo: 'service',
  ...overrides,
});

/** The editability of every patch field, from the same rules as the update itself. */
export function editability(post: EditSubject, viewer: Viewer): FieldEditability[] {
  const rights = editRefusal(post, viewer);
  const locked = contentRefusal(post);
  return PATCH_FIELDS.map((field) => {
    if (rights) return refused(field, rights);
    if (locked && field !== 'labels') return refused(field, locked);
    if (isPublished(post.storedState)) return publishedEditability(field, post, viewer);
    const unavailable = availabilityRefusal(field, post);
    if (unavailable) return refused(field, unavailable);
    return allowed(field, { rule: isScheduled(post.storedState) ? 'Update post, rule 1' : null });
  });
}

function publishedEditability(
  field: PatchField,
  post: EditSubject,
  viewer: Viewer,
): FieldEditability {
  const checks = pathsOf(field, post).map((path) => checkPublishedPath(path, post, viewer));
  const passed = checks.find((check) => check.refusal === null);
  if (!passed?.rule) return refused(field, checks[0]!.refusal!);
  return allowed(field, {
    reason: passed.rule.field.startsWith('details.')
      ? `Of details, only ${passed.rule.field} can be changed.`
      : null,
    rule: ruleNameFor(post),
    ...(passed.rule.maxLength !== null && { maxLength: passed.rule.maxLength }),
    appliesTo: passed.rule.appliesTo,
  });
}

/**
 * The paths of the rules that a patch field covers: `details` covers one for each of its settings
 * that has a rule.
 */
function pathsOf(field: PatchField, post: EditSubject): string[][] {
  const nestedPaths = publishedEditRulesFor(post)
    .filter((rule) => rule.field.startsWith(`${field}.`))
    .map((rule) => rule.field.split('.'));
  return nestedPaths.length > 0 ? nestedPaths : [[field]];
}
