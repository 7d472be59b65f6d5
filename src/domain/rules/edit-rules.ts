import type { ErrorCode, Refusal } from '../errors.js';
import { codePoints } from '../input/field-limits.js';
import { NETWORKS, NETWORK_KINDS, type Network } from '../networks/networks.js';
import { PATCH_FIELDS, type PatchField, type Post, type PostPatch } from '../posts/post.js';
import { isDraft, isPublished, isScheduled } from '../posts/states.js';
import { hasPostActions, needsApproval, type Viewer } from '../access/viewer.js';
import { isHidden, OUT_OF_REACH } from '../posts/visibility.js';
import type { AppliesTo, PostType } from '../vocabulary.js';

/** What an edit rule may name: a field of the patch, or one setting inside `details`. */
export type EditablePath =
  | Exclude<PatchField, 'details' | 'scheduledAt'>
  | 'details.language'
  | 'details.textFormatPresetId';

/** A field that may change after publication. */
export interface EditRule {
  readonly field: EditablePath;
  /** In Unicode code points (D22). */
  readonly maxLength: number | null;
  /** Empty: every type. */
  readonly types: readonly PostType[];
  readonly appliesTo: AppliesTo;
}

const onNetwork = (
  field: EditablePath,
  more: Partial<Pick<EditRule, 'maxLength' | 'types'>> = {},
): EditRule => ({ field, maxLength: null, types: [], appliesTo: 'service_and_network', ...more });
const LABELS: EditRule = { field: 'labels', maxLength: null, types: [], appliesTo: 'service' };

/** The document's table "Fields updatable after publication", row by row; D22 says which patch field each word is. */
export const EDIT_RULES = {
  linkedin: [onNetwork('text'), LABELS],
  youtube: [onNetwork('title', { maxLength: 100 }), onNetwork('text', { maxLength: 5000 }), LABELS],
  google: [onNetwork('text', { maxLength: 1500 }), LABELS],
  facebook: [
    onNetwork('text'),
    onNetwork('title', { types: ['video'] }),
    onNetwork('details.textFormatPresetId'),
    LABELS,
  ],
  wordpress: [
    onNetwork('title'),
    onNetwork('content'),
    onNetwork('excerpt'),
    onNetwork('url'),
    onNetwork('featuredMedia'),
    onNetwork('categories'),
    onNetwork('tags'),
    LABELS,
  ],
  telegram: [onNetwork('text'), LABELS],
  mastodon: [
    onNetwork('text'),
    onNetwork('title'),
    onNetwork('details.language'),
    onNetwork('options', { types: ['poll'] }),
    onNetwork('duration', { types: ['poll'] }),
    LABELS,
  ],
  twitter: [LABELS],
  pinterest: [LABELS],
  instagram: [LABELS],
  threads: [LABELS],
  bluesky: [LABELS],
  tiktok: [LABELS],
} as const satisfies Record<Network, readonly EditRule[]>;

/** Who looks and at what: the columns that decide about rights and rules. */
export type EditSubject = Pick<
  Post,
  'cell' | 'network' | 'type' | 'creatorId' | 'parentId' | 'queuedAt'
>;

/** Why this viewer may not edit this post at all, or null (D4, D19). */
export function editRefusal(
  post: Pick<Post, 'cell' | 'creatorId'>,
  viewer: Viewer,
): Refusal | null {
  const refuse = (message: string): Refusal => ({
    code: 'FORBIDDEN',
    message,
    path: [],
    rule: 'D19',
  });
  if (viewer.role === 'viewer')
    return refuse('Your role in this workspace is viewer: viewers edit nothing.');
  if (isHidden(post, viewer)) return refuse(OUT_OF_REACH);
  if (post.creatorId !== viewer.user.id && !hasPostActions(viewer))
    return refuse('You may edit your own posts only: your membership has no post-action access.');
  return null;
}

/** The rules that hold for a published post; only labels where the network no longer shows it (D22). */
const rulesFor = (post: EditSubject): readonly EditRule[] =>
  post.cell === 'published_posted' && post.network !== null ? EDIT_RULES[post.network] : [LABELS];

const rowOf = (post: EditSubject): string =>
  post.network === null
    ? 'Update post, rule 2'
    : `Update post, rule 2: ${NETWORK_KINDS[NETWORKS[post.network].kind].meaning.replace(/\.$/, '')}`;

/** The paths a patch touches: `details` is judged setting by setting. */
function touchedPaths(patch: PostPatch): string[][] {
  const fields = PATCH_FIELDS.filter((field) => patch[field] !== undefined);
  return fields.flatMap((field) =>
    field === 'details' && patch.details
      ? Object.keys(patch.details).map((key) => ['details', key])
      : [[field]],
  );
}

/** Whether a change of this path by this viewer would go to the network without an approval it needs (D24). */
const lacksApproval = (rule: EditRule, viewer: Viewer): boolean =>
  rule.appliesTo === 'service_and_network' && needsApproval(viewer);

interface Verdict {
  readonly rule: EditRule | null;
  readonly refusal: Refusal | null;
}

/** What the law says of one path of a published post. */
function verdictOn(path: readonly string[], post: EditSubject, viewer: Viewer): Verdict {
  const field = path.join('.');
  const allowed = rulesFor(post);
  const rule = allowed.find((one) => one.field === field) ?? null;
  const refuse = (
    message: string,
    code: ErrorCode = 'RULE_VIOLATION',
    source = rowOf(post),
  ): Verdict => ({ rule, refusal: { code, message, path, rule: source } });
  if (rule === null) {
    const names = allowed.map((one) => one.field).join(', ');
    return refuse(
      `${field} cannot change on a published post${post.network ? ` of ${post.network}` : ''}; these can: ${names}.`,
    );
  }
  if (rule.types.length > 0 && !rule.types.includes(post.type)) {
    return refuse(
      `${field} can change on published posts of type ${rule.types.join(', ')} only; this one is a ${post.type}.`,
    );
  }
  if (lacksApproval(rule, viewer)) {
    return refuse(
      `${field} would change on the network, and this workspace requires an approval that you may not give.`,
      'APPROVAL_REQUIRED',
      'D24',
    );
  }
  return { rule, refusal: null };
}

