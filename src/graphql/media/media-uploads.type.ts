import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { MEDIA_FILE_LIMITS, presentBytes } from '../../domain/media/media-file.js';
import { JobObject } from '../job/job.type.js';
import { optional } from '../optional.js';
import {
  CLIENT_MUTATION_ID,
  DRY_RUN,
  DRY_RUN_IDS,
  IDEMPOTENCY_KEY,
} from '../post/change/input-descriptions.js';
import { UserErrorObject } from '../post/change/post-payload.type.js';
import { DateTime } from '../scalars.js';
import { MediaObject } from './media.type.js';

const IN_LIBRARY = 'Whether the media library lists the file.';
const RETURNED_MUTATION_ID = optional('`clientMutationId` of the input.');

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
export class CreateMediaUploadPayload {
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
export class ImportMediaPayload {
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
