import type { DeliveryFailureCode } from './notification-delivery.js';
import type { ErrorCode } from '../errors.js';
import type { JobKind } from './job-kinds.js';
import type { NetworkFailureCode } from '../networks/network-failures.js';
import type { JobStatus } from '../enums.js';
import type { ServiceFailureCode } from '../publishing/publication-failures.js';

/**
 * A part of a job that could not be done: the ID of the post or account concerned, a code and a
 * message.
 */
export interface JobFailure {
  id: string;
  code: ErrorCode | NetworkFailureCode | DeliveryFailureCode | ServiceFailureCode;
  message: string;
}

/** Work that continues after the response (D42). */
export interface Job {
  id: string;
  kind: JobKind;
  status: JobStatus;
  /** 0 to 1. */
  progress: number;
  failures: JobFailure[];
  /** Database ID of the job's post. */
  postId: number | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/**
 * Failures as the REST API presents them: post or account ID → messages, `{}` if there are none.
 */
export function failuresById(failures: readonly JobFailure[]): Record<string, string[]> {
  const byId: Record<string, string[]> = {};
  for (const { id, message } of failures) (byId[id] ??= []).push(message);
  return byId;
}

/** Failure message of an import whose command was killed. */
export const IMPORT_INTERRUPTED =
  'The import was interrupted. The posts imported so far are kept; run it again to import the rest.';
