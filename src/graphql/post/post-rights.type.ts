import { Field, Int, ObjectType } from 'type-graphql';
import { deletability, type DeleteSubject } from '../../domain/rules/delete-rules.js';
import { viewerOf } from '../../domain/access/viewer.js';
import type { GatewayContext } from '../context.js';
import type { PostAction } from '../../domain/actions/post-actions.js';
import type { ErrorCode } from '../../domain/errors.js';
import type { AppliesTo, SyncStatus } from '../../domain/enums.js';
import {
  AppliesToEnum,
  ErrorCodeEnum,
  NetworkSyncStatusEnum,
  PostActionEnum,
  DateTime,
} from '../schema/enums.js';
import { optional } from '../schema/descriptions.js';

@ObjectType('FieldEditability', {
  simpleResolvers: true,
  description:
    'Whether the viewer can currently edit a field of the post, and where the change is applied. `updatePost` uses the same rules.',
})
export class FieldEditabilityObject {
  @Field(() => String, { description: 'Name of a field of PostPatch.' }) field!: string;
  @Field(() => Boolean, { description: 'Whether the field can be edited.' }) allowed!: boolean;
  @Field(() => String, optional('Reason why the field cannot be edited, or a note about the edit.'))
  reason!: string | null;
  @Field(
    () => String,
    optional(
      'Rule that applies: a section of the interface document (the specification of REST v1), or the number of a decision.',
    ),
  )
  rule!: string | null;
  @Field(() => Int, optional('Maximum length in Unicode code points. Null if there is none.'))
  maxLength!: number | null;
  @Field(() => AppliesToEnum, { description: 'Where the change is applied.' })
  appliesTo!: AppliesTo;
}

@ObjectType('Deletability', {
  simpleResolvers: true,
  description:
    'Whether the viewer can currently delete the post. `deletePosts` uses the same rules.',
})
export class DeletabilityObject {
  @Field(() => Boolean, { description: 'Whether the post can be deleted.' }) allowed!: boolean;
  @Field(
    () => ErrorCodeEnum,
    optional('Error code of a deletion. Null if the post can be deleted.'),
  )
  code!: ErrorCode | null;
  @Field(() => String, optional('Reason why the post cannot be deleted. Null if it can.')) reason!:
    string | null;
}

@ObjectType('ActionRight', {
  simpleResolvers: true,
  description: 'Whether the viewer can currently perform an action on the post.',
})
export class ActionRightObject {
  @Field(() => PostActionEnum, { description: 'Action.' }) action!: PostAction;
  @Field(() => Boolean, { description: 'Whether the viewer can perform the action now.' })
  allowed!: boolean;
  @Field(
    () => ErrorCodeEnum,
    optional(
      'Error code that the mutation would return. Null if the action is allowed or has no effect.',
    ),
  )
  code!: ErrorCode | null;
  @Field(
    () => String,
    optional('Reason why the action is not allowed, or what else the mutation requires.'),
  )
  reason!: string | null;
  @Field(
    () => String,
    optional(
      'Rule that applies: a section of the interface document (the specification of REST v1), or the number of a decision.',
    ),
  )
  rule!: string | null;
}

@ObjectType('NetworkSync', {
  simpleResolvers: true,
  description: 'Status of the last update of a published post on its network.',
})
export class NetworkSyncObject {
  @Field(() => NetworkSyncStatusEnum, { description: 'Status of the network update.' })
  status!: SyncStatus;
  @Field(
    () => String,
    optional(
      'Text currently published on the network, as far as known. Null on networks where a post has no such text, such as blogs.',
    ),
  )
  liveText!: string | null;
  @Field(() => String, optional('Error reported by the network. Null if there is none.')) error!:
    string | null;
  @Field(() => DateTime, optional('Time of the last attempt. Null before the first one.'))
  attemptedAt!: Date | null;
}

/** Converts the deletability of a post to its GraphQL type. */
export function presentDeletability(post: DeleteSubject, { authentication }: GatewayContext) {
  const refusal = deletability(post, viewerOf(authentication));
  return {
    allowed: refusal === null,
    code: refusal?.code ?? null,
    reason: refusal?.message ?? null,
  };
}
