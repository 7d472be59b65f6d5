import type { DeliveryFailureCode } from './deliveries.js';
import type { ErrorCode } from '../errors.js';
import type { NetworkFailureCode } from '../networks/network-failures.js';
import type { JobKind, JobStatus } from '../vocabulary.js';

/** Why a job did not do a part of its work: the post or account it concerns, a code and a message. */
export interface JobFailure {
  id: string;
  code: ErrorCode | NetworkFailureCode | DeliveryFailureCode;
  message: string;
}

/** Work that goes on after the answer (D42). */
export interface Job {
  id: string;
  kind: JobKind;
  status: JobStatus;
  /** 0 to 1. */
  progress: number;
  failures: JobFailure[];
  /** Relational id of the post the job is about. */
  postId: number | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** The document's shape of failures: post or account id → messages, `{}` when there are none. */
export function failuresById(failures: readonly JobFailure[]): Record<string, string[]> {
  const byId: Record<string, string[]> = {};
  for (const { id, message } of failures) (byId[id] ??= []).push(message);
  return byId;
}

/** The failure of an import whose command ended before the import did. */
export const IMPORT_BROKE_OFF =
  'The import broke off. What it took until then stays; start it again to take the rest.';
