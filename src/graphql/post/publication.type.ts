import { Field, Int, ObjectType } from 'type-graphql';
import type { ErrorSource, PublicationStatus } from '../../domain/publishing/publication.js';
import { ErrorSourceEnum, PublicationStatusEnum } from '../enums.js';
import { optional } from '../optional.js';
import { DateTime } from '../scalars.js';

@ObjectType('PublicationError', {
  simpleResolvers: true,
  description: 'Reason why an attempt did not publish the post.',
})
export class PublicationErrorObject {
  @Field(() => String, { description: 'Error code.' }) code!: string;
  @Field(() => String, { description: 'One sentence, with the message of the network.' })
  message!: string;
  @Field(() => ErrorSourceEnum, { description: 'Cause of the error.' }) source!: ErrorSource;
  @Field(() => Boolean, {
    description: 'Whether publishing the post again can succeed without a change to the post.',
  })
  retryable!: boolean;
  @Field(() => String, optional('Field of the post that the network did not accept, if known.'))
  field!: string | null;
}

@ObjectType('Publication', {
  simpleResolvers: true,
  description: 'Publication of a post by the gateway.',
})
export class PublicationObject {
  @Field(() => PublicationStatusEnum, { description: 'Progress of the publication.' })
  status!: PublicationStatus;
  @Field(() => String, optional('ID of the post on the network.')) remoteId!: string | null;
  @Field(() => String, optional('URL of the post on the network.')) url!: string | null;
  @Field(() => DateTime, optional('Time of publication.')) publishedAt!: Date | null;
  @Field(() => Int, { description: 'Number of attempts that were started.' }) attempts!: number;
  @Field(() => DateTime, optional('Time of the next attempt. Null if no attempt is scheduled.'))
  nextAttemptAt!: Date | null;
  @Field(() => PublicationErrorObject, optional('Error of the last attempt, until one succeeds.'))
  error!: PublicationErrorObject | null;
}
