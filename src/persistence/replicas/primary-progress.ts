import type { LogPosition } from './log-position.js';

/** A position that the primary had reached, and when, in milliseconds of `performance.now()`. */
interface Sample {
  readonly position: LogPosition;
  at: number;
}

/** What is known about the progress of the primary, from which the lag of replicas follows. */
export interface PrimaryProgress {
  /**
   * Positions are added in the order of their times. A server that takes over continues the log on
   * a new timeline, perhaps from an earlier position: what is known about the old one is forgotten.
   */
  add(position: LogPosition, timeline: string, at: number): void;
  /** Whether the primary has answered within the last second. */
  isKnown(now: number): boolean;
  /**
   * Milliseconds for which the primary has been ahead of a position: all earlier commits are before
   * the position. Infinity if it is longer than 10 minutes, or than the progress is known.
   */
  lagOf(position: LogPosition, now: number): number;
}

const MAX_AGE_MS = 600_000;
/** How long an answer is valid: after that, another server may be the primary. */
export const ANSWER_LIFETIME_MS = 1_000;

/** Creates the progress of a primary of which nothing is known. */
export function createPrimaryProgress(): PrimaryProgress {
  let samples: Sample[] = []; // ascending
  let currentTimeline: string | undefined;
  return {
    add(position, timeline, at) {
      if (timeline !== currentTimeline) samples = [];
      currentTimeline = timeline;
      const last = samples.at(-1);
      if (last?.position === position) last.at = at;
      else samples.push({ position, at });
      if (at - samples[0]!.at > MAX_AGE_MS) samples.shift();
    },
    isKnown: (now) => now - (samples.at(-1)?.at ?? -Infinity) < ANSWER_LIFETIME_MS,
    lagOf: (position, now) =>
      now - (samples.findLast((sample) => sample.position <= position)?.at ?? -Infinity),
  };
}
