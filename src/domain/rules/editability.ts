import type { Refusal } from '../errors.js';
import { fieldOf, PATCH_FIELDS, type PatchField } from '../posts/post-fields.js';
import { isPublished, isScheduled } from '../posts/states.js';
import type { Viewer } from '../access/viewer.js';
import type { AppliesTo } from '../enums.js';
import { editRefusal, PUBLISHING_REFUSAL, type EditSubject } from './edit-rights.js';
import { publishedEditRulesFor, ruleNameFor, checkPublishedPath } from './published-edit-rules.js';
import { availabilityRefusal } from './field-availability.js';

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
  return PATCH_FIELDS.map((field) => {
    if (rights) return refused(field, rights);
    if (post.armedAt !== null && field !== 'labels') return refused(field, PUBLISHING_REFUSAL);
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
