import { GatewayError } from '../../domain/errors.js';
import {
  countFailure,
  emptyReport,
  ItemCounter,
  type ImportProgress,
  type ImportReport,
} from '../../domain/imports/import-report.js';
import type {
  ImportRecord,
  ImportedPost,
  ReadProgress,
} from '../../domain/imports/imported-post.js';
import { IMPORT_INTERRUPTED, type Job, type JobFailure } from '../../domain/jobs/job.js';
import { toPostState } from '../../domain/posts/states.js';
import { saveOnce } from '../changes/run-change.js';
import type { JobWriter } from '../../persistence/jobs/job-store.js';
import type { Clock } from '../clock.js';
import type { Ids } from '../ids.js';
import type { PostStore } from '../../persistence/posts/post-store.js';
import {
  importKeyOf,
  planImport,
  toStorablePost,
  type ImportPlanDependencies,
  type ImportTarget,
} from './plan-import.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Account, UserSummary } from '../../domain/posts/post.js';
import type { WorkspaceRecordStore } from '../../persistence/workspaces/workspace-record-store.js';

interface ImportRunDependencies extends ImportPlanDependencies {
  readonly store: ImportPlanDependencies['store'] & Pick<PostStore, 'save' | 'existingImportKeys'>;
}

interface ImportRunOptions {
  readonly target: ImportTarget;
  readonly job: ImportJob;
  readonly onProgress: (progress: ImportProgress) => void;
  readonly totalBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** Posts saved in one transaction, and characters of posts kept in memory until then. */
const MAX_BATCH = { posts: 20, characters: 512 * 1024 } as const;

/** One run of an import: saves posts in batches and counts the results. */
export class ImportRun {
  private readonly report: ImportReport;
  private readonly items = new ItemCounter();
  private batch: ImportedPost[] = [];
  private characters = 0;
  private skipped = 0;
  private done = 0;
  /** The batch that is saved while the next one is read. */
  private saving: Promise<void> = Promise.resolve();

  constructor(
    private readonly dependencies: ImportRunDependencies,
    private readonly options: ImportRunOptions,
  ) {
    this.report = emptyReport(options.job.id);
  }

  async execute(records: AsyncIterable<ImportRecord>): Promise<ImportReport> {
    try {
      for await (const record of records) {
        if (this.options.signal?.aborted) {
          this.report.stopped = true;
          break;
        }
        await this.process(record);
      }
    } finally {
      await this.saving;
    }
    await this.saveBatch();
    this.reportProgress();
    return this.report;
  }

  private async process(record: ImportRecord): Promise<void> {
    const { report } = this;
    if (record.kind === 'post') await this.addToBatch(record.post);
    else if (record.kind === 'skipped') {
      this.skipped += 1;
      this.items.count(
        (report.skipped[record.reason] ??= { count: 0, titles: [] }),
        copyString(record.title || `(${record.sourceId ?? 'untitled'})`),
      );
    } else if (record.kind === 'omitted_files') report.omittedFiles = record.files;
    else if (record.kind === 'malformed')
      report.malformed = { reason: record.reason, position: record.position };
    else {
      this.done = progressOf(record, this.options.totalBytes);
      await this.options.job.progress(this.done);
      this.reportProgress();
    }
  }

  private reportProgress(): void {
    const { importedCount, alreadyImported, failedCount } = this.report;
    this.options.onProgress({
      done: this.done,
      imported: importedCount,
      alreadyImported,
      skipped: this.skipped,
      failed: failedCount,
    });
  }

  /**
   * A batch is saved while the next one is read, unless it is large: two large batches would double
   * the memory.
   */
  private async addToBatch(post: ImportedPost): Promise<void> {
    this.batch.push(post);
    this.characters += sizeOf(post);
    if (this.batch.length < MAX_BATCH.posts && this.characters < MAX_BATCH.characters) return;
    const isLarge = this.characters > 2 * MAX_BATCH.characters;
    await this.saving;
    this.saving = this.saveBatch();
    this.saving.catch(() => {}); // awaited before the next batch is saved
    if (isLarge) await this.saving;
  }

  private async saveBatch(): Promise<void> {
    const posts = this.batch;
    this.batch = [];
    this.characters = 0;
    const newPosts = await this.withoutImported(posts);
    if (newPosts.length === 0) return;
    const error = await this.save(newPosts);
    if (error === null) return;
    for (const post of newPosts) await this.saveSingle(post);
  }

