import { Field, ObjectType } from 'type-graphql';
import { viewerOf } from '../../domain/access/workspace-access.js';
import { publicationOf } from '../../domain/publishing/publication.js';
import { editability } from '../../domain/rules/editability.js';
import { optional } from '../optional.js';
import { ComputedFromPost, DependsOn } from '../selection/field-dependencies.js';
import {
  DeletabilityObject,
  FieldEditabilityObject,
  NetworkSyncObject,
} from './post-rights.type.js';
import { presentDeletability } from './present-post.js';
import { PublicationObject } from './publication.type.js';

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
    optional('Publication by the service. Null if the service does not publish the post.'),
  )
  @ComputedFromPost(
    publicationOf,
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
  )
  editability!: FieldEditabilityObject[];

  @Field(() => DeletabilityObject, {
    description: 'Whether the viewer can currently delete the post, and the reason if not.',
  })
  @ComputedFromPost(presentDeletability, 'queuedAt', 'armedAt', 'reminder', 'hasQueuedChild')
  deletability!: DeletabilityObject;
}
