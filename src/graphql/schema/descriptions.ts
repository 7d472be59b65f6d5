import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';

/** Options of a nullable field. */
export const optional = (description: string) => ({ nullable: true, description });

/** Descriptions of fields that the inputs of all changes have. */
export const IDEMPOTENCY_KEY = `Idempotency key, 1 to ${REQUEST_LIMITS.idempotencyKey} characters, stored for 24 hours. Repeating the request with the same input returns the recorded result; another input is rejected with IDEMPOTENCY_MISMATCH.`;
export const DRY_RUN =
  'Whether to only validate the request. Every rule is checked and the expected result is returned; nothing is changed, queued or recorded.';
/** Option of changes that may make posts duplicates. */
export const ALLOW_DUPLICATE = {
  defaultValue: false,
  description:
    'Whether to allow a post with the same account and content as another post within 24 hours. Without it, such a post is rejected with DUPLICATE_CONTENT. Content is what readers see: text, links, media, poll, type and the like.',
};
export const CLIENT_MUTATION_ID = 'Client-defined ID, returned unchanged in the payload.';
/** `clientMutationId` of a payload. */
export const RETURNED_MUTATION_ID = optional('`clientMutationId` of the input.');
/** Ends the description of a dry run whose result contains records. */
export const DRY_RUN_IDS =
  'Records that would be created have placeholder IDs such as `dry_run_label_1`, `dry_run_media_1` and `dry_run_post_1`, and the database ID 0.';
