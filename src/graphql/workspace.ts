import {
  Field,
  Float,
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
import type { MediaUsage, QuotaUse } from '../domain/media/media-quota.js';
import { PlanEnum, RoleEnum } from './schema/enums.js';
import { NodeInterface } from './node.js';
import { Computed, Costs, RequiresScopes } from './schema/field-decorators.js';
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

@ObjectType('QuotaUse', {
  simpleResolvers: true,
  description: 'What a workspace uses of a quota.',
})
class QuotaUseObject implements QuotaUse {
  @Field(() => Float, { description: 'Used number.' }) used!: number;
  @Field(() => Float, {
    description: 'Maximum number, set by the operator for the plan of the workspace owner.',
  })
  limit!: number;
  @Field(() => Float, { description: 'Number left: `limit` minus `used`, never negative.' })
  remaining!: number;
}

@ObjectType('MediaUsage', {
  simpleResolvers: true,
  description:
    'What the media of a workspace take up. What exceeds a quota is rejected with MEDIA_QUOTA_EXCEEDED.',
})
class MediaUsageObject implements MediaUsage {
  @Field(() => QuotaUseObject, {
    description: 'Bytes of the files of the workspace, and of those that upload URLs accept.',
  })
  bytes!: QuotaUse;
  @Field(() => QuotaUseObject, { description: 'Upload URLs that accept a file.' })
  openUploads!: QuotaUse;
  @Field(() => QuotaUseObject, { description: 'Imported files that jobs still have to fetch.' })
  waitingImports!: QuotaUse;
}

/** All files of a workspace are summed up, which takes milliseconds for 100,000 of them. */
const MEDIA_USAGE_COST = 20;

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

  @FieldResolver(() => MediaUsageObject, {
    description: 'What the media of the workspace take up, and its quotas. Requires scope MEDIA.',
  })
  @RequiresScopes([['media']], { workspace: false })
  @Costs(MEDIA_USAGE_COST)
  async mediaUsage(@Root() workspace: Workspace, @Ctx() { loaders }: GatewayContext) {
    return (await loaders.mediaUsage.load(workspace))!;
  }

  @FieldResolver(() => [MemberObject], { description: 'Members of the workspace.' })
  async members(@Root() workspace: Workspace, @Ctx() { authentication, loaders }: GatewayContext) {
    const members = (await loaders.members.load(workspace.id)) ?? [];
    const ownMembership = members.find(({ user }) => user.id === authentication.caller.user.id);
    const showsEmail = ownMembership !== undefined && canSeeSensitive(ownMembership.role);
    return members.map((member) => ({ ...member, email: showsEmail ? member.email : null }));
  }
}
