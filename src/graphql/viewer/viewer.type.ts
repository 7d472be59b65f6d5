import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { Scope } from '../../domain/access/scopes.js';
import type { Plan, Role } from '../../domain/enums.js';
import { PlanEnum, RoleEnum, ScopeEnum } from '../enums.js';
import { DateTime } from '../scalars.js';
import { UserObject, WorkspaceObject } from '../workspace/workspace.type.js';

@ObjectType({
  description: 'API key of this request. The secret itself is never returned.',
  simpleResolvers: true,
})
class ViewerKey {
  @Field(() => ID, { description: 'ID: `key_` followed by letters and digits.' }) id!: string;
  @Field(() => String, { description: 'Name of the key.' }) name!: string;
  @Field(() => String, { description: 'First characters of the secret, to identify the key.' })
  prefix!: string;
  @Field(() => [ScopeEnum], { description: 'Scopes of the key.' }) scopes!: readonly Scope[];
  @Field(() => DateTime, { description: 'Creation time.' }) createdAt!: Date;
  @Field(() => DateTime, {
    nullable: true,
    description: 'Expiry time. Null if the key does not expire.',
  })
  expiresAt!: Date | null;
}

@ObjectType('Viewer', {
  simpleResolvers: true,
  description: 'The authenticated user, API key and workspace.',
})
export class ViewerObject {
  @Field(() => UserObject, { description: 'User of the key.' }) user!: UserObject;
  @Field(() => WorkspaceObject, {
    nullable: true,
    description:
      'Workspace of the `Service-Workspace-Id` header. Null if the header is missing or the user is not a member of that workspace.',
  })
  workspace!: WorkspaceObject | null;
  @Field(() => RoleEnum, { nullable: true, description: 'Role of the user in the workspace.' })
  role!: Role | null;
  @Field(() => Boolean, {
    description: 'Whether the user can edit and delete posts of other members of the workspace.',
  })
  postActions!: boolean;
  @Field(() => PlanEnum, { description: 'Plan of the user.' }) plan!: Plan;
  @Field(() => [ScopeEnum], { description: 'Scopes of the key.' })
  scopes!: readonly Scope[];
  @Field(() => ViewerKey, { description: 'API key of this request.' }) key!: ViewerKey;
}

@ObjectType('RateLimit', {
  simpleResolvers: true,
  description: 'Rate limit of the user, shared by all of the user’s keys and both APIs.',
})
export class RateLimitObject {
  @Field(() => Int, { description: 'Maximum number of requests in a window of 120 seconds.' })
  limit!: number;
  @Field(() => Int, { description: 'Requests left in the window, with this request counted.' })
  remaining!: number;
  @Field(() => DateTime, { description: 'Time when the window ends.' }) resetAt!: Date;
}
