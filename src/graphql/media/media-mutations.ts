import { Field, ID, InputType, Int, ObjectType, Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { MEDIA_FILE_LIMITS, presentBytes } from '../../domain/media/media-file.js';
import { JobObject } from '../job.js';
import { RequiresScopes } from '../schema/field-decorators.js';
import { MutationPayload, toPayload } from '../schema/mutation.js';
import {
  CLIENT_MUTATION_ID,
  DRY_RUN,
  DRY_RUN_IDS,
  IDEMPOTENCY_KEY,
  optional,
  RETURNED_MUTATION_ID,
} from '../schema/descriptions.js';
import { UserErrorObject, toInputError, toProblem } from '../post/user-error.js';
import { DateTime } from '../schema/enums.js';
import { MediaObject } from './media.js';
import { viewerOf } from '../../domain/access/viewer.js';
import type { Problem } from '../../domain/errors.js';
import { MEDIA as MEDIA_KEYS } from '../../domain/posts/post-settings.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { line, text, webUrl } from '../../domain/input/readers.js';
import { badUserInput } from '../schema/connection.js';
import type { GatewayContext } from '../context.js';

const IN_LIBRARY = 'Whether the media library lists the file.';

@InputType({ description: 'Input of `createMediaUpload`.' })
export class CreateMediaUploadInput {
  @Field(() => String, {
    description: `Name of the file, at most ${MEDIA_FILE_LIMITS.nameLength} characters.`,
  })
  name!: string;
  @Field(() => Int, {
    description: `Size of the file in bytes, at most ${presentBytes(MEDIA_FILE_LIMITS.bytes)}. A file of another size is rejected.`,
  })
  bytes!: number;
  @Field(() => String, optional('Alternative text.')) altText?: string | null;
  @Field(() => Boolean, { defaultValue: true, description: IN_LIBRARY }) inLibrary!: boolean;
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}

@ObjectType({ description: 'Result of `createMediaUpload`.', simpleResolvers: true })
class CreateMediaUploadPayload {
  @Field(() => ID, optional('ID of the media item, which is not ready yet. Null if rejected.'))
  mediaId!: string | null;
  @Field(
    () => String,
    optional(
      'URL that accepts the bytes of the file once, with PUT and without a key. The response is the media item in the format of REST v1. Null if rejected.',
    ),
  )
  url!: string | null;
  @Field(() => DateTime, optional('Time until which the URL can be used. Null if rejected.'))
  expiresAt!: Date | null;
  @Field(() => [UserErrorObject], {
    description: 'Reasons why the upload was rejected. Empty if it was accepted.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, RETURNED_MUTATION_ID) clientMutationId!: string | null;
}

@InputType({ description: 'Input of `importMedia`.' })
export class ImportMediaInput {
  @Field(() => [String], {
    description: `Public https URLs of the files themselves, 1 to ${MEDIA_FILE_LIMITS.importedUrls}. Redirects are not followed.`,
  })
  urls!: string[];
  @Field(() => Boolean, { defaultValue: true, description: IN_LIBRARY }) inLibrary!: boolean;
  @Field(() => String, optional(IDEMPOTENCY_KEY)) idempotencyKey?: string | null;
  @Field(() => Boolean, { defaultValue: false, description: `${DRY_RUN} ${DRY_RUN_IDS}` })
  dryRun!: boolean;
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}

@ObjectType({ description: 'Result of `importMedia`.', simpleResolvers: true })
class ImportMediaPayload {
  @Field(() => [MediaObject], {
    description:
      'Media, in the order of `urls`. They are not ready until the job has fetched their files. Empty if rejected.',
  })
  media!: readonly MediaObject[];
  @Field(
    () => JobObject,
    optional('Job that fetches the files. Null if rejected, and in a dry run.'),
  )
  job!: JobObject | null;
  @Field(() => [UserErrorObject], {
    description: 'Reasons why the import was rejected. Empty if it was accepted.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, RETURNED_MUTATION_ID) clientMutationId!: string | null;
}

@InputType({ description: 'Input of `updateMedia`.' })
export class UpdateMediaInput {
  @Field(() => ID, { description: 'ID of the media item.' }) id!: string;
  @Field(
    () => String,
    optional('New alternative text. Null removes the text; if omitted, it is kept.'),
  )
  altText?: string | null;
  @Field(() => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun!: boolean;
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}

@InputType({ description: 'Input of `deleteMedia`.' })
export class DeleteMediaInput {
  @Field(() => ID, { description: 'ID of the media item.' }) id!: string;
  @Field(() => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun!: boolean;
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}

@ObjectType({ description: 'Result of `updateMedia`.', simpleResolvers: true })
class UpdateMediaPayload extends MutationPayload {
  @Field(
    () => MediaObject,
    optional('Media item after the change, or as it would be (dry run). Null if rejected.'),
  )
  media!: MediaObject | null;
}

@ObjectType({ description: 'Result of `deleteMedia`.', simpleResolvers: true })
class DeleteMediaPayload extends MutationPayload {
  @Field(() => ID, optional('ID of the deleted media item. Null if rejected.'))
  deletedId!: string | null;
}

const readName = line({ minLength: 1, maxLength: MEDIA_FILE_LIMITS.nameLength });
const readAltText = text(MEDIA_KEYS.caption.limit);
const readUrl = webUrl({ maxLength: 2_048 });

function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw badUserInput(problems.map(toProblem));
}

/** @throws GatewayError BAD_USER_INPUT for texts that are malformed or too long */
function readTexts({ name, altText }: { name?: string; altText?: string | null }): void {
  const problems: Problem[] = [];
  if (name !== undefined) readName(name, ['name'], problems);
  if (altText !== null && altText !== undefined) readAltText(altText, ['altText'], problems);
  assertNoProblems(problems);
}

/** @throws GatewayError BAD_USER_INPUT for malformed URLs, or too many */
function readImport({ urls, idempotencyKey }: ImportMediaInput): void {
  const problems: Problem[] = [];
  const { importedUrls: max } = MEDIA_FILE_LIMITS;
  if (urls.length < 1 || urls.length > max)
    problems.push({
      path: ['urls'],
      message: `must have 1 to ${max} items, got ${urls.length}.`,
    });
  else urls.forEach((url, index) => readUrl(url, ['urls', index], problems));
  const keyLength = idempotencyKey?.length ?? 1;
  if (keyLength < 1 || keyLength > REQUEST_LIMITS.idempotencyKey)
    problems.push({
      path: ['idempotencyKey'],
      message: `must have 1 to ${REQUEST_LIMITS.idempotencyKey} characters, got ${keyLength}.`,
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
    readTexts(input);
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

  @Mutation(() => UpdateMediaPayload, {
    description:
      'Changes the alternative text of a media item. Posts that have the item keep the text that they have. Requires scope MEDIA, and post-action access unless the user added the file.',
  })
  @RequiresScopes([['media']])
  async updateMedia(
    @Arg('input', () => UpdateMediaInput, { description: 'Media item and its new text.' })
    input: UpdateMediaInput,
    @Ctx() context: GatewayContext,
  ) {
    readTexts(input);
    const { id, altText, dryRun } = input;
    const viewer = viewerOf(context.authentication);
    const outcome = await context.services.media.update(viewer, { id, altText, dryRun });
    context.discardLoaders();
    return toPayload(outcome, input);
  }

  @Mutation(() => DeleteMediaPayload, {
    description:
      'Deletes a media item that no post uses, with its file. Requires scope MEDIA, and post-action access unless the user added the file.',
  })
  @RequiresScopes([['media']])
  async deleteMedia(
    @Arg('input', () => DeleteMediaInput, { description: 'Media item to delete.' })
    input: DeleteMediaInput,
    @Ctx() context: GatewayContext,
  ) {
    const { id, dryRun } = input;
    const viewer = viewerOf(context.authentication);
    const outcome = await context.services.media.delete(viewer, { id, dryRun });
    context.discardLoaders();
    const { media, ...payload } = toPayload(outcome, input);
    return { ...payload, deletedId: media?.id ?? null };
  }
}
