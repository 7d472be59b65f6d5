import type { FilePosition } from './imported-post.js';
import type { PostState } from '../posts/states.js';

/** A number of items, and their titles. */
export interface ItemCount {
  count: number;
  /** In the order of the source; the last ones are missing if MAX_TITLE_CHARACTERS is reached. */
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
  importedByState: Partial<Record<PostState, number>>;
  /** Number of imported posts. */
  importedCount: number;
  /** Items imported earlier: they are not changed, even if they were edited or deleted since. */
  alreadyImported: number;
  /** Items that are not posts, by reason. */
  skipped: Record<string, ItemCount>;
  /**
   * Posts whose text, title or excerpt was truncated; an article's content blocks keep the full
   * text.
   */
  truncated: ItemCount;
  failedCount: number;
  /** The first failures, at most MAX_FAILURES. */
  failed: ImportFailure[];
  /**
   * Files of the source's media library that are missing in posts: the library exceeds the
   * importer's memory limit.
   */
  omittedFiles: number;
  /** Where and why reading the source failed. Posts before it are imported. */
  malformed: { reason: string; position: FilePosition } | null;
  /** Whether the import was stopped before the end. */
  stopped: boolean;
}

/** Progress of an import. */
export interface ImportProgress {
  /** 0 to 1, by bytes of the source. */
  done: number;
  imported: number;
  alreadyImported: number;
  skipped: number;
  failed: number;
}

/** Limits the memory of the report to about 20 MB: more than 150,000 items with their URLs. */
const MAX_TITLE_CHARACTERS = 16 * 1024 * 1024;
/** Keeps the report of a source with a million bad items readable and small. */
const MAX_FAILURES = 100;

/** Counts items of a report, and keeps their titles up to MAX_TITLE_CHARACTERS. */
export class ItemCounter {
  private characters = 0;

  count(target: ItemCount, title: string): void {
    target.count += 1;
    if (this.characters + title.length > MAX_TITLE_CHARACTERS) return;
    this.characters += title.length;
    target.titles.push(title);
  }
}

/** The report of an import that has not started. */
export const emptyReport = (jobId: string): ImportReport => ({
  jobId,
  importedByState: {},
  importedCount: 0,
  alreadyImported: 0,
  skipped: {},
  truncated: { count: 0, titles: [] },
  failedCount: 0,
  failed: [],
  omittedFiles: 0,
  malformed: null,
  stopped: false,
});

/** Counts a failure, and keeps it if it is one of the first MAX_FAILURES. */
export const countFailure = (report: ImportReport, failure: ImportFailure): void => {
  report.failedCount += 1;
  if (report.failed.length < MAX_FAILURES) report.failed.push(failure);
};

/** Whether all posts of the source are imported. */
export const isComplete = ({ malformed, failedCount, stopped }: ImportReport): boolean =>
  malformed === null && failedCount === 0 && !stopped;
