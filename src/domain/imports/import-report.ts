import type { FilePosition } from './imported-post.js';
import type { PostState } from '../posts/states.js';

/** Several items of which the first few are named. */
export interface ItemCount {
  count: number;
  titles: string[];
}
/** An item that could not be saved, and why. */
interface ImportFailure {
  sourceId: string;
  title: string;
  message: string;
}

/** What an import did. */
export interface ImportReport {
  jobId: string;
  /** Posts made, by the state they carry. */
  taken: Partial<Record<PostState, number>>;
  takenCount: number;
  /** Items that an earlier import brought in: edited since or deleted, they stay as they are. */
  alreadyThere: number;
  /** Items that are no posts, by the source's word for why. */
  skipped: Record<string, ItemCount>;
  /** Posts whose text, title or excerpt is longer than can be kept; an article's content blocks have all of the text. */
  shortened: ItemCount;
  failedCount: number;
  /** The first failures. */
  failed: ImportFailure[];
  /** Files of the source's library that posts may miss. */
  forgottenFiles: number;
  /** Where and why the source could not be read on; what came before it stays. */
  malformed: { reason: string; position: FilePosition } | null;
  /** Whether it was told to stop before the end. */
  stopped: boolean;
}

/** How far an import is. */
export interface ImportProgress {
  /** 0 to 1, by the bytes of the source. */
  done: number;
  taken: number;
  alreadyThere: number;
  skipped: number;
  failed: number;
}

const FIRST_TITLES = 5;
const FIRST_FAILURES = 100; // a report of a source with a million bad items has to stay readable, and small

export const countItem = (into: ItemCount, title: string): void => {
  into.count += 1;
  if (into.titles.length < FIRST_TITLES) into.titles.push(title);
};

export const emptyReport = (jobId: string): ImportReport => ({
  jobId,
  taken: {},
  takenCount: 0,
  alreadyThere: 0,
  skipped: {},
  shortened: { count: 0, titles: [] },
  failedCount: 0,
  failed: [],
  forgottenFiles: 0,
  malformed: null,
  stopped: false,
});

export const countFailure = (report: ImportReport, failure: ImportFailure): void => {
  report.failedCount += 1;
  if (report.failed.length < FIRST_FAILURES) report.failed.push(failure);
};

/** Whether all that the source has is here now. */
export const isWhole = ({ malformed, failedCount, stopped }: ImportReport): boolean =>
  malformed === null && failedCount === 0 && !stopped;
