import { GatewayError } from '../../domain/errors.js';
import {
  countFailure,
  countItem,
  emptyReport,
  type ImportProgress,
  type ImportReport,
} from '../../domain/imports/import-report.js';
import type {
  ImportRecord,
  ImportedPost,
  ReadingProgress,
} from '../../domain/imports/imported-post.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Account, UserSummary } from '../../domain/posts/post.js';
import { stateOfCell } from '../../domain/posts/states.js';
import { createImportJob, type ImportJob } from './import-job.js';
import { fittedPost, importKeyOf, planImport, type ImportTarget } from './plan-import.js';
import type { Clock, DirectoryStore, Ids, JobRecords, PostStore } from '../ports.js';

export interface ImportParts {
  readonly store: Pick<
    PostStore,
    'mediaOf' | 'labelsNamed' | 'reserveIds' | 'save' | 'importedKeys'
  >;
  readonly directory: Pick<DirectoryStore, 'accounts' | 'membersOf'>;
  readonly jobs: JobRecords;
  readonly ids: Ids;
  readonly clock: Clock;
}

interface ImportRequest {
  readonly workspaceId: string;
  /** What the posts are from: the account has to be one of it. */
  readonly network: Network;
  readonly accountId: string;
  /** The member who becomes the posts' creator; the owner without it. */
  readonly memberId?: string | undefined;
  /** Size of the source in bytes, which progress is measured by. */
  readonly totalBytes: number;
  /** Ends the import after the item at hand. */
  readonly signal?: AbortSignal | undefined;
}

/** Posts saved in one transaction at most, and the characters of them that are held until then. */
const BATCH = { posts: 20, characters: 1024 * 1024 } as const;
const MOST_ACCOUNTS = 1_000;

/**
 * Brings posts in from a source, in its order, each with all that hangs on it or not at all, and in bounded memory. What
 * an earlier import brought in is left alone, deleted posts included; an item that cannot be saved is reported and the
 * rest goes on. A job tells how far it is (D42).
 * @throws GatewayError BAD_USER_INPUT for a workspace, account or member that cannot take posts, naming those that can; UNAVAILABLE
 */