  /** The distinct posts that no import has added before. */
  private async withoutImported(posts: readonly ImportedPost[]): Promise<ImportedPost[]> {
    const { target } = this.options;
    const existingKeys = new Set(
      posts.length > 0
        ? await this.dependencies.store.existingImportKeys(
            target.workspaceId,
            posts.map((post) => importKeyOf(target, post)),
          )
        : [],
    );
    return posts.filter((post) => {
      const key = importKeyOf(target, post);
      if (!existingKeys.has(key)) return Boolean(existingKeys.add(key));
      this.report.alreadyImported += 1;
      return false;
    });
  }

  /**
   * If a batch fails, its posts are saved one by one. A post that exists by then was added by
   * another import.
   */
  private async saveSingle(post: ImportedPost): Promise<void> {
    const error = await this.save([post]);
    if (error === null || (await this.withoutImported([post])).length === 0) return;
    countFailure(this.report, { sourceId: post.sourceId, title: titleOf(post), message: error });
  }

  /** Null if saved, otherwise the error message. */
  private async save(posts: readonly ImportedPost[]): Promise<string | null> {
    const storablePosts = posts.map(toStorablePost);
    try {
      const change = await planImport(
        this.dependencies,
        this.options.target,
        storablePosts.map(({ post }) => post),
      );
      const saved = await saveOnce(this.dependencies.store.save, { outcome: 'saved', change });
      if (saved === null) return 'The same records were changed at the same time.';
    } catch (error) {
      // the database is unavailable: no post can be saved
      if (error instanceof GatewayError) throw error;
      return error instanceof Error ? error.message : String(error);
    }
    for (const { post, isTruncated } of storablePosts) {
      const state = toPostState(post.storedState);
      this.report.importedByState[state] = (this.report.importedByState[state] ?? 0) + 1;
      this.report.importedCount += 1;
      if (isTruncated) this.items.count(this.report.truncated, copyString(titleOf(post)));
    }
    return null;
  }
}

/** The text is kept twice: plain and in content blocks. */
const sizeOf = ({ text }: ImportedPost): number => 2 * text.length;

const MAX_TITLE_CHARACTERS = 100;
/** The title of a post in the report. */
const titleOf = ({ title, text, sourceId }: ImportedPost): string =>
  title || text.slice(0, MAX_TITLE_CHARACTERS) || sourceId;

/** A copy that does not keep the text of the file in memory that a title is a part of. */
const copyString = (text: string): string => Buffer.from(text).toString();

/** The share of each pass in the total progress. */
const PASSES = {
  library: { from: 0, share: 0.1 },
  posts: { from: 0.1, share: 0.9 },
  whole: { from: 0, share: 1 },
} as const;
function progressOf({ pass, bytes }: ReadProgress, totalBytes: number): number {
  const { from, share } = PASSES[pass];
  return from + share * (totalBytes > 0 ? Math.min(1, bytes / totalBytes) : 1);
}

/** The job that represents an import in the APIs (D42). */
interface ImportJob {
  readonly id: string;
  /** Records the progress, 0 to 1; writes at most once per second. */
  progress(done: number): Promise<void>;
  end(report: ImportReport): Promise<void>;
  /** Marks the job of an interrupted import as failed. */
  abort(): Promise<void>;
}

const MIN_WRITE_INTERVAL_MS = 1_000;

/** Creates the job of an import and saves it. */
async function createImportJob(
  { jobs, ids, clock }: { jobs: JobWriter; ids: Ids; clock: Clock },
  { workspaceId, account, member, at }: ImportTarget,
): Promise<ImportJob> {
  let job: Job = {
    id: ids.prefixed('job'),
    kind: 'import',
    status: 'working',
    progress: 0,
    failures: [],
    result: null,
    postId: null,
    createdAt: at,
    finishedAt: null,
  };
  let writtenAt = at.getTime();
  const write = async (change: Partial<Job>): Promise<void> => {
    job = { ...job, ...change };
    writtenAt = clock.now().getTime();
    await jobs.save({ workspaceId, userId: member.id }, job);
  };
  const failure = (message: string): JobFailure => ({
    id: account.id,
    code: 'RULE_VIOLATION',
    message,
  });
  await write({});
  return {
    id: job.id,
    progress: async (progress) => {
      if (clock.now().getTime() - writtenAt >= MIN_WRITE_INTERVAL_MS) await write({ progress });
    },
    end: (report) => {
      const failures = messagesOf(report).map(failure);
      const hasNoPosts = report.importedCount + report.alreadyImported === 0;
      const progress = report.malformed || report.stopped ? job.progress : 1;
      return write({
        status: failures.length > 0 && hasNoPosts ? 'failed' : 'completed',
        progress,
        failures,
        finishedAt: clock.now(),
      });
    },
    abort: () =>
      write({ status: 'failed', failures: [failure(IMPORT_INTERRUPTED)], finishedAt: clock.now() }),
  };
}

/** One message for each reason for which posts were not imported. */
function messagesOf({ malformed, failed, failedCount, stopped }: ImportReport): string[] {
  const messages = failed.map(
    ({ title, sourceId, message }) => `${JSON.stringify(title)} (${sourceId}): ${message}`,
  );
  if (failedCount > failed.length)
    messages.push(`${failedCount - failed.length} more items could not be saved.`);
  if (malformed)
    messages.push(
      `Reading the file failed at line ${malformed.position.line}, column ${malformed.position.column} (byte ${malformed.position.byte}): ${malformed.reason}`,
    );
  if (stopped) messages.push('The import was stopped before the end.');
  return messages;
}

export interface ImportDependencies {
  readonly store: Pick<
    PostStore,
    'findMedia' | 'labelsByName' | 'reserveIds' | 'save' | 'existingImportKeys'
  >;
  readonly workspaceRecords: Pick<WorkspaceRecordStore, 'accounts' | 'membersOf'>;
  readonly jobs: JobWriter;
  readonly ids: Ids;
  readonly clock: Clock;
}

interface ImportRequest {
  readonly workspaceId: string;
  /** The network of the posts, and of the account. */
  readonly network: Network;
  readonly accountId: string;
  /** The member who becomes the creator of the posts; the owner by default. */
  readonly memberId?: string | undefined;
  /** Size of the source in bytes, for the progress. */
  readonly totalBytes: number;
  /** Stops the import after the current item. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Imports posts from a source, in its order and in bounded memory. Each post is saved completely or
 * not at all. Posts that were imported before are not changed, even if they were deleted since;
 * items that cannot be saved are reported. A job reports the progress to API clients (D42).
 * @throws GatewayError BAD_USER_INPUT for an unknown workspace, account or member; UNAVAILABLE
 */
export async function importPosts(
  dependencies: ImportDependencies,
  { totalBytes, signal, ...targetRequest }: ImportRequest,
  records: AsyncIterable<ImportRecord>,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportReport> {
  const target = await findImportTarget(dependencies, targetRequest);
  const job = await createImportJob(dependencies, target);
  const run = new ImportRun(dependencies, { target, job, onProgress, totalBytes, signal });
  try {
    const report = await run.execute(records);
    await job.end(report);
    return report;
  } catch (error) {
    await job.abort().catch(() => {}); // the database may be the cause: throw the first error
    throw error;
  }
}

interface ImportTargetRequest {
  readonly workspaceId: string;
  readonly network: Network;
  readonly accountId: string;
  readonly memberId?: string | undefined;
}

const MAX_ACCOUNTS = 1_000;

const refuse = (field: string, message: string): never => {
  throw new GatewayError('BAD_USER_INPUT', message, [{ path: [field], message }]);
};

const listNames = (records: readonly (Account | UserSummary)[]): string =>
  records.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none';

/**
 * @throws GatewayError BAD_USER_INPUT for an unknown workspace, account or member; the message
 * lists the existing ones
 */
async function findImportTarget(
  {
    workspaceRecords,
    clock,
  }: { workspaceRecords: Pick<WorkspaceRecordStore, 'accounts' | 'membersOf'>; clock: Clock },
  { workspaceId, network, accountId, memberId }: ImportTargetRequest,
): Promise<ImportTarget> {
  const members = (await workspaceRecords.membersOf([workspaceId])).get(workspaceId) ?? [];
  if (members.length === 0)
    refuse('workspace', `Workspace ${JSON.stringify(workspaceId)} does not exist.`);
  const accounts = await workspaceRecords.accounts(workspaceId, [network], MAX_ACCOUNTS, 0);
  const account =
    accounts.find(({ id }) => id === accountId) ??
    refuse(
      'account',
      `${JSON.stringify(accountId)} is not a ${network} account of this workspace. Its ${network} accounts: ${listNames(accounts)}.`,
    );
  const member =
    members.find(({ user, role }) =>
      memberId === undefined ? role === 'owner' : user.id === memberId,
    ) ??
    refuse(
      'member',
      `${JSON.stringify(memberId)} is not a member of this workspace. Its members: ${listNames(members.map(({ user }) => user))}.`,
    );
  return { workspaceId, account, member: member.user, at: clock.now() };
}
