import { Field, Int, ObjectType } from 'type-graphql';
import { publicationOf } from '../../domain/publishing/publication.js';
import { ErrorSourceEnum, PublicationStatusEnum, DateTime } from '../schema/enums.js';
import { optional } from '../schema/descriptions.js';
import { viewerOf } from '../../domain/access/viewer.js';
import { type ActionSubject, actionRights } from '../../domain/actions/post-actions.js';
import { stateReason, type StateSubject } from '../../domain/actions/state-reason.js';
import { editability } from '../../domain/rules/edit-rules.js';
import { ComputedFromPost, DependsOn } from '../schema/field-decorators.js';
import {
  ActionRightObject,
  DeletabilityObject,
  FieldEditabilityObject,
  NetworkSyncObject,
  presentDeletability,
} from './post-rights.type.js';
import type { ErrorSource, PublicationStatus } from '../../domain/publishing/publication-record.js';

@ObjectType('PublicationError', {
  simpleResolvers: true,
  description: 'Reason why an attempt did not publish the post.',
})
class PublicationErrorObject {
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
class PublicationObject {
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

/** What `actions` is computed from. */
const ACTION_FIELDS = [
  'type',
  'text',
  'title',
  'question',
  'duration',
  'url',
  'link',
  'media',
  'mediaFiles',
  'missingFiles',
  'options',
  'tags',
  'content',
  'details',
  'networkOptions',
  'account',
  'remoteId',
  'queuedAt',
  'armedAt',
  'reminder',
  'hasQueuedChild',
  'publicationRecord',
  'recurring',
  'recycling',
] as const satisfies readonly (keyof ActionSubject)[];

/** What `stateReason` is computed from. */
const STATE_FIELDS = [
  'network',
  'account',
  'scheduledAt',
  'createdAt',
  'queuedAt',
  'armedAt',
  'retryAt',
  'reminder',
  'publicationRecord',
  'publicationHold',
  'review',
  'updatedAt',
] as const satisfies readonly (keyof StateSubject)[];

/** The fields of a post that tell what happens to it, and what the viewer may do with it. */
@ObjectType({ simpleResolvers: true })
export abstract class PostProgressObject {
  @Field(() => Boolean, {
    description:
      'Whether the post has been handed over for publication, and publication has not finished. Such a post cannot be deleted unless it is a reminder.',
  })
  @ComputedFromPost(({ queuedAt }) => queuedAt !== null, 'queuedAt')
  queued!: boolean;

  @Field(
    () => PublicationObject,
    optional('Publication by the gateway. Null if the gateway does not publish the post.'),
  )
  @ComputedFromPost(
    publicationOf,
    'scheduledAt',
    'queuedAt',
    'armedAt',
    'retryAt',
    'postLink',
    'remoteId',
    'publicationRecord',
  )
  publication!: PublicationObject | null;

  @Field(
    () => NetworkSyncObject,
    optional('Status of the last update on the network. Null if no update had to be sent.'),
  )
  @DependsOn('networkSync')
  networkSync!: NetworkSyncObject | null;

  @Field(() => [FieldEditabilityObject], {
    description:
      'Editability of each field of PostPatch: whether the viewer can currently edit it, and where the change is applied.',
  })
  @ComputedFromPost(
    (post, { authentication }) => editability(post, viewerOf(authentication)),
    'network',
    'type',
    'parentId',
    'queuedAt',
    'armedAt',
    'publicationRecord',
  )
  editability!: FieldEditabilityObject[];

  @Field(() => DeletabilityObject, {
    description: 'Whether the viewer can currently delete the post, and the reason if not.',
  })
  @ComputedFromPost(presentDeletability, 'queuedAt', 'armedAt', 'reminder', 'hasQueuedChild')
  deletability!: DeletabilityObject;

  @Field(() => [ActionRightObject], {
    description:
      'What the viewer can currently do with the post: one entry for each action. The mutations use the same rules.',
  })
  @ComputedFromPost(
    (post, { authentication }) => actionRights(post, viewerOf(authentication)),
    ...ACTION_FIELDS,
  )
  actions!: ActionRightObject[];

  @Field(() => String, {
    description: 'Explanation for people: why the post is in its state, and what happens next.',
  })
  @ComputedFromPost((post, { clock }) => stateReason(post, clock.now()), ...STATE_FIELDS)
  stateReason!: string;
}