export async function importPosts(
  parts: ImportParts,
  request: ImportRequest,
  records: AsyncIterable<ImportRecord>,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportReport> {
  const target = await targetOf(parts, request);
  const job = await createImportJob(parts, target);
  try {
    const report = await new PostImport(parts, target, job, onProgress).run(request, records);
    await job.end(report);
    return report;
  } catch (error) {
    await job.abort().catch(() => {}); // the database may be what failed: the first error tells
    throw error;
  }
}

async function targetOf(
  { directory, clock }: ImportParts,
  { workspaceId, network, accountId, memberId }: ImportRequest,
): Promise<ImportTarget> {
  const refuse = (field: string, message: string): never => {
    throw new GatewayError('BAD_USER_INPUT', message, [{ path: [field], message }]);
  };
  const members = (await directory.membersOf([workspaceId])).get(workspaceId) ?? [];
  if (members.length === 0)
    refuse('workspace', `There is no workspace ${JSON.stringify(workspaceId)}.`);
  const accounts = await directory.accounts(workspaceId, [network], MOST_ACCOUNTS, 0);
  const named = (all: readonly (Account | UserSummary)[]): string =>
    all.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none';
  const account =
    accounts.find(({ id }) => id === accountId) ??
    refuse(
      'account',
      `${JSON.stringify(accountId)} is no ${network} account of this workspace; it has ${named(accounts)}.`,
    );
  const member =
    members.find(({ user, role }) =>
      memberId === undefined ? role === 'owner' : user.id === memberId,
    ) ??
    refuse(
      'member',
      `${JSON.stringify(memberId)} is no member of this workspace; its members are ${named(members.map(({ user }) => user))}.`,
    );
  return { workspaceId, account, member: member.user, at: clock.now() };
}

/** One run: collects posts into batches and counts what becomes of them. */
class PostImport {
  private readonly report: ImportReport;
  private batch: ImportedPost[] = [];
  private characters = 0;
  private skipped = 0;
  private done = 0;
  /** The batch being saved while the next one is read. */
  private saving: Promise<void> = Promise.resolve();

  constructor(
    private readonly parts: ImportParts,
    private readonly target: ImportTarget,
    private readonly job: ImportJob,
    private readonly onProgress: (progress: ImportProgress) => void,
  ) {
    this.report = emptyReport(job.id);
  }

  async run(
    { totalBytes, signal }: ImportRequest,
    records: AsyncIterable<ImportRecord>,
  ): Promise<ImportReport> {
    try {
      for await (const record of records) {
        if (signal?.aborted) {
          this.report.stopped = true;
          break;
        }
        await this.take(record, totalBytes);
      }
    } finally {
      await this.saving;
    }
    await this.saveBatch();
    this.tell();
    return this.report;
  }

  private async take(record: ImportRecord, totalBytes: number): Promise<void> {
    const { report } = this;
    if (record.kind === 'post') await this.collect(record.post);
    else if (record.kind === 'skipped') {
      this.skipped += 1;
      countItem(
        (report.skipped[record.reason] ??= { count: 0, titles: [] }),
        record.title || `(${record.sourceId ?? 'untitled'})`,
      );
    } else if (record.kind === 'forgotten') report.forgottenFiles = record.files;
    else if (record.kind === 'malformed')
      report.malformed = { reason: record.reason, position: record.position };
    else {
      this.done = progressOf(record, totalBytes);
      await this.job.progress(this.done);
      this.tell();
    }
  }

  private tell(): void {
    const { takenCount: taken, alreadyThere, failedCount: failed } = this.report;
    this.onProgress({ done: this.done, taken, alreadyThere, skipped: this.skipped, failed });
  }

  /** A small batch is saved while the next is read; a large item alone, since two of them would take the memory of both. */
  private async collect(post: ImportedPost): Promise<void> {
    this.batch.push(post);
    this.characters += sizeOf(post);
    if (this.batch.length < BATCH.posts && this.characters < BATCH.characters) return;
    const isLarge = this.characters > 2 * BATCH.characters;
    await this.saving;
    this.saving = this.saveBatch();
    this.saving.catch(() => {}); // it is awaited before anything else is saved
    if (isLarge) await this.saving;
  }

  private async saveBatch(): Promise<void> {
    const posts = this.batch;
    this.batch = [];
    this.characters = 0;
    const fresh = await this.freshOf(posts);
    if (fresh.length === 0) return;
    const error = await this.save(fresh);
    if (error === null) return;
    for (const post of fresh) await this.saveAlone(post);
  }

  /** Those that no import has brought in before, each once. */
  private async freshOf(posts: readonly ImportedPost[]): Promise<ImportedPost[]> {
    const known = new Set(
      posts.length > 0
        ? await this.parts.store.importedKeys(
            this.target.workspaceId,
            posts.map((post) => importKeyOf(this.target, post)),
          )
        : [],
    );
    return posts.filter((post) => {
      const key = importKeyOf(this.target, post);
      if (!known.has(key)) return Boolean(known.add(key));
      this.report.alreadyThere += 1;
      return false;
    });
  }

  /** Where a batch fails, its items are tried one by one; one that is there by now was brought in by another import. */
  private async saveAlone(post: ImportedPost): Promise<void> {
    const error = await this.save([post]);
    if (error === null || (await this.freshOf([post])).length === 0) return;
    countFailure(this.report, { sourceId: post.sourceId, title: nameOf(post), message: error });
  }

  /** Null when saved, else why not. */
  private async save(posts: readonly ImportedPost[]): Promise<string | null> {
    const fittedPosts = posts.map(fittedPost);
    try {
      const saved = await this.parts.store.save(
        await planImport(
          this.parts,
          this.target,
          fittedPosts.map(({ post }) => post),
        ),
      );
      if (saved.kind !== 'saved') return 'Somebody else changed the same records at the same time.';
    } catch (error) {
      if (error instanceof GatewayError) throw error; // the database is away: no item can be saved
      return error instanceof Error ? error.message : String(error);
    }
    for (const { post, isCut } of fittedPosts) {
      const state = stateOfCell(post.cell);
      this.report.taken[state] = (this.report.taken[state] ?? 0) + 1;
      this.report.takenCount += 1;
      if (isCut) countItem(this.report.shortened, nameOf(post));
    }
    return null;
  }
}

/** The text is there twice, plain and in blocks. */
const sizeOf = ({ text }: ImportedPost): number => 2 * text.length;

const NAME_CHARACTERS = 100;
/** What a report calls a post. */
const nameOf = ({ title, text, sourceId }: ImportedPost): string =>
  title || text.slice(0, NAME_CHARACTERS) || sourceId;

/** Which part of the whole work each reading is: looking for the library is the smaller one. */
const READINGS = {
  library: { from: 0, part: 0.1 },
  posts: { from: 0.1, part: 0.9 },
  whole: { from: 0, part: 1 },
} as const;
function progressOf({ reading, bytes }: ReadingProgress, totalBytes: number): number {
  const { from, part } = READINGS[reading];
  return from + part * (totalBytes > 0 ? Math.min(1, bytes / totalBytes) : 1);
}
