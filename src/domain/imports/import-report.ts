import type { FilePosition } from './imported-post.js';
import type { PostState } from '../posts/states.js';

/** A number of items, and the titles of the first ones. */
export interface ItemCount {
  count: number;
  titles: string[];
}
/** An item that could not be saved. */
interface ImportFailure {
  sourceId: string;
  title: string;
  message: string;
}

/** Result of an import. */
export interface ImportReport {
  jobId: string;
  /** Imported posts by state. */
  taken: Partial<Record<PostState, number>>;
  takenCount: number;
  /** Items imported earlier: they are not changed, even if they were edited or deleted since. */
  alreadyThere: number;
  /** Items that are not posts, by reason. */
  skipped: Record<string, ItemCount>;
  /** Posts whose text, title or excerpt was truncated; an article's content blocks keep the full text. */
  shortened: ItemCount;
  failedCount: number;
  /** The first failures, at most MAX_FAILURES. */
  failed: ImportFailure[];
  /** Files of the source's media library that posts may lack. */
  forgottenFiles: number;
  /** Where and why reading the source failed. Posts before it are imported. */
  malformed: { reason: string; position: FilePosition } | null;
  /** Whether the import was stopped before the end. */
  stopped: boolean;
}

/** Progress of an import. */
export interface ImportProgress {
  /** 0 to 1, by bytes of the source. */
  done: number;
  taken: number;
  alreadyThere: number;
  skipped: number;
  failed: number;
}

const MAX_TITLES = 5;
/** Keeps the report of a source with a million bad items readable and small. */
const MAX_FAILURES = 100;

export const countItem = (target: ItemCount, title: string): void => {
  target.count += 1;
  if (target.titles.length < MAX_TITLES) target.titles.push(title);
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
  if (report.failed.length < MAX_FAILURES) report.failed.push(failure);
};

/** Whether all posts of the source are imported. */
export const isComplete = ({ malformed, failedCount, stopped }: ImportReport): boolean =>
  malformed === null && failedCount === 0 && !stopped;
