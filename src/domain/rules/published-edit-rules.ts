import { LABELS, type PublishedEditRule } from '../networks/network-definition.js';
import { NETWORKS, NETWORK_KINDS, networkKindOf } from '../networks/networks.js';
import type { EditSubject } from './edit-rights.js';
import type { ErrorCode, Refusal } from '../errors.js';
import { codePoints } from '../input/readers.js';
import { PATCH_FIELDS, type PatchField } from '../posts/post-fields.js';
import type { PostPatch } from '../posts/post-patch.js';
import { isPublished, type StoredState } from '../posts/states.js';
import { needsApproval, type Viewer } from '../access/viewer.js';

/** The rules for a published post; only labels if the network no longer shows the post (D22). */
export const publishedEditRulesFor = (post: EditSubject): readonly PublishedEditRule[] =>
  post.storedState === 'published_posted' && post.network !== null
    ? NETWORKS[post.network].edits
    : [LABELS];

/** The `rule` of a refusal: the row of the table that applies to the post. */
export const ruleNameFor = (post: EditSubject): string =>
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
export function checkPublishedPath(
  path: readonly string[],
  post: EditSubject,
  viewer: Viewer,
): PathCheck {
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
