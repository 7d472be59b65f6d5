import {
  Field,
  ID,
  Int,
  ObjectType,
  Args,
  Ctx,
  FieldResolver,
  Query,
  Resolver,
} from 'type-graphql';
import { type Scope, hasPostActions, viewerOf } from '../domain/access/viewer.js';
import type { Plan, Role } from '../domain/enums.js';
import { PlanEnum, RoleEnum, ScopeEnum, DateTime } from './schema/enums.js';
import { UserObject, WorkspaceObject } from './workspace.js';
import type { RateState } from '../domain/access/rate-window.js';
import {
  ConnectionArgs,
  readWindow,
  toConnection,
  NOTIFICATIONS_BY_TIME,
  timeCursorKey,
} from './schema/connection.js';
import type { GatewayContext } from './context.js';
import { NotificationConnection } from './notification.js';
import { RequiresScopes } from './schema/field-decorators.js';

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
class ViewerObject {
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
class RateLimitObject {
  @Field(() => Int, { description: 'Maximum number of requests in a window of 120 seconds.' })
  limit!: number;
  @Field(() => Int, { description: 'Requests left in the window, with this request counted.' })
  remaining!: number;
  @Field(() => DateTime, { description: 'Time when the window ends.' }) resetAt!: Date;
}

@Resolver(() => ViewerObject)
export class ViewerResolver {
  @Query(() => ViewerObject, {
    description:
      'The authenticated user and API key. Works with any key and without `Service-Workspace-Id`.',
  })
  @RequiresScopes([], { workspace: false })
  viewer(@Ctx() { authentication: { caller, workspace } }: GatewayContext) {
    const { user, plan, key } = caller;
    const member = workspace.kind === 'member' ? workspace.viewer : null;
    return {
      user,
      plan,
      key,
      scopes: key.scopes,
      workspace: member?.workspace ?? null,
      role: member?.role ?? null,
      postActions: member !== null && hasPostActions(member),
    };
  }

  @Query(() => RateLimitObject, {
    description:
      'Rate limit of the user, with this request counted. Works with any key and without `Service-Workspace-Id`.',
  })
  @RequiresScopes([], { workspace: false })
  rateLimit(@Ctx() { authentication }: GatewayContext): RateState {
    return authentication.rate;
  }

  @FieldResolver(() => NotificationConnection, {
    description:
      'Notifications of the viewer in the workspace, newest first. Works with any key; requires `Service-Workspace-Id`.',
  })
  @RequiresScopes([])
  async notifications(
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Ctx() { authentication, services }: GatewayContext,
  ) {
    const page = await services.workspaceRecords.notifications(
      viewerOf(authentication),
      readWindow(args, NOTIFICATIONS_BY_TIME),
    );
    return toConnection(page, NOTIFICATIONS_BY_TIME, timeCursorKey);
  }
}
