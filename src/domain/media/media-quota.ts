import type { Plan } from '../enums.js';
import { presentBytes } from './media-file.js';

/** What the media of a workspace take up, or may take up. */
export interface MediaAmounts {
  /** Of the files that the gateway stores, and of those that upload addresses accept. */
  readonly bytes: number;
  /** Upload addresses that accept a file. */
  readonly openUploads: number;
  /** Files that jobs still have to fetch. */
  readonly waitingImports: number;
}

/** What a workspace of each plan may have at most. */
export type MediaQuotas = Readonly<Record<Plan, MediaAmounts>>;

/** Why an addition does not fit the quota of its workspace. */
export interface QuotaExcess {
  readonly amount: keyof MediaAmounts;
  readonly used: number;
  readonly added: number;
  readonly max: number;
}

/** The first amount that an addition would raise over its maximum; null if it fits. */
export function excessOf(
  used: MediaAmounts,
  added: Partial<MediaAmounts>,
  max: MediaAmounts,
): QuotaExcess | null {
  const amount = (Object.keys(added) as (keyof MediaAmounts)[]).find(
    (name) => used[name] + added[name]! > max[name],
  );
  return amount ? { amount, used: used[amount], added: added[amount]!, max: max[amount] } : null;
}

/** The sentences that tell users about an excess. */
const EXCESS: Readonly<
  Record<keyof MediaAmounts, (excess: Pick<QuotaExcess, 'used' | 'added' | 'max'>) => string>
> = {
  bytes: ({ used, max }) =>
    `The files of the workspace have ${presentBytes(used)}, and may have at most ${presentBytes(max)} with this one. An operator can raise the quota.`,
  openUploads: ({ used, max }) =>
    `The workspace has ${used} upload URLs that accept a file, and may have at most ${max}. Use one of them, or wait until one expires.`,
  waitingImports: ({ used, added, max }) =>
    `The workspace waits for ${used} imported files, and may wait for at most ${max}; this import has ${added}. Wait until jobs have fetched some of them.`,
};

/** An excess as a message. */
export const presentExcess = ({ amount, ...excess }: QuotaExcess): string => EXCESS[amount](excess);

/** An amount, as the APIs present it. */
export interface QuotaUse {
  readonly used: number;
  readonly limit: number;
  /** `limit` minus `used`, never negative. */
  readonly remaining: number;
}

/** What the media of a workspace take up, with what they may take up. */
export type MediaUsage = Readonly<Record<keyof MediaAmounts, QuotaUse>>;

const useOf = (used: number, limit: number): QuotaUse => ({
  used,
  limit,
  remaining: Math.max(0, limit - used),
});

/** Compares what a workspace uses with its quota. */
export const toMediaUsage = (used: MediaAmounts, max: MediaAmounts): MediaUsage => ({
  bytes: useOf(used.bytes, max.bytes),
  openUploads: useOf(used.openUploads, max.openUploads),
  waitingImports: useOf(used.waitingImports, max.waitingImports),
});
