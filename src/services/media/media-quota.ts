import type { Viewer } from '../../domain/access/viewer.js';
import type { Refusal } from '../../domain/errors.js';
import {
  excessOf,
  presentExcess,
  type MediaAmounts,
  type MediaQuotas,
  type QuotaExcess,
} from '../../domain/media/media-quota.js';
import type { MediaFileStore } from '../../persistence/media/media-file-store.js';
import type { Clock } from '../clock.js';

/** Counts what quotas reject. */
export interface MediaMetrics {
  rejected(amount: keyof MediaAmounts): void;
}

/** What compares the media of workspaces with their quotas. */
export interface QuotaDependencies {
  readonly files: Pick<MediaFileStore, 'amountsOf'>;
  /** By the plan of the workspace. */
  readonly quotas: MediaQuotas;
  /** Absent if metrics are off. */
  readonly metrics?: MediaMetrics | undefined;
  readonly clock: Clock;
}

/** The message about an excess, which is counted. */
export function rejectExcess(
  { metrics }: Pick<QuotaDependencies, 'metrics'>,
  excess: QuotaExcess,
): string {
  metrics?.rejected(excess.amount);
  return presentExcess(excess);
}

/** The refusal of an addition; `path` is that of the field that determines its size. */
export const refuseExcess = (
  dependencies: Pick<QuotaDependencies, 'metrics'>,
  excess: QuotaExcess,
  path: Refusal['path'],
): Refusal => ({
  code: 'MEDIA_QUOTA_EXCEEDED',
  message: rejectExcess(dependencies, excess),
  path,
  rule: 'D63',
});

/** Why the quota of a workspace is too small for an addition, or null. */
export async function findExcess(
  { files, quotas, clock }: QuotaDependencies,
  { id, plan }: Pick<Viewer['workspace'], 'id' | 'plan'>,
  added: Partial<MediaAmounts>,
): Promise<QuotaExcess | null> {
  const amounts = await files.amountsOf([id], clock.now());
  return excessOf(amounts.get(id)!, added, quotas[plan]);
}
