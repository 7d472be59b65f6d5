import { Field, Int, ObjectType } from 'type-graphql';
import type { ErrorCode } from '../../domain/errors.js';
import type { AppliesTo, SyncStatus } from '../../domain/vocabulary.js';
import { AppliesToEnum, ErrorCodeEnum, NetworkSyncStatusEnum } from '../enums.js';
import { optional } from '../optional.js';
import { DateTime } from '../scalars.js';

@ObjectType('FieldEditability', {
  simpleResolvers: true,
  description:
    'Whether this viewer may change a field of the post now, and where the change would go; the update asks the same rules.',
})
export class FieldEditabilityObject {
  @Field(() => String, { description: 'A field of PostPatch.' }) field!: string;
  @Field(() => Boolean, { description: 'Whether it may change.' }) allowed!: boolean;
  @Field(() => String, optional('Why not, or what else there is to know.')) reason!: string | null;
  @Field(
    () => String,
    optional('The row of the interface document, or the decision, that says so.'),
  )
  rule!: string | null;
  @Field(() => Int, optional('Longest value, in Unicode code points.')) maxLength!: number | null;
  @Field(() => AppliesToEnum, { description: 'Where the change goes.' }) appliesTo!: AppliesTo;
}

@ObjectType('Deletability', {
  simpleResolvers: true,
  description: 'Whether this viewer may delete the post now; the deletion asks the same rules.',
})
export class DeletabilityObject {
  @Field(() => Boolean, { description: 'Whether it may be deleted.' }) allowed!: boolean;
  @Field(() => ErrorCodeEnum, optional('The code a deletion would be refused with.'))
  code!: ErrorCode | null;
  @Field(() => String, optional('Why not.')) reason!: string | null;
}

@ObjectType('NetworkSync', {
  simpleResolvers: true,
  description: 'How far the last change of a published post has come on its network (D22).',
})
export class NetworkSyncObject {
  @Field(() => NetworkSyncStatusEnum, { description: 'How far it is.' }) status!: SyncStatus;
  @Field(
    () => String,
    optional(
      'The text last known to be live; null where the network shows none of its own, as a blog.',
    ),
  )
  liveText!: string | null;
  @Field(() => String, optional('Why the network refused.')) error!: string | null;
  @Field(() => DateTime, optional('When it was last tried.')) attemptedAt!: Date | null;
}
