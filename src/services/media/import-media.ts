import type { Viewer } from '../../domain/access/viewer.js';
import type { Refusal } from '../../domain/errors.js';
import type { Job } from '../../domain/jobs/job.js';
import { mediaTypeOf, type Media } from '../../domain/posts/post-content.js';
import { runDry, runOnce, type CompleteRecord, type WorkResult } from '../posts/idempotency.js';
import type { IdempotencyStore } from '../posts/post-ports.js';
import type { MediaSource, NewImport } from './media-ports.js';
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

/** The media that wait for their files and the job that fetches them, or why there are none. */
export type ImportMediaOutcome = (
  | { readonly kind: 'accepted'; readonly media: readonly Media[]; readonly jobId: string | null }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] }
) & { readonly replayed: boolean };

/** What imports media. */
export interface ImportMediaDependencies extends MediaDependencies {
  readonly source: Pick<MediaSource, 'problemOf'>;
  readonly idempotency: IdempotencyStore;
}

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

const refused = (refusals: readonly Refusal[]): ImportMediaOutcome => ({
  kind: 'refused',
  refusals,
  replayed: false,
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

async function decide(
  dependencies: ImportMediaDependencies,
  viewer: Viewer,
  { items, inLibrary, dryRun }: ImportMediaRequest,
  complete?: CompleteRecord,
): Promise<ImportMediaOutcome> {
  const refusals = refusalsOf(dependencies, items);
  if (refusals.length > 0) return refused(refusals);
  const { ids, clock, files } = dependencies;
  const imports = items.map(({ url, name, altText }): NewImport => ({
    ...keptMedia(dependencies, { type: mediaTypeOf(url), title: name, altText, inLibrary }),
    sourceUrl: url,
  }));
  const media = imports.map((item) => toMedia(item.media));
  if (dryRun)
    return {
      kind: 'accepted',
      // The address is not known before the item exists.
      media: media.map((item, index) => ({
        ...item,
        id: `dry_run_media_${index + 1}`,
        url: items[index]!.url,
      })),
      jobId: null,
      replayed: false,
    };
  const job = newJob(ids.prefixed('job'), clock.now());
  const outcome: ImportMediaOutcome = {
    kind: 'accepted',
    media,
    jobId: job.id,
    replayed: false,
  };
  await files.createImport(originOf(viewer, clock), { job, imports }, complete?.(outcome));
  return outcome;
}

/** Creates media whose files a job fetches, once per idempotency key (D27, D63). */
export async function importMedia(
  dependencies: ImportMediaDependencies,
  viewer: Viewer,
  request: ImportMediaRequest,
): Promise<ImportMediaOutcome> {
  const refusal = additionRefusal(viewer);
  if (refusal) return refused([refusal]);
  const { items, inLibrary, idempotencyKey: key, dryRun } = request;
  if (key === undefined) return decide(dependencies, viewer, request);
  const keyed = {
    recordKey: {
      userId: viewer.user.id,
      workspaceId: viewer.workspace.id,
      operation: 'import_media' as const,
      target: 'media',
      key,
    },
    input: { items: items.map(({ url, name, altText }) => ({ url, name, altText })), inLibrary },
  };
  const { idempotency } = dependencies;
  const result = dryRun
    ? await runDry(idempotency, keyed, () => decide(dependencies, viewer, request))
    : await runOnce(
        idempotency,
        keyed,
        async (complete): Promise<WorkResult<ImportMediaOutcome>> => {
          const outcome = await decide(dependencies, viewer, request, complete);
          return { outcome, recording: outcome.kind === 'accepted' ? 'recorded' : 'record' };
        },
      );
  if (result.kind === 'mismatch') return refused([result.refusal]);
  return result.kind === 'replayed'
    ? { ...(result.outcome as ImportMediaOutcome), replayed: true }
    : result.outcome;
}
