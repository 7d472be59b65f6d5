import type { Viewer } from '../../domain/access/viewer.js';
import type { Refusal } from '../../domain/errors.js';
import type { Job } from '../../domain/jobs/job.js';
import { mediaTypeOf, type Media } from '../../domain/posts/post-content.js';
import type {
  MediaFileStore,
  MediaOrigin,
  NewImport,
} from '../../persistence/media/media-file-store.js';
import {
  refusedBy,
  runChange,
  type ChangeOutcome,
  type ChangeRunner,
  type ChangeStore,
  type Plan,
} from '../changes/run-change.js';
import type { MediaSource } from './fetch-media.js';
import { findExcess, refuseExcess } from './media-quota.js';
import { additionRefusal, keptMedia, originOf, type MediaDependencies } from './upload-media.js';

/** A file on another server. */
export interface ImportedFile {
  readonly url: string;
  readonly name: string | null;
  readonly altText: string | null;
  /** Path of the URL in the request, for refusals. */
  readonly path: readonly string[];
}

/** Files to fetch into the media library. */
export interface ImportMediaRequest {
  readonly items: readonly ImportedFile[];
  readonly inLibrary: boolean;
  readonly idempotencyKey?: string | undefined;
  readonly dryRun: boolean;
}

/** The media that wait for their files, and the job that fetches them; null in a dry run. */
export interface ImportedMedia {
  readonly kind: 'accepted';
  readonly media: readonly Media[];
  readonly jobId: string | null;
}

/** Outcome of an import of media. */
export type ImportMediaOutcome = ChangeOutcome<ImportedMedia>;

/** Media that wait for their files, and the job that fetches them. */
export interface MediaImport {
  readonly origin: MediaOrigin;
  readonly job: Job;
  readonly imports: readonly NewImport[];
}

/** What imports media. */
export interface ImportMediaDependencies extends MediaDependencies {
  readonly source: Pick<MediaSource, 'problemOf'>;
  readonly runner: ChangeRunner<MediaImport>;
}

/** Where imports are saved. They are in conflict if others have used up the quota meanwhile. */
export const importStoreOf = (files: MediaFileStore): ChangeStore<MediaImport> => ({
  async save({ origin, ...content }, record) {
    const excess = await files.createImport(origin, content, record);
    return { kind: excess ? 'conflict' : 'saved' }; // the next plan is refused
  },
  dryRun: async () => ({ kind: 'saved' }),
});

const newJob = (id: string, createdAt: Date): Job => ({
  id,
  kind: 'media',
  status: 'working',
  progress: 0,
  failures: [],
  result: null,
  postId: null,
  createdAt,
  finishedAt: null,
});

function refusalsOf(
  { source }: Pick<ImportMediaDependencies, 'source'>,
  items: readonly ImportedFile[],
): Refusal[] {
  return items.flatMap(({ url, path }): Refusal[] => {
    const problem = source.problemOf(url);
    return problem === null
      ? []
      : [
          {
            code: 'RULE_VIOLATION',
            message: `${path.join('.')} ${problem}.`,
            path,
            rule: 'D63',
          },
        ];
  });
}

/** As clients see it, without `inLibrary`. */
const toMedia = ({ id, type, url, altText, title }: Media): Media => ({
  id,
  type,
  url,
  altText,
  title,
});

async function plan(
  dependencies: ImportMediaDependencies,
  viewer: Viewer,
  { items, inLibrary, dryRun }: ImportMediaRequest,
): Promise<Plan<ImportedMedia, MediaImport>> {
  const refusals = refusalsOf(dependencies, items);
  if (refusals.length > 0) return { outcome: refusedBy(...refusals) };
  // The sizes of the files are not known yet.
  const added = { waitingImports: items.length, bytes: items.length };
  const excess = await findExcess(dependencies, viewer.workspace, added);
  if (excess) {
    const path = items[0]!.path.slice(0, 1);
    return { outcome: refusedBy(refuseExcess(dependencies, excess, path)) };
  }
  const { ids, clock } = dependencies;
  const imports = items.map(({ url, name, altText }): NewImport => ({
    ...keptMedia(dependencies, { type: mediaTypeOf(url), title: name, altText, inLibrary }),
    sourceUrl: url,
  }));
  const media = imports.map((item) => toMedia(item.media));
  if (dryRun)
    return {
      outcome: {
        kind: 'accepted',
        // The address is not known before the item exists.
        media: media.map((item, index) => ({
          ...item,
          id: `dry_run_media_${index + 1}`,
          url: items[index]!.url,
        })),
        jobId: null,
      },
    };
  const job = newJob(ids.prefixed('job'), clock.now());
  return {
    change: { origin: originOf(dependencies, viewer), job, imports },
    outcome: { kind: 'accepted', media, jobId: job.id },
  };
}

/** Creates media whose files a job fetches, once per idempotency key (D27, D63). */
export async function importMedia(
  dependencies: ImportMediaDependencies,
  viewer: Viewer,
  request: ImportMediaRequest,
): Promise<ImportMediaOutcome> {
  const refusal = additionRefusal(viewer);
  if (refusal) return { ...refusedBy(refusal), replayed: false };
  const { items, inLibrary, idempotencyKey, dryRun } = request;
  return runChange<ImportedMedia, MediaImport>(dependencies.runner, viewer, {
    operation: 'import_media',
    target: 'media',
    input: { items: items.map(({ url, name, altText }) => ({ url, name, altText })), inLibrary },
    idempotencyKey,
    dryRun,
    plan: () => plan(dependencies, viewer, request),
    isRecorded: (outcome) =>
      outcome.kind !== 'refused' || outcome.refusals[0]!.code !== 'MEDIA_QUOTA_EXCEEDED',
    restore: (recorded) => recorded,
  });
}
