import {
  Field,
  ID,
  ObjectType,
  Ctx,
  FieldResolver,
  Int,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { hasPostActions, canSeeSensitive, type Workspace } from '../domain/access/viewer.js';
import type { Plan, Role } from '../domain/enums.js';
import { PlanEnum, RoleEnum } from './schema/enums.js';
import { NodeInterface } from './node.js';
import { Computed, RequiresScopes } from './schema/field-decorators.js';
import type { GatewayContext } from './context.js';

@ObjectType('User', {
  implements: NodeInterface,
  simpleResolvers: true,
  description: 'User. Through `node`, requires scope POSTS_READ or WORKSPACES.',
})
export class UserObject {
  @Field(() => ID, { description: 'ID: `usr_` followed by letters and digits.' }) id!: string;
  @Field(() => String, { description: 'Name of the user.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'HTTPS URL of the user’s picture.' })
  picture!: string | null;
}

@ObjectType('Member', {
  simpleResolvers: true,
  description: 'Membership of a user in a workspace.',
})
class MemberObject {
  @Field(() => UserObject, { description: 'User.' }) user!: UserObject;
  @Field(() => RoleEnum, { description: 'Role of the user in the workspace.' }) role!: Role;
  @Field(() => Boolean, {
    description: 'Whether the member can edit and delete posts of other members.',
  })
  @Computed(hasPostActions)
  postActions!: boolean;
  @Field(() => String, {
    nullable: true,
    description: 'Email address. Visible only to owners and admins; null for other roles.',
  })
  email!: string | null;
}

@ObjectType('Workspace', {
  implements: NodeInterface,
  simpleResolvers: true,
  description: 'Workspace, which contains posts, accounts, labels and media.',
})
export class WorkspaceObject {
  @Field(() => ID, {
    description:
      'ID: `wks_` followed by letters and digits. Value of the `Service-Workspace-Id` header.',
  })
  id!: string;
  @Field(() => String, { description: 'Name of the workspace.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'HTTPS URL of the workspace’s picture.' })
  picture!: string | null;
  @Field(() => PlanEnum, {
    description: 'Plan of the workspace owner, which determines the daily caps.',
  })
  plan!: Plan;
  @Field(() => String, {
    description: 'IANA time zone of the workspace, used for series, recycling posts and queues.',
  })
  timeZone!: string;
  @Field(() => Boolean, {
    description: 'Whether changes by members without approval rights require approval.',
  })
  requiresApproval!: boolean;
}

@Resolver(() => WorkspaceObject)
export class WorkspaceResolver {
  @Query(() => [WorkspaceObject], {
    description:
      'All workspaces of the user. Works without `Service-Workspace-Id`. Requires scope WORKSPACES.',
  })
  @RequiresScopes([['workspaces']], { workspace: false })
  workspaces(@Ctx() { authentication, services }: GatewayContext): Promise<Workspace[]> {
    return services.workspaceRecords.workspacesOf(authentication.caller.user.id);
  }

  @FieldResolver(() => Int, {
    description:
      'Number of minutes after its scheduled time for which a post can still be published. A post that is first handed over for publication later fails with MISSED.',
  })
  async lateMinutes(@Root() { id }: Workspace, @Ctx() { loaders }: GatewayContext) {
    return (await loaders.publicationSettings.load(id))!.lateMinutes;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the operator has locked the workspace. The posts of a locked workspace are not published.',
  })
  async locked(@Root() { id }: Workspace, @Ctx() { loaders }: GatewayContext) {
    return (await loaders.publicationSettings.load(id))!.locked;
  }

  @FieldResolver(() => [MemberObject], { description: 'Members of the workspace.' })
  async members(@Root() workspace: Workspace, @Ctx() { authentication, loaders }: GatewayContext) {
    const members = (await loaders.members.load(workspace.id)) ?? [];
    const ownMembership = members.find(({ user }) => user.id === authentication.caller.user.id);
    const showsEmail = ownMembership !== undefined && canSeeSensitive(ownMembership.role);
    return members.map((member) => ({ ...member, email: showsEmail ? member.email : null }));
  }
}