/** Fields that only some posts have, published or not. */
const FIELD_HOLDERS = {
  scheduledAt: {
    rule: 'D29',
    message:
      'scheduledAt can change on scheduled posts, drafts and future children of a series only.',
    has: (post: EditSubject): boolean => isScheduled(post.cell) || isDraft(post.cell),
  },
  recurring: {
    rule: 'D17',
    message:
      'recurring can be set on scheduled posts that are neither queued nor part of a series, on drafts and on series only.',
    has: (post: EditSubject): boolean =>
      (isScheduled(post.cell) && post.parentId === null && post.queuedAt === null) ||
      isDraft(post.cell) ||
      post.cell === 'recurring',
  },
} as const;

/** Why a post has no such field to change, or null. */
export function holderRefusal(field: PatchField, post: EditSubject): Refusal | null {
  const holder = field === 'scheduledAt' || field === 'recurring' ? FIELD_HOLDERS[field] : null;
  return holder === null || holder.has(post)
    ? null
    : { code: 'RULE_VIOLATION', message: holder.message, path: [field], rule: holder.rule };
}

/** Every rule of the document's table that a patch breaks on this post, one refusal for each refused field (D21). */
export function editViolations(post: EditSubject, patch: PostPatch, viewer: Viewer): Refusal[] {
  if (!isPublished(post.cell)) return [];
  return touchedPaths(patch).flatMap((path) => {
    const { rule, refusal } = verdictOn(path, post, viewer);
    if (refusal) return [refusal];
    const value = patch[path[0] as PatchField];
    if (rule?.maxLength && typeof value === 'string' && codePoints(value) > rule.maxLength) {
      const message = `${path.join('.')} may have at most ${rule.maxLength} characters on a published post of ${post.network}; it has ${codePoints(value)}.`;
      return [{ code: 'RULE_VIOLATION', message, path, rule: rowOf(post) } satisfies Refusal];
    }
    return [];
  });
}

/** Whether this viewer may change a field now, why not or under which condition, and where the change would go. */
export interface FieldEditability {
  readonly field: PatchField;
  readonly allowed: boolean;
  readonly reason: string | null;
  readonly rule: string | null;
  readonly maxLength: number | null;
  readonly appliesTo: AppliesTo;
}

/** One answer for each field of a patch, from the same tables as the update itself. */
export function editability(post: EditSubject, viewer: Viewer): FieldEditability[] {
  const rights = editRefusal(post, viewer);
  return PATCH_FIELDS.map((field) => {
    const refused = ({ message, rule }: Pick<Refusal, 'message' | 'rule'>): FieldEditability => ({
      field,
      allowed: false,
      reason: message,
      rule,
      maxLength: null,
      appliesTo: 'service',
    });
    const allowed = (more: Partial<FieldEditability> = {}): FieldEditability => ({
      field,
      allowed: true,
      reason: null,
      rule: null,
      maxLength: null,
      appliesTo: 'service',
      ...more,
    });
    if (rights) return refused(rights);
    const misplaced = isPublished(post.cell) ? null : holderRefusal(field, post);
    if (misplaced) return refused(misplaced);
    if (!isPublished(post.cell))
      return allowed({ rule: isScheduled(post.cell) ? 'Update post, rule 1' : null });
    const verdicts = pathsOf(field, post).map((path) => verdictOn(path, post, viewer));
    const open = verdicts.find((verdict) => verdict.refusal === null);
    if (!open?.rule) return refused(verdicts[0]!.refusal!);
    const inside = open.rule.field.startsWith('details.')
      ? `Inside details only ${open.rule.field} can change.`
      : null;
    return allowed({
      reason: inside,
      rule: rowOf(post),
      maxLength: open.rule.maxLength,
      appliesTo: open.rule.appliesTo,
    });
  });
}

/** The rule paths a patch field stands for: `details` for each of its settings that a rule names. */
function pathsOf(field: PatchField, post: EditSubject): string[][] {
  const inside = rulesFor(post)
    .filter((rule) => rule.field.startsWith(`${field}.`))
    .map((rule) => rule.field.split('.'));
  return inside.length > 0 ? inside : [[field]];
}

/** Rules about the new time itself (D29): at least one minute ahead, and cleared on drafts only. The time it has already is no change. */
export function scheduleViolations(
  post: EditSubject & Pick<Post, 'scheduledAt'>,
  patch: PostPatch,
  now: Date,
): Refusal[] {
  if (patch.scheduledAt === undefined || isPublished(post.cell)) return [];
  const refuse = (message: string): Refusal[] => [
    {
      code: 'RULE_VIOLATION',
      path: ['scheduledAt'],
      rule: FIELD_HOLDERS.scheduledAt.rule,
      message,
    },
  ];
  const misplaced = holderRefusal('scheduledAt', post);
  if (misplaced) return [misplaced];
  if (patch.scheduledAt === null)
    return isDraft(post.cell) ? [] : refuse('scheduledAt can be cleared on drafts only.');
  if (patch.scheduledAt.getTime() === post.scheduledAt?.getTime()) return [];
  return patch.scheduledAt.getTime() >= now.getTime() + 60_000
    ? []
    : refuse('scheduledAt must be at least one minute ahead.');
}
