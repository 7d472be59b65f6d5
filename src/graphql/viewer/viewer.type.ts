import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { Scope } from '../../domain/access/scopes.js';
import type { Plan, Role } from '../../domain/vocabulary.js';
import { PlanEnum, RoleEnum, ScopeEnum } from '../enums.js';
import { DateTime } from '../scalars.js';
import { UserObject, WorkspaceObject } from '../workspace/workspace.type.js';

@ObjectType({
  description: 'The key of this request; never its value (D33).',
  simpleResolvers: true,
})
class ViewerKey {
  @Field(() => ID, { description: '`key_` and letters and digits.' }) id!: string;
  @Field(() => String, { description: 'The name it was given.' }) name!: string;
  @Field(() => String, { description: 'First characters of its value, to tell keys apart.' })
  prefix!: string;
  @Field(() => [ScopeEnum], { description: 'What it may be used for.' }) scopes!: readonly Scope[];
  @Field(() => DateTime, { description: 'When it was made.' }) createdAt!: Date;
  @Field(() => DateTime, { nullable: true, description: 'When it ends; null for never.' })
  expiresAt!: Date | null;
}

@ObjectType('Viewer', {
  simpleResolvers: true,
  description: 'Who calls, through which key, in which workspace.',
})
export class ViewerObject {
  @Field(() => UserObject, { description: 'The key’s user.' }) user!: UserObject;
  @Field(() => WorkspaceObject, {
    nullable: true,
    description:
      'The workspace of the header Service-Workspace-Id; null where it is missing or not the user’s.',
  })
  workspace!: WorkspaceObject | null;
  @Field(() => RoleEnum, { nullable: true, description: 'The user’s role in that workspace.' })
  role!: Role | null;
  @Field(() => Boolean, {
    description: 'Whether the user may act on others’ posts in that workspace (D4).',
  })
  postActions!: boolean;
  @Field(() => PlanEnum, { description: 'The user’s own plan (D34).' }) plan!: Plan;
  @Field(() => [ScopeEnum], { description: 'What the key may be used for.' })
  scopes!: readonly Scope[];
  @Field(() => ViewerKey, { description: 'The key of this request.' }) key!: ViewerKey;
}

@ObjectType('RateLimit', {
  simpleResolvers: true,
  description: 'The user’s request window: one budget over all keys and both interfaces (D37).',
})
export class RateLimitObject {
  @Field(() => Int, { description: 'Requests in a window of 120 seconds.' }) limit!: number;
  @Field(() => Int, { description: 'Requests left in this window, this one counted.' })
  remaining!: number;
  @Field(() => DateTime, { description: 'When the window ends.' }) resetAt!: Date;
}
