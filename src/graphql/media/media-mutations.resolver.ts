import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { viewerOf } from '../../domain/access/workspace-access.js';
import type { Problem } from '../../domain/errors.js';
import { PART_LIMITS } from '../../domain/input/field-limits.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { line, text, webUrl } from '../../domain/input/text-readers.js';
import { MEDIA_FILE_LIMITS } from '../../domain/media/media-file.js';
import { badUserInput } from '../connection/connection.js';
import type { GatewayContext } from '../context.js';
import { toInputError } from '../post/change/present-outcome.js';
import { RequiresScopes } from '../requires-scopes.js';
import {
  CreateMediaUploadInput,
  CreateMediaUploadPayload,
  ImportMediaInput,
  ImportMediaPayload,
} from './media-uploads.type.js';

const readName = line({ minLength: 1, maxLength: MEDIA_FILE_LIMITS.nameLength });
const readAltText = text(PART_LIMITS.media.caption);
const readUrl = webUrl({ maxLength: 2_048 });

function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw badUserInput(problems);
}

/** @throws GatewayError BAD_USER_INPUT for texts that are malformed or too long */
function readUpload({ name, altText }: CreateMediaUploadInput): void {
  const problems: Problem[] = [];
  readName(name, ['input', 'name'], problems);
  if (altText !== null && altText !== undefined)
    readAltText(altText, ['input', 'altText'], problems);
  assertNoProblems(problems);
}

/** @throws GatewayError BAD_USER_INPUT for malformed URLs, or too many */
function readImport({ urls, idempotencyKey }: ImportMediaInput): void {
  const problems: Problem[] = [];
  const { importedUrls: max } = MEDIA_FILE_LIMITS;
  if (urls.length < 1 || urls.length > max)
    problems.push({
      path: ['input', 'urls'],
      message: `urls must have 1 to ${max} items, got ${urls.length}.`,
    });
  else urls.forEach((url, index) => readUrl(url, ['input', 'urls', index], problems));
  const keyLength = idempotencyKey?.length ?? 1;
  if (keyLength < 1 || keyLength > REQUEST_LIMITS.idempotencyKey)
    problems.push({
      path: ['input', 'idempotencyKey'],
      message: `idempotencyKey must have 1 to ${REQUEST_LIMITS.idempotencyKey} characters, got ${keyLength}.`,
    });
  assertNoProblems(problems);
}

@Resolver()
export class MediaMutationsResolver {
  @Mutation(() => CreateMediaUploadPayload, {
    description:
      'Creates a media item, and a URL that accepts its file once. Requires scope MEDIA.',
  })
  @RequiresScopes([['media']])
  async createMediaUpload(
    @Arg('input', () => CreateMediaUploadInput, { description: 'File to upload.' })
    input: CreateMediaUploadInput,
    @Ctx() context: GatewayContext,
  ): Promise<CreateMediaUploadPayload> {
    readUpload(input);
    const { name, bytes, altText = null, inLibrary, clientMutationId = null } = input;
    const viewer = viewerOf(context.authentication);
    const file = { name, bytes, altText, inLibrary };
    const outcome = await context.services.media.createUpload(viewer, file);
    context.discardLoaders();
    if (outcome.kind === 'refused') {
      const userErrors = outcome.refusals.map(toInputError);
      return { mediaId: null, url: null, expiresAt: null, userErrors, clientMutationId };
    }
    const { mediaId, url, expiresAt } = outcome;
    return { mediaId, url, expiresAt, userErrors: [], clientMutationId };
  }

  @Mutation(() => ImportMediaPayload, {
    description:
      'Creates media items whose files a job fetches from other servers. Requires scope MEDIA.',
  })
  @RequiresScopes([['media']])
  async importMedia(
    @Arg('input', () => ImportMediaInput, { description: 'Files to fetch.' })
    input: ImportMediaInput,
    @Ctx() context: GatewayContext,
  ) {
    readImport(input);
    const { urls, inLibrary, dryRun, clientMutationId = null } = input;
    const outcome = await context.services.media.import(viewerOf(context.authentication), {
      items: urls.map((url, index) => ({
        url,
        name: null,
        altText: null,
        path: ['urls', String(index)],
      })),
      inLibrary,
      dryRun,
      idempotencyKey: input.idempotencyKey ?? undefined,
    });
    context.discardLoaders();
    if (outcome.kind === 'refused')
      return {
        media: [],
        job: null,
        userErrors: outcome.refusals.map(toInputError),
        clientMutationId,
      };
    const { media, jobId } = outcome;
    const job = jobId === null ? null : await context.loaders.job.load(jobId);
    return { media, job, userErrors: [], clientMutationId };
  }
}
